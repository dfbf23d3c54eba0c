#!/bin/sh
# Copies the licences of everything that is linked into a product.
# Usage: notices.sh CHECKOUTS FOLDER [NAME...], where CHECKOUTS has the sources of the Swift packages, and the names are those
# of Swift packages and Debian libraries that are linked. By default they are those of the installed command.
set -eu
cd "$(dirname "$0")/.."
checkouts=$1
folder=$2
shift 2
[ $# -gt 0 ] || set -- $(ls "$checkouts") libgsl libsqlite3 zlib1g

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
# GSL is under the GPL, version 3 or later, and so is a binary that links it.
for linked in "$@"; do
    package=$checkouts/$linked
    copy "${linked%.swift}" "$package"/LICENSE* "$package"/NOTICE* "/usr/share/doc/$linked-dev/copyright"
done
# The Swift runtime with Foundation, whose calendars are those of ICU.
swift=$(dirname "$(dirname "$(readlink -f "$(command -v swift)")")")
copy Swift "$swift/share/swift/LICENSE.txt"
echo "ICU, in the Swift runtime: Unicode License v3, https://www.unicode.org/license.txt" > "$folder/ICU"
cat /usr/share/doc/libicu*/copyright >> "$folder/ICU" 2>/dev/null || true
