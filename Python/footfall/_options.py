"""The options of a sensor log."""

from __future__ import annotations

import ctypes
from datetime import datetime

import numpy as np

from footfall._library import CTraceOptions
from footfall._moments import nanoseconds
from footfall._samples import per_g


def options(
    *,
    columns: str | None = None,
    rows: str | list[str] | None = None,
    unit: str | float | None = None,
    zero: float | tuple[float, float, float] | None = None,
    time_unit: str | None = None,
    rate: float | None = None,
    tz: str | None = None,
    start: str | datetime | np.datetime64 | None = None,
) -> CTraceOptions:
    """The options of :func:`footfall.read` for the library."""
    found = CTraceOptions()
    conditions = [rows] if isinstance(rows, str) else rows
    texts = {
        "columns": columns,
        "rows": "\n".join(conditions) if conditions else None,
        "time_unit": "us" if time_unit == "µs" else time_unit,
        "time_zone": tz,
    }
    for name, text in texts.items():
        setattr(found, name, None if text is None else text.encode())
    found.per_g = 0.0 if unit is None else per_g(unit)
    found.rate = rate or 0.0
    if zero is not None:
        counts = zero if isinstance(zero, tuple) else (zero, zero, zero)
        found.zero = (ctypes.c_float * 3)(*counts)
        found.has_zero = 1
    if start is not None:
        found.start = nanoseconds(start, tz)
        found.has_start = 1
    return found
