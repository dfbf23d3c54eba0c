"""The functions that take samples or a sensor log."""

from __future__ import annotations

import os
from collections.abc import Callable
from typing import Any

from numpy.typing import ArrayLike

from footfall._analyzer import Analyzer
from footfall._library import UsageError
from footfall._results import Result, Table
from footfall._seconds import recorded
from footfall._traces import Log, read


def analyze(
    time: ArrayLike | float | str | os.PathLike[str],
    xyz: ArrayLike | None = None,
    *,
    unit: str | float | None = None,
    progress: Callable[[float], None] | None = None,
    **options: Any,
) -> Result:
    """Finds steps and activities in samples or in a sensor log.

    >>> import numpy as np
    >>> result = analyze(np.arange(3000) / 50, np.tile([0.0, 0.0, 9.80665], (3000, 1)), unit="m/s²")
    >>> result.activities.activity.tolist(), round(result.quality.coverage, 2)
    (['stationary'], 59.98)

    Args:
        time: The time of each sample, or the rate in Hz, see :meth:`Analyzer.add`; or the path of a log, which is read and
            analysed in one pass, in bounded memory.
        xyz: Accelerations with gravity, shape (n, 3); None for a log.
        unit: The unit of the accelerations: "g", "mg", "m/s²", or how many counts are one g. By default samples are in g,
            and the unit of a log is detected.
        progress: Receives the share of the work that is done, 0 to 1.
        **options: For a log: the options of :func:`read`.

    Raises:
        DataError: The content of the log cannot be used.
        FileError: The log cannot be opened or read.
        UsageError: An argument is invalid.
    """
    log = _given_log(time, xyz, unit, options)
    if log is not None:
        return log.analyze(progress)
    analyzer = Analyzer("g" if unit is None else unit)
    analyzer.add(time, xyz, progress)  # type: ignore[arg-type]
    return analyzer.finish()


def seconds(
    time: ArrayLike | float | str | os.PathLike[str],
    xyz: ArrayLike | None = None,
    *,
    unit: str | float | None = None,
    progress: Callable[[float], None] | None = None,
    **options: Any,
) -> Table:
    """Computes what the analyzer uses for each second: why it has steps, or none.

    >>> import numpy as np
    >>> rest = seconds(50, np.tile([0.0, 0.0, 1.0], (1000, 1)))
    >>> rest.rows, set(rest.activity.tolist()), set(rest.bout.tolist()), rest.steps.sum().item()
    (20, {'stationary'}, {'none'}, 0)

    Args:
        time: The times, the rate, or the path of a log, see :func:`analyze`.
        xyz: Accelerations with gravity, shape (n, 3); None for a log.
        unit: The unit of the accelerations, see :func:`analyze`.
        progress: Receives the share of the work that is done, 0 to 1.
        **options: For a log: the options of :func:`read`.

    Returns:
        A table with a row for each second of which samples cover any part. Its columns are those of
        ``footfall analyze --seconds``: start (in the form of the times that came in); gateScore, gateCadence, candidates,
        check, checkSum, cadence, bout, steps and decision of the step detector; the window features energy1 to turn; the
        probabilities of the classes (classStationary to classHandled) and of the states (stateStationary to stateBusy);
        activity, reason and probability. Scores are log-odds, cadences steps per minute. A number that a stage did not
        compute is nan.

    Raises:
        DataError: The content of the log cannot be used.
        FileError: The log cannot be opened or read.
        UsageError: An argument is invalid.
    """
    log = _given_log(time, xyz, unit, options)
    if log is not None:
        return log.seconds(progress)
    analyzer = Analyzer("g" if unit is None else unit)
    return recorded(analyzer, lambda took: analyzer.add(time, xyz, took), progress)  # type: ignore[arg-type]


def _given_log(time: Any, xyz: ArrayLike | None, unit: str | float | None, options: dict[str, Any]) -> Log | None:
    """The log that is given in the place of samples, or None for samples. Raises UsageError where it is neither."""
    if xyz is None:
        if not isinstance(time, (str, os.PathLike)):
            raise UsageError("xyz is missing", "give the accelerations, or the path of a log")
        return read(time, unit=unit, **options)
    if options:
        raise UsageError(f"unknown arguments: {', '.join(options)}", "they are for logs")
    return None
