#!/usr/bin/env python3
"""Analyses damaged logs: each command must end with an exit code and, if it succeeds, with an answer.

The logs are the shipped traces and, where they are, the logs of FOOTFALL_SHARED (../shared). Bits are flipped; runs of
bytes are replaced, removed, repeated or moved to another log; ends are cut off. No damage may end a command with a
signal, take more than a minute, or take more than 1 GiB of memory.

    logs.py FOOTFALL [COUNT]
"""

import collections
import concurrent.futures
import gzip
import json
import os
import random
import resource
import subprocess
import sys
import tempfile
from pathlib import Path

PACKAGE = Path(__file__).resolve().parents[2]
SHARED = Path(os.environ.get("FOOTFALL_SHARED", PACKAGE.parent / "shared"))
# A longer log would need more time, and it has the same records.
LENGTH = 200_000
MEMORY = 1 << 30


def logs() -> list[tuple[str, bytes]]:
    """The names and contents of sound logs."""
    files = sorted((PACKAGE / "SensorTraces").glob("*.csv"))
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
        kind = dice.randrange(7)
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
        elif dice.random() < 0.2:
            del changed[start:]
    return bytes(changed)


def attempt(footfall: str, number: int, all_logs: list[tuple[str, bytes]]) -> int:
    dice = random.Random(number)
    name, data = all_logs[number % len(all_logs)]
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / name
        file.write_bytes(damage(data, all_logs, dice))
        options = dice.choice(([], ["--history", f"{folder}/history"], ["--tables", f"{folder}/tables"], ["--rate", "50"]))
        result = subprocess.run(
            [footfall, "analyze", str(file), "--output", "json", *options], capture_output=True, text=True,
            errors="replace", timeout=60,
            preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_DATA, (MEMORY, MEMORY)))
    place = f"damage {number} of {name}: {options}: exit code {result.returncode}: {result.stderr[-300:]}"
    # 4: not all is kept in the history, 64: an option does not suit this log, 65: damaged or no samples.
    assert result.returncode in (0, 4, 64, 65), place
    assert result.returncode != 0 or json.loads(result.stdout), place
    assert result.returncode == 0 or result.stderr.strip(), f"{place}: no message"
    return result.returncode


def main() -> None:
    footfall = str(Path(sys.argv[1]).resolve())
    count = int(sys.argv[2]) if len(sys.argv) > 2 else 10_000
    all_logs = logs()
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        codes = collections.Counter(pool.map(lambda number: attempt(footfall, number, all_logs), range(count)))
    print(f"{count} damaged logs of {len(all_logs)}: no signal; exit codes {dict(sorted(codes.items()))}")


if __name__ == "__main__":
    main()
