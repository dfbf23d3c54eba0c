"""What the analyzer computes for each second."""

from __future__ import annotations

import ctypes
import os
from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from footfall import _library
from footfall._analysis import ACTIVITIES, REASONS, Analyzer, Clock, Table, given_log
from footfall._library import CError, CSecond, library

BOUTS = np.array(["none", "candidate", "confirmed"])
BANDS, PARTS = range(1, 7), range(1, 4)
FEATURES = (
    *(f"energy{band}" for band in BANDS),
    *(f"vertical{part}" for part in PARTS),
    *(f"linearity{part}" for part in PARTS),
    *("entropy", "strongest", "calmest", "turn"),
)
CLASSES = ("Stationary", "Walking", "Running", "Automotive", "Cycling", "Handled")
STATES = ("Stationary", "Walking", "Running", "Moving", "Stopped", "Cycling", "Handled", "Busy")

Progress = Callable[[float], None]


def seconds(
    time: ArrayLike | float | str | os.PathLike[str],
    xyz: ArrayLike | None = None,
    *,
    unit: str | float | None = None,
    progress: Progress | None = None,
    **options: Any,
) -> Table:
    """Computes what the analyzer uses for each second: why it has steps, or none.

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
        check, checkSum, cadence, bout and steps of the step detector; the window features energy1 to turn; the
        probabilities of the classes (classStationary to classHandled) and of the states (stateStationary to stateBusy);
        activity, reason and probability. Scores are log-odds, cadences steps per minute. A number that a stage did not
        compute is nan.

    Raises:
        DataError: The content of the log cannot be used.
        FileError: The log cannot be opened or read.
        UsageError: An argument is invalid.
    """
    log = given_log(time, xyz, unit, options)
    if log is not None:
        return log.seconds(progress)
    analyzer = Analyzer("g" if unit is None else unit)
    return recorded(analyzer, lambda took: analyzer.add(time, xyz, took), progress)  # type: ignore[arg-type]


def recorded(analyzer: Analyzer, add: Callable[[Progress], None], progress: Progress | None) -> Table:
    """The seconds of a new analyzer. `add` gives it all samples, and calls its argument with the share that is done."""
    pointer, error = analyzer._handle.pointer, CError()
    library.check(library.analyzer_record_seconds(pointer, ctypes.byref(error)), error)
    parts = []

    def took(share: float) -> None:
        parts.append(_take(pointer))
        if progress:
            progress(share)

    add(took)
    library.analyzer_finish(pointer)
    parts.append(_take(pointer))
    return _table(np.concatenate(parts), analyzer._clock or Clock(is_date=False))


def _take(analyzer: int) -> NDArray[Any]:
    count = ctypes.c_size_t()
    first = library.analyzer_take_seconds(analyzer, ctypes.byref(count))
    try:
        return _library.array(first, count.value, CSecond)
    finally:
        library.seconds_free(first)


def _table(rows: NDArray[Any], clock: Clock) -> Table:
    def columns(names: list[str], values: NDArray[Any]) -> dict[str, NDArray[Any]]:
        return {name: values[:, index].copy() for index, name in enumerate(names)}

    return Table(
        start=clock.out(rows["start"].copy()),
        gateScore=rows["gate_score"].copy(),
        gateCadence=rows["gate_cadence"].copy(),
        candidates=rows["candidates"].copy(),
        check=rows["check"].copy(),
        checkSum=rows["check_sum"].copy(),
        cadence=rows["cadence"].copy(),
        bout=BOUTS[rows["bout"]],
        steps=rows["steps"].copy(),
        **columns(list(FEATURES), rows["features"]),
        **columns([f"class{name}" for name in CLASSES], rows["classes"]),
        **columns([f"state{name}" for name in STATES], rows["states"]),
        activity=ACTIVITIES[rows["activity"]],
        reason=REASONS[rows["reason"]],
        probability=rows["probability"].copy(),
    )
