#!/usr/bin/env bash
# Compiles the C program of this folder against the library of a build, and runs it on a shipped trace.
# Usage: Tests/C/run.sh FOLDER, which has libFootfallC.so.
set -euo pipefail
cd "$(dirname "$0")/../.."
build=$(realpath "$1")
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cc -std=c11 -Wall -Wextra -Werror -pedantic -g -fsanitize=address,undefined -ISources/CFootfall Tests/C/interface.c \
    -o "$folder/interface" -L"$build" -lFootfallC -lm -Wl,-rpath,"$build"
# A C++ program may include the header, too.
c++ -std=c++17 -Wall -Wextra -Werror -fsyntax-only -x c++ Sources/CFootfall/footfall.h
# The runtime of Swift keeps its metadata until the process ends.
ASAN_OPTIONS=detect_leaks=0 "$folder/interface" SensorTraces/commute.csv "$folder/steps.sqlite"
