#!/usr/bin/env bash
# Analyses a shipped trace, records the results in a history and queries the history.
# Usage: Demo/run.sh FOOTFALL
set -euo pipefail
cd "$(dirname "$0")/.."

footfall=$1
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
history=$folder/history.sqlite

# Commands are bold on a terminal.
bold= plain=
if [ -t 1 ]; then bold=$'\033[1m' plain=$'\033[0m'; fi
say() { printf '\n%s$ %s%s\n' "$bold" "$*" "$plain"; }
run() {
    say "$@"
    "${footfall}" "${@:2}"
}

echo "A simulated commute: stand, walk, drive with red lights, walk, run, sit. The true steps are known."
run footfall analyze SensorTraces/commute.csv --history "$history" --source pocket
run footfall query steps --history "$history" --by 1m
run footfall query summary --history "$history"

counted=$("$footfall" query steps --history "$history" --output csv | tail -n 1 | cut -d, -f3)
true_steps=$(sed -n 's/^ *"steps" *: *\([0-9]*\),*$/\1/p' SensorTraces/commute.truth.json | head -n 1)
printf '\nThe history has %s steps, the simulation %s.\n' "$counted" "$true_steps"
