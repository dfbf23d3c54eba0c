#!/usr/bin/env bash
# Runs the tests that `make build-tests` has built, and says at the end how many were skipped. `swift test` itself would give the
# compiler one option more, and compile everything again.
set -uo pipefail
log=$(mktemp)
trap 'rm -f "$log"' EXIT
swift test -c release --skip-build "$@" 2>&1 | tee "$log"
status=$?
skipped=$(grep -c ' Test .* skipped: ' "$log")
recordings=$(grep -c ' Test .* skipped: .*FOOTFALL_SHARED' "$log")
if [ "$skipped" -gt 0 ]; then
    echo "Skipped: $skipped tests, $recordings of them for the recordings of ../shared (FOOTFALL_SHARED)."
fi
exit $status
