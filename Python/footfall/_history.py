"""Histories: the store of steps and activities that the command also writes."""

from __future__ import annotations

import ctypes
import os
import re
from datetime import datetime, timezone

import numpy as np

from footfall._library import CCount, CError, CSpan, Handle, StorageError, UsageError, array, library
from footfall._results import Clock, Result, Table

BUCKETS = {None: 0, "hour": -1, "day": -2, "week": -3}
SPANS = {"s": 1, "min": 60, "m": 60, "h": 3600, "d": 86400, "w": 604800}

Time = str | float | datetime | np.datetime64


def nanoseconds(moment: Time | None, default: int) -> int:
    """A time as nanoseconds since 1970.

    >>> nanoseconds("2026-11-20T08:00:00Z", 0) == nanoseconds(np.datetime64("2026-11-20T08:00"), 0)
    True
    """
    if moment is None:
        return default
    if isinstance(moment, np.datetime64):
        return int(moment.astype("datetime64[ns]").astype(np.int64))
    if isinstance(moment, (int, float)):
        return round(moment * 1e9)
    if isinstance(moment, str):
        if span := re.fullmatch(r"-(\d+)(s|min|m|h|d|w)", moment):
            seconds = datetime.now(timezone.utc).timestamp() - int(span[1]) * SPANS[span[2]]
            return round(seconds * 1e9)
        try:
            moment = datetime.fromisoformat(moment.replace("Z", "+00:00"))
        except ValueError:
            raise UsageError(f"the time is “{moment}”", "write 2026-11-20T08:00:00Z or -7d") from None
    aware = moment if moment.tzinfo else moment.replace(tzinfo=timezone.utc)
    return round(aware.timestamp() * 1e9)


def _text(text: str | None) -> bytes | None:
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
        """
        error = CError()
        pointer = library.history_open(os.fsencode(path), int(read_only), ctypes.byref(error))
        self._handle: Handle | None = Handle(library.made(pointer, error), library.history_destroy)

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
        return self._handle.pointer

    def record(self, result: Result, source: str, *, tz: str | None = None) -> None:
        """Records a result, all of it or nothing. It replaces what the source has in the same time.

        Args:
            result: The result of an analysis.
            source: The name of the wearer or device.
            tz: The wearer's time zone, such as "Europe/Berlin"; UTC by default.
        """
        if result._events is None:
            raise UsageError("the result has no events", "record the result of an analysis")
        error = CError()
        status = library.history_record(
            self._pointer, result._events.pointer, source.encode(), tz.encode() if tz else None, ctypes.byref(error)
        )
        library.check(status, error)

    def steps(
        self, since: Time | None = None, until: Time | None = None, *, by: str | int | None = None,
        source: str | None = None,
    ) -> Table:
        """Counts steps.

        Args:
            since: The start of the range: datetime64, datetime, seconds since 1970, ISO text, or "-7d"; all by default.
            until: Its end, not included.
            by: "hour", "day" or "week" of the wearer's calendar, a number of minutes, or None for one count.
            source: The source; None for the only one.

        Returns:
            A table: start, end (datetime64[ns], UTC), steps, coverage in seconds, truncated (whether the range begins before
            the time that the history keeps).
        """
        if not isinstance(by, int) and by not in BUCKETS:
            raise UsageError(f"by is “{by}”", "write hour, day, week, or a number of minutes")
        start, end = self._range(since, until, source)
        count, error = ctypes.c_size_t(), CError()
        first = library.history_steps(
            self._pointer, _text(source), start, end, by if isinstance(by, int) else BUCKETS[by],
            ctypes.byref(count), ctypes.byref(error),
        )
        library.made(first, error)
        try:
            rows = array(first, count.value, CCount)
        finally:
            library.counts_free(first)
        return Table(
            start=rows["start"].view("datetime64[ns]"), end=rows["end"].view("datetime64[ns]"), steps=rows["steps"],
            coverage=rows["coverage"], truncated=rows["is_truncated"] != 0,
        )

    def _range(self, since: Time | None, until: Time | None, source: str | None) -> tuple[int, int]:
        """A range in nanoseconds. What is not given is the extent of the source."""
        extent, error = CSpan(), CError()
        status = library.history_extent(self._pointer, _text(source), ctypes.byref(extent), ctypes.byref(error))
        library.check(status, error)
        # The range ends after the newest event.
        return nanoseconds(since, extent.start), nanoseconds(until, extent.end + 1)

    def events(self, since: Time | None = None, until: Time | None = None, *, source: str | None = None) -> Result:
        """The steps, activities and gaps of a range, see :meth:`steps`."""
        start, end = self._range(since, until, source)
        error = CError()
        events = library.history_events(self._pointer, _text(source), start, end, ctypes.byref(error))
        return Result._of(Handle(library.made(events, error), library.events_destroy), Clock(is_date=True))
