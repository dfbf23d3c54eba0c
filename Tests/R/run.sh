#!/usr/bin/env bash
# Builds and checks the R package, runs the code of its vignette, and compares the steps in GGIR's report with the command's.
# Usage: Tests/R/run.sh FOLDER, which has footfall and libFootfallC.so. GGIR is used where R finds it (R_LIBS), else left out.
set -euo pipefail
cd "$(dirname "$0")/../.."
root=$PWD build=$(realpath "$1")
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
export PATH=$build:$PATH FOOTFALL_LIBRARY=$build/libFootfallC.so FOOTFALL_COMMAND=$build/footfall
export FOOTFALL_TRACES=$root/SensorTraces R_LIBS=$folder/library${R_LIBS:+:$R_LIBS}
mkdir "$folder/library"
cd "$folder"

R CMD build "$root/R" >build.txt 2>&1 || { cat build.txt; exit 1; }
package=$(echo footfall_*.tar.gz)
# --no-manual: a manual in PDF needs LaTeX.
R CMD check --no-manual "$package" >check.txt 2>&1 || { cat check.txt; exit 1; }
grep -q '^Status: OK' check.txt || { cat check.txt; exit 1; }
grep '^[a-z-]*.csv: ' footfall.Rcheck/tests/footfall.Rout
echo "R CMD check $package: $(grep '^Status' check.txt), $(Rscript --version 2>&1)"

# Without a library, the tests of the package say that they were left out.
env -u FOOTFALL_LIBRARY R CMD INSTALL -l library "$package" >install.txt 2>&1 || { cat install.txt; exit 1; }
env -u FOOTFALL_LIBRARY Rscript --vanilla "$root/R/tests/footfall.R" | grep '^skipped: no libFootfallC.so'

cp "$root/SensorTraces/commute.csv" walk.csv
Rscript --vanilla -e 'invisible(knitr::purl(file.path(commandArgs(TRUE), "R/vignettes/ggir.Rmd"), "page.R", quiet = TRUE))' "$root"
# purl comments out what is not evaluated: the code of GGIR, which comes below.
cat >>page.R <<'R'
stopifnot(days$steps == 568, nrow(walk$steps) == 568, nrow(result$steps) == 568)
stopifnot(sum(footfall_history("steps.sqlite", by = "hour")$counts$steps) == 568)
R
Rscript --vanilla page.R >page.txt 2>&1 || { cat page.txt; exit 1; }
echo "The code of the vignette: run"

if Rscript --vanilla -e 'quit(status = !requireNamespace("GGIR", quietly = TRUE))'; then
    mkdir ggir
    (cd ggir && Rscript --vanilla "$root/Tests/R/ggir.R" 2>../ggir.txt) || { cat ggir.txt; exit 1; }
else
    echo "skipped: GGIR is not installed"
fi
