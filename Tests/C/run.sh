#!/usr/bin/env bash
# Compiles the C program of this folder against the library of a build, and runs it on a shipped trace.
# Usage: Tests/C/run.sh FOLDER [SECONDS]: FOLDER has libFootfallC.so; random calls follow for SECONDS (5).
set -euo pipefail
cd "$(dirname "$0")/../.."
build=$(realpath "$1")
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
compile() { cc -std=c11 -Wall -Wextra -Werror -pedantic -g -fsanitize=address,undefined -ISources/CFootfall "$@"; }
linking=(-L"$build" -lFootfallC -lm -Wl,-rpath,"$build")
compile Tests/C/interface.c -o "$folder/interface" "${linking[@]}"
# A C++ program may include the header, too.
c++ -std=c++17 -Wall -Wextra -Werror -fsyntax-only -x c++ Sources/CFootfall/footfall.h
# The runtime of Swift keeps its metadata until the process ends.
export ASAN_OPTIONS=detect_leaks=0
"$folder/interface" SensorTraces/commute.csv "$folder/steps.sqlite"
compile Tests/C/fuzz.c -o "$folder/fuzz" "${linking[@]}"
"$folder/fuzz" "${2:-5}" "$folder/fuzz.sqlite"

# The code of the documentation: a program, and two functions.
page=Sources/Footfall/Footfall.docc/FromC.md
for block in 1 2 3; do
    awk -v block=$block '/^```/ { inside = $0 == "```c" && ++count == block; next } inside' $page >"$folder/page-$block.c"
done
compile "$folder/page-1.c" -o "$folder/page" "${linking[@]}"
"$folder/page" SensorTraces/commute.csv >"$folder/page.txt"
grep -q '^running .* 144 steps$' "$folder/page.txt" ||
    { echo "run.sh: the program in $page prints other results than 144 running steps:" >&2; cat "$folder/page.txt" >&2; exit 1; }
for block in 2 3; do compile -c "$folder/page-$block.c" -o "$folder/page-$block.o"; done
echo "The code in $page: compiled and run."
