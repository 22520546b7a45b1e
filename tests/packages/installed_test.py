# SPDX-License-Identifier: Apache-2.0
"""Installs the Debian packages with dpkg, uses them, and removes them again: installed_test.py PACKAGES SOURCE

This happens in a copy of the running system: a mount namespace in which /usr, /var and /etc are overlays, of which
nothing is left afterwards. Exit code 77 where that is not allowed (it takes root) or dpkg is missing.
"""
import pathlib
import shutil
import subprocess
import sys

COPY = r"""
set -e
copy=$(mktemp -d)
mount -t tmpfs tmpfs "$copy"
for folder in usr var etc; do
  mkdir -p "$copy/$folder/upper" "$copy/$folder/work"
  mount -t overlay overlay -o "lowerdir=/$folder,upperdir=$copy/$folder/upper,workdir=$copy/$folder/work" "/$folder"
done
trap 'cd /; umount -l /etc /var /usr "$copy"; rmdir "$copy"' EXIT
mkdir "$copy/here"
cd "$copy/here"
"""

# Each line is a claim: the shell stops at the first that does not hold.
USE = r"""
dpkg -i "$1"/*.deb
command -v manyone | grep -qx /usr/bin/manyone
cp "$2/data/iris.csv" .
manyone fit iris.csv -o iris.safetensors
manyone evaluate iris.safetensors iris.csv | grep -q '150 rows'
manyone reproduce honeine-table4 --machines onelsm --datasets iris --repeats 1 | grep -q oneLSM
manyone datasets | grep -q /usr/share/manyone/wine.csv
if command -v man >/dev/null && [ -s /usr/share/man/man1/manyone-fit.1.gz ]; then man -w manyone-fit; fi
ldconfig -p | grep -q libmanyone.so.0
g++ -std=c++20 "$2/examples/02_fixed_parameters.cpp" $(pkg-config --cflags --libs manyone) -o program
./program | grep -qx around
if dpkg-query -W libeigen3-dev >/dev/null; then
  g++ -std=c++20 "$2/examples/07_eigen.cpp" $(pkg-config --cflags --libs manyone eigen3) -o program
  ./program | grep -qx 1
fi
if dpkg -L manyone manyone-studies libmanyone0 libmanyone-dev | grep -q '^/usr/local'; then echo "a file in /usr/local"; exit 1; fi
dpkg -r manyone-studies manyone libmanyone-dev libmanyone0
test ! -e /usr/bin/manyone
if ldconfig -p | grep -q libmanyone; then echo "the loader still knows the library"; exit 1; fi
echo "installed, used and removed"
"""


def in_copy(commands, *arguments):
    return subprocess.run(["unshare", "-m", "bash", "-c", COPY + commands, "copy", *map(str, arguments)], capture_output=True, text=True, check=False)


def main():
    packages, source = (pathlib.Path(argument).resolve() for argument in sys.argv[1:3])
    if not packages.exists() or not shutil.which("dpkg"):
        print("skipped: there are no packages")
        return 77
    if not shutil.which("unshare") or in_copy("true").returncode != 0:
        print("skipped: no copy of the system can be made here (it takes root and overlayfs)")
        return 77
    done = in_copy("set -x\n" + USE, packages, source)
    print(done.stdout + (done.stderr if done.returncode else ""))
    return 1 if done.returncode else 0


if __name__ == "__main__":
    sys.exit(main())
