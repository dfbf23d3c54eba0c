#!/usr/bin/env bash
# Builds and runs the program of the README as a package of its own, which depends on a tag of an export of these sources.
# Usage: run.sh. Prints what each set of traits fetches.
set -euo pipefail
here=$(dirname "$(realpath "$0")")
root=$(realpath "$here/../..")
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

git init --quiet "$work/footfall"
git -C "$root" archive HEAD | tar -x -C "$work/footfall"
git -C "$work/footfall" add --all
git -C "$work/footfall" -c user.name=test -c user.email=test@example.com commit --quiet --message export
version=$(grep -o 'from: "[0-9.]*"' "$here/Package.swift" | cut -d'"' -f2)
git -C "$work/footfall" tag "$version"
# git takes the export for the address in the manifest.
export GIT_CONFIG_COUNT=1 GIT_CONFIG_KEY_0=url.$work/footfall.insteadOf GIT_CONFIG_VALUE_0=https://example.com/footfall.git

# fetch NAME TRAITS: makes a package, resolves it and prints what it fetched.
fetch() {
    cp -r "$here" "$work/$1"
    sed -i "s|traits: \[.*\]|traits: [$2]|" "$work/$1/Package.swift"
    swift package --package-path "$work/$1" --disable-dependency-cache --resolver-fingerprint-checking warn \
        resolve >"$work/log" 2>&1 || { cat "$work/log"; exit 1; }
    others=$(ls "$work/$1/.build/checkouts" | grep -vx footfall | paste -sd ' ' || true)
    echo "traits: [$2] fetches ${others:-no other package}, $(du -sh "$work/$1/.build" | cut -f1)"
}

fetch analysis ""
[ -z "$others" ] || { echo "the analysis alone fetches packages"; exit 1; }
fetch all '"Command"'
fetch program '"History"'

cp "$root/SensorTraces/walk-wrist.csv" "$work/walk.csv"
swift build --package-path "$work/program" --disable-dependency-cache --quiet
(cd "$work" && program/.build/debug/steps) | tee "$work/printed"
grep -q '^218 steps' "$work/printed"
