"""The days, periods and minutes of a history that records have, with times of the wearer."""

from __future__ import annotations

import time
import uuid
from dataclasses import dataclass
from datetime import date, datetime, timedelta, timezone, tzinfo

import numpy as np
from numpy.typing import NDArray

from footfall._history import History
from footfall._library import UsageError
from footfall._moments import Time, zone

SECOND = 1_000_000_000  # ns
MINUTE = 60 * SECOND
DAY = 86400 * SECOND


def local(nanoseconds: int, tz: tzinfo) -> datetime:
    """A time of the wearer, to the microsecond before."""
    return (datetime(1970, 1, 1, tzinfo=timezone.utc) + timedelta(microseconds=nanoseconds // 1000)).astimezone(tz)


def text(nanoseconds: int, tz: tzinfo) -> str:
    """A time as ISO 8601 with milliseconds and its offset."""
    return local(nanoseconds, tz).isoformat(timespec="milliseconds")


def identifier(*parts: object) -> str:
    """A UUID that the same parts always have, so that a record that is sent again replaces itself."""
    return str(uuid.uuid5(uuid.NAMESPACE_URL, "footfall:" + "/".join(map(str, parts))))


@dataclass(frozen=True)
class Day:
    """A day of the wearer. Times are nanoseconds since 1970; ``covered`` is the share of the day that has samples, 0 to 1."""

    date: date
    start: int
    end: int
    steps: int
    covered: float
    is_forgotten: bool


@dataclass(frozen=True)
class Period:
    """A segment with steps, or a minute. Times are nanoseconds since 1970."""

    start: int
    end: int
    steps: int
    activity: str = ""


class Range:
    """A range of a source of a history."""

    def __init__(self, history: History, since: Time | None, until: Time | None, source: str | None, tz: str) -> None:
        # The only source has the same identifiers with and without its name.
        self.source = history._only_source() if source is None else source
        self.history, self.zone = history, zone(tz)
        self.start, self.end = history._range(since, until, source)
        self._events = history.events(_date(self.start), _date(self.end), source=source)
        self.steps: NDArray[np.int64] = self._events.steps.astype("datetime64[ns]").astype(np.int64)

    def days(self) -> list[Day]:
        """The whole days that the range touches and that are over.

        Raises:
            UsageError: The days of the history do not begin at midnight in the zone.
        """
        if (self.start, self.end) == (0, 1):  # the extent of an empty history
            return []
        # Of two days more at both ends, the first and the last may be cut.
        rows = self.history.steps(_date(self.start - 2 * DAY), _date(self.end + 2 * DAY), by="day", source=self.source)
        starts, ends = rows.start.astype(np.int64), rows.end.astype(np.int64)
        found = []
        for index in range(1, rows.rows - 1):
            start, end = int(starts[index]), int(ends[index])
            if end <= self.start or start >= self.end or end > time.time_ns():
                continue
            first = local(start, self.zone).date()
            if local(start - SECOND, self.zone).date() == first:
                raise UsageError(
                    f"the days of the history do not begin at midnight in {self.zone}",
                    "give the time zone of its wearer, such as tz='Europe/Berlin'",
                )
            covered = float(rows.coverage[index]) * SECOND / (end - start)
            found.append(Day(first, start, end, int(rows.steps[index]), covered, bool(rows.truncated[index])))
        return found

    def periods(self) -> list[Period]:
        """The segments with steps, cut to the range."""
        table = self._events.activities
        starts = np.maximum(table.start.astype("datetime64[ns]").astype(np.int64), self.start)
        ends = np.minimum(table.end.astype("datetime64[ns]").astype(np.int64), self.end)
        counts = np.searchsorted(self.steps, ends) - np.searchsorted(self.steps, starts)
        return [
            Period(int(start), int(end), int(count), str(activity))
            for start, end, count, activity in zip(starts, ends, counts, table.activity)
            if count > 0
        ]

    def minutes(self) -> list[Period]:
        """The minutes of the clock with steps, cut to the range."""
        minutes, counts = np.unique(self.steps // MINUTE, return_counts=True)
        return [
            Period(max(int(minute) * MINUTE, self.start), min((int(minute) + 1) * MINUTE, self.end), int(count))
            for minute, count in zip(minutes, counts)
        ]


def _date(nanoseconds: int) -> np.datetime64:
    return np.datetime64(nanoseconds, "ns")
