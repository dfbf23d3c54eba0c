#!/usr/bin/env bash
# Runs the tests that `make build-tests` has built, and says at the end how many were skipped. `swift test` itself would give the
# compiler one option more, and compile everything again. Options are those of swift-testing, such as --filter.
#
# Without options two processes share the tests. Those of the command and of live devices wait for most of their time, and the others
# compute meanwhile.
set -uo pipefail
cd "$(dirname "$0")/.."
waiting='^(FootfallCommand|FootfallLive|FootfallServer|FootfallCoreMotion)Tests\.'
logs=$(mktemp -d)
# Links of what is built now: a build beside the tests, such as that of a check, replaces the command and the tests.
built=$(mktemp -d .build/tests.XXXXXX)
trap 'rm -rf "$logs" "$built"' EXIT
ln .build/release/{footfall,HistoryRecorder,footfallPackageTests.xctest} "$built" || exit 1
tests=$built/footfallPackageTests.xctest

# run WIDTH LOG OPTION…: runs tests, so many at once for each processor. Without a bound all tests begin at once, and one that waits for
# its turn goes on when all others have ended, minutes later. A shell lets the processes in its background ignore SIGINT, and nohup lets
# them ignore SIGHUP; the command would do so too.
run() {
    SWT_EXPERIMENTAL_MAXIMUM_PARALLELIZATION_WIDTH=${SWT_EXPERIMENTAL_MAXIMUM_PARALLELIZATION_WIDTH:-$(($1 * $(nproc)))} \
        env --default-signal "$tests" --testing-library swift-testing "${@:3}" 2>&1 | sed -u 's/\x1b\[[0-9;]*m//g' | tee "$logs/$2"
}

status=0
if [ $# -gt 0 ]; then
    run 3 all "$@" || status=$?
else
    run 6 waiting --filter "$waiting" &
    run 2 computing --skip "$waiting" || status=$?
    wait $! || status=$?
fi
skipped=$(cat "$logs"/* | grep -c ' Test .* skipped: ')
recordings=$(cat "$logs"/* | grep -c ' Test .* skipped: .*FOOTFALL_SHARED')
if [ "$skipped" -gt 0 ]; then
    echo "Skipped: $skipped tests, $recordings of them for the recordings of ../shared (FOOTFALL_SHARED)."
fi
exit $status
