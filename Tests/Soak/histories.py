#!/usr/bin/env python3
"""Runs commands on histories with flipped bits, and imports exports that are cut or damaged.

No command ends with a signal. What `history check` accepts can be read and written, and so can what is imported. A cut export is
refused and makes no history.

    histories.py FOOTFALL [--count N] [--seed N] [--only CASE]
"""

import random
import re
import shutil
import subprocess
import tempfile
from pathlib import Path

from cases import Footfall, day, options, run_cases

# 1: another failure, 4: not kept by a damaged retention, 64: a source of another name, 65: damage.
CODES = (0, 1, 4, 64, 65)
NUMBER = re.compile(rb"-?\d+(?:\.\d+)?")
NUMBERS = [b"0", b"-1", b"9223372036854775807", b"-9223372036854775808", b"18446744073709551616", b"1e308", b"-1e308", b"1e-308",
           b"4102444800000000000", b"-2208988800000000000", b"5679936000000000000", b"255", b"65536", b"null", b"true", b'""', b"[]"]


def commands(footfall: Footfall, history: Path, export: Path) -> list[list[object]]:
    at = ["--history", history]
    source = ["--source", "wrist", *at]
    return [
        ["history", "check", *at], ["history", "info", *at], ["history", "export", *at],
        ["query", "steps", "--by", "hour", *source], ["query", "activities", *source], ["query", "summary", *source],
        ["query", "coverage", *source], ["query", "bouts", *source], ["query", "measures", *source],
        ["report", *source, "--out", history.with_name("page"), "--force"],
        ["history", "copy", history.with_name("copy"), "--force", *at],
        ["history", "delete", "--since", day(1), "--until", day(2), *source],
        footfall.record(history, "walk-wrist", 5.7, "wrist"), ["history", "import", export, *at],
    ]


def main() -> None:
    given = options(__doc__, 500)
    with tempfile.TemporaryDirectory() as name:
        full, export = Path(name) / "full", Path(name) / "export.ndjson"
        for start in range(7):
            given.footfall.run(*given.footfall.record(full, "commute", start, "wrist"))
        export.write_text(given.footfall.export(full))
        original, lines = full.read_bytes(), export.read_bytes().splitlines(keepends=True)
        occupied = [index for index, byte in enumerate(original) if byte]

        def run(arguments: list[object]) -> int:
            result = subprocess.run(given.footfall.arguments(*arguments), capture_output=True, text=True, errors="replace",
                                    timeout=120)
            place = f"{' '.join(map(str, arguments))}: exit code {result.returncode}: {result.stderr[-300:]}"
            assert result.returncode in CODES, place
            assert result.returncode == 0 or result.stderr.startswith("footfall: "), place
            return result.returncode

        def damaged(dice: random.Random, folder: Path) -> str:
            data, history = bytearray(original), folder / "history"
            for _ in range(dice.randint(1, 3)):
                data[dice.choice(occupied)] ^= 1 << dice.randrange(8)
            codes = []
            for arguments in commands(given.footfall, history, export):
                for left in folder.iterdir():
                    left.unlink()
                history.write_bytes(data)
                codes.append(run(arguments))
            # What the check accepts can be read and written.
            assert codes[0] != 0 or all(code in (0, 4, 64) for code in codes), f"the history is sound, but exit codes {codes}"
            shutil.rmtree(folder)
            folder.mkdir()
            return "histories found damaged" if codes[0] else "histories with damage that harms nothing"

        def cut(dice: random.Random, folder: Path) -> str:
            end = dice.randrange(len(lines))
            part = lines[end][:dice.randrange(len(lines[end]))] if dice.random() < 0.5 else b""
            (folder / "export").write_bytes(b"".join(lines[:end]) + part)
            given.footfall.run("history", "import", folder / "export", "--history", folder / "history", codes=(65,))
            assert not (folder / "history").exists(), f"{end} lines were imported"
            return "cut exports"

        def changed(dice: random.Random, folder: Path) -> str:
            data = bytearray(b"".join(lines))
            for _ in range(dice.randint(1, 3)):
                # The first lines have the settings of the history and of the source.
                place = dice.randrange(dice.choice((200, 2_000, len(data))))
                number = NUMBER.search(data, place)
                if number and dice.random() < 0.8:
                    data[number.start():number.end()] = dice.choice(NUMBERS)
                else:
                    data[place:place + dice.choice((1, 1, 8))] = dice.choice((b"-", b"\xff", b"0", b"null", b'"', b"99999999"))
            (folder / "export").write_bytes(data)
            history = folder / "history"
            code = run(["history", "import", folder / "export", "--history", history])
            if not history.exists():
                assert code in (1, 65), f"exit code {code} without a history"
                return "changed exports that are refused"
            # 65: the rest is recorded, but not what is ahead of the clock.
            assert code in (0, 4, 65), f"exit code {code} with a history"
            codes = [run(arguments) for arguments in commands(given.footfall, history, export)]
            assert codes[0] == 0 and set(codes) <= {0, 1, 4, 64}, f"imported, but exit codes {codes}"
            return "changed exports that are imported"

        def attempt(number: int, dice: random.Random, folder: Path) -> str:
            return (damaged, damaged, damaged, cut, changed)[number % 5](dice, folder)

        run_cases(given, attempt, "damaged histories and exports")


if __name__ == "__main__":
    main()
