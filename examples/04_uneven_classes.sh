#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# A study: glass splinters by their chemical spectrum, with classes of 9 to 76 rows. Does it help to weigh the classes
# alike, and what does that cost?
#     examples/04_uneven_classes.sh TOOL FOLDER
set -euo pipefail
tool=$1
folder=$2
here=$(cd "$(dirname "$0")/.." && pwd)
glass=$here/data/glass.csv
mkdir -p "$folder"

# The same machine with and without weights: look at the balanced error, in which every class counts the same.
"$tool" compare "$glass" --with "onelsm" --with "onelsm --weights balanced" --with "ls-ovo" --with "ls-ovo --weights balanced" \
  --protocol cv:5x4 --stratify --json >"$folder/compare.json"

"$tool" fit "$glass" --weights balanced --stratify --folds 5 --repeats 10 -o "$folder/balanced.safetensors" --json --figures \
  >"$folder/balanced.json"

for result in compare balanced; do
  "$tool" report "$folder/$result.json" --svg "$folder/$result" || echo "no pictures: node draws them" >&2
  "$tool" report "$folder/$result.json" -o "$folder/$result.html" || echo "no page: this build has none" >&2
done
