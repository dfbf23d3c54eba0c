#!/usr/bin/env bash
# Installs, runs, upgrades, removes and purges the Debian package in a new Debian root, without Swift.
# Usage: test.sh INSTALLED, where INSTALLED has what `make install PREFIX=/usr DESTDIR=TREE` installs.
set -euo pipefail
tree=$(realpath "$1")
package=$(realpath "$(dirname "$0")/../..")
[ "$(id -u)" = 0 ] || { echo "test.sh needs root for a Debian root of its own"; exit 1; }

missing=$(for tool in curl debootstrap lexgrog lintian; do command -v $tool >/dev/null || echo $tool; done)
if [ -n "$missing" ]; then apt-get update -qq && apt-get install -y -qq ${missing/lexgrog/man-db} >/dev/null; fi

work=$(mktemp -d)
root=$work/root
trap 'umount "$root/proc" 2>/dev/null || true; rm -rf "$work"' EXIT
check() { echo "  $1"; }
inside() { chroot "$root" /usr/bin/env -i PATH=/usr/sbin:/usr/bin:/sbin:/bin DEBIAN_FRONTEND=noninteractive "$@"; }
# The package of this version, and one with a later version to upgrade to.
deb=$("$package/Packaging/deb.sh" "$tree" "$work")
later=$("$package/Packaging/deb.sh" "$tree" "$work" 99.0)

echo "$(basename "$deb"): $(du -k "$deb" | cut -f1) kB"
lintian --fail-on error --tag-display-limit 0 "$deb"
check "lintian finds no error"
lexgrog "$tree"/usr/share/man/man1/*.1 >"$work/pages"
grep -q '"footfall-query - query a history' "$work/pages"
check "whatis finds the $(wc -l <"$work/pages") manual pages"

. /etc/os-release
debootstrap --variant=minbase "$VERSION_CODENAME" "$root" >"$work/debootstrap.log" 2>&1 ||
    { tail "$work/debootstrap.log"; exit 1; }
mount -t proc proc "$root/proc"
cp "$deb" "$later" "$package/SensorTraces/walk-wrist.csv" "$root/tmp/"
install_deb() { inside apt-get install -y -qq "/tmp/$(basename "$1")" >"$work/apt.log" 2>&1 || { tail "$work/apt.log"; exit 1; }; }
footfall() { inside setpriv --reuid footfall --regid footfall --init-groups footfall "$@"; }

install_deb "$deb"
inside id -nG footfall | grep -qw dialout
check "installed; the user footfall is in dialout"
history=/var/lib/footfall/history.sqlite
footfall analyze /tmp/walk-wrist.csv --start "$(date -u +%Y-%m-%d)" --tz UTC --history $history --source wrist | grep -q 218
before=$(footfall query steps --history $history --output csv)
[[ $before == *,218,* ]]
check "the command analyses, records and answers without Swift: 218 steps"
# Packaging/icu.py removes tables of ICU from the binary of the package. The days and weeks of each time zone stay the same.
zones=$(grep -v '^#' /usr/share/zoneinfo/zone1970.tab | cut -f3)
cp "$tree/usr/bin/footfall" "$root/tmp/whole"
calendar() { # of a command, in a language
    for zone in $zones; do
        for bucket in day week; do
            inside LC_ALL="$2" "$1" query steps --history $history --tz "$zone" --since 2024-01-01 --until 2030-01-01 \
                --by $bucket --output csv
        done
    done
}
calendar /tmp/whole C >"$work/whole.csv"
[ "$(wc -l <"$work/whole.csv")" -gt $((2190 * $(wc -w <<<"$zones"))) ]
calendar footfall de_DE.UTF-8 | cmp - "$work/whole.csv"
check "$(wc -w <<<"$zones") time zones have the days and weeks that they have with all tables of ICU"
footfall serve --history $history --listen unix:/tmp/http.sock 2> /dev/null &
for _ in $(seq 600); do [ -S "$root/tmp/http.sock" ] && break || sleep 0.1; done
curl -fsS --unix-socket "$root/tmp/http.sock" http://localhost/api/v1/steps | grep -q '"steps":218'
pkill -TERM -f -- "--listen unix:/tmp/http.sock" && wait
check "the server answers: 218 steps"
[ -s "$root/usr/share/bash-completion/completions/footfall" ] && [ -s "$root/usr/share/doc/footfall/copyright" ]
[ -s "$root/usr/lib/systemd/system/footfall-serve.path" ]
for page in Service HTTP; do zcat "$root/usr/share/doc/footfall/$page.md.gz" | grep -q '^# '; done
zcat "$root/usr/share/doc/footfall/changelog.gz" >"$work/changelog"
[ "$(dpkg-parsechangelog -l "$work/changelog" -S Version)" = \
    "$(inside footfall --version)" ]
check "completions, units, the pages on the service and HTTP, and the changelog are there"

install_deb "$later"
[ "$(inside dpkg-query -W -f '${Version}' footfall)" = 99.0 ]
[ "$(footfall query steps --history $history --output csv)" = "$before" ]
check "upgraded; the history gives the same answer"

inside apt-get remove -y -qq footfall >/dev/null 2>&1
[ ! -e "$root/usr/bin/footfall" ] && [ -s "$root$history" ]
inside dpkg --purge footfall
[ -z "$(find "$root/usr" "$root/etc" -name '*footfall*' -print -quit)" ] && [ -s "$root$history" ]
check "removed and purged; only the history stays"
