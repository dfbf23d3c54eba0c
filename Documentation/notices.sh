#!/bin/sh
# Copies the licences of everything that is linked into the installed command.
# Usage: notices.sh CHECKOUTS FOLDER, where CHECKOUTS has the sources of the Swift packages.
set -eu
cd "$(dirname "$0")/.."
checkouts=$1
folder=$2

# copy NAME FILE...: the files that exist, as one notice. It is an error if there is none.
copy() {
    name=$1
    shift
    for file in "$@"; do
        [ ! -f "$file" ] || cat "$file"
    done > "$folder/$name"
    [ -s "$folder/$name" ] || { echo "notices.sh: $name: no licence in $*" >&2; exit 1; }
}

mkdir -p "$folder"
copy Footfall LICENSE
for package in "$checkouts"/*/; do
    copy "$(basename "$package" .swift)" "$package"LICENSE* "$package"NOTICE*
done
# The Swift runtime with Foundation, whose calendars are those of ICU.
swift=$(dirname "$(dirname "$(readlink -f "$(command -v swift)")")")
copy Swift "$swift/share/swift/LICENSE.txt"
echo "ICU, in the Swift runtime: Unicode License v3, https://www.unicode.org/license.txt" > "$folder/ICU"
cat /usr/share/doc/libicu*/copyright >> "$folder/ICU" 2>/dev/null || true
# Libraries of the system. GSL is under the GPL, version 3 or later, and so is a binary that links it.
for package in libgsl-dev libsqlite3-dev zlib1g-dev; do
    copy "${package%-dev}" "/usr/share/doc/$package/copyright"
done
