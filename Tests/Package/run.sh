#!/usr/bin/env bash
# Builds and runs the program of the README as a package of its own. It depends on the last commit with the line of the README.
# Usage: run.sh. Prints what each set of traits fetches.
set -euo pipefail
here=$(dirname "$(realpath "$0")")
root=$(realpath "$here/../..")
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# The README has the line of the manifest here, in the text and in the code.
line=$(grep -o '\.package(url: .*)' "$here/Package.swift")
said=$(grep -o '\.package(url: [^`]*)' "$root/README.md")
[ "$said" = "$line"$'\n'"$line" ] || { printf 'run.sh: not the line of the manifest, twice:\n%s\n' "$said" >&2; exit 1; }

# git takes a clone for the address in that line. Its branch is the commit here, whatever the branch is called. It has no tag.
address=$(cut -d'"' -f2 <<<"$line")
branch=$(grep -o 'branch: "[^"]*"' <<<"$line" | cut -d'"' -f2)
git clone --quiet --bare --no-tags "$root" "$work/footfall.git"
git -C "$work/footfall.git" update-ref "refs/heads/$branch" "$(git -C "$root" rev-parse HEAD)"
export GIT_CONFIG_COUNT=1 GIT_CONFIG_KEY_0=url.$work/footfall.git.insteadOf GIT_CONFIG_VALUE_0=$address

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
