#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# A study: which machine is best on vowel, and is the difference real?
#     examples/03_which_machine.sh TOOL FOLDER
# writes the pages compare.html and best.html to FOLDER. The table is vowel (528 recordings of eleven vowels) from
# $MANYONE_DATA, or the bundled wine where that is not set.
set -euo pipefail
tool=$1
folder=$2
here=$(cd "$(dirname "$0")/.." && pwd)
train=$here/data/wine.csv
if [ -n "${MANYONE_DATA:-}" ] && [ -f "$MANYONE_DATA/vowel.train.csv" ]; then train=$MANYONE_DATA/vowel.train.csv; fi
mkdir -p "$folder"

# Five halvings, every machine tuned inside each half: no error below was looked at while tuning.
"$tool" compare "$train" --machines onelsm,vo-lssvm,ls-ovo,svm-ovo,ww --json >"$folder/compare.json"

# The simplest of those that are not significantly worse, trained on all rows, with the honest error beside it.
"$tool" fit "$train" --machine onelsm --nested -o "$folder/best.safetensors" --json --figures >"$folder/best.json"

# Where the table has a test part: speakers that nobody was tuned on.
test=${train/.train./.test.}
if [ "$test" != "$train" ] && [ -f "$test" ]; then "$tool" evaluate "$folder/best.safetensors" "$test"; fi

for result in compare best; do
  "$tool" report "$folder/$result.json" --svg "$folder/$result" || echo "no pictures: node draws them" >&2
  "$tool" report "$folder/$result.json" -o "$folder/$result.html" || echo "no page: this build has none" >&2
done
