#!/usr/bin/env python3
"""Runs commands that write on disks that are too small.

Each case mounts a small file system in a mount namespace of its own; where that is not allowed, the size of each file is limited.
A command that ends with 0 has left everything. Any other names the folder or the file, and leaves each history, file and folder of
tables with the content of before or after, or marked as incomplete. No draft is left. With space the command can be repeated.

    disks.py FOOTFALL [--count N] [--seed N] [--only CASE]
"""

import random
import resource
import shlex
import shutil
import signal
import subprocess
import tempfile
from pathlib import Path

from cases import options, run_cases
from writers import chosen, drafts, writers

BLOCK = 4096  # bytes of a page of the file system
FAILURES = (1, 73, 74)


def may_mount() -> bool:
    return subprocess.run(["unshare", "--mount", "mount", "-t", "tmpfs", "none", "/mnt"], capture_output=True).returncode == 0


def main() -> None:
    given = options(__doc__, 300)
    mounts = shutil.which("unshare") is not None and may_mount()

    def on_small_disk(arguments: list[str], here: Path, folder: Path, size: int) -> subprocess.CompletedProcess:
        """Runs a command in a file system of `size` bytes, and copies what it leaves out of it."""
        start = folder / "start"
        shutil.copytree(here, start)
        script = "\n".join([
            f"mount -t tmpfs -o size={size},mode=700 none {shlex.quote(str(here))} || exit 99",
            f"cp -a {shlex.quote(str(start))}/. {shlex.quote(str(here))} || exit 98",
            f"{shlex.join(arguments)}; code=$?",
            f"cp -a {shlex.quote(str(here))} {shlex.quote(str(folder / 'end'))} || exit 97", "exit $code"])
        result = subprocess.run(["unshare", "--mount", "sh", "-c", script], capture_output=True, text=True, timeout=120)
        assert result.returncode not in (97, 98, 99), result.stderr
        shutil.rmtree(here)
        (folder / "end").rename(here)
        return result

    def with_small_files(arguments: list[str], size: int) -> subprocess.CompletedProcess:
        return subprocess.run(arguments, capture_output=True, text=True, timeout=120, preexec_fn=lambda: (
            signal.signal(signal.SIGXFSZ, signal.SIG_IGN), resource.setrlimit(resource.RLIMIT_FSIZE, (size, size))))

    with tempfile.TemporaryDirectory() as name:
        all_writers = writers(given.footfall, Path(name))

        def attempt(number: int, dice: random.Random, folder: Path) -> str:
            writer, here = chosen(all_writers, number, dice), folder / "here"
            writer.prepare(here)
            used = sum(BLOCK + -(-file.stat().st_size // BLOCK) * BLOCK for file in here.rglob("*") if file.is_file())
            room = dice.randrange(int(1.5 * writer.bytes) + 4 * BLOCK)
            size = used + BLOCK + room if mounts else room
            result = on_small_disk(writer.arguments(here), here, folder, size) if mounts else \
                with_small_files(writer.arguments(here), size)
            try:
                assert result.returncode in (0, *FAILURES), f"exit code {result.returncode}: {result.stderr[-400:]}"
                kind = writer.whole(writer.state(here))
                assert result.returncode != 0 or kind == "after", f"exit code 0, but {kind}"
                assert result.returncode == 0 or result.stderr.startswith("footfall: "), f"no message: {result.stderr[-400:]}"
                assert not drafts(here), f"{drafts(here)} is left: {result.stderr[-400:]}"
                writer.completes_marked(here)
                given.footfall.run(*writer.command(here))
                assert writer.state(here) == writer.after, "the repeated command leaves something else"
            except AssertionError as error:
                raise AssertionError(f"{writer.name} with {room} bytes: {error}") from error
            return f"left as {kind} with exit code {result.returncode}"

        run_cases(given, attempt, "full disks" if mounts else "bounds of files (no right to mount)")


if __name__ == "__main__":
    main()
