"""The steps that Apple Health and Google Takeout export: results of other counters."""

from __future__ import annotations

import csv
import io
import json
import os
import re
import xml.parsers.expat
import zipfile
from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from datetime import datetime
from pathlib import Path
from typing import IO, Any, NamedTuple

import numpy as np

from footfall._history import History
from footfall._library import DataError, FileError, UsageError
from footfall._moments import Time, nanoseconds
from footfall._tables import Table

CHUNK = 1 << 20
"""Bytes that are read at once."""

LONGEST_HEAD = 1 << 20
"""Bytes within which the data of an export begin, and the longest record."""

STEPS = "HKQuantityTypeIdentifierStepCount"


class Counted(NamedTuple):
    """Steps that a counter has counted in a span.

    Attributes:
        start: The start in seconds since 1970.
        end: The end in seconds since 1970.
        steps: The number of steps.
        counter: The name of the phone, watch or app.
    """

    start: float
    end: float
    steps: int
    counter: str


def apple(path: str | os.PathLike[str]) -> Iterator[Counted]:
    """The step counts of an export of Apple Health: ``export.zip``, or the ``export.xml`` in it.

    A file of any size is read in bounded memory. Its phone and its watch count the same steps: take one counter of them.

    Raises:
        FileError: The file cannot be read.
        DataError: It is no export of Apple Health, or damaged.
    """
    found: list[Counted] = []

    def start(name: str, attributes: dict[str, str]) -> None:
        if name == "Record" and attributes.get("type") == STEPS:
            begin, end = (_apple_time(attributes[key]) for key in ("startDate", "endDate"))
            found.append(Counted(begin, end, round(float(attributes["value"])), attributes["sourceName"]))

    with _opened(path, "*.xml", lambda name: not name.endswith("_cda.xml")) as files:
        for file in files:
            # The definitions at the start are left out: those of some versions of iOS are no valid XML.
            head = b""
            while (place := head.find(b"<HealthData")) < 0:
                more = file.read(CHUNK)
                if not more or len(head) > LONGEST_HEAD:
                    raise DataError("it is no export of Apple Health", "export it in the app Health", str(path))
                head += more
            parser = xml.parsers.expat.ParserCreate("UTF-8")
            parser.StartElementHandler = start
            chunk = head[place:]
            lines = head[:place].count(b"\n")
            try:
                while chunk:
                    parser.Parse(chunk)
                    yield from found
                    found.clear()
                    chunk = file.read(CHUNK)
                parser.Parse(b"", True)
            except (xml.parsers.expat.ExpatError, KeyError, ValueError) as error:
                line = lines + parser.CurrentLineNumber
                raise DataError(f"damaged: {error}", "export it once more", str(path), line) from None
            yield from found


def _apple_time(text: str) -> float:
    """A time such as 2026-11-20 08:00:00 +0100."""
    return datetime.fromisoformat(f"{text[:19]}{text[20:23]}:{text[23:]}").timestamp()


def takeout(path: str | os.PathLike[str]) -> Iterator[Counted]:
    """The step counts of Google Fit in a Google Takeout: the archive, its folder, or one of the files with ``step_count.delta``.

    Files of any size are read in bounded memory. Each data source is a counter; several of them count the same steps.

    Raises:
        FileError: The file cannot be read.
        DataError: It has no step counts of Google Fit, or is damaged.
    """
    with _opened(path, "*step_count.delta*.json", lambda _: True) as files:
        for file in files:
            yield from _fit(io.TextIOWrapper(file, "utf-8"), str(path))


def _fit(file: IO[str], path: str) -> Iterator[Counted]:
    buffer, decoder = "", json.JSONDecoder()
    while not (start := re.search(r'"Data Points"\s*:\s*\[', buffer)):
        more = file.read(CHUNK)
        if not more or len(buffer) > LONGEST_HEAD:
            raise DataError("it has no “Data Points” of Google Fit", "name a file with step_count.delta", path)
        buffer += more
    title = re.search(r'"Data Source"\s*:\s*("(?:[^"\\]|\\.)*")', buffer[: start.start()])
    counter, place = json.loads(title[1]) if title else "Google Fit", start.end()
    while True:
        place = _first(buffer, place)
        if buffer[place : place + 1] == "]":
            return
        try:
            point, place = decoder.raw_decode(buffer, place)
        except json.JSONDecodeError as error:
            more = file.read(CHUNK)
            if not more or len(buffer) - place > LONGEST_HEAD:
                raise DataError(f"damaged or cut: {error.msg}", "export it once more", path) from None
            buffer, place = buffer[place:] + more, 0
            continue
        try:
            if point.get("dataTypeName") == "com.google.step_count.delta":
                begin, end = (int(point[key]) / 1e9 for key in ("startTimeNanos", "endTimeNanos"))
                yield Counted(begin, end, int(point["fitValue"][0]["value"]["intVal"]), counter)
        except (AttributeError, IndexError, KeyError, TypeError, ValueError) as error:
            raise DataError(f"a data point has no {error}: {str(point)[:100]}", "", path) from None


_BETWEEN = re.compile(r"[\s,]*")


def _first(text: str, place: int) -> int:
    """The place of the first character that is neither space nor comma."""
    found = _BETWEEN.match(text, place)
    return found.end() if found else place


@contextmanager
def _opened(path: str | os.PathLike[str], pattern: str, is_wanted: Any) -> Iterator[Iterator[IO[bytes]]]:
    """The files of a name in an archive or a folder, or the file itself."""
    try:
        if zipfile.is_zipfile(path):
            with zipfile.ZipFile(path) as archive:
                names = [name for name in archive.namelist() if Path(name).match(pattern) and is_wanted(name)]
                if not names:
                    raise DataError(f"it has no file {pattern}", "", str(path))
                yield (archive.open(name) for name in names)
        elif os.path.isdir(path):
            paths = sorted(found for found in Path(path).rglob(pattern) if is_wanted(found.name))
            if not paths:
                raise DataError(f"it has no file {pattern}", "", str(path))
            yield (found.open("rb") for found in paths)
        else:
            with open(path, "rb") as file:
                yield iter([file])
    except OSError as error:
        raise FileError(f"cannot be read: {error.strerror}", "", str(path)) from error
    except zipfile.BadZipFile as error:
        raise DataError(f"damaged: {error}", "export it once more", str(path)) from None


def counters(counted: Iterable[Counted]) -> Table:
    """The counters of an export: counter, records, steps, start and end (datetime64[ns], UTC)."""
    found: dict[str, list[float]] = {}
    for one in counted:
        row = found.setdefault(one.counter, [0, 0, one.start, one.end])
        row[0], row[1] = row[0] + 1, row[1] + one.steps
        row[2], row[3] = min(row[2], one.start), max(row[3], one.end)
    columns = list(zip(*found.values())) or [()] * 4
    return Table(
        counter=np.array(list(found), str), records=np.array(columns[0], int), steps=np.array(columns[1], int),
        start=_dates(columns[2]), end=_dates(columns[3]),
    )  # fmt: skip


def compare(
    history: History, counted: Iterable[Counted], since: Time | None = None, until: Time | None = None, *,
    by: str | int = "hour", source: str | None = None, counter: str | None = None,
) -> Table:
    """The steps of a history beside those of another counter.

    Steps of a record that spans several rows are shared among them by time. A row with little coverage has few steps of the
    history for that reason.

    Args:
        history: The history.
        counted: The records of the other counter, such as ``apple("export.zip")``.
        since: The start of the range, see :meth:`footfall.History.steps`; all by default.
        until: Its end, not included.
        by: "hour", "day" or "week" of the wearer's calendar, or a number of minutes.
        source: The source of the history; None for the only one.
        counter: The counter; None for the only one.

    Returns:
        The table of :meth:`footfall.History.steps` with a column ``counted``: nan in rows before the first or after the last
        record of the counter, and 0 between them without a record, which counters do not store.

    Raises:
        UsageError: The records are of several counters, and none is chosen; or the chosen one has no records.
    """  # fmt: skip
    rows = history.steps(since, until, by=by, source=source)
    spans = [(start / 1e9, end / 1e9) for start, end in zip(rows.start.astype(np.int64), rows.end.astype(np.int64))]
    totals, extent = _shares(spans, counted, counter)
    known = [total if total or _overlaps(span, extent) else np.nan for span, total in zip(spans, totals)]
    return Table(rows, counted=np.array(known, np.float64))


def write_results(
    path: str | os.PathLike[str], counted: Iterable[Counted], recordings: Mapping[str, tuple[Time, Time]], *,
    counter: str | None = None,
) -> None:
    """Writes the steps of another counter in each recording, for ``footfall evaluate manifest.csv --results FILE``.

    Steps of a record that is partly inside of a recording are counted by the share of its time. A recording before the first or
    after the last record of the counter has no row; one between them without a record has 0 steps, which counters do not store.

    Args:
        path: The file, a CSV with the columns recording and steps. Its name without ending is the name of the counter.
        counted: The records of the other counter, such as ``apple("export.zip")``.
        recordings: The start and the end of each recording, by its name ``<dataset>/<recording>``.
        counter: The counter; None for the only one.

    Raises:
        UsageError: The records are of several counters, and none is chosen; or the chosen one has no records.
    """  # fmt: skip
    spans = {name: (nanoseconds(start) / 1e9, nanoseconds(end) / 1e9) for name, (start, end) in recordings.items()}
    names = sorted(spans, key=lambda name: spans[name])
    totals, extent = _shares([spans[name] for name in names], counted, counter)
    with open(path, "w", encoding="utf-8", newline="") as file:
        writer = csv.writer(file)
        writer.writerow(["recording", "steps"])
        for name, total in zip(names, totals):
            if total or _overlaps(spans[name], extent):
                writer.writerow([name, round(total)])


def _shares(
    spans: list[tuple[float, float]], counted: Iterable[Counted], counter: str | None
) -> tuple[list[float], tuple[float, float]]:
    """The steps in each span, in order of their starts, and the extent of the records."""
    starts, longest = [start for start, _ in spans], max((end - start for start, end in spans), default=0.0)
    totals, first, last, only = [0.0] * len(spans), float("inf"), float("-inf"), counter
    names: set[str] = set()
    for one in counted:
        names.add(one.counter)
        if counter is None and one.counter != (only := only or one.counter):
            raise UsageError(f"“{only}” and “{one.counter}” count the same steps", f"choose counter='{only}' or another")
        if one.counter != only:
            continue
        first, last = min(first, one.start), max(last, one.end)
        length = one.end - one.start
        # Only these spans can overlap the record.
        for index in range(bisect_left(starts, one.start - longest), bisect_right(starts, one.end)):
            start, end = spans[index]
            if length > 0:
                share = (min(end, one.end) - max(start, one.start)) / length
            else:
                share = float(start <= one.start < end)
            totals[index] += one.steps * max(share, 0.0)
    if counter is not None and counter not in names:
        others = f"write one of {', '.join(map(repr, sorted(names)))}" if names else "the export has no steps"
        raise UsageError(f"there is no counter {counter!r}", others)
    return totals, (first, last)


def _overlaps(span: tuple[float, float], extent: tuple[float, float]) -> bool:
    return span[0] < extent[1] and span[1] > extent[0]


def _dates(seconds: Iterable[float]) -> Any:
    return np.round(np.array(list(seconds), float) * 1e9).astype(np.int64).view("datetime64[ns]")
