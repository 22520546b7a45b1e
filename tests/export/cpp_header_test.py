# SPDX-License-Identifier: Apache-2.0
"""Exported C++ headers compile without warnings and give our scores, probabilities and labels: cpp_header_test.py TOOL CXX"""
import pathlib
import subprocess
import sys
import tempfile

from cases import Workshop, choice_cases, machine_cases, prepare

LARGEST = 1e-9  # difference, as a share of the largest score

# A program with all models: rows from standard input, for each a line of class, scores and probabilities.
PROGRAM = """#include <cstdio>
#include <cstring>
%(includes)s
template <class Scores, class Probabilities>
void run(int features, int classes, int (*predict)(const double*), Scores scores, Probabilities probabilities) {
  double x[1000];
  double s[100];
  double p[100];
  for (;;) {
    for (int j = 0; j < features; ++j) {
      if (std::scanf("%%lf", &x[j]) != 1) return;
    }
    scores(x, s);
    probabilities(x, p);
    std::printf("%%d", predict(x));
    for (int c = 0; c < classes; ++c) std::printf(" %%.17g", s[c]);
    for (int c = 0; c < classes; ++c) std::printf(" %%.17g", p[c]);
    std::printf("\\n");
  }
}
int main(int, char** arguments) {
%(calls)s
}
"""


def main():
    tool, compiler = pathlib.Path(sys.argv[1]).resolve(), sys.argv[2]
    with tempfile.TemporaryDirectory() as folder:
        shop = Workshop(tool, folder)
        prepare(shop)
        cases = [*machine_cases(shop, ("iris",)), *choice_cases(shop)]
        names = [f"case_{number}" for number in range(len(cases))]
        for name, case in zip(names, cases):
            shop.run("export", case.model, "--cpp", f"{name}.hpp", "--quiet")
        call = ('  if (std::strcmp(arguments[1], "{0}") == 0) run({0}::feature_count, {0}::class_count, {0}::predict, {0}::scores, '
                "{0}::probabilities);")
        pathlib.Path(folder, "main.cpp").write_text(PROGRAM % {
            "includes": "\n".join(f'#include "{name}.hpp"' for name in names), "calls": "\n".join(map(call.format, names))})
        subprocess.run([compiler, "-std=c++17", "-O1", "-Wall", "-Wextra", "-Wshadow", "-pedantic", "-Werror", "main.cpp", "-o", "main"],
                       cwd=folder, check=True)
        failures = 0
        for name, case in zip(names, cases):
            rows = case.rows()
            done = subprocess.run([f"{folder}/main", name], input="\n".join(" ".join(map(repr, row)) for row in rows), text=True,
                                  stdout=subprocess.PIPE, check=True)
            expected = shop.predicted(case)
            classes = len(expected["classes"])
            lines = [list(map(float, line.split())) for line in done.stdout.splitlines()]
            assert len(lines) == len(rows), case.name
            largest = max(abs(value) for row in expected["scores"] for value in row) or 1
            of_scores = max(abs(a - b) for line, row in zip(lines, expected["scores"]) for a, b in zip(line[1:], row)) / largest
            of_chances = max(abs(a - b) for line, row in zip(lines, expected["probabilities"])
                             for a, b in zip(line[1 + classes:], row))
            agree = sum(expected["classes"][int(line[0])] == label for line, label in zip(lines, expected["labels"]))
            good = agree == len(rows) and of_scores <= LARGEST and of_chances <= 10 * LARGEST
            failures += not good
            print(f"{of_scores:10.1e}{of_chances:10.1e}{agree:>6} of {len(rows):<5}{case.name}{'' if good else '   FAILED'}")
    print(f"{len(cases)} headers, {failures} that differ")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
