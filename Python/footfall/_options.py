"""The options of a sensor log."""

from __future__ import annotations

import ctypes
from collections.abc import Sequence
from datetime import datetime

import numpy as np

from footfall._library import CTraceOptions, UsageError
from footfall._moments import nanoseconds
from footfall._samples import per_g, positive, zeros


def options(
    *,
    columns: str | Sequence[str] | None = None,
    rows: str | Sequence[str] | None = None,
    unit: str | float | None = None,
    zero: float | Sequence[float] | None = None,
    time_unit: str | None = None,
    rate: float | None = None,
    tz: str | None = None,
    start: str | datetime | np.datetime64 | None = None,
) -> CTraceOptions:
    """The options of :func:`footfall.read` for the library."""
    found = CTraceOptions()
    texts = {
        "columns": joined("columns", columns, ","),
        "rows": joined("rows", rows, "\n") or None,
        "time_unit": "us" if time_unit == "µs" else _text("time_unit", time_unit),
        "time_zone": _text("tz", tz),
    }
    for name, text in texts.items():
        setattr(found, name, None if text is None else text.encode())
    found.per_g = 0.0 if unit is None else per_g(unit)
    found.rate = 0.0 if rate is None else positive("rate", rate)
    if (counts := zeros(zero)) is not None:
        found.zero = (ctypes.c_float * 3)(*counts.tolist())
        found.has_zero = 1
    if start is not None:
        found.start = nanoseconds(start, tz)
        found.has_start = 1
    return found


def _text(name: str, value: str | None) -> str | None:
    if value is not None and not isinstance(value, str):
        raise UsageError(f"{name} is {value!r}", "give text")
    return value


def joined(name: str, values: str | Sequence[str] | None, separator: str) -> str | None:
    """One text of several."""
    if values is None or isinstance(values, str):
        return values
    if not isinstance(values, Sequence) or not all(isinstance(value, str) for value in values):
        raise UsageError(f"{name} is {values!r}", "give text, or a list of texts")
    return separator.join(values)
