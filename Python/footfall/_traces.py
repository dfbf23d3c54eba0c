"""Sensor logs of all formats that Footfall reads."""

from __future__ import annotations

import ctypes
import os
import re
from collections.abc import Callable, Iterator, Sequence
from datetime import datetime
from typing import Any

import numpy as np
from numpy.typing import NDArray

from footfall import _library
from footfall._analyzer import Analyzer
from footfall._explanation import Explanation, explanation
from footfall._files import File, Source
from footfall._library import CBatch, CError, Handle, library
from footfall._options import options as c_options
from footfall._results import Clock, Result, warn_of_loss
from footfall._seconds import recorded
from footfall._tables import Table

# The batches of one call, of 4096 samples each. Between calls, Python handles signals and reports progress.
BATCHES = 256


def read(
    path: Source,
    *,
    columns: str | Sequence[str] | None = None,
    rows: str | Sequence[str] | None = None,
    unit: str | float | None = None,
    zero: float | Sequence[float] | None = None,
    time_unit: str | None = None,
    rate: float | None = None,
    tz: str | None = None,
    start: str | datetime | np.datetime64 | None = None,
) -> Log:
    """Opens a sensor log and detects its format. Samples are read when they are asked for.

    Args:
        path: A file, the folder of an unpacked export, the bytes of a file, or an open file.
        columns: The columns of a table, such as "time,x,y,z", or a list of their names.
        rows: Conditions for the rows of a table, such as "user=33", or a list of them.
        unit: "g", "mg", "m/s²", or how many counts are one g.
        zero: The raw count at 0 g, or those of x, y and z, such as 338 of an ADXL335.
        time_unit: The unit of numeric times: "s", "ms", "us" or "ns".
        rate: Samples per second of a log without times.
        tz: The zone of date-times without a zone, such as "Europe/Berlin".
        start: The time of the first sample of a log without absolute time. Text and datetime without a zone are in `tz`;
            datetime64 is UTC.

    Raises:
        DataError: The content cannot be used.
        FileError: The file cannot be opened.
        UsageError: An option is invalid.
    """
    options = dict(columns=columns, rows=rows, unit=unit, zero=zero, time_unit=time_unit, rate=rate, tz=tz, start=start)
    return Log(File(path), options)


def explain(
    path: Source,
    *,
    columns: str | Sequence[str] | None = None,
    rows: str | Sequence[str] | None = None,
    unit: str | float | None = None,
    zero: float | Sequence[float] | None = None,
    time_unit: str | None = None,
    rate: float | None = None,
    tz: str | None = None,
    start: str | datetime | np.datetime64 | None = None,
) -> Explanation:
    """Tells how a log is read and why, column by column, or why it is refused. The arguments are those of :func:`read`.

    Raises:
        FileError: The file cannot be opened.
        UsageError: An option is invalid.
    """
    options = dict(columns=columns, rows=rows, unit=unit, zero=zero, time_unit=time_unit, rate=rate, tz=tz, start=start)
    file = File(path)
    return explanation(file.path, c_options(**options))  # type: ignore[arg-type]


class Log:
    """A sensor log: all of its samples, or one chunk after another. It pickles, and another process opens its file again.

    Attributes:
        path: The file; the name alone of what was no path.
        layout: How it is read: format, columns, units.
    """

    def __init__(self, file: File, options: dict[str, Any]) -> None:
        self._file, self._given = file, options
        self._options = c_options(**options)
        self.path = file.name
        self._opened: Handle | None = self._open()
        self.layout: str = library.text(library.trace_layout(self._opened.pointer))
        self._notes: tuple[str, ...] | None = None
        self._warnings: tuple[str, ...] = ()
        self._samples: tuple[NDArray[Any], NDArray[np.float32]] | None = None

    def _open(self) -> Handle:
        error = CError()
        pointer = library.trace_open(os.fsencode(self._file.path), ctypes.byref(self._options), ctypes.byref(error))
        with self._file.named():
            return Handle(library.made(pointer, error), library.trace_destroy)

    def _take(self) -> Handle:
        """The log from its start. The one that the constructor opened serves first."""
        opened, self._opened = self._opened, None
        return opened or self._open()

    def _end(self, trace: Handle) -> None:
        self._notes = tuple(library.text(library.trace_notes(trace.pointer)).splitlines())
        self._warnings = tuple(library.text(library.trace_warnings(trace.pointer)).splitlines())

    def chunks(self) -> Iterator[tuple[NDArray[Any], NDArray[np.float32]]]:
        """The samples in chunks of at most 4096: times (datetime64[ns], shape n) and accelerations in g (shape (n, 3))."""
        trace, batch, error = self._take(), CBatch(), CError()
        while True:
            status = library.trace_next(trace.pointer, ctypes.byref(batch), ctypes.byref(error))
            with self._file.named():
                library.check(status, error)
            if status == _library.END:
                return self._end(trace)
            times = np.frombuffer((ctypes.c_int64 * batch.count).from_address(batch.time), dtype="datetime64[ns]")
            xyz = np.empty((batch.count, 3), dtype=np.float32)
            for axis in range(3):
                xyz[:, axis] = (ctypes.c_float * batch.count).from_address(batch.axes[axis])
            yield times.copy(), xyz

    def _read(self) -> tuple[NDArray[Any], NDArray[np.float32]]:
        if self._samples is None:
            times, values = zip(*self.chunks())
            self._samples = np.concatenate(times), np.concatenate(values)
        return self._samples

    @property
    def time(self) -> NDArray[Any]:
        """The times of all samples: datetime64[ns], shape n."""
        return self._read()[0]

    @property
    def xyz(self) -> NDArray[np.float32]:
        """The accelerations of all samples in g, gravity included: shape (n, 3)."""
        return self._read()[1]

    @property
    def rate(self) -> float:
        """The measured rate in Hz: from the median distance of the samples."""
        distances = np.diff(self.time).astype(np.int64)
        return float(1e9 / np.median(distances)) if len(distances) else float("nan")

    @property
    def notes(self) -> tuple[str, ...]:
        """Assumptions about the log that a user should check; complete after the samples were read."""
        return self._notes or ()

    @property
    def warnings(self) -> tuple[str, ...]:
        """What was dropped; complete after the samples were read."""
        return self._warnings

    def explain(self) -> Explanation:
        """Tells how the log is read and why, column by column."""
        return explanation(self._file.path, self._options)

    def analyze(self, progress: Callable[[float], None] | None = None) -> Result:
        """Reads and analyses the log in one pass, in bounded memory.

        Args:
            progress: Receives the share of the file that is done, 0 to 1.
        """
        return self._analyze(progress)

    def _analyze(self, progress: Callable[[float], None] | None) -> Result:
        analyzer = Analyzer()
        self._add(analyzer, progress)
        result = analyzer._finish(layout=self.layout, notes=self.notes, warnings=self.warnings)
        back = [re.match(r"(\d+) (?:row|record)s? steps? back in time", text) for text in self.warnings]
        warn_of_loss(result, sum(int(match[1]) for match in back if match), self.path, stacklevel=3)
        return result

    def seconds(self, progress: Callable[[float], None] | None = None) -> Table:
        """Computes what the analyzer uses for each second, see :func:`seconds`.

        Args:
            progress: Receives the share of the file that is done, 0 to 1.
        """
        analyzer = Analyzer()
        return recorded(analyzer, lambda took: self._add(analyzer, took), progress)

    def _add(self, analyzer: Analyzer, progress: Callable[[float], None] | None) -> None:
        """Reads the log into an analyzer."""
        trace, error, status = self._take(), CError(), _library.OK
        analyzer._clock = Clock("date")
        while status != _library.END:
            status = library.analyzer_add_trace(
                analyzer._handle.pointer, trace.pointer, BATCHES, ctypes.byref(error)
            )
            with self._file.named():
                library.check(status, error)
            if progress:
                progress(library.trace_progress(trace.pointer))
        self._end(trace)

    def __reduce__(self) -> tuple[Any, ...]:
        return Log, (self._file, self._given)

    def __repr__(self) -> str:
        return f"Log({self.path!r}: {self.layout})"
