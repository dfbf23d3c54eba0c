#!/usr/bin/env bash
# Runs the tests that `make build-tests` has built, and says at the end how many were skipped. `swift test` itself would give the
# compiler one option more, and compile everything again.
set -uo pipefail
# Without a bound all tests begin at once, and one that waits for its turn goes on when all others have ended, minutes later.
# Three for each processor keep the processors busy while some of them wait.
export SWT_EXPERIMENTAL_MAXIMUM_PARALLELIZATION_WIDTH=${SWT_EXPERIMENTAL_MAXIMUM_PARALLELIZATION_WIDTH:-$((3 * $(nproc)))}
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
