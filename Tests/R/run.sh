#!/usr/bin/env bash
# Runs the R code of the documentation, with the command and the library of a build.
# Usage: Tests/R/run.sh FOLDER, which has footfall and libFootfallC.so.
set -euo pipefail
cd "$(dirname "$0")/../.."
build=$(realpath "$1")
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cp SensorTraces/commute.csv "$folder/walk.csv"
awk '/^```/ { inside = $0 == "```r"; next } inside' Sources/Footfall/Footfall.docc/FromR.md >"$folder/page.R"
cat >>"$folder/page.R" <<'R'
stopifnot(days$steps == 568, length(result$steps) == 568, sum(result$activities$steps) == 568, nrow(steps) == 568)
R
# The Python of Debian has a numpy that its reticulate knows.
export PATH=$build:$PATH PYTHONPATH=$PWD/Python FOOTFALL_LIBRARY=$build/libFootfallC.so RETICULATE_PYTHON=/usr/bin/python3
(cd "$folder" && Rscript --vanilla page.R >page.txt 2>&1) || { cat "$folder/page.txt"; exit 1; }
echo "The code in From R: run with $(Rscript --version 2>&1)."
