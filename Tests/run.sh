#!/usr/bin/env bash
# Runs all tests and says at the end how many were skipped.
set -uo pipefail
log=$(mktemp)
trap 'rm -f "$log"' EXIT
swift test "$@" 2>&1 | tee "$log"
status=$?
skipped=$(grep -c ' Test .* skipped: ' "$log")
recordings=$(grep -c ' Test .* skipped: .*FOOTFALL_SHARED' "$log")
if [ "$skipped" -gt 0 ]; then
    echo "Skipped: $skipped tests, $recordings of them for the recordings of ../shared (FOOTFALL_SHARED)."
fi
exit $status
