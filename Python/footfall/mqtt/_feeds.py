"""Where the published steps come from: a running ``footfall serve``, or a history."""

from __future__ import annotations

import json
import threading
import time
from dataclasses import dataclass
from datetime import datetime
from http.client import HTTPException
from typing import Any, Protocol
from urllib.error import HTTPError
from urllib.parse import urlencode
from urllib.request import Request, urlopen

import numpy as np

from footfall._history import History
from footfall._library import Error

ACTIVITIES = ["stationary", "walking", "running", "automotive", "cycling"]

LONGEST_PAUSE = 60
"""The longest pause before the next attempt to reach a server or a broker, in seconds. The first is 1 s, and each doubles."""

FRESH = 120.0
"""The age in seconds up to which the newest sample tells what happens now: recorders write every 20 s, and events settle within
a minute."""

TIMEOUT = 30.0
"""The longest silence of a server in seconds. Its stream has a line every 10 s."""

FAILURES = (OSError, HTTPException, ValueError, LookupError, TypeError)
"""What a server causes that is away, hangs, ends in the middle of an answer, or is another one."""


@dataclass(frozen=True)
class Reading:
    """The state of a source. A value is None where no data tells it.

    Attributes:
        steps: The steps of today, in the wearer's time zone.
        coverage: The share of today that has samples so far, in percent.
        cadence: Steps per minute.
        activity: One of :data:`ACTIVITIES`.
        lastSample: The time of the newest sample, ISO 8601.
    """

    steps: int | None
    coverage: float
    cadence: float | None
    activity: str | None
    lastSample: str | None

    @classmethod
    def of_today(cls, steps: int, covered: float, length: float, now: dict[str, Any], last: str | None) -> Reading:
        """A reading from the counts of today, its lengths in seconds, and the present ``activity`` and ``cadence``."""
        activity, cadence = now.get("activity"), now.get("cadence")
        return cls(
            steps=int(steps) if covered > 0 else None,
            coverage=round(100 * covered / length, 1) if length > 0 else 0.0,
            cadence=None if cadence is None else round(float(cadence), 1),
            activity=activity if activity in ACTIVITIES else None,
            lastSample=last,
        )


def present(activity: str, steps: int, duration: float, age: float) -> dict[str, Any]:
    """The present activity and cadence by the newest segment of a history, unless it is old."""
    if age > FRESH:
        return {}
    walks = activity in ("walking", "running") and duration > 0
    return {"activity": activity, "cadence": 60 * steps / duration if walks else None}


class Unavailable(Exception):
    """The steps cannot be read now."""


class Feed(Protocol):
    """Where the steps come from."""

    def readings(self) -> dict[str, Reading]:
        """The present state of each source. Raises Unavailable."""

    def follow(self, changed: threading.Event) -> None:
        """Sets an event whenever something has changed, from now on."""


class ServerFeed:
    """A running ``footfall serve``: its queries, and its live stream."""

    def __init__(self, address: str, token: str = "") -> None:
        self.address, self.token = address.rstrip("/"), token
        self.state: dict[str, Any] = {}

    def open(self, path: str, **query: str) -> Any:
        request = Request(f"{self.address}/api/v1/{path}" + (f"?{urlencode(query)}" if query else ""))
        if self.token:
            request.add_header("Authorization", f"Bearer {self.token}")
        return urlopen(request, timeout=TIMEOUT)

    def ask(self, path: str, **query: str) -> Any:
        with self.open(path, **query) as answer:
            return json.load(answer)

    def readings(self) -> dict[str, Reading]:
        live = self.state
        try:
            rows = [row for row in self.ask("sources") if row["end"]]
            return {row["source"]: self._reading(row, live) for row in rows}
        except HTTPError as error:
            remedy = "; give its token with --token-file" if error.code == 401 else ""
            raise Unavailable(f"{error.url}: {error.code} {error.reason}{remedy}") from error
        except FAILURES as error:
            raise Unavailable(f"{self.address}: {error}; is `footfall serve` running there?") from error

    def _reading(self, row: dict[str, Any], live: dict[str, Any]) -> Reading:
        source, last = row["source"], row["end"]
        today = self.ask("steps", source=source, since="today", until="now")[0]
        if live.get("source") == source:
            now, last = live["state"], max(last, live["state"]["start"])
        else:
            newest = self.ask("activities", source=source, since="-1h", until="now", reverse="true")[:1]
            age = time.time() - _seconds(last)
            now = {}
            for segment in newest:
                now = present(segment["activity"], segment["steps"], segment["duration"], age)
        length = _seconds(today["end"]) - _seconds(today["start"])
        return Reading.of_today(today["steps"], today["coverage"], length, now, last)

    def follow(self, changed: threading.Event) -> None:
        threading.Thread(target=self._follow, args=[changed], daemon=True).start()

    def _follow(self, changed: threading.Event) -> None:
        pause = 1
        while True:
            try:
                with self.open("live") as stream:
                    for line in stream:
                        if line.startswith(b"data: "):
                            update = json.loads(line[6:])
                            self.state = update if update["state"] else {}
                            changed.set()
                            pause = 1
            except FAILURES:
                pass  # The next question tells what is wrong.
            self.state = {}
            changed.set()
            time.sleep(pause)
            pause = min(2 * pause, LONGEST_PAUSE)


class HistoryFeed:
    """Sources of a history, which another process may record into."""

    def __init__(self, path: str, sources: list[str]) -> None:
        self.path, self.sources = path, sources

    def readings(self) -> dict[str, Reading]:
        try:
            with History(self.path, read_only=True) as history:
                return {source: self._reading(history, source) for source in self.sources}
        except Error as error:
            raise Unavailable(str(error)) from error

    def _reading(self, history: History, source: str) -> Reading:
        clock = time.time()
        extent = history.extent(source)
        if extent is None:
            return Reading.of_today(0, 0, 0, {}, None)
        newest = extent[1]
        # Of the days until now, the last one is today.
        days = history.steps(clock - 2 * 86400, clock, by="day", source=source)
        segments = history.events(clock - 3600, clock, source=source).activities
        now = {}
        if segments.rows:
            duration = (segments.end[-1] - segments.start[-1]) / np.timedelta64(1, "s")
            age = clock - newest.astype(np.int64) / 1e9
            now = present(str(segments.activity[-1]), int(segments.steps[-1]), float(duration), age)
        length = float((days.end[-1] - days.start[-1]) / np.timedelta64(1, "s"))
        last = f"{np.datetime_as_string(newest, unit='ms')}Z"
        return Reading.of_today(days.steps[-1], float(days.coverage[-1]), length, now, last)

    def follow(self, changed: threading.Event) -> None:
        """A history tells of no change; it is asked every 30 s."""


def _seconds(text: str) -> float:
    return datetime.fromisoformat(text.replace("Z", "+00:00")).timestamp()
