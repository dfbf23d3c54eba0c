"""Histories: the store of steps and activities that the command also writes."""

from __future__ import annotations

import ctypes
import os
import re
import warnings

import numpy as np

from footfall import _command
from footfall._library import CCount, CError, CSpan, FileError, Handle, StorageError, UsageError, array, library
from footfall._moments import Time, nanoseconds
from footfall._results import EARLIEST_DATE, Clock, Events, Result, found, nanoseconds_of
from footfall._tables import Table

BUCKETS = {"hour": -1, "day": -2, "week": -3}
# The most minutes of a bucket: a day.
MOST_MINUTES = 1440
# In nanoseconds.
SECOND = 1_000_000_000


def _text(name: str, text: str | None) -> bytes | None:
    # C ends a text at its first NUL.
    if text is not None and (not isinstance(text, str) or "\0" in text):
        raise UsageError(f"{name} is {text!r}", "give text without NUL")
    return None if text is None else text.encode()


class History:
    """The steps and activities of one or more wearers, in the file that ``footfall query`` reads.

    Use it as a context manager, or call :meth:`close`.
    """

    def __init__(self, path: str | os.PathLike[str], *, read_only: bool = False) -> None:
        """Opens a history, and creates a missing one unless it is only read.

        Raises:
            FileError: The file is missing, or its permissions forbid access.
            DataError: The file is damaged or no history.
            StorageError: Another process records into it.
            UsageError: The path is none.
        """
        if not isinstance(path, (str, os.PathLike)) or path in ("", ":memory:"):
            raise UsageError(f"the path is {path!r}", "name a file: no history is in memory")
        self.path = os.fspath(path)
        error = CError()
        pointer = library.history_open(os.fsencode(path), int(read_only), ctypes.byref(error))
        self._handle: Handle | None = Handle(library.made(pointer, error), library.history_destroy)

    def __repr__(self) -> str:
        return f"History({self.path!r})"

    def close(self) -> None:
        """Ends the access to the file."""
        self._handle = None

    def __enter__(self) -> History:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    @property
    def _pointer(self) -> int:
        if self._handle is None:
            raise StorageError("the history is closed", "open it again")
        if not self._handle.is_own:
            raise StorageError("the history was opened before a fork", "open it again in this process")
        return self._handle.pointer

    def record(self, result: Events, source: str, *, tz: str | None = None) -> None:
        """Records a result. It replaces what the source has in the same time, if it has a date.

        Warns of a result without a date, whose steps lie in 1970, and of one that starts before the time that the history
        keeps: seven days up to the newest time of the source, if ``footfall analyze --keep`` set no other.

        Args:
            result: The result of an analysis, or the events of another history.
            source: The name of the wearer or device.
            tz: The wearer's time zone, such as "Europe/Berlin"; that of the source by default, UTC for a new one.

        Raises:
            DataError: A part of the result is more than ten minutes ahead of the clock. Only the other parts are recorded.
                Or a result without a date would replace another one in 1970. Nothing is recorded then.
            StorageError: The history cannot be written. Nothing is recorded.
            UsageError: An argument is invalid. Nothing is recorded.
        """
        if not isinstance(result, Events):
            raise UsageError(f"the result is a {type(result).__name__}", "give what analyze or events returned")
        if isinstance(result, Result) and result._may_change:
            raise UsageError("provisional results may change", "record what settled and finish return")
        if source is None:
            raise UsageError("source is None", "name the wearer or the device")
        if result._events is None:
            raise UsageError(
                "a result from another process cannot be recorded", "record it in the process that analysed, or analyze in threads"
            )
        first = nanoseconds_of(result.activities.start[:1], result._clock)[0] if result.activities.rows else None
        if first is not None and first < EARLIEST_DATE:
            warnings.warn(
                "a result without a date is recorded from 1970-01-01 on; give datetime64, or the start of a log, such as "
                'start="2026-11-20T08:00"', stacklevel=2,
            )  # fmt: skip
        error = CError()
        status = library.history_record(
            self._pointer, result._events.pointer, _text("source", source), _text("tz", tz), ctypes.byref(error)
        )
        library.check(status, error)
        # Without an event, there may be no source.
        kept = 0 if first is None else self._extent(source).start
        if first is not None and first < kept - SECOND:
            warnings.warn(
                f"the history keeps nothing of {source} before {np.datetime64(kept // SECOND, 's')}, and the result starts at "
                f"{np.datetime64(int(first) // SECOND, 's')}; footfall analyze LOG --history {self.path} --keep forever keeps all",
                stacklevel=2,
            )

    def steps(
        self, since: Time | None = None, until: Time | None = None, *, by: str | int | None = None,
        source: str | None = None,
    ) -> Table:
        """Counts steps.

        Args:
            since: The start of the range: datetime64, datetime, seconds since 1970, ISO text, or "-7d"; all by default. Without
                a zone, it is UTC; the command reads it in the wearer's zone.
            until: Its end, not included.
            by: "hour", "day" or "week" of the wearer's calendar, 1 to 1440 minutes such as 15 or "15m", or None for one count.
            source: The source; None for the only one.

        Returns:
            A table: start, end (datetime64[ns], UTC), steps, coverage in seconds, truncated (whether the range begins before
            the time that the history keeps).
        """
        start, end = self._range(since, until, source)
        count, error = ctypes.c_size_t(), CError()
        first = library.history_steps(
            self._pointer, _text("source", source), start, end, _bucket(by),
            ctypes.byref(count), ctypes.byref(error),
        )
        library.made(first, error)
        try:
            rows = array(first, count.value, CCount)
        finally:
            library.counts_free(first)
        return Table(
            start=rows["start"].view("datetime64[ns]"), end=rows["end"].view("datetime64[ns]"), steps=rows["steps"],
            coverage=rows["coverage"], truncated=rows["is_truncated"] != 0, units={"coverage": "s"},
        )

    def _range(self, since: Time | None, until: Time | None, source: str | None) -> tuple[int, int]:
        """A range in nanoseconds. What is not given is the extent of the source; a range beyond it is empty."""
        extent = self._extent(source)
        # The range ends after the newest event.
        start, end = extent.start, extent.end + 1
        if since is not None:
            start = nanoseconds(since)
            end = max(start, end)
        if until is not None:
            end = nanoseconds(until)
            start = start if since is not None else min(start, end)
        return start, end

    def _extent(self, source: str | None) -> CSpan:
        extent, error = CSpan(), CError()
        name = _text("source", source)
        status = library.history_extent(self._pointer, name, ctypes.byref(extent), ctypes.byref(error))
        library.check(status, error)
        return extent

    def _only_source(self) -> str | None:
        """The name of the only source; None without any."""
        error = CError()
        return library.text(library.made(library.history_source(self._pointer, ctypes.byref(error)), error)) or None

    def events(self, since: Time | None = None, until: Time | None = None, *, source: str | None = None) -> Events:
        """The steps, activities and gaps of a range, see :meth:`steps`. A history does not keep the qualities of steps."""
        start, end = self._range(since, until, source)
        error = CError()
        events = library.history_events(self._pointer, _text("source", source), start, end, ctypes.byref(error))
        return found(Events, Handle(library.made(events, error), library.events_destroy), Clock("date"))

    def extent(self, source: str | None = None) -> tuple[np.datetime64, np.datetime64] | None:
        """The oldest and the newest time of a source, in UTC; None if it has none.

        Args:
            source: The source; None for the only one.
        """
        span = self._extent(source)
        return None if span.start == span.end == 0 else (np.datetime64(span.start, "ns"), np.datetime64(span.end, "ns"))

    def sources(self) -> Table:
        """The sources: source, timeZone, start, end, steps, coverage, forgottenBefore; ``footfall history info``.

        This and what follows run the command, which is on the PATH or which FOOTFALL_COMMAND names.
        """
        return _command.table(_command.json_rows("history", "info", "--history", self.path)[0]["sources"], "history info", "sources.")

    def summary(self, since: Time | None = None, until: Time | None = None, *, source: str | None = None) -> Table:
        """The totals of each day: steps, coverage, seconds of each activity; ``footfall query summary``. See :meth:`steps`."""
        return self._query("summary", since, until, source)

    def measures(self, since: Time | None = None, until: Time | None = None, *, source: str | None = None) -> Table:
        """The measures of each day that studies report; ``footfall query measures``. ``footfall columns`` describes them."""
        return self._query("measures", since, until, source)

    def marks(self, since: Time | None = None, until: Time | None = None, *, source: str | None = None) -> Table:
        """The marks, each with the steps of its part of the range; ``footfall query steps --by mark``. See :meth:`steps`."""
        return self._query("steps --by mark", since, until, source)

    def mark(self, text: str, since: Time | None = None, until: Time | None = None, *, source: str | None = None) -> None:
        """Marks a range with a text; ``footfall mark``. Another process may record meanwhile.

        Args:
            text: The text, of 1 to 256 characters.
            since: The start; now by default.
            until: The end, not included; None for a mark that lasts until the next one without an end, or to the newest sample.
            source: The source; None for the only one.
        """
        _command.output("mark", "--history", self.path, *_choice(since, until, source), "--", text)

    def export(self, path: str | os.PathLike[str], *, source: str | None = None) -> None:
        """Writes the contents as lines of JSON, which ``footfall history import`` reads; ``footfall history export``.

        Args:
            path: The file; it must not exist.
            source: Only this source; all by default.

        Raises:
            FileError: The file exists, or cannot be written.
        """
        chosen = [] if source is None else ["--source", source]
        try:
            file = open(path, "x", encoding="utf-8")
        except OSError as error:
            raise FileError(f"cannot be created: {error.strerror}", "name another file", os.fspath(path)) from None
        try:
            with file:
                done = _command.run("history", "export", "--history", self.path, *chosen, stdout=file)
            if done.returncode:
                raise _command.error(done)
        except BaseException:
            os.unlink(path)
            raise

    def _query(self, what: str, since: Time | None, until: Time | None, source: str | None) -> Table:
        rows = _command.json_rows("query", *what.split(), "--history", self.path, *_choice(since, until, source))
        return _command.table(rows, f"query {what}")

    def __reduce__(self) -> tuple[object, ...]:
        raise TypeError("a History does not pickle or copy; another process opens its file")


def _choice(since: Time | None, until: Time | None, source: str | None) -> list[str]:
    """The options of the command for a range of a source."""
    bounds = [
        part for name, moment in (("--since", since), ("--until", until)) if moment is not None
        for part in (name, _iso(moment))
    ]  # fmt: skip
    return bounds + ([] if source is None else ["--source", source])


def _iso(moment: Time) -> str:
    """A time for the command."""
    return f"{np.datetime64(nanoseconds(moment), 'ns')}Z"


def _bucket(by: str | int | None) -> int:
    """The number of a bucket for the library."""
    if by is None:
        return 0
    if isinstance(by, str) and by in BUCKETS:
        return BUCKETS[by]
    if isinstance(by, str) and (minutes := re.fullmatch(r"(\d{1,4})m", by)):
        by = int(minutes[1])
    if isinstance(by, (int, np.integer)) and not isinstance(by, bool) and 1 <= by <= MOST_MINUTES:
        return int(by)
    raise UsageError(f"by is {by!r}", f"write hour, day, week, or 1 to {MOST_MINUTES} minutes")
