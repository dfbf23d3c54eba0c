"""The unit and the clock of arrays: the evidence that decides how columns of a file are read."""

from __future__ import annotations

import os
import re
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any, Protocol

import numpy as np
from numpy.typing import ArrayLike, NDArray

from footfall._explanation import Explanation, explanation
from footfall._library import DataError, UsageError
from footfall._options import options
from footfall._results import ACCEPTED_LOSS
from footfall._samples import Samples, Times, per_g, plain, vectors, zeros

# The first samples that are examined: about as many rows as the reader examines of a file, in 131,072 bytes.
OPENING = 4096
# Fewer samples do not show that they are no acceleration: 20 s at 50 Hz. Of excerpts of recordings in g, 1.5 % with 16 or 64
# samples, 0.4 % with 256 and 0.3 % with 1024 would be refused; of 650 recordings, none.
FEWEST = 1000
# The reader takes rows for the newest first if of 16 or more this share goes back in time.
FEWEST_BACK, MOSTLY_BACK = 16, 0.98
# The rows of a frame are sorted if more than this share is earlier than a row above. Fewer are repaired, as those of a log.
FEW_BACK = 0.01
# Sorted rows that were shuffled or are parts in another order change their neighbor at most this often for each step back. Two
# series of the same time, which sorting would mix, change it far more often.
MOST_PARTS = 3
# The digits of values: as many as float32 holds.
DIGITS = "%.7g"
# The size of numbers of a data frame from which they have all of their digits: of times, they show the ms below.
MOST_SHORT = 1e4


def given(
    time: ArrayLike | float, xyz: ArrayLike, unit: str | float | None, time_unit: str | None,
    zero: float | Sequence[float] | None = None,
) -> Samples:
    """Arrays, read in the units that are given, or else in those that their values show.

    Raises:
        DataError: The values are no acceleration with gravity, or the times are none.
        UsageError: The shapes or types do not fit.
    """
    values = vectors(xyz)
    times = Times(time, len(values), time_unit)
    samples = Samples(times, values, 1.0 if unit is None else per_g(unit), zeros(zero))
    if unit is not None and not (times.are_numbers and time_unit is None):
        return samples
    rows = _usable(times, values)
    if not len(rows):
        return samples
    texts = [[DIGITS % value for value in values[rows, axis].tolist()] for axis in range(3)]
    titles, found = ["x", "y", "z"], {"unit": unit, "time_unit": time_unit, "zero": zero}
    if times.rate is not None:
        found["rate"] = times.rate
    else:
        titles, texts = ["time", *titles], [_times(times, rows), *texts]
        if not times.are_numbers:
            found["time_unit"] = "ns"
    explained = _in_memory(titles, texts, found)
    if explained.refusal and times.rate is None:
        steps_back = times.steps_back
        if steps_back > ACCEPTED_LOSS * len(values) and not _goes_back(times.array):
            raise DataError(f"{steps_back} of {len(values)} times step back, so the rows are unsorted", "sort them by time")
    return _read(samples, _explained(titles, texts, found, explained))


def _usable(times: Times, values: NDArray[Any]) -> NDArray[np.int64]:
    """The first samples of which no number is missing."""
    for start in range(0, len(values), 1 << 16):
        part = slice(start, start + (1 << 16))
        usable = np.isfinite(values[part]).all(axis=1)
        if times.rate is None:
            usable &= np.isfinite(times.array[part])
        if usable.any():
            return start + np.flatnonzero(usable)[:OPENING]
    return np.empty(0, dtype=np.int64)


def _times(times: Times, rows: NDArray[np.int64]) -> list[str]:
    """Times as texts with all of their digits; dates and durations as nanoseconds."""
    found = times.array[rows]
    if found.dtype.kind in "mM":
        found = found.astype(f"{found.dtype.kind}8[ns]").view(np.int64)
    if found.dtype.kind == "f":
        found = found.astype(np.float64)
    return [repr(moment) for moment in found.tolist()]


def _explained(
    titles: list[str], texts: list[list[str]], found: dict[str, Any], explained: Explanation,
) -> Explanation:
    """How the library reads columns. Few samples whose unit it does not find are read in g, with a note.

    Args:
        titles: The names of the columns.
        texts: The values of each.
        found: The options that are given.
        explained: What the library says of them.

    Raises:
        DataError: It refuses them.
    """
    is_frame = "columns" in found
    is_unclear = explained.refusal or "zero" in explained.options
    if is_unclear and found["unit"] is None and len(texts[0]) < FEWEST:
        unclear = explained.refusal or explained.notes[0]
        explained = _in_memory(titles, texts, {**found, "unit": "g"})
        rest, _, unit = explained.layout.rpartition("; ")
        layout = f"{rest}; {unit.replace('from the option', 'assumed')}"
        note = f"too few samples to judge: {_of_arrays(unclear, is_frame)}; they are read in g"
        explained = replace(explained, layout=layout, notes=(note, *explained.notes))
    if explained.refusal:
        raise DataError(_of_arrays(explained.refusal, is_frame), _of_arrays(explained.remedy, is_frame))
    return explained


def _in_memory(titles: list[str], texts: list[list[str]], found: dict[str, Any]) -> Explanation:
    """How the library reads columns of a file in memory, or why it refuses them."""
    lines = [",".join(titles), *map(",".join, zip(*texts))]
    file = os.memfd_create("samples")
    try:
        with open(file, "w", closefd=False) as text:
            text.write("\n".join(lines) + "\n")
        return explanation(f"/proc/self/fd/{file}", options(**found))
    finally:
        os.close(file)


def _of_arrays(text: str, is_frame: bool) -> str:
    """The words of a refusal about columns in memory. Arrays have none to name, and a rate stands in the place of the times."""
    if is_frame:
        return text
    text = re.sub(r"columns='[^']*', ", "", text)
    text = text.replace("name the columns with 'columns', or ", "").replace("these columns", "these arrays")
    return text.replace("the rate with 'rate'", "the rate in the place of the times")


def _read(samples: Samples, explained: Explanation) -> Samples:
    """Samples in the units that were found."""
    chosen, times = explained.options, samples.times
    samples.per_g = per_g(chosen["unit"])
    samples.is_unit_assumed = explained.layout.endswith("(assumed)")
    samples.zero = zeros(chosen.get("zero"))
    samples.notes = explained.notes
    if unsigned := re.search(r"two's complement of (\d+) bits without a sign", explained.layout):
        samples.bits = int(unsigned[1])
    # The unit is the last part of a layout.
    told = explained.layout.split("; ")
    parts = told[-1:]
    if times.are_numbers:
        if "time_unit" not in chosen:
            raise DataError("the times are serial dates", "convert them to datetime64; to read them as numbers, give time_unit")
        samples.times = times = Times(times.array, len(samples.values), chosen["time_unit"])
        clock = next(part for part in told if part.startswith("time in "))
        parts = [f"time in {clock.rpartition(' as ')[2]}", *parts]
    samples.layout = "; ".join(parts)
    if times.rate is None and _goes_back(times.array):
        samples.times = Times(times.array[::-1], len(samples.values), chosen.get("time_unit", "s"))
        samples.values = samples.values[::-1]
        samples.notes += ("the newest sample comes first, so they were read in reverse",)
    return samples


def _goes_back(times: NDArray[Any]) -> bool:
    steps = np.diff(times[:OPENING])
    return len(steps) >= FEWEST_BACK and float(np.mean(steps < np.zeros(1, dtype=steps.dtype))) >= MOSTLY_BACK


def contradiction(values: NDArray[Any], unit: float) -> tuple[str, ...]:
    """What the values say against a unit, in notes; none if they fit it.

    Args:
        values: Accelerations, n rows and three columns.
        unit: How many units are one g.
    """
    rows = np.flatnonzero(np.isfinite(values).all(axis=1))[:OPENING]
    texts = [[DIGITS % value for value in values[rows, axis].tolist()] for axis in range(3)]
    # The size of the vectors decides; no rate changes it.
    notes = _in_memory(["x", "y", "z"], texts, {"unit": unit, "rate": 50.0}).notes if len(rows) else ()
    return tuple(note.replace("the option says", "the analyzer reads") for note in notes)


class Columns(Protocol):
    """A data frame of pandas or polars, or a table of Arrow."""

    @property
    def columns(self) -> Any: ...


Frame = Columns | Mapping[str, Any]


def is_frame(given: Any) -> bool:
    """Whether columns with names are given: a data frame of pandas or polars, a table of Arrow, a dict or a structured array."""
    # A lazy frame of polars warns where its columns are asked for.
    is_lazy = hasattr(given, "collect")
    has_names = is_lazy or hasattr(given, "columns") and (hasattr(given, "column_names") or hasattr(given, "dtypes"))
    return has_names or isinstance(given, Mapping) or getattr(getattr(given, "dtype", None), "names", None) is not None


def of_frame(frame: Any, chosen: dict[str, Any]) -> Samples:
    """The samples of a data frame, whose columns are found by their names and values, like those of a file.

    Args:
        frame: A data frame of pandas or polars, a table of Arrow, a dict of arrays or a structured array. An index of dates, or
            with a name, is a column.
        chosen: columns, unit, zero, time_unit and rate, see :func:`footfall.read`.
    """
    columns = _columns(frame)
    titles = [name.replace(",", " ") for name in columns]
    texts = _texts(columns)
    explained = _in_memory(titles, texts, chosen)
    order = _order(columns, dict(zip(explained.columns.role.tolist(), columns)).get("time"))
    if order is not None:
        columns = {name: column[order] for name, column in columns.items()}
        texts = _texts(columns)
        explained = _in_memory(titles, texts, chosen)
    explained = _explained(titles, texts, chosen, explained)
    if len(explained.columns) > len(columns):
        raise DataError("a column has text with several numbers, or with decimal commas", "convert it to numbers")
    roles = dict(zip(explained.columns.role.tolist(), columns))
    if "date" in roles or "since the row above" in explained.layout:
        raise UsageError("the times are in two columns, or since the row above", "give one column of times")
    xyz = np.column_stack([columns[roles[axis]] for axis in "xyz"])
    if "gravity x" in roles:
        xyz = xyz + np.column_stack([columns[roles[f"gravity {axis}"]] for axis in "xyz"])
    rate = explained.options.get("rate")
    if rate is None and "time" not in roles:
        raise DataError("no column has times", "name the columns with columns, such as time,x,y,z, or give rate")
    time = rate if rate is not None else columns[roles["time"]]
    times = Times(time, len(xyz), None if rate is not None else explained.options.get("time_unit", "s"))
    samples = _read(Samples(times, vectors(xyz)), explained)
    samples.notes += () if order is None else ("the rows were sorted by time",)
    return samples


def _texts(columns: dict[str, NDArray[Any]]) -> list[list[str]]:
    """The first rows of columns as text, one list for each column."""
    first = {name: column[_first_row(columns) :][:OPENING] for name, column in columns.items()}
    return [[_cell(value) for value in column.tolist()] for column in _exact(first).values()]


def _order(columns: dict[str, NDArray[Any]], name: str | None) -> NDArray[np.int64] | None:
    """The rows in the order of their times; None if that is theirs, but for a few, or if it mixes two series.

    Args:
        columns: The columns of a data frame.
        name: The column of the times, if there is one.
    """
    if name is None or columns[name].dtype.kind not in "fiumM":
        return None
    # Missing times do not compare, and are dropped.
    times = columns[name]
    times = times[_has_values(times)]
    steps_back = np.count_nonzero(times[1:] < times[:-1])
    if np.count_nonzero(times < np.maximum.accumulate(times)) <= FEW_BACK * len(times):
        return None
    order = np.argsort(columns[name], kind="stable")
    return order if np.count_nonzero(np.diff(order) != 1) <= MOST_PARTS * (steps_back + 1) else None


def _columns(frame: Any) -> dict[str, NDArray[Any]]:
    """The columns of a data frame as arrays, by name."""
    if hasattr(frame, "collect"):
        frame = frame.collect()
    structure = getattr(getattr(frame, "dtype", None), "names", None)
    names = list(structure or getattr(frame, "column_names", None) or getattr(frame, "columns", frame))
    if twice := {str(name) for name in names if sum(str(other) == str(name) for other in names) > 1}:
        raise UsageError(f"several columns have the name {min(twice)}", "give each one a name of its own")
    try:
        columns = {str(name): plain(frame[name]) for name in names}
    except TypeError:
        kind = type(frame).__name__
        raise UsageError(f"the columns of a {kind} cannot be read", "give a data frame of pandas or polars, or a dict") from None
    index = getattr(frame, "index", None)
    if getattr(index, "nlevels", 1) > 1:
        raise UsageError("the index has several levels", "give frame.reset_index(), whose levels are columns")
    if index is not None and (plain(index).dtype.kind in "mM" or getattr(index, "name", None) is not None):
        columns = {str(index.name if index.name is not None else "time"): plain(index), **columns}
    if not columns:
        raise UsageError("the data frame has no columns", "give columns of the times and of x, y and z")
    lengths = {len(column) if column.ndim else None for column in columns.values()}
    if None in lengths or len(lengths) > 1:
        raise UsageError("the columns have several lengths", "give one value for each sample")
    return columns


def _first_row(columns: dict[str, NDArray[Any]]) -> int:
    """The first row in which all columns have values that have any: samples may be missing before."""
    found = [has for has in map(_has_values, columns.values()) if has.any()]
    return int(np.logical_and.reduce(found).argmax()) if found else 0


def _has_values(column: NDArray[Any]) -> Any:
    return np.isfinite(column) if column.dtype.kind in "fmM" else np.ones(len(column), dtype=bool)


def _exact(columns: dict[str, NDArray[Any]]) -> dict[str, NDArray[Any]]:
    """Columns whose values print with all of their digits: dates as ISO 8601, durations as seconds."""
    return {
        name: np.char.add(np.datetime_as_string(column.astype("datetime64[ns]")), "Z") if column.dtype.kind == "M"
        else column / np.timedelta64(1, "s") if column.dtype.kind == "m" else column
        for name, column in columns.items()
    }  # fmt: skip


def _cell(value: Any) -> str:
    """A value in a file, without the separators that it may have."""
    # Times may have more digits than accelerations.
    is_short = isinstance(value, float) and abs(value) < MOST_SHORT
    text = DIGITS % value if is_short else repr(value) if isinstance(value, float) else str(value)
    return "" if text in ("nan", "NaT", "NaTZ", "None", "<NA>") else re.sub(r'[,"\n\r]', " ", text)
