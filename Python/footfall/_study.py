"""Studies: the tables of many logs, which the command computes."""

from __future__ import annotations

import json
import os
import re
import weakref
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from datetime import datetime
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from footfall import _command
from footfall._library import FileError, UsageError
from footfall._moments import nanoseconds
from footfall._options import joined
from footfall._samples import plain
from footfall._tables import Table, written

if TYPE_CHECKING:
    from pathlib import Path

    import pandas

# What the command reads of a table of persons. Its other columns are covariates.
OF_COMMAND = {"trace", "person", "start", "tz", "night"}
# The table of each log, and the tables of all logs.
OF_LOGS = ("steps", "bouts", "activities", "epochs", "minutes", "hours", "gait", "gaitdays")
OF_ALL = ("traces", "days", "dayparts", "persons")
# The paths of one call of the command. Linux passes a quarter of the stack's limit, which is 8 MB mostly, with the environment.
MOST_BYTES = 1 << 20


class Study:
    """The tables of many logs, see :func:`study`. Each is read when it is asked for. Times are UTC; those
    by the wearer's clock are in columns of their own, such as `startLocal`.

    Attributes:
        folder: The folder of the tables as CSV, with ``columns.json``, which describes each column.
        messages: What the command said about logs that could not be read, persons without logs, and days without wear.
    """

    def __init__(self, folder: Path, messages: tuple[str, ...], who: Table | None) -> None:
        self.folder, self.messages, self._who = folder, messages, who
        lines = (folder / "traces.ndjson").read_text(encoding="utf-8").splitlines()
        self._traces: list[dict[str, Any]] = [json.loads(line) for line in lines]

    @cached_property
    def traces(self) -> Table:
        """A row for each log: trace, start, end, duration, samples, sampleRate, coverage, steps, layout, unit; of a
        logger also device, temperature and battery."""
        return _command.table(self._traces, "traces.ndjson")

    @cached_property
    def persons(self) -> Table:
        """A row for each person, with the covariates of the table of persons: means and medians over valid days."""
        return self._of_persons("persons")

    @cached_property
    def days(self) -> Table:
        """A row for each day of a person, with the covariates of the table of persons."""
        return self._of_persons("days")

    @cached_property
    def dayparts(self) -> Table:
        """A row for each part of a day that `parts` names, with the covariates of the table of persons."""
        return self._of_persons("dayparts")

    @cached_property
    def steps(self) -> Table:
        """A row for each step of each log. So are the following tables, each with the column `trace`."""
        return self._of_logs("steps")

    @cached_property
    def bouts(self) -> Table:
        """A row for each bout."""
        return self._of_logs("bouts")

    @cached_property
    def activities(self) -> Table:
        """A row for each segment."""
        return self._of_logs("activities")

    @cached_property
    def epochs(self) -> Table:
        """A row for each epoch: ENMO, MAD, angle, counts, wear."""
        return self._of_logs("epochs")

    @cached_property
    def minutes(self) -> Table:
        """A row for each minute."""
        return self._of_logs("minutes")

    @cached_property
    def hours(self) -> Table:
        """A row for each hour."""
        return self._of_logs("hours")

    @cached_property
    def gait(self) -> Table:
        """A row for each steady part of a bout: the gait measures, and which are withheld."""
        return self._of_logs("gait")

    @cached_property
    def gaitdays(self) -> Table:
        """A row for each day of a log: medians of the gait measures."""
        return self._of_logs("gaitdays")

    def to_parquet(self, folder: str | os.PathLike[str]) -> None:
        """Writes each table as Parquet, such as days.parquet, into a folder, and creates it. See :meth:`Table.to_parquet`."""
        os.makedirs(folder, exist_ok=True)
        for name in (*OF_ALL, *OF_LOGS):
            getattr(self, name).to_parquet(os.path.join(folder, f"{name}.parquet"))

    def __repr__(self) -> str:
        persons, days = self.persons, self.days
        counts = f"{len(self._traces)} logs of {len(persons)} persons; {int(days.valid.sum())} of {len(days)} days valid"
        return f"{counts}\ntables: {', '.join((*OF_ALL, *OF_LOGS))}"

    def _of_logs(self, name: str) -> Table:
        parts = [(trace["trace"], _rows(self._folder(trace["trace"]) / f"{name}.csv")) for trace in self._traces]
        rows = [row for _, part in parts for row in part]
        table = _command.table(rows, f"{name}.csv")
        traces = np.array([trace for trace, part in parts for _ in part], dtype=str)
        return Table({"trace": traces, **table}, units=table.units)

    def _folder(self, trace: str) -> Path:
        """The folder of a log: its name, mostly without its extensions."""
        folder = self.folder / trace
        while not (folder / "steps.csv").exists():
            if not folder.suffix:
                raise FileError("the tables of a log are missing", "analyze it again", str(self.folder / trace))
            folder = folder.with_suffix("")
        return folder

    def _of_persons(self, name: str) -> Table:
        table = _command.table(_rows(self.folder / f"{name}.csv"), f"{name}.csv")
        if self._who is None or not len(table):
            return table
        added = {column: values for column, values in self._who.items() if column not in OF_COMMAND}
        if taken := [column for column in added if column in table]:
            raise UsageError(f"the table of persons has the column {taken[0]}, which {name} has too", "give it another name")
        people = self._who.person.tolist()
        # A log without a row in the table of persons is a person of its own.
        rows = np.array([people.index(person) if person in people else -1 for person in table.person.tolist()])
        for column, values in added.items():
            firsts = {person: text for person, text in reversed(list(zip(people, values.astype(str).tolist())))}
            if several := [person for person, text in zip(people, values.astype(str).tolist()) if firsts[person] != text]:
                raise UsageError(f"the {column} of {several[0]} has several values", "give one in all rows of a person")
        return Table({**table, **{column: _chosen(values, rows) for column, values in added.items()}}, units=table.units)


def _rows(path: str | os.PathLike[str]) -> list[dict[str, Any]]:
    import csv

    with open(path, newline="", encoding="utf-8") as lines:
        return list(csv.DictReader(lines))


def study(
    paths: str | os.PathLike[str] | Iterable[str | os.PathLike[str]],
    *,
    who: str | os.PathLike[str] | Mapping[str, Any] | pandas.DataFrame | None = None,
    out: str | os.PathLike[str] | None = None,
    valid_day: str | None = None,
    cut_points: str | None = None,
    mvpa_bouts: str | None = None,
    epoch: int | None = None,
    parts: Mapping[str, str] | None = None,
    placement: str | None = None,
    gait_bout: str | None = None,
    calibrate: bool = False,
    columns: str | Sequence[str] | None = None,
    unit: str | float | None = None,
    time_unit: str | None = None,
    rate: float | None = None,
    tz: str | None = None,
    device_tz: str | None = None,
    start: str | datetime | np.datetime64 | None = None,
    jobs: int | None = None,
) -> Study:
    """Analyzes many logs and returns their tables: those of ``footfall analyze --tables`` and ``footfall summarize``.

    It runs the installed command, which is on the PATH or which FOOTFALL_COMMAND names, and reads what that writes. A log that
    cannot be read stops no other; `messages` of the study names it.

    Args:
        paths: The logs, or folders of them.
        who: Which logs are of which person: the path of a CSV table or a data frame with the columns trace and person and, if
            needed, start, tz and night. Its other columns, such as age or group, are carried into days and persons. The start and
            the tz of a log take the place of those below. Logs that share both, other than those of most, are analyzed once more in a
            call of their own, one call after the other: with a start for each log, `jobs` has no effect.
        out: A folder for the tables, which stays; by default a temporary one, which ends with the study.
        valid_day: The wear of a valid day, such as "16h"; 10 h by default.
        cut_points: A set of cut points, such as "hildebrand-adults-wrist-geneactiv"; ``footfall help analyze`` lists them.
        mvpa_bouts: The rule of MVPA bouts: "whole" or "window".
        epoch: The length of the epochs in seconds: 1, 5, 15, 30 or 60; 5 by default. Measures of intensity follow from them.
        parts: Parts of the day with measures of their own, in `dayparts` of the study, such as {"school": "08:00-13:00"}.
        placement: The place of the sensor, such as "lower-back": gait measures are validated there, nights at the "wrist" only.
        gait_bout: The least length of a bout in the gait measures, such as "10s".
        calibrate: Whether the scale and the offset of each sensor are corrected from its readings at rest.
        columns: How the logs are read, see :func:`read`. So are the following.
        unit: The unit of the accelerations.
        time_unit: The unit of numeric times.
        rate: Samples per second.
        tz: The wearers' zone, of the days; and that of date-times without a zone.
        device_tz: The zone in which the devices were set up, of date-times without a zone; that of the wearers by default.
        start: The start of logs without absolute time, see :func:`read`; text may also be that of the command, such as "-7d".
        jobs: How many logs are analyzed in parallel; by default the number of processors.

    Raises:
        DataError: No log can be used.
        FileError: No log can be read.
        UsageError: An argument is invalid, or the command is not installed.
    """
    import shutil
    import tempfile
    from pathlib import Path

    logs = [paths] if isinstance(paths, (str, os.PathLike)) else list(paths)
    if not logs or "" in logs:
        raise UsageError("a path is empty" if logs else "there are no paths", "give paths of logs, or of folders")
    if wrong := [log for log in logs if not isinstance(log, (str, os.PathLike))]:
        raise UsageError(f"a log is a {type(wrong[0]).__name__}", "give paths of logs, or of folders")
    if parts is not None and not isinstance(parts, Mapping):
        raise UsageError(f"parts is {parts!r}", 'write such as {"school": "08:00-13:00"}')
    if start is not None and not isinstance(start, str):
        start = f"{np.datetime64(nanoseconds(start, tz), 'ns')}Z"
    named = [word for name, times in (parts or {}).items() for word in ("--part", f"{name} {times}")]
    days = {"--valid-day": valid_day, "--cut-points": cut_points, "--mvpa-bouts": mvpa_bouts}
    given = {
        **days, "--epoch": epoch, "--placement": placement, "--gait-bout": gait_bout, "--columns": joined("columns", columns, ","),
        "--unit": {"m/s²": "mss", "m/s2": "mss", "m/s^2": "mss"}.get(str(unit), unit), "--time-unit": time_unit, "--rate": rate,
        "--tz": tz, "--device-tz": device_tz, "--start": start, "--jobs": jobs,
    }  # fmt: skip
    folder = Path(tempfile.mkdtemp(prefix="footfall-")) if out is None else Path(out)
    # The command prints each log that it can read. The folder may have the logs of earlier runs.
    is_any_read = False

    def analyze(some: Sequence[str | os.PathLike[str]], clock: tuple[Any, Any]) -> list[str]:
        nonlocal is_any_read
        options = _options({**given, "--tz": clock[0], "--start": clock[1]})
        wanted = ["--tables", os.fspath(folder), "--all-columns", *(["--calibrate"] if calibrate else []), *named, *options]
        said: list[str] = []
        for part in _parts(some):
            done = _command.run("analyze", *part, *wanted)
            is_any_read = is_any_read or bool(done.stdout.strip())
            said += _command.lines(done.stderr)
        if done.returncode and not is_any_read:
            raise _command.error(done)
        return said

    try:
        table = None if who is None else _people(who)
        clocks = {} if table is None else _clocks(table, tz, start)
        # One call has one zone and one start: most logs have theirs in the first call, others in one of their own.
        usual = Counter(clocks.values()).most_common(1)[0][0] if clocks else (tz, start)
        try:
            messages = analyze(logs, usual)
        except UsageError:
            if usual == (tz, start):
                raise
            # An invalid value of the table of persons: summarize names its row.
            usual, clocks = (tz, start), {}
            messages = analyze(logs, usual)
        others: dict[tuple[Any, Any], list[str]] = {}
        for path, trace in _analyzed(folder, logs) if clocks else ():
            if (clock := clocks.get(_stem(trace), (tz, start))) != usual:
                others.setdefault(clock, []).append(path)
        for clock, some in others.items():
            messages += analyze(some, clock)
        # Each call says what it finds in the folder.
        messages = list(dict.fromkeys(messages))
        if table is not None:
            if several := [zones for zones in table.get("tz", np.array([], str)).tolist() if ";" in zones]:
                messages.append(f"tz “{several[0]}”: days and persons are in these zones, the other tables in the first")
            with tempfile.TemporaryDirectory() as place:
                people = Path(place) / "who.csv"
                _write(table, people)
                summary = _command.run("summarize", folder, "--persons", people, "--all-columns", *named, *_options(days))
                # Its messages are about the table of the caller.
                given_name = os.fspath(who) if isinstance(who, (str, os.PathLike)) else "who"
                summary.stderr = summary.stderr.replace(str(people), given_name)
            if summary.returncode:
                raise _command.error(summary)
            messages += _command.lines(summary.stderr)
        found = Study(folder, tuple(messages), table)
    except BaseException:
        if out is None:
            shutil.rmtree(folder, ignore_errors=True)
        raise
    if out is None:
        weakref.finalize(found, shutil.rmtree, folder, ignore_errors=True)
    return found


def _clocks(who: Table, tz: Any, start: Any) -> dict[str, tuple[Any, Any]]:
    """The zone and the start of each log in the table of persons, by its name without extensions; those given by default."""
    empty = [""] * len(who)
    columns = (who[name].tolist() if name in who else empty for name in ("trace", "tz", "start"))
    return {_stem(trace): (zone.partition(";")[0].strip() or tz, first.strip() or start) for trace, zone, first in zip(*columns)}


def _stem(trace: str) -> str:
    """The name of a log by which the command finds its row in the table of persons."""
    return os.path.splitext(trace.removesuffix(".gz"))[0]


def _analyzed(folder: Path, logs: Iterable[str | os.PathLike[str]]) -> list[tuple[str, str]]:
    """The paths and the names of the analyzed logs, without those of other calls."""
    import sqlite3
    from contextlib import closing

    with closing(sqlite3.connect(f"{folder.absolute().as_uri()}/footfall.study?mode=ro", uri=True)) as study:
        rows = study.execute("SELECT path, trace FROM log WHERE problem IS NULL ORDER BY id").fetchall()
    own = tuple(os.path.join(os.path.abspath(log), "") for log in logs)
    return [(path, trace) for path, trace in rows if os.path.join(os.path.abspath(path), "").startswith(own)]


def _parts(logs: Sequence[str | os.PathLike[str]]) -> Iterator[list[str]]:
    """Paths in as many parts as the system passes to a command at once."""
    part: list[str] = []
    size = 0
    for log in [os.fspath(log) for log in logs]:
        # A pointer of 8 bytes belongs to each.
        size += len(os.fsencode(log)) + 9
        if part and size > MOST_BYTES:
            yield part
            part, size = [], len(os.fsencode(log)) + 9
        part.append(log)
    yield part


def _options(given: Mapping[str, Any]) -> list[str]:
    return [part for name, value in given.items() if value is not None for part in (name, str(value))]


def _chosen(values: NDArray[Any], rows: NDArray[np.int64]) -> NDArray[Any]:
    """The values of rows; those of row -1 are missing."""
    is_missing = rows < 0
    if not is_missing.any():
        return values[rows]
    if values.dtype.kind in "iub":
        values = values.astype(np.float64)
    missing = {"U": "", "M": np.datetime64("NaT")}.get(values.dtype.kind, np.nan)
    return np.where(is_missing, np.array(missing, dtype=values.dtype), values[rows])


def _people(who: Any) -> Table:
    """The table of persons as it is given, with numbers where all values of a covariate are numbers."""
    if isinstance(who, (str, os.PathLike)):
        import csv
        import io

        text, separator = written(who)
        rows = [row for row in csv.DictReader(io.StringIO(text, newline=""), delimiter=separator) if any(row.values())]
        given: dict[str, Any] = {_title(name): [row[name] for row in rows] for name in (rows[0] if rows else ())}
        if separator == ";":
            # Spreadsheets whose decimal separator is a comma separate columns by semicolons.
            decimal = re.compile(r"([-+]?\d+),(\d+)")
            given = {
                name: values if name in OF_COMMAND else [
                    f"{found[1]}.{found[2]}" if (found := decimal.fullmatch(value or "")) else value for value in values
                ] for name, values in given.items()
            }  # fmt: skip
    elif not isinstance(who, Mapping) and not hasattr(who, "columns"):
        raise UsageError(f"who is {who!r}", "give the path of a table, a data frame or a dict of columns")
    else:
        given = {str(name): who[name] for name in (who if isinstance(who, Mapping) else who.columns)}
    table = Table({name: _covariate(values, is_text=name in OF_COMMAND) for name, values in given.items()})
    if missing := {"trace", "person"} - set(table):
        raise UsageError(f"the table of persons has no column {min(missing)}", "give trace and person")
    if len({len(values) for values in table.values()}) > 1:
        raise UsageError("the columns of the table of persons have several lengths", "give one value for each row")
    return table


def _title(name: str) -> str:
    """A title of the table of persons. That of a column which the command reads is found in any case, with blanks around it."""
    plain = name.strip()
    return plain.lower() if plain.lower() in OF_COMMAND else plain


def _covariate(values: Any, is_text: bool) -> NDArray[Any]:
    array = plain(values)
    if array.dtype.kind in "fiubM" and not is_text:
        return array
    if array.dtype.kind == "M":
        return np.array(["" if np.isnat(value) else f"{value}Z" for value in array.astype("datetime64[ms]")], dtype=str)
    texts = ["" if value is None or value != value else str(value) for value in array.tolist()]
    if not is_text:
        try:
            return np.array([float(text) if text else np.nan for text in texts])
        except ValueError:
            pass
    return np.array(texts, dtype=str)


def _write(table: Table, path: Path) -> None:
    """Writes what the command reads of the table of persons."""
    import csv

    names = [name for name in table if name in OF_COMMAND]
    with path.open("w", newline="", encoding="utf-8") as lines:
        writer = csv.writer(lines)
        writer.writerow(names)
        writer.writerows(zip(*(table[name].tolist() for name in names)))
