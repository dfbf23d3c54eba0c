#!/usr/bin/env bash
# Fuzzes every reader for SECONDS each, from seeds made by code. Fails if one is found that crashes, hangs
# or wants too much memory; the input that does it is left in the folder that is printed.
set -euo pipefail
cd "$(dirname "$0")"
seconds=${1:-60}
build=../../.build/fuzz
corpus=$build/corpus
# Swift's own report of a crash outlives the fuzzer and keeps the pipe open.
export SWIFT_BACKTRACE=enable=no

# A plan of before does not notice that a file of the package above has another name.
rm -f $build/*/release.yaml
swift build -c release --product Seeds --scratch-path $build/plain
$build/plain/release/Seeds $corpus
failures=0
for fuzzer in FuzzAxivity FuzzActiGraph FuzzGENEActiv FuzzGENEA FuzzMatrix FuzzArchive FuzzWire FuzzText; do
    swift build -c release --sanitize=fuzzer --product $fuzzer --scratch-path $build/fuzzer
    mkdir -p $build/findings
    if $build/fuzzer/release/$fuzzer -max_total_time="$seconds" -timeout=10 -rss_limit_mb=512 -max_len=16384 \
        -artifact_prefix=$build/findings/$fuzzer- $corpus/$fuzzer >$build/$fuzzer.log 2>&1; then
        echo "$fuzzer: clean, $(grep -oE '^Done [0-9]+ runs' $build/$fuzzer.log | tail -1)"
    else
        echo "$fuzzer: found something, see $build/$fuzzer.log and $build/findings"
        failures=1
    fi
done
exit $failures
