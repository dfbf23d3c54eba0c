"""Moments that a caller writes: ISO text, datetime, datetime64, or seconds since 1970."""

from __future__ import annotations

import re
from datetime import datetime, timedelta, timezone, tzinfo

import numpy as np

from footfall._library import UsageError

Time = str | float | datetime | np.datetime64

# Beyond them, nanoseconds do not fit 64 bits.
MOST_SECONDS = 9.2e9
SPANS = {"s": 1, "min": 60, "m": 60, "h": 3600, "d": 86400, "w": 604800}


def nanoseconds(moment: Time, tz: str | None = None) -> int:
    """A time as nanoseconds since 1970.

    >>> nanoseconds("2026-11-20T08:00:00Z") == nanoseconds(np.datetime64("2026-11-20T08:00"))
    True
    >>> nanoseconds("2026-07-01T10:00", "Europe/Berlin") == nanoseconds("2026-07-01T08:00Z")
    True

    Args:
        moment: The time. Text and datetime without a zone are in `tz`. datetime64 is UTC, as everywhere in this package.
        tz: A zone such as "Europe/Berlin", or an offset such as "+02:00"; None is UTC.

    Raises:
        UsageError: The text is no time, or there is no such zone.
    """
    if isinstance(moment, np.datetime64):
        if np.isnat(moment):
            raise UsageError("the time is NaT", "give a time")
        _check(int(moment.astype("datetime64[s]").astype(np.int64)), str(moment))
        return int(moment.astype("datetime64[ns]").astype(np.int64))
    if isinstance(moment, (int, float, np.integer, np.floating)) and not isinstance(moment, bool):
        if not abs(moment) < MOST_SECONDS:
            raise UsageError(f"the time is {moment}", "give seconds since 1970")
        return round(float(moment) * 1e9)
    if isinstance(moment, str):
        if span := re.fullmatch(r"-(\d+)(s|min|m|h|d|w)", moment):
            return round((datetime.now(timezone.utc).timestamp() - int(span[1]) * SPANS[span[2]]) * 1e9)
        try:
            moment = datetime.fromisoformat(moment.replace("Z", "+00:00"))
        except ValueError:
            raise UsageError(f"the time is “{moment}”", "write 2026-11-20T08:00:00Z or -7d") from None
    # NaT of pandas is a datetime, and differs from itself.
    if not isinstance(moment, datetime) or moment != moment:
        raise UsageError(f"the time is a {type(moment).__name__}", "give ISO text, datetime, datetime64 or seconds since 1970")
    aware = moment if moment.tzinfo else moment.replace(tzinfo=zone(tz))
    # A float does not hold the digits of nanoseconds since 1970.
    since = aware - datetime(1970, 1, 1, tzinfo=timezone.utc)
    _check(since.total_seconds(), str(moment))
    return (since // timedelta(microseconds=1)) * 1000 + int(getattr(moment, "nanosecond", 0))


def _check(seconds: float, moment: str) -> None:
    """Raises UsageError for a time whose nanoseconds do not fit."""
    if not abs(seconds) < MOST_SECONDS:
        raise UsageError(f"the time is {moment}", "give one from 1900 to 2150")


def zone(name: str | None) -> tzinfo:
    """The zone of a name or an offset; UTC without one."""
    if name is None:
        return timezone.utc
    if offset := re.fullmatch(r"(?:UTC|GMT)?([+-])(\d{1,2}):?(\d{2})?", name):
        minutes = int(offset[2]) * 60 + int(offset[3] or 0)
        return timezone(timedelta(minutes=-minutes if offset[1] == "-" else minutes))
    from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

    try:
        return ZoneInfo(name)
    except (ZoneInfoNotFoundError, ValueError, OSError):
        raise UsageError(f"there is no time zone “{name}”", "write one such as Europe/Berlin or UTC") from None
