#!/usr/bin/env python3
"""Tests names of files, failing disks, abandoned drafts and wrong clocks.

Each scenario runs real commands on real files, and prints its count. A scenario ends with an assertion if a command ends with a
signal or with a wrong exit code, if a history is damaged or changed in part, or if a draft is left.

    files.py FOOTFALL [SHARE]

SHARE is the part of the full numbers to run, such as 0.1; the default is 1.
"""

import collections
import concurrent.futures
import json
import math
import os
import random
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from store import TRACES, Footfall, day, preloaded

# Success, failure, nothing kept, usage, bad data, no input, no output, no device, no permission.
CODES = {0, 1, 4, 64, 65, 66, 73, 74, 77, 78}
PIECES = [b".", b"..", b"/", b" ", b"\n", b"\t", b"-", b"--", b"%41", b"?", b"#", b"'", b'"', b"\\", b"*", b"~", b"$HOME",
          b"\xe9", b"\xff\xfe", b"\xed\xa0\x80", "é".encode(), "👟".encode(), b"\x1b[31m", b"a", b"b.csv", b".gz", b".svg",
          b"h", b"log.csv", b"results", b":memory:", b"file:h"]


def random_name() -> bytes:
    """A name that leads to no other folder."""
    while True:
        name = any_name().lstrip(b"/")
        if b".." not in name.split(b"/"):
            return name


def any_name() -> bytes:
    kind = random.randrange(4)
    if kind == 0:
        return bytes(random.choice(b"ab .\n-%\xe9") for _ in range(random.choice((1, 2, 3, 254, 255, 256, 300))))
    if kind == 1:
        return b"n" * random.randint(1, 255) + random.choice((b"", b"/", b"//", b".csv", b".svg", b" "))
    return b"".join(random.choice(PIECES) for _ in range(random.randint(1, 4)))


def commands(name: bytes) -> list[list[bytes]]:
    """Every command that takes a file, with this name for it."""
    lines = [
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
    return lines


def names(footfall: Footfall, folder: Path, count: int) -> None:
    """8: no name of a file ends a command with a signal, and a name changes nothing outside its folder."""
    original = folder / "original"
    original.mkdir()
    shutil.copy(TRACES / "walk-wrist.csv", original / "log.csv")
    footfall.run(*footfall.record(original / "h", "walk-wrist", 0, "w"))
    (original / "export").write_text(footfall.export(original / "h"))
    footfall.run("analyze", original / "log.csv", "--tables", original / "results")
    chosen = [b"x", b".", b"...", b" ", b"", b"-", b"a/", b"n" * 255, b"n" * 256]
    chosen += [random_name() for _ in range(count - len(chosen))]
    codes: collections.Counter = collections.Counter()

    def attempt(number: int) -> None:
        name = chosen[number]
        for index, arguments in enumerate(commands(name)):
            outer = folder / f"names-{number}"
            here = outer / "here"
            shutil.copytree(original, here)
            exists = number % 2 and name not in (b"", b".")
            if exists and not os.path.lexists(os.path.join(os.fsencode(here), name)):
                try:
                    shutil.copy(original / "log.csv", os.path.join(os.fsencode(here), name))
                except OSError:
                    pass
            process = subprocess.Popen(
                [footfall.path, *arguments], cwd=here, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL,
                stderr=subprocess.PIPE, env={**os.environ, "HOME": str(here)})
            try:
                errors = process.communicate(timeout=2 if arguments[0] == b"serve" else 60)[1]
            except subprocess.TimeoutExpired:
                assert arguments[0] == b"serve", f"{arguments} does not end"
                process.send_signal(signal.SIGTERM)
                errors = process.communicate()[1]
            place = f"{arguments}: exit code {process.returncode}: {errors[-300:]}"
            assert process.returncode in CODES, place
            assert process.returncode == 0 or arguments[0] == b"live" or errors.startswith(b"footfall: "), place
            assert os.listdir(outer) == ["here"], f"{place}: wrote {os.listdir(outer)}"
            drafts = [file for file in here.rglob("*") if file.name.startswith(".footfall-")]
            assert not drafts, f"{place}: left {drafts}"
            codes[process.returncode] += 1
            shutil.rmtree(outer)

    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        list(pool.map(attempt, range(len(chosen))))
    print(f"8: {sum(codes.values())} commands with {len(chosen)} names of files: no signal; exit codes {dict(sorted(codes.items()))}")


def disk_errors(footfall: Footfall, folder: Path, count: int) -> None:
    """4: a disk that fails once, or from a moment on, damages no history, and no command that lost something ends with 0."""
    library = preloaded(folder, "kill_at_call")
    full, other, export, small = folder / "full", folder / "other", folder / "full.ndjson", folder / "small.ndjson"
    for number in range(5):
        footfall.run(*footfall.record(full, "commute", number, "wrist"))
    footfall.run(*footfall.record(other, "walk-wrist", 2, "wrist"))
    export.write_text(footfall.export(full))
    small.write_text(footfall.export(other))
    here = folder / "disk"
    h, c = here / "h", here / "c"
    cases = {
        "import": (["history", "import", export, "--history", h], {}),
        "import into": (["history", "import", small, "--history", h], {h: full}),
        "copy": (["history", "copy", c, "--history", h], {h: full}),
        "copy over": (["history", "copy", c, "--history", h, "--force"], {h: full, c: other}),
        "record": (footfall.record(h, "walk-wrist", 2, "wrist"), {h: full}),
        "create": (footfall.record(h, "walk-wrist", 2, "wrist"), {}),
        "delete": (["history", "delete", "--source", "wrist", "--since", day(1), "--until", day(2), "--history", h], {h: full}),
    }

    def prepared(files: dict[Path, Path]) -> None:
        shutil.rmtree(here, ignore_errors=True)
        here.mkdir()
        for target, source in files.items():
            shutil.copy(source, target)

    def state() -> list[str | None]:
        for history in (h, c):
            if history.exists():
                footfall.run("history", "check", "--history", history)
        return [footfall.export(history) if history.exists() else None for history in (h, c)]

    codes: collections.Counter = collections.Counter()
    for name, (arguments, files) in cases.items():
        prepared(files)
        before = state()
        prepared(files)
        footfall.run(*arguments)
        after = state()
        empty = footfall.export(h).count("\n") if name == "create" else 0
        for calls in ("sync", "all"):
            environment = {**os.environ, "LD_PRELOAD": str(library), "FOOTFALL_KILL_FILE": str(here),
                           "FOOTFALL_KILL_COUNT": str(folder / "calls"), "FOOTFALL_FAIL": "one",
                           **({"FOOTFALL_FAIL_SYNC": "1"} if calls == "sync" else {})}
            prepared(files)
            subprocess.run(footfall.arguments(*arguments), env=environment, capture_output=True, check=True)
            total = int((folder / "calls").read_text())
            assert total >= 2, f"{name}: only {total} calls are counted"
            for at in sorted({1 + number * total // count for number in range(count)}):
                for mode in ("one", "all"):
                    prepared(files)
                    note = folder / "note"
                    note.unlink(missing_ok=True)
                    result = subprocess.run(
                        footfall.arguments(*arguments), capture_output=True, text=True, timeout=120,
                        env={**environment, "FOOTFALL_KILL_AT": str(at), "FOOTFALL_FAIL": mode, "FOOTFALL_FAIL_NOTE": str(note)})
                    failed = note.read_text() if note.exists() else ""
                    place = f"{name}, {mode} from call {at} of {total} ({failed.splitlines()[:1]}): exit code {result.returncode}: {result.stderr[-300:]}"
                    assert result.returncode in (0, 1), place
                    left = [file.name for file in here.iterdir() if file.name.startswith(".footfall-")]
                    assert not left, f"{place}: left {left}"
                    found = state()
                    # A failed creation may leave an empty history.
                    isEmpty = name == "create" and found[0] is not None and found[0].count("\n") < empty
                    assert found in (before, after) or isEmpty, f"{place}: other content"
                    assert result.returncode != 0 or found == after, f"{place}: something is missing"
                    # The index of the log can be made again, so it may fail.
                    lost = [line for line in failed.splitlines() if "sync" in line]
                    assert result.returncode != 0 or mode == "one" or not lost, f"{place}: nothing is said"
                    codes[(result.returncode, "after" if found == after else "before")] += 1
    print(f"4: {sum(codes.values())} errors of the disk in {len(cases)} commands: nothing damaged, no draft left; "
          + ", ".join(f"exit code {code} with the content of {state} {number}" for (code, state), number in sorted(codes.items())))


def drafts(footfall: Footfall, folder: Path, count: int) -> None:
    """14: drafts of killed commands are removed by a later one; those of running commands stay."""
    here = folder / "drafts"
    here.mkdir()
    footfall.run(*footfall.record(here / "h", "commute", 0, "wrist"))
    (here / "export").write_text(footfall.export(here / "h"))
    log = TRACES / "commute.csv"
    made = [["history", "import", here / "export", "--history", here / "new"], ["history", "copy", here / "copy", "--history", here / "h"],
            ["analyze", log, "--plot", here / "plot.svg"], ["simulate", "day", "--rate", "12.5", "--out", here / "day.csv"],
            ["report", "--history", here / "h", "--out", here / "page"]]
    left = 0

    def found() -> list[Path]:
        return [file for file in here.iterdir() if file.name.startswith(".footfall-")]

    def age() -> None:
        for file in found():
            os.utime(file, (time.time() - 3600,) * 2)

    for number in range(count):
        process = subprocess.Popen(footfall.arguments(*made[number % len(made)]), stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        while process.poll() is None and not found():
            pass
        time.sleep(random.uniform(0, 0.01))
        process.kill()
        process.wait()
        left += len(found())
        for name in ("new", "copy", "plot.svg", "day.csv", "day.truth.json", "page"):
            (here / name).unlink(missing_ok=True)
        age()
        if number % 5 == 0:
            footfall.run(*footfall.record(here / "h", "walk-wrist", 1, "wrist"))
        else:
            footfall.run("report", "--history", here / "h", "--out", here / "page", "--force")
        assert not found(), f"drafts {number}: {found()}"
    # A command that runs keeps its draft, however old that is.
    process = subprocess.Popen(footfall.arguments("simulate", "week", "--out", here / "week.csv"), stdout=subprocess.DEVNULL)
    while not found():
        time.sleep(0.01)
    process.send_signal(signal.SIGSTOP)
    age()
    kept = found()
    footfall.run("report", "--history", here / "h", "--out", here / "page", "--force")
    assert found() == kept, "the draft of a running command was removed"
    process.send_signal(signal.SIGCONT)
    process.kill()
    process.wait()
    assert left > count / 4, f"only {left} drafts were left"
    print(f"14: {count} killed commands left {left} drafts and companions: the next command removed all, and none of a running one")


def clocks(footfall: Footfall, folder: Path, count: int) -> None:
    """11: live on a wrong clock, and on one that is set meanwhile, records what it can date, says the rest, and never crashes."""
    library = preloaded(folder, "set_clock")
    year = 31_557_600
    settings = ["0", f"{-150 * year}", f"{150 * year}", f"{300 * year}", f"{-3000 * year}", "0 6 -7200", "0 6 7200", f"0 6 {150 * year}",
                f"0 6 {300 * year}", f"0 6 {-150 * year}", f"{300 * year} 6 0", f"{-150 * year} 6 0", "0 4 7200 8 -7200",
                "0 6 -10", "0 6 -290", "0 4 60 8 0", "0 3 -5 6 -10 9 5"]

    def play(number: int) -> str:
        setting = settings[number % len(settings)]
        history = folder / f"clock-{number}"
        process = subprocess.Popen(
            footfall.arguments("live", "-", "--history", history, "--source", "wrist", "--output", "ndjson"), text=True,
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
            env={**os.environ, "LD_PRELOAD": str(library), "FOOTFALL_CLOCK": setting})
        start = time.monotonic()
        try:
            for row in range(12 * 50):
                time.sleep(max(0, start + row / 50 - time.monotonic()))
                phase = 2 * math.pi * 1.8 * row / 50
                process.stdin.write(f"{0.1 * math.sin(phase / 2):.4f},{1 + 0.35 * math.sin(phase) + 0.1 * math.sin(2 * phase):.4f},0.1\n")
                process.stdin.flush()
        except BrokenPipeError:
            pass
        try:
            output, errors = process.communicate(timeout=60)
        except BrokenPipeError:
            output, errors = "", process.stderr.read()
        place = f"clock {setting}: exit code {process.returncode}: {errors[-300:]}"
        assert process.returncode in (0, 1, 4, 65), place
        printed = output.count('"event":"step"')
        if not history.exists():
            assert process.returncode == 1 and "set the clock" in errors, place
            return "refused"
        footfall.run("history", "check", "--history", history)
        sources = json.loads(footfall.run("history", "info", "--history", history, "--output", "json"))[0]["sources"]
        kept = sum(row["steps"] for row in sources)
        # A small step back is reported, too, but costs no step, and the session ends with 0.
        assert kept >= printed or process.returncode and "clock" in errors, f"{place}: {kept} of {printed} steps, and nothing is said"
        return "recorded"

    with concurrent.futures.ThreadPoolExecutor(4) as pool:
        results = collections.Counter(pool.map(play, range(max(count, len(settings)))))
    print(f"11: {sum(results.values())} live sessions on {len(settings)} wrong clocks: {dict(results)}, none crashed")


def main() -> None:
    footfall = Footfall(str(Path(sys.argv[1]).resolve()))
    share = float(sys.argv[2]) if len(sys.argv) > 2 else 1
    random.seed(8)
    with tempfile.TemporaryDirectory() as name:
        for scenario, count in [(names, 150), (disk_errors, 40), (drafts, 100), (clocks, 34)]:
            folder = Path(name) / scenario.__name__
            folder.mkdir()
            scenario(footfall, folder, max(8, int(count * share)))


if __name__ == "__main__":
    main()
