"""The analysis of samples as they come: arrays in, steps and activities out."""

from __future__ import annotations

import ctypes
from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from footfall._evidence import FEWEST, contradiction
from footfall._library import CError, CSamples, Handle, UsageError, library
from footfall._results import Clock, Quality, Result, found
from footfall._samples import Samples, Times, c_samples, nanoseconds_per, per_g, vectors

# The samples of one call. Between calls, Python handles signals and reports progress.
CHUNK = 1 << 20


class Analyzer:
    """The analysis of samples as they come.

    >>> live = Analyzer()
    >>> live.add(np.arange(500) / 50, np.tile([0.0, 0.0, 1.0], (500, 1)))
    >>> live.provisional.activities.activity.tolist()
    ['stationary']
    >>> live.finish().quality.samples
    500

    The division of the samples into calls has no effect. Memory is bounded by the results. An analyzer reads each sample once,
    so it does not look for the units, as :func:`footfall.analyze` does: state them. `notes` of a result tells whether the first
    samples contradict the unit. An analyzer does not pickle.
    """

    def __init__(self, unit: str | float = "g", time_unit: str = "s") -> None:
        """Creates an analyzer.

        Args:
            unit: The unit of the accelerations: "g", "mg", "m/s²", or how many counts are one g.
            time_unit: The unit of times that are numbers: "s", "ms", "us" or "ns".
        """
        self._handle = Handle(library.analyzer_create(), library.analyzer_destroy)
        nanoseconds_per(time_unit)  # raises for a unit that is none
        self._per_g, self._time_unit = per_g(unit), time_unit
        self._clock: Clock | None = None
        # The rate of the latest samples, the time of the first with it, and their number.
        self._rate: float | None = None
        self._start, self._count = 0.0, 0
        self._is_finished = False
        # The first samples, until there are enough to check their unit, and what they say against it.
        self._first: list[NDArray[Any]] | None = []
        self._notes: tuple[str, ...] = ()

    def add(self, time: ArrayLike | float, xyz: ArrayLike, progress: Callable[[float], None] | None = None) -> None:
        """Analyses the next samples.

        Args:
            time: The time of each sample (shape n): seconds since 1970, datetime64 or timedelta64; or the rate of all samples
                in Hz, then times start at 0. Samples with another rate follow those before.
            xyz: Accelerations with gravity, shape (n, 3), of any number type. float32 and float64 are not copied.
            progress: Receives the share of the samples that is done, 0 to 1.

        Raises:
            UsageError: The shapes or the form of the times do not fit, or the analyzer has finished.
        """
        values = vectors(xyz)
        self._add(Samples(Times(time, len(values), self._time_unit), values, self._per_g), progress)
        if self._first is not None:
            self._first.append(values[:FEWEST].copy())
            if sum(map(len, self._first)) >= FEWEST:
                self._notes, self._first = contradiction(np.concatenate(self._first), self._per_g), None

    def _add(self, samples: Samples, progress: Callable[[float], None] | None) -> None:
        if self._is_finished:
            raise UsageError("the analyzer has finished", "create a new one for another series")
        times, count = samples.times, len(samples.values)
        if self._clock is not None and (self._clock != times.clock or (self._rate is None) != (times.rate is None)):
            raise UsageError("the times change between rates, numbers, dates and durations", "give one form in all calls")
        self._clock = times.clock
        if times.rate is not None and times.rate != self._rate:
            self._start += self._count / (self._rate or times.rate)
            self._rate, self._count = times.rate, 0
        for start in range(0, count, CHUNK):
            rows = slice(start, min(start + CHUNK, count))
            columns = times.chunk(rows, self._start, self._count), samples.chunk(rows)
            self._add_chunk(c_samples(*columns, samples.per_g, samples.is_unit_assumed))
            if progress:
                progress(rows.stop / count)
        self._count += count

    def _add_chunk(self, samples: CSamples) -> None:
        error = CError()
        library.check(library.analyzer_add(self._handle.pointer, ctypes.byref(samples), ctypes.byref(error)), error)

    @property
    def provisional(self) -> Result:
        """The results that would follow if the samples ended here and were not settled before. They may change."""
        return self._result(Handle(library.analyzer_provisional(self._handle.pointer), library.events_destroy), _may_change=True)

    def settled(self) -> Result:
        """The results that were settled since the last call. They never change."""
        return self._result(Handle(library.analyzer_take(self._handle.pointer), library.events_destroy))

    def finish(self) -> Result:
        """Settles and returns all results that were not returned yet, because the series is over."""
        return self._finish()

    def _finish(self, **more: Any) -> Result:
        library.analyzer_finish(self._handle.pointer)
        self._is_finished = True
        return self._result(Handle(library.analyzer_take(self._handle.pointer), library.events_destroy), **more)

    def _result(self, events: Handle, **more: Any) -> Result:
        quality = Quality._of(self._handle)
        more = {"notes": self._notes, **more, "warnings": (*more.get("warnings", ()), *quality._warnings)}
        return found(Result, events, self._clock or Clock(), quality=quality, **more)

    def __reduce__(self) -> tuple[Any, ...]:
        raise TypeError("an Analyzer does not pickle or copy; its results do, and each process creates its own analyzer")
