# SPDX-License-Identifier: Apache-2.0
"""Starts our tool and LIBSVM's programs and measures them alike: wall time and peak memory of the whole process."""
import concurrent.futures
import json
import os
import pathlib
import re
import shutil
import statistics
import subprocess
import sys
import tempfile
import time

import figures
from tables import ROOT

BUILD = pathlib.Path(os.environ.get("MANYONE_BUILD", ROOT / "build" / "release"))
TOOL = BUILD / "manyone"


EXPONENTS = range(-4, 5)  # C, sigma and ridge in powers of two, as in the papers


class Run:
    """One process that ran to its end."""

    def __init__(self, seconds, megabytes, out):
        self.seconds, self.megabytes, self.out = seconds, megabytes, out

    def json(self):
        return json.loads(self.out)


def run(*command):
    command = [str(word) for word in command]
    with tempfile.TemporaryFile() as out, tempfile.TemporaryFile() as err:
        start = time.perf_counter()
        process = subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=out, stderr=err)
        _, status, usage = os.wait4(process.pid, 0)
        seconds = time.perf_counter() - start
        process.returncode = os.waitstatus_to_exitcode(status)
        out.seek(0)
        err.seek(0)
        if process.returncode != 0:
            raise RuntimeError(f"{' '.join(command)} ended with {process.returncode}: {err.read().decode().strip()}")
        return Run(seconds, usage.ru_maxrss / 1024, out.read().decode())


def peak_megabytes(*command):
    """Of a process whose parent is small: what a parent uses counts as the peak of those it starts."""
    starter = ("import os, sys; _, status, usage = os.wait4(os.spawnvp(os.P_NOWAIT, sys.argv[1], sys.argv[1:]), 0); "
               "print(usage.ru_maxrss, file=sys.stderr); sys.exit(os.waitstatus_to_exitcode(status))")
    done = subprocess.run([sys.executable, "-S", "-c", starter, *map(str, command)], check=True, stdin=subprocess.DEVNULL,
                          stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)
    return int(done.stderr.split()[-1]) / 1024


def median_run(*command, at_most=5, within=10.0):
    """The run of median time; short commands run several times, long ones once."""
    runs = [run(*command)]
    while len(runs) < at_most and (len(runs) + 1) * runs[0].seconds < within:
        runs.append(run(*command))
    middle = statistics.median_low(r.seconds for r in runs)
    return next(r for r in runs if r.seconds == middle)


def alternating(commands, rounds, at_most=60, within=3.0):
    """Median seconds of each command, measured in turns so that a change of load meets all of them.

    Short commands, whose times scatter most, are measured more often than `rounds` times.
    """
    seconds = [[] for _ in commands]
    began = time.perf_counter()
    while len(seconds[0]) < rounds or (len(seconds[0]) < at_most and time.perf_counter() - began < within):
        for times, command in zip(seconds, commands):
            times.append(run(*command).seconds)
    return [statistics.median(times) for times in seconds]


def libsvm_cross_validation(path, cells, processes, folds=10):
    """Wall seconds for all cells (cost, gamma), `processes` at a time, and the error of each."""
    def error(cell):
        cost, gamma = cell
        out = run("svm-train", "-q", "-v", folds, "-c", cost, "-g", repr(gamma), "-m", 200, path).out
        return 1 - float(re.search(r"Cross Validation Accuracy = ([\d.]+)%", out).group(1)) / 100

    start = time.perf_counter()
    with concurrent.futures.ThreadPoolExecutor(processes) as pool:
        errors = list(pool.map(error, cells))
    return time.perf_counter() - start, errors


def libsvm_error(out):
    return 1 - float(re.search(r"Accuracy = ([\d.]+)%", out).group(1)) / 100


def require_peers():
    missing = [name for name in ("svm-train", "svm-predict") if shutil.which(name) is None]
    if missing:
        raise SystemExit(f"{' and '.join(missing)} not found: install libsvm-tools (./dev bench does)")
    if not TOOL.is_file():
        raise SystemExit(f"{TOOL} not found: ./dev bench builds it")


def package_version(name):
    try:
        done = subprocess.run(["dpkg-query", "-W", "-f=${Version}", name], capture_output=True, text=True, check=False)
        return done.stdout or "unknown"
    except OSError:
        return "unknown"


def openblas_config():
    """What OpenBLAS says of itself in a process of its own; "unknown" if it is not there."""
    script = ("import ctypes; library = ctypes.CDLL('libopenblas.so.0'); "
              "library.openblas_get_config.restype = ctypes.c_char_p; print(library.openblas_get_config().decode())")
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=False)
    return done.stdout.strip() or "unknown"


def openblas(flags):
    """The same after numpy, which is not loaded yet, got kernels that fit a processor newer than OpenBLAS; our backend
    looks for itself (backend/cpu/blas.hpp)."""
    config = openblas_config()
    if "Prescott" in config and "avx2" in flags and "OPENBLAS_CORETYPE" not in os.environ:
        os.environ["OPENBLAS_CORETYPE"] = "SKYLAKEX" if "avx512vl" in flags else "HASWELL"
        config = openblas_config()
    return config


def compiler():
    """The one that built the tool, as it says itself."""
    cache = BUILD / "CMakeCache.txt"
    found = re.search(r"^CMAKE_CXX_COMPILER:\w+=(.*)$", cache.read_text(encoding="utf-8"), re.M) if cache.is_file() else None
    return run(found.group(1), "--version").out.splitlines()[0] if found else "unknown"


def machine():
    """What the figures depend on."""
    with open("/proc/cpuinfo", encoding="utf-8") as file:
        cpuinfo = file.read()
    model = re.search(r"model name\s*: (.*)", cpuinfo)
    flags = re.search(r"flags\s*: (.*)", cpuinfo)
    return {"processor": model.group(1) if model else "unknown", "cores": len(os.sched_getaffinity(0)),
            "memory": f"{os.sysconf('SC_PAGE_SIZE') * os.sysconf('SC_PHYS_PAGES') / 1e9:.0f} GB",
            "openblas": openblas(flags.group(1).split() if flags else []), "compiler": compiler(),
            "libsvm": package_version("libsvm-tools")}


def libsvm_grid(setting, path, full):
    """Seconds for the 81 cells, the smallest error, and whether the time is an estimate.

    The estimate measures the centre of each 3 x 3 block of cells and takes nine times their time; for the error the rest
    of the best block is looked at as well, at no charge.
    """
    def cells(costs, sigmas):
        return [(2.0 ** c, 1 / (2 * 4.0 ** s)) for c in costs for s in sigmas]

    if full:
        seconds, errors = libsvm_cross_validation(path, cells(EXPONENTS, EXPONENTS), setting.threads)
        return seconds, min(errors), False
    centres = [(c, s) for c in (-3, 0, 3) for s in (-3, 0, 3)]
    seconds, errors = libsvm_cross_validation(path, [cells([c], [s])[0] for c, s in centres], setting.threads)
    c, s = centres[errors.index(min(errors))]
    around = cells(range(c - 1, c + 2), range(s - 1, s + 2))
    _, more = libsvm_cross_validation(path, around, setting.threads)
    return 9 * seconds, min(errors + more), True


class Setting:
    """What the options say, and a folder for files."""

    def __init__(self, options, folder):
        self.threads, self.full, self.quick, self.folder = options.threads, options.full, options.quick, folder

    def command(self, *arguments):
        return (TOOL, *arguments, "--quiet", "--threads", self.threads)

    def ours(self, *arguments, median=False):
        return (median_run if median else run)(*self.command(*arguments))

    def ours_json(self, *arguments, median=False):
        result = self.ours(*arguments, "--json", median=median)
        return result, result.json()


def line(quantity, value, bar=None, unit="×", **details):
    """One figure, most often a ratio. `bar` is ("<=" or ">=", number), ("..", least, greatest) or nothing where no promise
    is made; details are what the figure was made of."""
    return {"quantity": quantity, "value": value, "unit": unit, "bar": bar, "holds": figures.holds(value, bar), **details}
