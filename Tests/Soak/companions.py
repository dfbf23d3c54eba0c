#!/usr/bin/env python3
"""Tests the files beside a history, refused logs, stray rows, full disks, killed live sessions, results, and cut exports.

Each scenario kills real processes or breaks real files, many times with random moments and sizes, and prints its count.
A scenario ends with an assertion if a step is lost, appears twice, or appears in the wrong history.

    companions.py FOOTFALL [SHARE]

SHARE is the part of the full numbers to run, such as 0.1; the default is 1.
"""

import json
import os
import random
import resource
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from store import TRACES, Footfall, day, preloaded

SUFFIXES = ("", "-wal", "-shm", "-lock", "-live")


def steps(footfall: Footfall, history: Path, source: str) -> int:
    answer = footfall.run("history", "info", "--history", history, "--output", "json")
    return sum(row["steps"] for row in json.loads(answer)[0]["sources"] if row["source"] == source)


def killed(footfall: Footfall, history: Path, start: float, seconds: float) -> int:
    """Replays a walk, kills the session, and returns the number of steps that it has printed."""
    process = subprocess.Popen(
        footfall.arguments("live", "--replay", TRACES / "commute.csv", "--start", day(start), "--tz", "UTC", "--speed", 100,
                           "--history", history, "--source", "wrist", "--output", "ndjson"),
        stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
    time.sleep(seconds)
    process.kill()
    return sum('"event":"step"' in line for line in process.communicate()[0].splitlines())


def copies(history: Path, name: Path) -> Path:
    """Copies a history and its companions."""
    for suffix in SUFFIXES:
        Path(f"{name}{suffix}").unlink(missing_ok=True)
        if Path(f"{history}{suffix}").exists():
            shutil.copy(f"{history}{suffix}", f"{name}{suffix}")
    return name


def companions(footfall: Footfall, folder: Path, count: int) -> None:
    """1: what takes the place of a killed history holds only its own, and the killed one is found again."""
    original, backup, export = folder / "original", folder / "backup", folder / "walk.ndjson"
    footfall.run(*footfall.record(original, "walk-wrist", 0, "wrist"))
    shutil.copy(original, backup)
    other = folder / "other"
    footfall.run(*footfall.record(other, "walk-wrist", 3, "pocket"))
    export.write_text(footfall.export(other))
    kinds = ["kept", "copy", "import", "analyze", "mv", "cp", "link"]
    for number in range(count):
        kind = kinds[number % len(kinds)]
        place = f"companions {number}, {kind}"
        here = folder / f"companions-{number}"
        here.mkdir()
        history = copies(original, here / "history")
        killed(footfall, history, 1, random.uniform(1, 3))
        # What the killed session recorded, from a copy of its files.
        alive = copies(history, here / "alive")
        footfall.run("history", "delete", "--source", "wrist", "--since", day(5), "--history", alive)
        all_steps = steps(footfall, alive, "wrist")
        if kind == "kept":
            pass
        elif kind == "copy":
            footfall.run("history", "copy", history, "--history", backup, "--force")
            all_steps = 218
        elif kind == "import":
            history.unlink()
            footfall.run("history", "import", export, "--history", history)
            all_steps = 0
        elif kind == "analyze":
            history.unlink()
            footfall.run(*footfall.record(history, "walk-wrist", 3, "pocket"))
            all_steps = 0
        elif kind == "mv":
            history.rename(here / "old")
            footfall.run(*footfall.record(history, "walk-wrist", 3, "pocket"))
            assert steps(footfall, history, "wrist") == 0, f"{place}: old steps in the new history"
            history = here / "old"
        elif kind == "cp":
            history.write_bytes(backup.read_bytes())
            all_steps = 218
        elif kind == "link":
            os.link(history, here / "second")
            history = here / "second"
        if kind != "cp":
            footfall.run("history", "delete", "--source", "wrist" if all_steps else "pocket", "--since", day(5), "--history",
                         history)
        found = steps(footfall, history, "wrist")
        # The events that wait for their transaction belong to each state of the same history.
        assert found == all_steps or kind in ("cp",) and found >= all_steps, f"{place}: {found} steps, not {all_steps}"
        assert kind not in ("import", "analyze") or steps(footfall, history, "pocket") == 218, f"{place}: steps are missing"
        footfall.run("history", "check", "--history", history)
        shutil.rmtree(here)
    print(f"1: {count} killed histories that were copied, moved, linked, removed or replaced: each holds its own")


def refused(footfall: Footfall, folder: Path, count: int) -> None:
    """2: a log that is refused, or whose analysis is killed, changes nothing."""
    log = folder / "day.csv"
    footfall.run("simulate", "day", "--rate", "12.5", "--out", log)
    history, bad = folder / "day", folder / "bad.csv"
    options = ["--start", day(0.01), "--tz", "UTC", "--source", "wrist", "--history", history]
    footfall.run("analyze", log, "--start", day(0), *options[2:])
    before = footfall.export(history)
    lines = log.read_text().splitlines(keepends=True)
    for number in range(count):
        if number % 2:
            process = subprocess.Popen(footfall.arguments("analyze", log, *options),
                                       stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
            time.sleep(random.uniform(0, 0.5))
            process.kill()
            if process.wait() == 0:
                before = footfall.export(history)
        else:
            start = int(len(lines) * random.uniform(0.3, 0.85))
            bad.write_text("".join(lines[:start]) + "".join("x,y,z,?\n" for _ in lines[start:]))
            footfall.run("analyze", bad, *options, codes=(65,))
        assert footfall.export(history) == before, f"refused {number}: the history has changed"
    print(f"2: {count} analyses that were refused or killed: the history is unchanged")


def stray_rows(footfall: Footfall, folder: Path, count: int) -> None:
    """3: two rows ahead of a week hide nothing."""
    samples = [line.split(",", 1) for line in (TRACES / "walk-wrist.csv").read_text().splitlines()[1:3000]]
    origin = 1_790_000_000
    week = [f"{origin + number * 86400 + float(time):.3f},{rest}" for number in range(7) for time, rest in samples]
    log = folder / "week.csv"
    for number in range(count):
        end = origin + 6 * 86400 + 60 + random.uniform(2, 7) * 86400
        history = folder / f"week-{number}"
        log.write_text("\n".join(["time,x,y,z", *week]) + "\n")
        arguments = ["analyze", log, "--source", "wrist", "--history", history, "--output", "json", "--accept-future"]
        total = json.loads(footfall.run(*arguments))[0]["steps"]
        gap = random.choice((0.02, 1, 30))
        log.write_text("\n".join(["time,x,y,z", *week, f"{end:.3f},0,0,1", f"{end + gap:.3f},0,0,1"]) + "\n")
        footfall.run(*arguments)
        found = steps(footfall, history, "wrist")
        assert found >= total - 5, f"stray rows {number}: {found} of {total} steps"
    print(f"3: {count} weeks with two rows up to seven days ahead: each has all steps")


def full_disks(footfall: Footfall, folder: Path, count: int) -> None:
    """4: an import into little space gives the whole history or none."""
    full, export = folder / "full", folder / "full.ndjson"
    for number in range(5):
        footfall.run(*footfall.record(full, "commute", number, "wrist"))
    content = footfall.export(full)
    export.write_text(content)
    largest = 2 * full.stat().st_size
    whole = 0
    for number in range(count):
        here = folder / f"disk-{number}"
        here.mkdir()
        limit = 4096 + number * largest // count
        result = subprocess.run(
            footfall.arguments("history", "import", export, "--history", here / "history"), capture_output=True, text=True,
            preexec_fn=lambda: (signal.signal(signal.SIGXFSZ, signal.SIG_IGN),
                                resource.setrlimit(resource.RLIMIT_FSIZE, (limit, limit))))
        if result.returncode == 0:
            whole += 1
            assert footfall.export(here / "history") == content, f"{limit} bytes: a part is missing"
            footfall.run("history", "check", "--history", here / "history")
        else:
            assert not list(here.iterdir()), f"{limit} bytes: {[file.name for file in here.iterdir()]} {result.stderr}"
        shutil.rmtree(here)
    assert 0 < whole < count
    print(f"4: imports into {count} sizes of space: {whole} whole, the others left nothing")


def sessions(footfall: Footfall, folder: Path, count: int) -> None:
    """5: the events that wait in a killed live session are neither lost nor come back, and go into no other history."""
    lost = 0
    for number in range(count):
        here = folder / f"session-{number}"
        here.mkdir()
        history = here / "history"
        printed = killed(footfall, history, 1, random.uniform(0.5, 3))
        waiting = Path(f"{history}-live")
        if not history.exists():
            continue
        kind = ("next", "clock", "empty", "head", "middle", "delete", "moved")[number % 7]
        environment = None
        expected = range(printed, printed + 4)
        lines = waiting.read_bytes().splitlines(keepends=True) if waiting.exists() else []
        if kind == "empty":
            waiting.write_bytes(b"")
            expected = range(0, printed + 4)
        elif kind == "head" and lines:
            waiting.write_bytes(b"#" + lines[0][1:] + b"".join(lines[1:]))
        elif kind == "middle" and len(lines) > 3:
            lines[2] = lines[2][:20] + b"#" + lines[2][21:]
            waiting.write_bytes(b"".join(lines))
            expected = range(0, printed + 4)
        elif kind == "moved":
            moved = here / "moved"
            history.rename(moved)
            footfall.run(*footfall.record(history, "walk-wrist", 3, "pocket"))
            assert steps(footfall, history, "wrist") == 0, f"session {number}: steps of another history"
            history = moved
        footfall.run("history", "delete", "--source", "wrist", "--since", day(5), "--history", history, codes=(0, 64))
        found = steps(footfall, history, "wrist")
        assert found in expected, f"session {number}, {kind}: {found} steps of {printed}"
        lost += max(0, printed - found)
        if kind == "delete":
            footfall.run("history", "delete", "--source", "wrist", "--history", history, codes=(0, 64))
            footfall.run("live", "-", "--history", history, codes=(65,))
            assert steps(footfall, history, "wrist") == 0, f"session {number}: deleted steps are back"
        footfall.run("history", "check", "--history", history)
        shutil.rmtree(here)
    print(f"5: {count} killed live sessions, their files damaged or moved: {lost} steps lost with damaged records, none elsewhere")


def results(footfall: Footfall, folder: Path, count: int) -> None:
    """6: the tables of a log come from one analysis, and no command takes the place of tables of another log or of its input."""
    library = preloaded(folder, "kill_at_call")
    here = folder / "study"
    log, tables, counted = here / "a.csv", here / "results" / "a", folder / "calls"

    def prepared() -> None:
        shutil.rmtree(here, ignore_errors=True)
        here.mkdir()
        shutil.copy(TRACES / "walk-wrist.csv", log)
        footfall.run("analyze", log, "--tables", here / "results")
        shutil.copy(TRACES / "run-pocket.csv", log)

    def content(path: Path) -> dict[str, bytes]:
        return {file.name: file.read_bytes() for file in path.iterdir()}

    def analyze(at: int) -> int:
        environment = {**os.environ, "LD_PRELOAD": str(library), "FOOTFALL_KILL_FILE": f"{tables}/",
                       "FOOTFALL_KILL_AT": str(at), "FOOTFALL_KILL_COUNT": str(counted)}
        return subprocess.run(footfall.arguments("analyze", log, "--tables", here / "results"), env=environment,
                              capture_output=True).returncode

    prepared()
    before = content(tables)
    assert analyze(0) == 0
    after, total = content(tables), int(counted.read_text())
    kinds: dict[str, int] = {}
    for number in range(count):
        kind = ("killed", "killed", "other", "input", "name")[number % 5]
        place = f"results {number}, {kind}"
        prepared()
        if kind == "killed":
            # The tables take their places in the last calls.
            at = random.randint(max(1, total - 40), total) if number % 2 else random.randint(1, total)
            analyze(at)
            run = subprocess.run(footfall.arguments("summarize", here / "results"), capture_output=True, text=True)
            found = {name: data for name, data in content(tables).items() if not name.startswith(".")}
            assert run.returncode == 0 and found in (before, after) or run.returncode == 65 and ".incomplete" in run.stderr, \
                f"{place} at call {at} of {total}: exit code {run.returncode}, tables of two analyses"
            kind = "killed, refused" if run.returncode else "killed, old tables" if found == before else "killed, new tables"
            footfall.run("analyze", log, "--tables", here / "results", "--resume")
            found = {name: data for name, data in content(tables).items() if not name.startswith(".footfall-")}
            assert found == after, f"{place}: the repeated analysis has other tables"
        elif kind == "other":
            (here / "b").mkdir()
            shutil.copy(TRACES / random.choice(("commute.csv", "gaps.csv")), here / "b" / "a.csv")
            footfall.run("analyze", here / "b" / "a.csv", "--tables", here / "results", "--resume", codes=(66,))
            assert content(tables) == before, f"{place}: the tables of another log"
        elif kind == "input":
            footfall.run("summarize", here / "results", "--out", tables, codes=(73,))
            assert content(tables) == before, f"{place}: the input has changed"
        elif kind == "name":
            name = "." * random.randint(1, 5) + random.choice(("csv", "gz", ".csv", "csv.gz"))
            shutil.copy(TRACES / "walk-wrist.csv", here / name)
            listed = set(os.listdir(here)) | {"others"}
            footfall.run("analyze", here / name, "--tables", here / "others" / "deep", codes=(0, 65))
            assert set(os.listdir(here)) == listed, f"{place}: {name} wrote {set(os.listdir(here)) - listed}"
            assert os.listdir(here / "others") == ["deep"], f"{place}: {name} wrote into the parent"
        kinds[kind] = kinds.get(kind, 0) + 1
    print(f"6: {count} results of logs: {kinds}; each folder has the tables of one analysis, and no input was replaced")


def cut_exports(footfall: Footfall, folder: Path, count: int) -> None:
    """7: an export that was cut is refused."""
    export, cut, history = folder / "full.ndjson", folder / "cut.ndjson", folder / "imported"
    lines = export.read_text().splitlines(keepends=True)
    for number in range(count):
        end = random.randrange(len(lines))
        cut.write_text("".join(lines[:end]) + (lines[end][:random.randrange(len(lines[end]))] if number % 2 else ""))
        footfall.run("history", "import", cut, "--history", history, codes=(65,))
        assert not history.exists(), f"{end} lines were imported"
    footfall.run("history", "import", folder, "--history", history, codes=(66,))
    print(f"7: {count} exports that were cut: none imported")


def main() -> None:
    footfall = Footfall(str(Path(sys.argv[1]).resolve()))
    share = float(sys.argv[2]) if len(sys.argv) > 2 else 1
    random.seed(4)
    scenarios = [(companions, 80), (refused, 40), (stray_rows, 20), (full_disks, 120), (sessions, 70), (results, 100),
                 (cut_exports, 100)]
    with tempfile.TemporaryDirectory() as name:
        for scenario, count in scenarios:
            scenario(footfall, Path(name), max(8, int(count * share)))


if __name__ == "__main__":
    main()
