"""The forms in which samples come: numpy, masked arrays, pandas, polars, Arrow, lists; and what the library reads of them."""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import datetime, timedelta
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from footfall import _library
from footfall._library import UsageError
from footfall._moments import nanoseconds as to_nanoseconds
from footfall._results import Clock

# The units of one g.
PER_G = {"g": 1.0, "mg": 1000.0, "m/s²": 9.80665, "m/s2": 9.80665, "m/s^2": 9.80665}
# The nanoseconds of one unit of time.
TIME_UNITS = {"s": 1_000_000_000, "ms": 1_000_000, "us": 1000, "µs": 1000, "ns": 1}

# A missing time lies outside the supported ones, so that its sample is dropped and counted. NaT is the same integer.
MISSING = np.iinfo(np.int64).min
# The seconds within which the library computes nanoseconds.
MOST_SECONDS = 9e9
# The times of one pass. Its arrays stay in the cache.
BLOCK = 1 << 14


def per_g(unit: str | float) -> float:
    """How many units are one g."""
    if isinstance(unit, str):
        if unit not in PER_G:
            raise UsageError(f"the unit is “{unit}”", f"write one of {', '.join(PER_G)}, or how many counts are one g")
        return PER_G[unit]
    return positive("unit", unit)


def positive(name: str, value: Any) -> float:
    """An argument that is a number above 0."""
    is_number = isinstance(value, (int, float, np.integer, np.floating)) and not isinstance(value, bool)
    if not is_number or not 0 < value < float("inf"):
        raise UsageError(f"{name} is {value!r}", "give a number above 0")
    return float(value)


def zeros(zero: ArrayLike | None) -> NDArray[np.float64] | None:
    """The numbers at 0 g of x, y and z."""
    if zero is None:
        return None
    try:
        return np.broadcast_to(np.asarray(zero, dtype=np.float64), 3)
    except (TypeError, ValueError):
        raise UsageError(f"zero is {zero!r}", "give a number, or those of x, y and z") from None


def nanoseconds_per(unit: str) -> int:
    """How many nanoseconds a unit of time has."""
    if unit not in TIME_UNITS:
        raise UsageError(f"time_unit is “{unit}”", "write s, ms, us or ns")
    return TIME_UNITS[unit]


def plain(given: Any) -> NDArray[Any]:
    """An array without a mask, missing values or zones: nan or NaT is missing, and dates are UTC."""
    if isinstance(given, np.ma.MaskedArray):
        if not np.ma.is_masked(given):
            return np.asarray(given.data)
        is_time = given.dtype.kind in "mM"
        numbers: Any = given.astype(np.float64) if given.dtype.kind in "iub" else given
        return np.asarray(numbers.filled(np.array("NaT", given.dtype) if is_time else np.nan))
    if getattr(getattr(given, "dtype", None), "tz", None) is not None:
        return np.asarray(given.to_numpy(dtype="datetime64[ns]"))
    # Arrays of Arrow with missing values have no numpy array without a copy.
    is_arrow = type(given).__module__.partition(".")[0] == "pyarrow"
    array = np.asarray(given.to_numpy() if hasattr(given, "to_numpy") and not is_arrow else given)
    if array.dtype.kind != "O":
        return array
    first = next((value for value in array.flat if not _is_missing(value)), None)
    if isinstance(first, datetime):
        moments = [MISSING if _is_missing(value) else to_nanoseconds(value) for value in array.flat]
        return np.array(moments, dtype=np.int64).view("datetime64[ns]").reshape(array.shape)
    if isinstance(first, timedelta):
        durations = [None if _is_missing(value) else value for value in array.flat]
        return np.array(durations, dtype="timedelta64[ns]").reshape(array.shape)
    try:
        if type(given).__module__.partition(".")[0] == "pandas":
            return np.asarray(given.to_numpy(dtype=np.float64, na_value=np.nan))
        return array.astype(np.float64)
    except (TypeError, ValueError):
        return array


def _is_missing(value: Any) -> bool:
    try:
        return value is None or bool(value != value)
    except TypeError:
        # The truth of NA of pandas is not defined.
        return True


class Times:
    """The times of samples as the library reads them, chunk by chunk."""

    def __init__(self, time: ArrayLike | float, count: int, unit: str | None = None) -> None:
        """Checks times.

        Args:
            time: The time of each sample, or the rate of all.
            count: The number of samples.
            unit: The unit of numbers; seconds by default.
        """
        if time is None:
            raise UsageError("time is None", "give the time of each sample, or the samples per second")
        self.array = plain(time)
        kind = self.array.dtype.kind
        if kind not in "fiuMm":
            raise UsageError(
                f"time has values of type {self.array.dtype}",
                "give seconds, datetime64, timedelta64 or a rate; pandas.to_datetime reads dates that are text",
            )
        self.clock = Clock({"M": "date", "m": "duration"}.get(kind, "number"), nanoseconds_per(unit or "s"))
        self.rate = float(self.array) if self.array.ndim == 0 and kind in "fiu" else None
        if self.rate is not None:
            self.clock = Clock()
            if not 0 < self.rate < float("inf"):
                raise UsageError(f"the rate is {self.array}", "give samples per second, or the time of each sample")
        elif self.array.shape != (count,):
            raise UsageError(f"time has shape {self.array.shape} for {count} samples", "give one time for each sample")

    @property
    def are_numbers(self) -> bool:
        """Whether the times are numbers, whose unit is to be found."""
        return self.rate is None and self.clock.kind == "number"

    @property
    def steps_back(self) -> int:
        """How often a time is earlier than the one before."""
        return 0 if self.rate is not None else int(np.count_nonzero(self.array[1:] < self.array[:-1]))

    def chunk(self, rows: slice, start: float = 0.0, before: int = 0) -> NDArray[np.int64]:
        """The times of some rows in nanoseconds.

        Args:
            rows: The rows.
            start: For a rate: the time of the first sample with it, in seconds.
            before: For a rate: the samples with it before these.
        """
        if self.rate is not None:
            return nanoseconds(start + np.arange(before + rows.start, before + rows.stop) / self.rate)
        times = self.array[rows]
        if self.clock.kind == "number":
            return nanoseconds(times, self.clock.unit)
        return times.astype("datetime64[ns]" if self.clock.kind == "date" else "timedelta64[ns]", copy=False).view(np.int64)


def nanoseconds(times: NDArray[Any], unit: int = 1_000_000_000) -> NDArray[np.int64]:
    """Numbers as nanoseconds, to the nearest one: those that the library computes from seconds.

    >>> nanoseconds(np.array([0.1, 1.7e9 + 0.25, np.nan])).tolist() == [100_000_000, 1_700_000_000_250_000_000, MISSING]
    True
    """
    most = MOST_SECONDS * 1e9 / unit
    if times.dtype.kind in "iu":
        # Every integer of 64 bits is a number of nanoseconds.
        usable = True if unit == 1 else (times > -most) & (times < most)
        whole = times.astype(np.int64) if usable is True else np.where(usable, times, 0).astype(np.int64)
        return whole * unit if usable is True else np.where(usable, whole * unit, MISSING)
    found = np.empty(len(times), dtype=np.int64)
    for start in range(0, len(times), BLOCK):
        part, out = times[start : start + BLOCK].astype(np.float64, copy=False), found[start : start + BLOCK]
        # nan fails both comparisons.
        usable = part.min() > -most and part.max() < most
        if not usable:
            is_usable = np.abs(part) < most
            part = np.where(is_usable, part, 0)
        # A float does not hold all digits of nanoseconds since 1970, so the fraction is converted separately.
        whole = np.floor(part)
        fraction = part - whole
        fraction *= unit
        fraction += 0.5
        out[:] = whole
        out *= unit
        out += fraction.astype(np.int64)
        if not usable:
            out[~is_usable] = MISSING
    return found


def vectors(xyz: ArrayLike) -> NDArray[Any]:
    """Accelerations as an array of n rows and three columns."""
    values = plain(xyz)
    if values.ndim != 2 or values.shape[1] != 3:
        raise UsageError(f"xyz has shape {values.shape}", "give an array of n rows and three columns")
    if values.dtype.kind not in "fiu":
        raise UsageError(f"xyz has values of type {values.dtype}", "give numbers")
    return values


def native(values: NDArray[Any]) -> NDArray[Any]:
    """Accelerations as the library reads them: without a copy if they are float32 or float64."""
    is_native = values.dtype in (np.float32, np.float64) and values.dtype.isnative
    return values if is_native else values.astype(np.float64)


@dataclass
class Samples:
    """Samples, and how they are read.

    Attributes:
        times: The times.
        values: The accelerations, n rows and three columns.
        per_g: How many units are one g.
        is_unit_assumed: Whether that is assumed.
        zero: The numbers at 0 g; None for 0.
        bits: The bits of numbers in two's complement without a sign; None for numbers with a sign.
        layout: How they are read, and the evidence.
        notes: Assumptions that a user should check.
    """

    times: Times
    values: NDArray[Any]
    per_g: float = 1.0
    is_unit_assumed: bool = field(default=False, kw_only=True)
    zero: NDArray[np.float64] | None = None
    bits: int | None = None
    layout: str = ""
    notes: tuple[str, ...] = field(default=())

    def chunk(self, rows: slice) -> NDArray[Any]:
        """Some rows of accelerations for the library."""
        values = native(self.values[rows])
        if self.bits is not None:
            values = np.where(values >= 2 ** (self.bits - 1), values - 2**self.bits, values)
        return values if self.zero is None else values - self.zero


def c_samples(
    times: NDArray[np.int64], values: NDArray[Any], per_g: float, is_unit_assumed: bool = False
) -> _library.CSamples:
    """Samples for the library, which reads them where they are."""
    value_type = _library.FLOAT32 if values.dtype == np.float32 else _library.FLOAT64
    samples = _library.CSamples(
        len(values), _column(times, _library.NANOSECONDS), per_g=per_g, is_unit_assumed=is_unit_assumed
    )
    for axis in range(3):
        samples.axes[axis] = _column(values[:, axis], value_type)
    return samples


def _column(values: NDArray[Any], kind: int) -> _library.CColumn:
    return _library.CColumn(values.ctypes.data, values.strides[0], kind)
