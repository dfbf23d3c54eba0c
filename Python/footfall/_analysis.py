"""The functions that take samples or a sensor log."""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from datetime import datetime
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from footfall._analyzer import Analyzer
from footfall._evidence import Frame, given, is_frame, of_frame
from footfall._files import Source, is_log
from footfall._library import UsageError
from footfall._results import Result, warn_of_loss
from footfall._samples import Samples
from footfall._seconds import recorded
from footfall._tables import Table
from footfall._traces import Log, read


def analyze(
    time: ArrayLike | float | Frame | Source,
    xyz: ArrayLike | None = None,
    *,
    unit: str | float | None = None,
    time_unit: str | None = None,
    columns: str | Sequence[str] | None = None,
    rows: str | Sequence[str] | None = None,
    zero: float | Sequence[float] | None = None,
    rate: float | None = None,
    tz: str | None = None,
    start: str | datetime | np.datetime64 | None = None,
    progress: Callable[[float], None] | None = None,
) -> Result:
    """Finds steps and activities in samples or in a sensor log.

    >>> import numpy as np
    >>> result = analyze(np.arange(3000) / 50, np.tile([0.0, 0.0, 9.80665], (3000, 1)))
    >>> result.activities.activity.tolist(), round(result.quality.coverage, 2), result.layout
    (['stationary'], 59.98, 'time in s since start (from the values); in m/s² (from the values)')

    The units of arrays and data frames are found as those of a file are, by the first samples; `layout` of the result has them,
    and why. `unit` and `time_unit` insist on others. With both, or with `unit` and dates or a rate, nothing is examined.

    Args:
        time: The time of each sample, or the rate in Hz, see :meth:`Analyzer.add`; a data frame of pandas or polars, a table of
            Arrow, a dict or a structured array, whose columns are found by name and whose rows are sorted by time; or a log (path,
            bytes, open file, or a member of an archive), which is read in bounded memory.
        xyz: Accelerations with gravity, shape (n, 3); None for a data frame or a log.
        unit: The unit of the accelerations: "g", "mg", "m/s²", or how many counts are one g.
        time_unit: The unit of times that are numbers: "s", "ms", "us" or "ns".
        columns: For a data frame or a log: see :func:`read`. So is `rate`.
        rows: For a log: see :func:`read`. So are `tz` and `start`.
        zero: The raw count at 0 g, or those of x, y and z.
        rate: Samples per second.
        tz: The zone of date-times without a zone.
        start: The time of the first sample.
        progress: Receives the share of the work that is done, 0 to 1.

    Raises:
        DataError: The content of the log cannot be used, or the samples are no acceleration with gravity.
        FileError: The log cannot be opened or read.
        UsageError: An argument is invalid.

    Warns:
        LossWarning: More than a tenth of the rows are dropped.
    """
    options = dict(columns=columns, rows=rows, zero=zero, rate=rate, tz=tz, start=start)
    found = _found(time, xyz, unit, time_unit, options)
    if isinstance(found, Log):
        return found._analyze(progress)
    analyzer = Analyzer()
    analyzer._add(found, progress)
    result = analyzer._finish(layout=found.layout, notes=found.notes)
    warn_of_loss(result, found.times.steps_back, "", stacklevel=2)
    return result


def seconds(
    time: ArrayLike | float | Frame | Source,
    xyz: ArrayLike | None = None,
    *,
    unit: str | float | None = None,
    time_unit: str | None = None,
    columns: str | Sequence[str] | None = None,
    rows: str | Sequence[str] | None = None,
    zero: float | Sequence[float] | None = None,
    rate: float | None = None,
    tz: str | None = None,
    start: str | datetime | np.datetime64 | None = None,
    progress: Callable[[float], None] | None = None,
) -> Table:
    """Computes what the analyzer uses for each second: why it has steps, or none.

    >>> import numpy as np
    >>> rest = seconds(50, np.tile([0.0, 0.0, 1.0], (1000, 1)))
    >>> rest.rows, set(rest.activity.tolist()), set(rest.bout.tolist()), rest.steps.sum().item()
    (20, {'stationary'}, {'none'}, 0)

    Args:
        time: The times, the rate, a data frame or a log, see :func:`analyze`. So are all other arguments.
        xyz: Accelerations with gravity, shape (n, 3); None for a data frame or a log.
        unit: The unit of the accelerations.
        time_unit: The unit of times that are numbers.
        columns: The columns of a table.
        rows: Conditions for the rows of a table.
        zero: The raw count at 0 g.
        rate: Samples per second.
        tz: The zone of date-times without a zone.
        start: The time of the first sample.
        progress: Receives the share of the work that is done, 0 to 1.

    Returns:
        A table with a row for each second of which samples cover any part. Its columns are those of
        ``footfall analyze --seconds``: start (in the form of the times that came in); gateScore, gateCadence, candidates,
        check, checkSum, cadence, bout, steps and decision of the step detector; the window features energy1 to turn; the
        probabilities of the classes (classStationary to classHandled) and of the states (stateStationary to stateBusy);
        activity, reason and probability. Scores are log-odds, cadences steps per minute. A number that a stage did not
        compute is nan.

    Raises:
        DataError: The content of the log cannot be used, or the samples are no acceleration with gravity.
        FileError: The log cannot be opened or read.
        UsageError: An argument is invalid.
    """
    options = dict(columns=columns, rows=rows, zero=zero, rate=rate, tz=tz, start=start)
    found = _found(time, xyz, unit, time_unit, options)
    if isinstance(found, Log):
        return found.seconds(progress)
    analyzer = Analyzer()
    return recorded(analyzer, lambda took: analyzer._add(found, took), progress)


def _found(
    time: Any, xyz: ArrayLike | None, unit: str | float | None, time_unit: str | None, options: dict[str, Any]
) -> Log | Samples:
    """The log or the samples that are given. Raises UsageError where it is neither, or an option has no use."""
    if xyz is None and isinstance(time, (list, tuple)) and time and all(map(is_log, time)):
        raise UsageError(f"time is a {type(time).__name__} of logs", "analyze each alone, or all with footfall.study")
    if xyz is not None and isinstance(time, (str, os.PathLike)):
        raise UsageError(f"time is the log {time!r}, and xyz is given", "give a log alone, or the time of each sample")
    if xyz is None and is_log(time):
        return read(time, unit=unit, time_unit=time_unit, **options)
    is_table = xyz is None and is_frame(time)
    allowed = ("columns", "zero", "rate") if is_table else ("zero",)
    if unused := [name for name, value in options.items() if value is not None and name not in allowed]:
        raise UsageError(f"arguments without use: {', '.join(unused)}", "they are for logs")
    if is_table:
        return of_frame(time, {"unit": unit, "time_unit": time_unit, **{name: options[name] for name in allowed}})
    if xyz is None:
        raise UsageError("xyz is missing", "give the accelerations, a data frame, or the path of a log")
    return given(time, xyz, unit, time_unit, options["zero"])
