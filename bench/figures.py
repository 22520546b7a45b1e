# SPDX-License-Identifier: Apache-2.0
"""The committed figures (bench/figures.json) and the tables that pages make of them.

`./dev bench --write` puts what it measured there and into the pages; docs/check.py fails where a page and the file
disagree. A benchmark's entry is replaced as a whole, so that a note never outlives the run it is about. What was not
written down when a figure was measured (a date, a machine) is absent, not guessed.
"""
import json
import re

from tables import ROOT

FILE = ROOT / "bench" / "figures.json"
PAGE = ROOT / "docs" / "benchmarks.md"
PAGES = (ROOT / "README.md", PAGE)
BLOCK = re.compile(r"(<!-- From here: bench/figures\.json, ([\w -]+) -->\n\n).*?(<!-- Until here\. -->)", re.DOTALL)

# Benchmark, quantity, and how README says it.
HEADLINES = (
    ("tune-letter2k", "LIBSVM's time / ours, 81 cells x 10 folds",
     "tuning: 81 cells × 10 folds on 2000 rows of letter, LIBSVM's time / ours"),
    ("tuned-satimage", "LIBSVM's grid / our tuned fit", "a tuned fit of satimage (4435 rows), LIBSVM's grid / ours"),
    ("svm-letter", "time / svm-train's", "one support vector machine on 15 000 rows of letter, our time / `svm-train`'s"),
    ("predict-letter", "our rows/s / LIBSVM's fastest", "prediction from 15 000 rows of letter, our rows a second / LIBSVM's"),
    ("million-rows", "peak memory", "a million rows from a file with 1000 centres, peak memory"),
)
MACHINE = {"processor": "processor", "cores": "cores", "memory": "memory", "openblas": "OpenBLAS", "compiler": "compiler",
           "libsvm": "LIBSVM"}


# ---- values and bars -------------------------------------------------------------------------------------------------
# A value is a number, or [least, greatest] of several; null where only the other end is known. A bar is
# [">=", number], ["<=", number], ["..", least, greatest], or nothing where no promise is made.

def ends(value):
    return value if isinstance(value, (list, tuple)) else (value, value)


def holds(value, bar):
    """Whether all of a value keeps to its bar; None without a bar."""
    if bar is None:
        return None
    least, greatest = ends(value)
    kind, *limits = bar
    return (kind == "<=" or least >= limits[0]) and (kind == ">=" or greatest <= limits[-1])


def number(value):
    text = re.sub(r"e-0*", "e-", f"{value:.0f}" if abs(value) >= 1000 else f"{value:.4g}")
    return "−" + text[1:] if text.startswith("-") else text


def words(value, unit=""):
    least, greatest = ends(value)
    text = (f"at most {number(greatest)}" if least is None else number(least) if least == greatest
            else f"{number(least)}–{number(greatest)}")
    return text + ("" if not unit or unit == "×" else " ") + unit


def bar_words(bar, unit=""):
    """The sign of a ratio is left to the figure beside it."""
    if bar is None:
        return ""
    kind, *limits = bar
    limit = words(limits if kind == ".." else limits[0], "" if unit == "×" else unit)
    return {">=": "≥ ", "<=": "≤ ", "..": ""}[kind] + limit


# ---- the file --------------------------------------------------------------------------------------------------------

def load():
    return json.loads(FILE.read_text(encoding="utf-8"))


def text_of(document):
    """As JSON with a line for each machine and each figure, so that a change of one is a changed line."""
    def text(value):
        return json.dumps(value, ensure_ascii=False)

    def entry(name, content):
        head = text({key: value for key, value in content.items() if key != "figures"})[:-1]
        return f'  {text(name)}: {head}, "figures": [\n' + ",\n".join(f"    {text(one)}" for one in content["figures"]) + "\n  ]}"

    machines = [f"  {text(letter)}: {text(machine)}" for letter, machine in document["machines"].items()]
    entries = [entry(*one) for one in document["benchmarks"].items()]
    return '{"machines": {\n' + ",\n".join(machines) + '\n}, "benchmarks": {\n' + ",\n".join(entries) + "\n}}\n"


def write(path, text):
    """The whole file or the old one."""
    path.parent.mkdir(parents=True, exist_ok=True)
    temporary = path.with_name(path.name + ".tmp")
    temporary.write_text(text, encoding="utf-8")
    temporary.replace(path)


def letter_of(document, machine):
    """The letter of an equal machine, or the first free one."""
    known = document["machines"]
    letter = next((key for key, other in known.items() if other == machine), None)
    letter = letter or next(key for key in map(chr, range(ord("A"), ord("Z") + 1)) if key not in known)
    known[letter] = machine
    return letter


def rounded(value):
    return float(f"{value:.6g}") if isinstance(value, float) else value


LINE = ("quantity", "value", "unit", "bar", "holds", "estimated")  # of a line() of programs.py; what else it has are parts


def figure_of(entry):
    """What is kept of a line(): of its parts those that are numbers."""
    parts = {key: rounded(part) for key, part in entry.items() if key not in LINE and isinstance(part, (int, float))}
    return {"quantity": entry["quantity"], "value": rounded(entry["value"]), "unit": entry["unit"],
            **({"bar": list(entry["bar"])} if entry["bar"] else {}), **({"of": parts} if parts else {}),
            **({"estimated": True} if entry.get("estimated") else {})}


def with_entry(document, name, lines, machine, **head):
    """The document with what was measured; a machine that no entry names any more is forgotten."""
    document["benchmarks"][name] = {**head, "machine": letter_of(document, machine), "figures": list(map(figure_of, lines))}
    used = {entry.get("machine") for entry in document["benchmarks"].values()}
    document["machines"] = {key: document["machines"][key] for key in sorted(used - {None})}
    return document


# ---- the tables ------------------------------------------------------------------------------------------------------

def table(header, rows):
    return "".join("| " + " | ".join(row) + " |\n" for row in (header, *rows)).replace("\n", f"\n|{'---|' * len(header)}\n", 1)


def made_of(figure):
    parts = [f"{key.replace('_', ' ')} {words(part)}" for key, part in figure.get("of", {}).items()]
    return "; ".join(filter(None, [", ".join(parts), "LIBSVM estimated from 9 cells" if figure.get("estimated") else "",
                                   figure.get("note", "")]))


def missed(figure):
    return holds(figure["value"], figure.get("bar")) is False


def bar_cell(figure):
    return bar_words(figure.get("bar"), figure["unit"]) + (", **missed**" if missed(figure) else "")


def origin(entry):
    """Where and when, and whether something else ran as well."""
    busy = f"busy (load {entry['load']})" if "load" in entry else None
    return ", ".join(filter(None, [entry.get("machine", "not recorded"), entry.get("date"), busy]))


def rows_of(entry):
    for k, figure in enumerate(entry["figures"]):
        first = k == 0
        yield (f"`{entry['command']}`: {entry['what']}" if first else "", figure["quantity"],
               words(figure["value"], figure["unit"]), bar_cell(figure), made_of(figure), origin(entry) if first else "")


def chosen(document, names):
    """Benchmarks whose name is, or begins with, one of these."""
    return [name for name in document["benchmarks"] if any(name == word or name.startswith(word + "-") for word in names)]


def benchmark_table(document, names):
    return table(("command", "quantity", "figure", "bar", "made of", "machine"),
                 [row for name in chosen(document, names) for row in rows_of(document["benchmarks"][name])])


def machine_table(document):
    rows = [(letter, *(str(machine.get(key, "–")) for key in MACHINE)) for letter, machine in document["machines"].items()]
    return table(("machine", *MACHINE.values()), rows)


def missed_words(document):
    promised = [(name, figure) for name, entry in document["benchmarks"].items() for figure in entry["figures"] if "bar" in figure]
    out = [f"{one['quantity']} {words(one['value'], one['unit'])} for {bar_words(one['bar'], one['unit'])} (`{name}`)"
           for name, one in promised if missed(one)]
    return f"Of {len(promised)} bars {len(out)} are missed" + (f": {'; '.join(out)}." if out else ".") + "\n"


def machine_words(document, letters):
    """Only what was recorded."""
    return "".join(f"Machine {letter}: " + ", ".join(f"{MACHINE[key]} {value}" for key, value in document["machines"][letter].items())
                   + ".\n" for letter in letters)


def headline_table(document):
    def row(name, quantity, said):
        entry = document["benchmarks"][name]
        figure = {figure["quantity"]: figure for figure in entry["figures"]}[quantity]
        estimate = " (LIBSVM estimated from 9 cells)" if figure.get("estimated") else ""
        return (said + estimate, f"**{words(figure['value'], figure['unit'])}**", bar_cell(figure), f"`{name}`", origin(entry))

    letters = {document["benchmarks"][name].get("machine") for name, *_ in HEADLINES}
    return (table(("what", "figure", "bar", "`./dev bench`", "machine"), [row(*one) for one in HEADLINES]) + "\n"
            + machine_words(document, sorted(letters - {None})) + missed_words(document))


def filled(text, document):
    """A page with its tables as the file has them."""
    def block(found):
        made = {"machines": machine_table, "headlines": headline_table}.get(found[2], lambda d: benchmark_table(d, found[2].split()))
        return found[1] + made(document) + "\n" + found[3]

    return BLOCK.sub(block, text)


def absent(document):
    """Benchmarks that no table of the page shows."""
    shown = chosen(document, " ".join(names for _, names, _ in BLOCK.findall(PAGE.read_text(encoding="utf-8"))).split())
    return [name for name in document["benchmarks"] if name not in shown]


def record(name, lines, machine, **head):
    document = with_entry(load(), name, lines, machine, **head)
    write(FILE, text_of(document))
    for page in PAGES:
        write(page, filled(page.read_text(encoding="utf-8"), document))
