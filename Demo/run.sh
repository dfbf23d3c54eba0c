#!/usr/bin/env bash
# The main job of Footfall on a shipped trace: analyse it, keep the results in a history, ask the history.
# Usage: Demo/run.sh FOOTFALL
set -euo pipefail
cd "$(dirname "$0")/.."

footfall=$1
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
history=$folder/history.sqlite

say() { printf '\n\033[1m$ %s\033[0m\n' "$*"; }
run() {
    say "$@"
    "${footfall}" "${@:2}"
}

echo "A simulated commute: stand, walk, drive with red lights, walk, run, sit. Its every step is known."
run footfall analyze SensorTraces/commute.csv --history "$history" --source pocket
run footfall query steps --history "$history" --by 1m
run footfall query summary --history "$history"

counted=$("$footfall" query steps --history "$history" --output csv | tail -n 1 | cut -d, -f3)
true_steps=$(sed -n 's/^ *"steps" *: *\([0-9]*\),*$/\1/p' SensorTraces/commute.truth.json | head -n 1)
printf '\nThe history says %s steps; the truth of the simulation is %s.\n' "$counted" "$true_steps"
