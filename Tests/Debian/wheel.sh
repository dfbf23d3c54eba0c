#!/usr/bin/env bash
# Installs the wheel in a new Debian root, without Swift and without a compiler, and runs the tests of the package there.
# Usage: wheel.sh WHEEL
set -euo pipefail
wheel=$(realpath "$1")
package=$(realpath "$(dirname "$0")/../..")
[ "$(id -u)" = 0 ] || { echo "wheel.sh needs root for a Debian root of its own"; exit 1; }
command -v debootstrap >/dev/null || { apt-get update -qq && apt-get install -y -qq debootstrap >/dev/null; }

work=$(mktemp -d)
root=$work/root
trap 'umount "$root/proc" 2>/dev/null || true; rm -rf "$work"' EXIT
inside() { chroot "$root" /usr/bin/env -i PATH=/usr/sbin:/usr/bin:/sbin:/bin LANG=C.UTF-8 "$@"; }

. /etc/os-release
debootstrap --variant=minbase --include=python3-venv "$VERSION_CODENAME" "$root" >"$work/debootstrap.log" 2>&1 ||
    { tail "$work/debootstrap.log"; exit 1; }
mount -t proc proc "$root/proc"
inside sh -c '! command -v swift && ! command -v cc' >/dev/null

# What the tests read, and the tests; the package itself comes from the wheel.
mkdir -p "$root/footfall/Sources/Footfall" "$root/footfall/Python" "$root/wheels"
cp -R "$package/SensorTraces" "$package/README.md" "$root/footfall/"
cp -R "$package/Sources/Footfall/Footfall.docc" "$root/footfall/Sources/Footfall/"
cp -R "$package/Python/tests" "$package/Python/README.md" "$package/Python/pyproject.toml" "$root/footfall/Python/"
# The network is that of this machine; the root has none of its settings.
python3 -m venv "$work/venv"
"$work/venv/bin/pip" download --quiet --disable-pip-version-check --dest "$root/wheels" --only-binary :all: \
    --python-version "$(inside python3 -c 'import platform; print(platform.python_version())')" "$wheel" pytest

inside python3 -m venv /venv
inside /venv/bin/pip install --quiet --no-index --find-links /wheels "/wheels/$(basename "$wheel")" pytest
echo "installed in $PRETTY_NAME: $(inside /venv/bin/pip list --format=freeze 2>/dev/null | tr '\n' ' ')"
inside sh -c 'cd /footfall/Python && /venv/bin/python -m pytest -q --pyargs footfall tests'
