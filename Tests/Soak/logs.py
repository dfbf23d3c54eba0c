#!/usr/bin/env python3
"""Analyzes damaged logs with tables and with all options of reading. Each command must end with an exit code and, if it succeeds, an answer.

The logs are the shipped traces and, where they are, the logs of FOOTFALL_SHARED (../shared). Bits are flipped; runs of bytes are
replaced, removed, repeated or moved to another log; ends are cut off; numbers become large, small or no numbers. No damage may end a
command with a signal, take more than two minutes, or take more than 1 GiB of memory. In some cases a sound log stands beside the
damaged one. Its tables must be those that it has alone.

    logs.py FOOTFALL [--count N] [--seed N] [--only CASE]
"""

import gzip
import json
import os
import random
import re
import resource
import shutil
import subprocess
from pathlib import Path

from cases import PACKAGE, TRACES, options, run_cases

SHARED = Path(os.environ.get("FOOTFALL_SHARED", PACKAGE.parent / "shared"))
# A longer log would need more time, and it has the same records.
LENGTH = 200_000
MEMORY = 1 << 30
PATIENCE = 120
NUMBER = re.compile(rb"-?\d+(?:\.\d+)?(?:[eE][-+]?\d+)?")
NUMBERS = [b"0", b"-1", b"1e308", b"-1e308", b"1e-308", b"nan", b"inf", b"9223372036854775807", b"-9223372036854775808",
           b"18446744073709551616", b"1e19", b"32768", b"4294967296", b"0.0000001", b"253402300800", b"-62135596801"]
# Each option of reading and of tables, with values that suit a log, that suit none, and at the limits of numbers.
OPTIONS = {
    "--unit": ["g", "mg", "mss", "16384", "1", "1e-300", "1e300", "0.5"],
    "--zero": ["338", "338,331,345", "0", "1e300", "-1e18"],
    "--time-unit": ["s", "ms", "us", "ns"],
    "--rate": ["50", "12.5", "0.001", "1600", "1e9", "1e300"],
    "--tz": ["UTC", "Europe/Berlin", "+14:00", "-12:00"],
    "--start": ["2026-01-05T07:30:00Z", "1700-01-01T00:00:00Z", "2200-12-31T23:59:59Z"],
    "--columns": ["1,2,3,4", "time,x,y,z", "4,3,2,1", "1,1,1,1"],
    "--where": ["1=1", "activity=walking"],
    "--each": ["label", "9", "1", "time"],
    "--cut-points": ["enmo:45,100,430", "freedson-adults-hip-actigraph", "mad:91,414"],
    "--placement": ["lower-back", "wrist", "ankle"],
    "--gait-bout": ["1s", "3s", "10m"],
    "--valid-day": ["1s", "10h", "24h"],
    "--keep": ["1h", "30d", "forever"],
    "--output": ["json", "ndjson", "csv", "table"],
    "--mvpa-bouts": ["whole", "window"],
    "--source": ["wrist"],
    "--jobs": ["1", "2"],
}
FLAGS = ["--lenient", "--calibrate", "--all-columns", "--accept-future", "--accept-leap", "--step-times", "--after-last", "--explain"]
# These need --history.
RECORDING = {"--keep", "--source", "--accept-future", "--accept-leap", "--after-last"}
FILES = {"--history": "history", "--seconds": "seconds.csv", "--plot": "plot.svg"}
SOUND = "a-sound-log.csv"


def logs() -> list[tuple[str, bytes]]:
    """The names and contents of sound logs."""
    files = sorted(TRACES.glob("*.csv"))
    found = [file for folder in ("logs", "captures") for file in sorted((SHARED / "fixtures" / folder).rglob("*"))]
    if not found:
        print(f"{SHARED} has no logs: only the shipped traces are damaged")
    files += [file for file in found if file.is_file() and file.suffix not in (".golden", ".md")]
    read = [(file.name, file.read_bytes()[:LENGTH]) for file in files]
    return read + [(f"{name}.gz", gzip.compress(data, 1)) for name, data in read[:3]]


def damage(data: bytes, others: list[tuple[str, bytes]], dice: random.Random) -> bytes:
    changed = bytearray(data)
    for _ in range(dice.choice((1, 1, 2, 5, 20))):
        start = dice.randrange(len(changed) or 1)
        run = slice(start, start + dice.choice((1, 2, 4, 16, 512, 5000)))
        kind = dice.randrange(8)
        if kind == 0 and changed:
            changed[start] ^= 1 << dice.randrange(8)
        elif kind == 1:
            changed[run] = dice.randbytes(len(changed[run]))
        elif kind == 2:
            del changed[run]
        elif kind == 3:
            changed[start:start] = changed[run]
        elif kind == 4:
            other = dice.choice(others)[1]
            place = dice.randrange(len(other))
            changed[run] = other[place:place + run.stop - run.start]
        elif kind == 5:
            changed[run] = bytes([dice.choice(b"\x00\xff,;\n\"-9e. ")]) * len(changed[run])
        elif kind == 6:
            number = NUMBER.search(changed, start)
            if number:
                changed[number.start():number.end()] = dice.choice(NUMBERS)
        elif dice.random() < 0.2:
            del changed[start:]
    return bytes(changed)


def chosen(dice: random.Random, folder: Path, alone: bool) -> list[str]:
    """None to five options. A history takes one log without a date, and only one log is explained."""
    names = [name for name in [*OPTIONS, *FLAGS, *FILES] if alone or name not in RECORDING | {"--history", "--explain"}]
    names = dice.sample(names, dice.choice((0, 1, 1, 2, 3, 5)))
    if RECORDING & set(names) and "--history" not in names:
        names.append("--history")
    arguments: list[str] = []
    for name in names:
        if name in OPTIONS:
            arguments += [name, dice.choice(OPTIONS[name])]
        elif name in FILES:
            arguments += [name, str(folder / FILES[name])]
        else:
            arguments.append(name)
    return arguments


def main() -> None:
    given = options(__doc__, 5_000)
    all_logs = logs()
    sound = (TRACES / "gaps.csv").read_bytes()

    def analyze(tables: Path, paths: list[Path], more: list[str]) -> subprocess.CompletedProcess:
        return subprocess.run(
            given.footfall.arguments("analyze", *paths, "--tables", tables, *more), capture_output=True, text=True,
            errors="replace", timeout=PATIENCE, preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_DATA, (MEMORY, MEMORY)))

    def content(folder: Path) -> dict[str, bytes]:
        return {file.name: file.read_bytes() for file in sorted(folder.iterdir())} if folder.exists() else {}

    def attempt(number: int, dice: random.Random, folder: Path) -> str:
        name, data = all_logs[number % len(all_logs)]
        (folder / name).write_bytes(damage(data, all_logs, dice))
        is_alone, paths, expected = dice.random() < 0.8, [folder / name], None
        more = chosen(dice, folder, is_alone)
        if not is_alone:
            (folder / SOUND).write_bytes(sound)
            paths.insert(dice.randrange(2), folder / SOUND)
            alone = analyze(folder / "alone", [folder / SOUND], more)
            expected = content(folder / "alone" / Path(SOUND).stem) if alone.returncode == 0 else None
            for file in FILES.values():
                for left in folder.glob(f"{file}*"):
                    left.unlink()
        result = analyze(folder / "tables", paths, more)
        place = f"{' '.join(map(str, [*paths, *more]))}: exit code {result.returncode}: {result.stderr[-400:]}"
        # 4: not all is kept in the history, 64: an option does not suit this log, 65: damaged or no samples.
        assert result.returncode in (0, 4, 64, 65), place
        assert result.returncode != 0 or result.stdout.strip(), f"{place}: no answer"
        assert result.returncode == 0 or result.stderr.strip(), f"{place}: no message"
        if result.returncode == 0 and "json" in more and "--explain" not in more:
            json.loads(result.stdout)
        # Usage is refused before any log is read.
        if expected and result.returncode != 64:
            assert content(folder / "tables" / Path(SOUND).stem) == expected, f"{place}: the sound log has other tables"
        assert not list(folder.rglob(".footfall-*")), f"{place}: drafts are left"
        shutil.rmtree(folder / "tables", ignore_errors=True)
        return f"with exit code {result.returncode}"

    run_cases(given, attempt, f"damaged logs of {len(all_logs)}")


if __name__ == "__main__":
    main()
