"""The analysis of samples as they come: arrays in, steps and activities out."""

from __future__ import annotations

import ctypes
from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from footfall import _library
from footfall._library import CColumn, CError, CSamples, Handle, UsageError, library
from footfall._results import Clock, Quality, Result

# The units of one g.
PER_G = {"g": 1.0, "mg": 1000.0, "m/s²": 9.80665, "m/s2": 9.80665, "m/s^2": 9.80665}

# The samples of one call. Between calls, Python handles signals and reports progress.
CHUNK = 1 << 20


def per_g(unit: str | float) -> float:
    """How many units are one g."""
    if isinstance(unit, str):
        if unit not in PER_G:
            raise UsageError(f"the unit is “{unit}”", f"write one of {', '.join(PER_G)}, or how many counts are one g")
        return PER_G[unit]
    return float(unit)


class Times:
    """The times of samples as the library reads them, chunk by chunk."""

    def __init__(self, time: ArrayLike | float, count: int, before: int) -> None:
        """Checks times.

        Args:
            time: The time of each sample, or the rate of all.
            count: The number of samples.
            before: The samples before these, whose times a rate gives.
        """
        self._before = before
        self._array = np.asarray(time)
        self.clock = Clock(is_date=np.issubdtype(self._array.dtype, np.datetime64))
        if self._array.dtype.kind not in "fiuM":
            raise UsageError(
                f"time has values of type {self._array.dtype}",
                "give seconds, datetime64 or a rate; pandas' times with a zone become datetime64 by tz_convert(None)",
            )
        self.is_rate = self._array.ndim == 0 and not self.clock.is_date
        if self.is_rate and not 0 < float(self._array) < float("inf"):
            raise UsageError(f"the rate is {self._array}", "give samples per second, or the time of each sample")
        if not self.is_rate and self._array.shape != (count,):
            raise UsageError(f"time has shape {self._array.shape} for {count} samples", "give one time for each sample")

    def chunk(self, rows: slice) -> tuple[NDArray[Any], int]:
        """The times of some rows, and their type in C."""
        if self.is_rate:
            return np.arange(self._before + rows.start, self._before + rows.stop) / float(self._array), _library.SECONDS
        times = self._array[rows]
        if self.clock.is_date:
            # NaT is the least integer, which lies outside the supported times.
            return times.astype("datetime64[ns]", copy=False).view(np.int64), _library.NANOSECONDS
        return times.astype(np.float64, copy=False), _library.SECONDS


def native(values: NDArray[Any]) -> NDArray[Any]:
    """Accelerations as the library reads them: without a copy if they are float32 or float64."""
    is_native = values.dtype in (np.float32, np.float64) and values.dtype.isnative
    return values if is_native else values.astype(np.float64)


def _column(values: NDArray[Any], kind: int) -> CColumn:
    return CColumn(values.ctypes.data, values.strides[0], kind)


def c_samples(times: NDArray[Any], time_type: int, values: NDArray[Any], per_g: float) -> CSamples:
    """Samples for the library, which reads them where they are."""
    value_type = _library.FLOAT32 if values.dtype == np.float32 else _library.FLOAT64
    samples = CSamples(len(values), _column(times, time_type), per_g=per_g)
    for axis in range(3):
        samples.axes[axis] = _column(values[:, axis], value_type)
    return samples


class Analyzer:
    """The analysis of samples as they come.

    >>> live = Analyzer()
    >>> live.add(np.arange(500) / 50, np.tile([0.0, 0.0, 1.0], (500, 1)))
    >>> live.provisional.activities.activity.tolist()
    ['stationary']
    >>> live.finish().quality.samples
    500

    The division of the samples into calls has no effect. Memory is bounded by the results.
    """

    def __init__(self, unit: str | float = "g") -> None:
        """Creates an analyzer.

        Args:
            unit: The unit of the accelerations: "g", "mg", "m/s²", or how many counts are one g.
        """
        self._handle = Handle(library.analyzer_create(), library.analyzer_destroy)
        self._per_g = per_g(unit)
        self._clock: Clock | None = None
        self._count = 0

    def add(self, time: ArrayLike | float, xyz: ArrayLike, progress: Callable[[float], None] | None = None) -> None:
        """Analyses the next samples.

        Args:
            time: The time of each sample: seconds since 1970 (float, shape n) or datetime64 (shape n); or the rate of all
                samples in Hz, then times start at 0.
            xyz: Accelerations with gravity, shape (n, 3), of any number type. float32 and float64 are not copied.
            progress: Receives the share of the samples that is done, 0 to 1.

        Raises:
            UsageError: The shapes or the form of the times do not fit.
        """
        values = np.asarray(xyz)
        if values.ndim != 2 or values.shape[1] != 3:
            raise UsageError(f"xyz has shape {values.shape}", "give an array of n rows and three columns")
        times = Times(time, len(values), self._count)
        if self._clock is not None and self._clock.is_date != times.clock.is_date:
            raise UsageError("the times change between seconds and dates", "give one form in all calls")
        self._clock = times.clock
        self._count += len(values)
        for start in range(0, len(values), CHUNK):
            rows = slice(start, min(start + CHUNK, len(values)))
            self._add_chunk(*times.chunk(rows), native(values[rows]))
            if progress:
                progress(rows.stop / len(values))

    def _add_chunk(self, times: NDArray[Any], time_type: int, values: NDArray[Any]) -> None:
        samples, error = c_samples(times, time_type, values, self._per_g), CError()
        library.check(library.analyzer_add(self._handle.pointer, ctypes.byref(samples), ctypes.byref(error)), error)

    @property
    def provisional(self) -> Result:
        """The results that would follow if the samples ended here and were not settled before. They may change."""
        events = Handle(library.analyzer_provisional(self._handle.pointer), library.events_destroy)
        return self._result(events)

    def settled(self) -> Result:
        """The results that were settled since the last call. They never change."""
        return self._result(Handle(library.analyzer_take(self._handle.pointer), library.events_destroy))

    def finish(self) -> Result:
        """Settles and returns all results that were not returned yet, because the series is over."""
        library.analyzer_finish(self._handle.pointer)
        return self.settled()

    def _result(self, events: Handle, **more: Any) -> Result:
        clock = self._clock or Clock(is_date=False)
        return Result._of(events, clock, quality=Quality._of(self._handle), **more)
