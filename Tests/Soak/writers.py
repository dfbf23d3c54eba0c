"""The commands that write, for the tests that interrupt them: what stands before them and what they leave."""

import os
import random
import shutil
import time
from pathlib import Path
from typing import Callable

from cases import PACKAGE, TRACES, Footfall, day

STORED = PACKAGE / "Tests/FootfallHistoryTests/Stored"
# The companions of a history are no output of their own.
SUFFIXES = ("-wal", "-shm", "-lock", "-live", "-journal")
# What stands in a folder of tables whose command was interrupted.
MARKER = ".incomplete"


def drafts(here: Path) -> list[Path]:
    return sorted(here.rglob(".footfall-*"))


def age(here: Path) -> None:
    """Makes the drafts of a killed command so old that the next one removes them; new ones may have an owner still."""
    for draft in drafts(here):
        os.utime(draft, (time.time() - 10,) * 2)


class Writer:
    """A command that writes, the folder before it, and what it leaves."""

    def __init__(self, footfall: Footfall, folder: Path, name: str, before: Path | None, outputs: list[str],
                 command: Callable[[Path], list[object]]) -> None:
        """Runs the command once. `outputs` are the histories, files and folders of tables that it writes, in its folder."""
        self.footfall, self.name, self.original, self.outputs, self.command = footfall, name, before, outputs, command
        here = folder / f"uninterrupted {name}"
        self.prepare(here)
        self.before = self.state(here)
        footfall.run(*command(here))
        self.after = self.state(here)
        self.bytes = sum(file.stat().st_size for file in here.rglob("*") if file.is_file())
        assert self.before != self.after, f"{name} changes nothing"
        assert not drafts(here), f"{name} leaves {drafts(here)}"

    def prepare(self, here: Path) -> None:
        shutil.rmtree(here, ignore_errors=True)
        if self.original:
            shutil.copytree(self.original, here)
        else:
            here.mkdir()

    def arguments(self, here: Path) -> list[str]:
        return self.footfall.arguments(*self.command(here))

    def state(self, here: Path) -> list[object]:
        """The content of each output: nothing if it is not there. A history is checked."""
        return [self.content(here / name) for name in self.outputs]

    def content(self, output: Path) -> object:
        if output.is_dir():
            return {str(file.relative_to(output)): file.read_bytes() for file in sorted(output.rglob("*"))
                    if file.is_file() and not file.name.startswith(".footfall-")} or None
        if not output.exists():
            return None
        if not output.name.startswith("history"):
            return output.read_bytes()
        self.footfall.run("history", "check", "--history", output)
        return self.footfall.export(output)

    def whole(self, state: list[object]) -> str:
        """Says which of its contents each output has. Fails if one has another."""
        kinds = []
        for name, found, before, after in zip(self.outputs, state, self.before, self.after):
            if found == after:
                kinds.append("after")
            elif found == before:
                kinds.append("before")
            elif before is None and isinstance(found, str) and found.count("\n") <= 2:
                kinds.append("empty")
            elif isinstance(found, dict) and MARKER in found:
                kinds.append("marked")
            else:
                raise AssertionError(f"{name} has neither the content of before nor that of after: {str(found)[:300]}")
        return min(kinds, key=["marked", "empty", "before", "after"].index)

    def completes_marked(self, here: Path) -> None:
        """Folders of tables that are not whole are completed by --resume."""
        if list(here.rglob(MARKER)):
            self.footfall.run(*self.command(here), "--resume")
            assert self.state(here) == self.after, f"{self.name}: --resume leaves half a result"


def writers(footfall: Footfall, folder: Path) -> list[Writer]:
    """All commands that write, with a folder of before for each."""
    befores: dict[str, Path] = {}
    for name in ("full", "first", "results", "pages"):
        befores[name] = folder / name
        befores[name].mkdir()
    full = befores["full"] / "history"
    for start in range(7):
        footfall.run(*footfall.record(full, "commute", start, "wrist"))
    footfall.run(*footfall.record(full, "walk-wrist", 5, "pocket"))
    shutil.copy(STORED / "version-2.history", befores["first"] / "history")
    other, export = folder / "other", folder / "export.ndjson"
    for start in (4.5, 5.5, 6.5):
        footfall.run(*footfall.record(other, "commute", start, "wrist"))
    export.write_text(footfall.export(other))
    copied = folder / "copied"
    shutil.copytree(befores["full"], copied)
    shutil.copy(other, copied / "history-copy")
    log = folder / "log.csv"
    shutil.copy(TRACES / "run-pocket.csv", log)
    footfall.run("analyze", log, "--tables", befores["results"] / "tables", "--plot", befores["results"] / "plot.svg",
                 "--seconds", befores["results"] / "seconds.csv")
    shutil.copy(TRACES / "walk-wrist.csv", log)
    # A history of its own: the other one must not have the companions of a reader while it is copied.
    shutil.copy(full, folder / "reported")
    report = ["report", "--history", folder / "reported", "--source", "wrist"]
    footfall.run(*report, "--out", befores["pages"] / "page", "--since", day(0), "--until", day(1))
    analyze = ["analyze", log, "--output", "ndjson"]
    # Beside them, traces.ndjson lists the logs so far, for --resume.
    tables = ["tables/log", "tables/columns.json", "tables/persons.csv", "tables/days.csv"]
    made: list[tuple[str, Path | None, list[str], Callable[[Path], list[object]]]] = [
        ("record", befores["full"], ["history"], lambda here: footfall.record(here / "history", "errands-wrist", 5.2, "wrist")),
        ("trim", befores["full"], ["history"], lambda here: footfall.record(here / "history", "commute", 7, "wrist")),
        ("create", None, ["history"], lambda here: footfall.record(here / "history", "commute", 0, "wrist")),
        ("migrate", befores["first"], ["history"], lambda here: footfall.record(here / "history", "commute", 0, "car")),
        ("import", None, ["history"], lambda here: ["history", "import", export, "--history", here / "history"]),
        ("import into", befores["full"], ["history"],
         lambda here: ["history", "import", export, "--history", here / "history"]),
        ("delete", befores["full"], ["history"],
         lambda here: ["history", "delete", "--source", "wrist", "--since", day(1), "--until", day(3), "--history",
                       here / "history"]),
        ("copy", befores["full"], ["history", "history-copy"],
         lambda here: ["history", "copy", here / "history-copy", "--history", here / "history", "--force"]),
        ("copy over", copied, ["history", "history-copy"],
         lambda here: ["history", "copy", here / "history-copy", "--history", here / "history", "--force"]),
        ("tables", None, tables, lambda here: [*analyze, "--tables", here / "tables"]),
        ("tables over", befores["results"], tables, lambda here: [*analyze, "--tables", here / "tables"]),
        ("plot", befores["results"], ["plot.svg", "seconds.csv"],
         lambda here: [*analyze, "--plot", here / "plot.svg", "--seconds", here / "seconds.csv", "--force"]),
        ("report", None, ["page"], lambda here: [*report, "--out", here / "page"]),
        ("report over", befores["pages"], ["page"], lambda here: [*report, "--out", here / "page", "--force"]),
        ("summarize", None, ["joined/persons.csv", "joined/days.csv"],
         lambda here: ["summarize", befores["results"] / "tables", "--out", here / "joined"]),
        ("simulate", None, ["walk.csv", "walk.truth.json"],
         lambda here: ["simulate", "walk", "--out", here / "walk.csv", "--force"]),
    ]
    return [Writer(footfall, folder, *each) for each in made]


def chosen(all_writers: list[Writer], number: int, dice: random.Random) -> Writer:
    """Each writer as often as the others."""
    return all_writers[(number + dice.randrange(2) * 8) % len(all_writers)]
