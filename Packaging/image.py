#!/usr/bin/env python3
"""Builds a container image of the command: an archive with an OCI image layout, without a container engine.

    image.py FOOTFALL NOTICES ARCHIVE

FOOTFALL is the command, NOTICES the folder with the licenses of what it links. The image has the command, the libraries of this
system that it loads, their licenses, the time zones, a user without rights, and the health check. It has no shell. The same files and
SOURCE_DATE_EPOCH, the time of all files in seconds since 1970, give the same digest.
"""

import gzip
import hashlib
import io
import json
import os
import platform
import re
import subprocess
import sys
import tarfile
import tempfile
from datetime import datetime, timezone
from pathlib import Path

HERE = Path(__file__).resolve().parent
PORT = 8321
USER = 65532  # the usual number of a user without rights in images that have no shell
LIMIT = 60_000_000  # bytes of the archive
ZONES = Path("/usr/share/zoneinfo")
ARCHITECTURES = {"x86_64": "amd64", "aarch64": "arm64"}
SECONDS = 1_000_000_000  # ns, the unit of durations in the configuration

EPOCH = int(os.environ.get("SOURCE_DATE_EPOCH", "0"))


def run(*arguments: object) -> str:
    return subprocess.run([str(argument) for argument in arguments], check=True, capture_output=True, text=True).stdout


class Tree:
    """An archive of files in the order of their names, with one time and without names of users."""

    def __init__(self) -> None:
        self.entries: dict[str, tuple[tarfile.TarInfo, bytes]] = {}

    def add(self, path: str, content: bytes | None, mode: int = 0o644, owner: int = 0, link: str = "") -> None:
        """Adds a file, a folder if there is no content, or a symbolic link, with the folders above."""
        path = path.strip("/")
        if "/" in path and path.rsplit("/", 1)[0] not in self.entries:
            self.add(path.rsplit("/", 1)[0], None, 0o755)
        entry = tarfile.TarInfo(path)
        entry.mode, entry.uid, entry.gid, entry.mtime = mode, owner, owner, EPOCH
        entry.type = tarfile.SYMTYPE if link else tarfile.DIRTYPE if content is None else tarfile.REGTYPE
        entry.linkname, entry.size = link, len(content or b"")
        self.entries[path] = (entry, content or b"")

    def bytes(self) -> bytes:
        out = io.BytesIO()
        with tarfile.open(fileobj=out, mode="w", format=tarfile.PAX_FORMAT) as archive:
            for path in sorted(self.entries):
                entry, content = self.entries[path]
                archive.addfile(entry, io.BytesIO(content))
        return out.getvalue()


def libraries(*programs: Path) -> list[Path]:
    """The libraries that programs load, with the loader, where the loader looks for them."""
    found = {path for program in programs for path in re.findall(r"(/\S+) \(0x", run("ldd", program))}
    return sorted(map(Path, found))


def notice(library: Path) -> Path:
    """The license of the Debian package that a library is from."""
    for path in (library, library.resolve(), Path("/usr") / library.relative_to("/")):
        owner = subprocess.run(["dpkg", "-S", path], capture_output=True, text=True).stdout
        if owner:
            return Path("/usr/share/doc") / owner.split(":")[0] / "copyright"
    sys.exit(f"image.py: {library}: no Debian package has it, so its license is unknown")


def files(footfall: Path, notices: Path, work: Path) -> Tree:
    tree = Tree()
    command, check = work / "footfall", work / "healthy"
    run("strip", "-o", command, footfall)
    run(HERE / "icu.py", command)
    run("cc", "-O2", "-s", "-Wall", "-Werror", "-o", check, HERE / "healthy.c")
    tree.add("usr/bin/footfall", command.read_bytes(), 0o755)
    tree.add("usr/bin/healthy", check.read_bytes(), 0o755)
    for path in sorted(notices.iterdir()):
        tree.add(f"usr/share/doc/footfall/{path.name}", path.read_bytes())
    for library in libraries(command, check):
        tree.add(str(library), library.resolve().read_bytes(), 0o755)
        text = notice(library)
        tree.add(str(text), text.read_bytes())
    tree.add("usr/share/doc/tzdata/copyright", Path("/usr/share/doc/tzdata/copyright").read_bytes())
    for path in sorted(ZONES.rglob("*")):
        name = str(path.relative_to("/"))
        if path.is_symlink() and not os.readlink(path).startswith("/"):
            tree.add(name, None, 0o777, link=os.readlink(path))
        elif path.is_file():
            tree.add(name, path.read_bytes())
    tree.add("etc/passwd", f"footfall:x:{USER}:{USER}::/data:/sbin/nologin\n".encode())
    tree.add("etc/group", f"footfall:x:{USER}:\n".encode())
    tree.add("data", None, 0o700, USER)
    return tree


def configuration(layer: bytes, version: str) -> dict[str, object]:
    time = datetime.fromtimestamp(EPOCH, timezone.utc).strftime("%Y-%m-%dT%H:%M:%SZ")
    return {
        "created": time,
        "architecture": ARCHITECTURES[platform.machine()],
        "os": "linux",
        "config": {
            "User": f"{USER}:{USER}",
            "ExposedPorts": {f"{PORT}/tcp": {}},
            "Env": ["PATH=/usr/bin", "HOME=/data", "FOOTFALL_HISTORY=/data/history.sqlite"],
            "Entrypoint": ["/usr/bin/footfall"],
            "Cmd": ["serve", "--listen", f"0.0.0.0:{PORT}", "--token-file", "/data/token"],
            "Volumes": {"/data": {}},
            "WorkingDir": "/data",
            "StopSignal": "SIGTERM",
            "Labels": {
                "org.opencontainers.image.title": "Footfall",
                "org.opencontainers.image.description": "Steps and activities from an accelerometer",
                "org.opencontainers.image.version": version,
                # With GSL, the whole is under the GPL.
                "org.opencontainers.image.licenses": "GPL-3.0-or-later",
            },
            # An extension of Docker, which engines that do not have it leave out.
            "Healthcheck": {
                "Test": ["CMD", "/usr/bin/healthy", str(PORT)],
                "Interval": 30 * SECONDS, "Timeout": 10 * SECONDS, "StartPeriod": 10 * SECONDS, "Retries": 3,
            },
        },
        "rootfs": {"type": "layers", "diff_ids": [digest(layer)]},
        "history": [{"created": time, "created_by": "Packaging/image.py"}],
    }  # fmt: skip


def digest(content: bytes) -> str:
    return f"sha256:{hashlib.sha256(content).hexdigest()}"


def main(footfall: str, notices: str, archive: str) -> None:
    with tempfile.TemporaryDirectory() as work:
        layer = files(Path(footfall), Path(notices), Path(work)).bytes()
    version = run(Path(footfall).resolve(), "--version").strip()
    layout = Tree()

    def blob(content: bytes, kind: str) -> dict[str, object]:
        layout.add(f"blobs/sha256/{digest(content).removeprefix('sha256:')}", content)
        return {"mediaType": f"application/vnd.oci.image.{kind}", "digest": digest(content), "size": len(content)}

    def text(value: object) -> bytes:
        return json.dumps(value, sort_keys=True, separators=(",", ":")).encode()

    # The header of gzip has neither a name nor a time.
    packed = blob(gzip.compress(layer, 9, mtime=0), "layer.v1.tar+gzip")
    config = blob(text(configuration(layer, version)), "config.v1+json")
    media = "application/vnd.oci.image.manifest.v1+json"
    manifest = blob(text({"schemaVersion": 2, "mediaType": media, "config": config, "layers": [packed]}), "manifest.v1+json")
    manifest["annotations"] = {"org.opencontainers.image.ref.name": version}
    layout.add("oci-layout", text({"imageLayoutVersion": "1.0.0"}))
    layout.add("index.json", text({"schemaVersion": 2, "manifests": [manifest]}))
    content = layout.bytes()
    if len(content) > LIMIT:
        sys.exit(f"image.py: the image has {len(content)} bytes, more than {LIMIT}")
    Path(archive).write_bytes(content)
    print(f"{archive}: {len(content) / 1e6:.1f} MB, {len(layer) / 1e6:.1f} MB unpacked, {manifest['digest']}")


if len(sys.argv) != 4:
    sys.exit("usage: image.py FOOTFALL NOTICES ARCHIVE")
main(*sys.argv[1:])
