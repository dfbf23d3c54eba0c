"""How a sensor log is read, and why."""

from __future__ import annotations

import ctypes
import json
import os
from dataclasses import dataclass
from typing import Any

import numpy as np

from footfall._library import CError, CTraceOptions, library
from footfall._tables import Table


@dataclass(frozen=True, repr=False)
class Explanation:
    """How a log is read and why, or why it is refused.

    Attributes:
        layout: How it is read: format, columns, units; empty for a refused log.
        refusal: Why it is refused; empty for one that is read.
        remedy: What to do about the refusal.
        rate: The median rate of the first samples in Hz; nan without samples.
        magnitude: The median vector magnitude of the first samples in g, 1 at rest; nan without samples.
        notes: Assumptions that a user should check.
        delimiter: The separator of the columns of a table; empty for other formats. So are the following.
        decimal_separator: The separator of decimals.
        header_line: The line of the header, counted from 1; None without one.
        columns: A table of the columns: number (from 1), title, values (the first ones), role (x, y, z, time, …), reason.
        options: The options of :func:`read` that fix the reading.
    """

    layout: str
    refusal: str
    remedy: str
    rate: float
    magnitude: float
    notes: tuple[str, ...]
    delimiter: str
    decimal_separator: str
    header_line: int | None
    columns: Table
    options: dict[str, Any]

    def __repr__(self) -> str:
        lines = [f"read as {self.layout}" if self.layout else f"refused: {self.refusal}; {self.remedy}"]
        if self.layout:
            lines.append(f"{self.rate:.1f} Hz; the median of |a| is {self.magnitude:.2f} g, at rest it is 1 g")
        lines += [f"note: {note}" for note in self.notes]
        for number, title, role, reason in zip(*(self.columns[name] for name in ("number", "title", "role", "reason"))):
            lines.append(f"column {number} {title}: {role or 'not read'}, {reason}")
        if self.options:
            lines.append("options: " + ", ".join(f"{name}={value!r}" for name, value in self.options.items()))
        return "\n".join(lines)


def explanation(path: str, options: CTraceOptions) -> Explanation:
    """Explains how a log is read."""
    error = CError()
    made = library.trace_explain(os.fsencode(path), ctypes.byref(options), ctypes.byref(error))
    found = json.loads(library.text(library.made(made, error)))
    columns = found["columns"]
    texts = {name: np.array([column.get(name, "") for column in columns], dtype=str) for name in ("title", "role", "reason")}
    values = np.empty(len(columns), dtype=object)
    values[:] = [tuple(column["values"]) for column in columns]
    chosen: dict[str, Any] = {}
    for name, value in ((option["name"], option["value"]) for option in found["options"]):
        if name == "rows":
            chosen.setdefault("rows", []).append(value)
        else:
            numbers = tuple(float(part) for part in value.split(",")) if name == "zero" else ()
            if numbers:
                chosen[name] = numbers if len(numbers) == 3 else numbers[0]
                continue
            is_number = name == "rate" or name == "unit" and value[0].isdigit()
            chosen[name] = float(value) if is_number else value
    return Explanation(
        layout=found.get("layout", ""),
        refusal=found.get("refusal", ""),
        remedy=found.get("remedy", ""),
        rate=found.get("sampleRate", float("nan")),
        magnitude=found.get("magnitude", float("nan")),
        notes=tuple(found["notes"]),
        delimiter=found.get("delimiter", ""),
        decimal_separator=found.get("decimalSeparator", ""),
        header_line=found.get("headerLine"),
        columns=Table(
            number=np.array([column["number"] for column in columns], dtype=np.int64), title=texts["title"], values=values,
            role=texts["role"], reason=texts["reason"],
        ),
        options=chosen,
    )
