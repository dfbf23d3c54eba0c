#!/usr/bin/env python3
"""Runs every command that takes a file with names of any bytes.

No name ends a command with a signal, and a name changes nothing outside its folder. Some names exist already. A log of any name
gets tables in the folder of results that are read back.

    names.py FOOTFALL [--count N] [--seed N] [--only CASE]
"""

import os
import random
import shutil
import signal
import subprocess
import tempfile
from pathlib import Path

from cases import TRACES, options, run_cases

# Success, failure, nothing kept, usage, bad data, no input, no output, no device, no permission.
CODES = {0, 1, 4, 64, 65, 66, 73, 74, 77, 78}
PIECES = [b".", b"..", b"/", b" ", b"\n", b"\t", b"-", b"--", b"%41", b"?", b"#", b"'", b'"', b"\\", b"*", b"~", b"$HOME",
          b"\xe9", b"\xff\xfe", b"\xed\xa0\x80", "é".encode(), "👟".encode(), b"\x1b[31m", b"a", b"b.csv", b".gz", b".svg",
          b"h", b"log.csv", b"results", b":memory:", b"file:h"]


def random_name(dice: random.Random) -> bytes:
    """A name that leads to no other folder."""
    while True:
        name = any_name(dice).lstrip(b"/")
        if b".." not in name.split(b"/"):
            return name


def any_name(dice: random.Random) -> bytes:
    kind = dice.randrange(4)
    if kind == 0:
        return bytes(dice.choice(b"ab .\n-%\xe9") for _ in range(dice.choice((1, 2, 3, 254, 255, 256, 300))))
    if kind == 1:
        return b"n" * dice.randint(1, 255) + dice.choice((b"", b"/", b"//", b".csv", b".svg", b" "))
    return b"".join(dice.choice(PIECES) for _ in range(dice.randint(1, 4)))


def commands(name: bytes) -> list[list[bytes]]:
    """Every command that takes a file, with this name for it."""
    return [
        [b"analyze", name], [b"analyze", b"log.csv", b"--history", name], [b"analyze", b"log.csv", b"--tables", name],
        [b"analyze", b"log.csv", b"--plot", name], [b"analyze", name, b"--explain"], [b"summarize", name],
        [b"summarize", b"results", b"--persons", name], [b"summarize", b"results", b"--out", name],
        [b"query", b"steps", b"--history", name], [b"report", b"--history", b"h", b"--out", name],
        [b"report", b"--history", b"h", b"--plot", name], [b"report", b"--history", name, b"--out", b"page"],
        [b"history", b"info", b"--history", name], [b"history", b"check", b"--history", name],
        [b"history", b"export", b"--history", name], [b"history", b"copy", name, b"--history", b"h"],
        [b"history", b"copy", name, b"--history", b"h", b"--force"],
        [b"history", b"import", name, b"--history", b"h"], [b"history", b"import", b"export", b"--history", name],
        [b"history", b"delete", b"--source", b"w", b"--history", name], [b"evaluate", name],
        [b"simulate", b"rest", b"--duration", b"60", b"--rate", b"12.5", b"--out", name],
        [b"live", name, b"--no-history"], [b"live", b"--replay", name, b"--speed", b"max", b"--no-history"],
        [b"live", b"-", b"--history", name], [b"serve", b"--history", name, b"--listen", b"127.0.0.1:0"],
        [b"serve", b"--history", b"h", b"--listen", b"unix:" + name],
    ]


# The names of the first cases.
KNOWN = [b"x", b".", b"...", b" ", b"", b"-", b"a/", b"n" * 255, b"n" * 256]


def main() -> None:
    given = options(__doc__, 150)
    footfall = given.footfall
    with tempfile.TemporaryDirectory() as shared:
        original = Path(shared) / "original"
        original.mkdir()
        shutil.copy(TRACES / "walk-wrist.csv", original / "log.csv")
        footfall.run(*footfall.record(original / "h", "walk-wrist", 0, "w"))
        (original / "export").write_text(footfall.export(original / "h"))
        footfall.run("analyze", original / "log.csv", "--tables", original / "results")

        def try_command(arguments: list[bytes], here: Path) -> None:
            process = subprocess.Popen(
                [footfall.path, *arguments], cwd=here, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL,
                stderr=subprocess.PIPE, env={**os.environ, "HOME": str(here)})
            try:
                errors = process.communicate(timeout=2 if arguments[0] == b"serve" else 60)[1]
            except subprocess.TimeoutExpired:
                process.send_signal(signal.SIGTERM if arguments[0] == b"serve" else signal.SIGKILL)
                errors = process.communicate()[1]
                assert arguments[0] == b"serve", f"{arguments} does not end"
            place = f"{arguments}: exit code {process.returncode}: {errors[-300:]!r}"
            assert process.returncode in CODES, place
            assert process.returncode == 0 or arguments[0] == b"live" or errors.startswith(b"footfall: "), place
            assert os.listdir(here.parent) == ["here"], f"{place}: wrote {os.listdir(here.parent)}"
            drafts = list(here.rglob(".footfall-*"))
            assert not drafts, f"{place}: left {drafts}"

        def tables(name: bytes, here: Path) -> None:
            """The tables of a log of this name are read by all commands that read tables."""
            path = os.path.join(os.fsencode(here), b"l" + name.replace(b"/", b"_"))
            try:
                shutil.copy(original / "log.csv", path)
            except OSError:
                return
            made = [footfall.path, "analyze", path, "--tables", here / "tables"]
            for arguments in (made, [*made, "--resume"], [footfall.path, "summarize", here / "tables"]):
                run = subprocess.run(arguments, capture_output=True, cwd=here)
                # The name may end like that of a compressed log, or be too long for a folder beside others.
                if arguments is made and run.returncode in (65, 66, 73):
                    return
                assert run.returncode == 0, f"{arguments[1:]}: exit code {run.returncode}: {run.stderr[-300:]!r}"

        def attempt(number: int, dice: random.Random, folder: Path) -> str:
            name = KNOWN[number] if number < len(KNOWN) else random_name(dice)
            exists = dice.random() < 0.5 and name not in (b"", b".")
            for arguments in commands(name):
                here = folder / "here"
                shutil.copytree(original, here)
                if exists and not os.path.lexists(os.path.join(os.fsencode(here), name)):
                    try:
                        shutil.copy(original / "log.csv", os.path.join(os.fsencode(here), name))
                    except OSError:
                        pass
                try_command(arguments, here)
                shutil.rmtree(here)
            here = folder / "here"
            here.mkdir()
            tables(name, here)
            return "names of files that existed" if exists else "new names"

        run_cases(given, attempt, "names of files")


if __name__ == "__main__":
    main()
