#!/bin/sh
# Builds a Debian package from an installed tree.
# Usage: deb.sh INSTALLED FOLDER [VERSION], where INSTALLED has what `make install PREFIX=/usr DESTDIR=INSTALLED` installs.
# The package is written to FOLDER. The default version is that of the command.
set -eu
folder=$2
here=$(dirname "$(realpath "$0")")
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
tree=$work/footfall
cp -a "$1" "$tree"
version=${3:-$("$tree/usr/bin/footfall" --version)}
architecture=$(dpkg --print-architecture)
documents=$tree/usr/share/doc/footfall

"$here/icu.py" "$tree/usr/bin/footfall" >&2
install -D -m 644 -t "$tree/usr/lib/systemd/system" "$here"/*.service "$here"/*.path

# All notices are one file, as Debian's policy asks for.
{
    echo "Footfall is under the Apache License 2.0. The command links the GNU Scientific Library, so this package as a whole is"
    echo "distributed under the GNU General Public License, version 3 or later: /usr/share/common-licenses/GPL-3."
    for notice in "$documents"/*; do
        printf '\n\n==== %s\n\n' "$(basename "$notice")"
        # Debian has the text of this licence once for all packages.
        sed '/^ *Apache License$/,/END OF TERMS AND CONDITIONS/c Apache License, Version 2.0: /usr/share/common-licenses/Apache-2.0' "$notice"
        rm "$notice"
    done
} > "$work/copyright"
install -m 644 "$work/copyright" "$documents/copyright"
gzip -9n < "$here/../CHANGELOG.md" > "$documents/CHANGELOG.md.gz"
# The time of the last commit, so that a commit has one package.
time=${SOURCE_DATE_EPOCH:-$(git -C "$here" log -1 --format=%ct 2> /dev/null || date +%s)}
gzip -9n > "$documents/changelog.gz" <<CHANGELOG
footfall ($version) stable; urgency=medium

  * What each version changes is in /usr/share/doc/footfall/CHANGELOG.md.gz.

 -- The Footfall developers <footfall@users.noreply.github.com>  $(LC_ALL=C date -u -R -d "@$time")
CHANGELOG
for page in FootfallLive/FootfallLive.docc/Service FootfallServer/FootfallServer.docc/HTTP; do
    gzip -9n < "$here/../Sources/$page.md" > "$documents/$(basename "$page").md.gz"
done
gzip -9nf "$tree"/usr/share/man/man1/*.1
find "$tree" -type d -exec chmod 755 {} +

# dpkg-shlibdeps reads the names of packages from a source tree; this one exists for it alone.
mkdir "$work/debian" "$tree/DEBIAN"
printf 'Source: footfall\n\nPackage: footfall\nArchitecture: any\n' > "$work/debian/control"
depends=$(cd "$work" && dpkg-shlibdeps -O "$tree/usr/bin/footfall" 2> /dev/null | sed -n 's/^shlibs:Depends=//p')

for script in postinst prerm postrm; do install -m 755 "$here/$script" "$tree/DEBIAN/$script"; done
cat > "$tree/DEBIAN/control" <<CONTROL
Package: footfall
Version: $version
Architecture: $architecture
Section: science
Priority: optional
Maintainer: The Footfall developers <footfall@users.noreply.github.com>
Installed-Size: $(du -sk --exclude=DEBIAN "$tree" | cut -f1)
Depends: adduser, $depends
Description: steps and activities from an accelerometer
 Footfall detects steps and activities (stationary, walking, running, cycling,
 automotive) in sensor logs and live sensors, records them in a rolling SQLite
 history, and answers queries about any time range of it.
CONTROL
(cd "$tree" && find usr -type f -exec md5sum {} +) > "$tree/DEBIAN/md5sums"
chmod 644 "$tree/DEBIAN/md5sums" "$tree/DEBIAN/control"
mkdir -p "$folder"
dpkg-deb --root-owner-group --build "$tree" "$folder" > /dev/null
echo "$folder/footfall_${version}_$architecture.deb"
