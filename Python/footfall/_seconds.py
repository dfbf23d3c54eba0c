"""What the analyzer computes for each second."""

from __future__ import annotations

import ctypes
from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from footfall import _library
from footfall._analyzer import Analyzer
from footfall._library import CError, CSecond, library
from footfall._results import ACTIVITIES, REASONS, Clock
from footfall._tables import Table

BOUTS = np.array(["none", "candidate", "confirmed"])
DECISIONS = np.array(["noCadence", "otherRhythm", "unconfirmed", "bout"])
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
    return _table(np.concatenate(parts), analyzer._clock or Clock())


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

    return Table({
        "start": clock.out(rows["start"].copy()),
        "gateScore": rows["gate_score"].copy(),
        "gateCadence": rows["gate_cadence"].copy(),
        "candidates": rows["candidates"].copy(),
        "check": rows["check"].copy(),
        "checkSum": rows["check_sum"].copy(),
        "cadence": rows["cadence"].copy(),
        "bout": BOUTS[rows["bout"]],
        "steps": rows["steps"].copy(),
        "decision": DECISIONS[rows["decision"]],
        **columns(list(FEATURES), rows["features"]),
        **columns([f"class{name}" for name in CLASSES], rows["classes"]),
        **columns([f"state{name}" for name in STATES], rows["states"]),
        "activity": ACTIVITIES[rows["activity"]],
        "reason": REASONS[rows["reason"]],
        "probability": rows["probability"].copy(),
    })
