"""The results of an analysis: steps, activities, and the counts of samples."""

from __future__ import annotations

import ctypes
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from footfall import _library
from footfall._library import CQuality, CSegment, CSpan, CStep, Handle, library

ACTIVITIES = np.array(["stationary", "walking", "running", "automotive", "cycling", "unknown"])
CONFIDENCES = np.array(["low", "medium", "high"])
REASONS = np.array(["", "too short", "low rate", "handled", "unclear", "not worn"])


class Table(dict[str, NDArray[Any]]):
    """Named columns of equal length: numpy arrays, by key or as attributes.

    ``pandas.DataFrame(table)`` and ``polars.DataFrame(dict(table))`` make data frames of them.
    """

    def __getattr__(self, name: str) -> NDArray[Any]:
        try:
            return self[name]
        except KeyError:
            raise AttributeError(name) from None

    @property
    def rows(self) -> int:
        """The number of rows."""
        return len(next(iter(self.values()), ()))

    def __repr__(self) -> str:
        return f"Table({self.rows} rows: {', '.join(self)})"


class Clock:
    """The form of times, in and out: seconds, ``datetime64[ns]``, or a rate with times from 0."""

    def __init__(self, is_date: bool) -> None:
        self.is_date = is_date

    def out(self, nanoseconds: NDArray[np.int64]) -> NDArray[Any]:
        """Times in this form."""
        return nanoseconds.view("datetime64[ns]") if self.is_date else nanoseconds / 1e9


@dataclass(frozen=True)
class Quality:
    """Counts of samples, received and dropped.

    Attributes:
        samples: Samples received, used or not.
        duplicates: Dropped, because they repeat the sample before.
        backward: Dropped, because their time steps back.
        leaping: Dropped, because their time leaps more than seven days ahead.
        unusable: Dropped, because a value is not finite or the time lies outside 1900 to 2150.
        impulses: Dropped, because no motion of a body can make such isolated samples.
        gaps: Spans without samples between spans with samples.
        coverage: The time covered by samples, in seconds.
        rate: The measured rate in Hz; nan for fewer than two samples.
    """

    samples: int
    duplicates: int
    backward: int
    leaping: int
    unusable: int
    impulses: int
    gaps: int
    coverage: float
    rate: float

    @classmethod
    def _of(cls, analyzer: Handle) -> Quality:
        found = CQuality()
        library.analyzer_quality(analyzer.pointer, ctypes.byref(found))
        values = {name: getattr(found, name) for name in cls.__dataclass_fields__}
        values["rate"] = values["rate"] or float("nan")
        return cls(**values)


@dataclass(frozen=True)
class Result:
    """Steps and activities, in order of time. Times have the form of the input.

    Attributes:
        steps: The times of the initial contacts.
        qualities: How much the second of each step resembles gait, 0 to 1.
        activities: A table of segments: start, end, activity, confidence (low, medium, high), probability (0 to 1), steps,
            reason (why an activity is unknown).
        gaps: A table of spans without samples: start, end.
        quality: Counts of the samples, used and dropped; None for the events of a history.
        layout: How the log was read; empty without a log.
        notes: Assumptions about the log that a user should check.
        warnings: What was dropped from the log.
    """

    steps: NDArray[Any]
    qualities: NDArray[np.float32]
    activities: Table
    gaps: Table
    quality: Quality | None = None
    layout: str = ""
    notes: tuple[str, ...] = ()
    warnings: tuple[str, ...] = ()
    _events: Handle | None = field(default=None, repr=False, compare=False)

    @classmethod
    def _of(cls, events: Handle, clock: Clock, **more: Any) -> Result:
        library.events_join(events.pointer)
        steps = _array(library.events_steps, events, CStep)
        segments = _array(library.events_segments, events, CSegment)
        gaps = _array(library.events_gaps, events, CSpan)
        activities = Table(
            start=clock.out(segments["start"].copy()),
            end=clock.out(segments["end"].copy()),
            activity=ACTIVITIES[segments["activity"]],
            confidence=CONFIDENCES[segments["confidence"]],
            probability=segments["probability"].copy(),
            steps=segments["steps"].copy(),
            reason=REASONS[segments["reason"]],
        )
        spans = Table(start=clock.out(gaps["start"].copy()), end=clock.out(gaps["end"].copy()))
        times = clock.out(steps["time"].copy())
        return cls(times, steps["quality"].copy(), activities, spans, _events=events, **more)


def _array(function: Any, events: Handle, kind: Any) -> NDArray[Any]:
    count = ctypes.c_size_t()
    first = function(events.pointer, ctypes.byref(count))
    return _library.array(first, count.value, kind)
