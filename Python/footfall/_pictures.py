"""The picture of a result."""

from __future__ import annotations

from typing import Any

import numpy as np

from footfall._results import Events, nanoseconds_of
from footfall._tables import module

# The colours of `footfall analyze --plot` (Sources/FootfallReport/Drawing/Palette.swift), after Okabe and Ito.
COLOURS = {
    "stationary": "#7b8fb0", "walking": "#009e73", "running": "#d55e00", "automotive": "#0072b2", "cycling": "#cc79a7",
    "unknown": "#707070",
}  # fmt: skip
# So that the steps are seen over them.
OPACITY = 0.45
MINUTE = 60_000_000_000


def draw(events: Events, axes: Any) -> Any:
    """Draws activities as colours, and the steps of each minute over them."""
    axes = axes or module("matplotlib.pyplot").subplots(figsize=(10, 3))[1]
    clock = events._clock

    def scale(times: Any) -> Any:
        """Times as matplotlib takes them. Durations become seconds."""
        return times / np.timedelta64(1, "s") if clock.kind == "duration" else times

    activities, named = events.activities, set()
    for start, end, activity in zip(scale(activities.start), scale(activities.end), activities.activity.tolist()):
        label = None if activity in named else activity
        axes.axvspan(start, end, color=COLOURS[activity], alpha=OPACITY, label=label, linewidth=0)
        named.add(activity)
    minutes, counts = np.unique(nanoseconds_of(events.steps, clock) // MINUTE, return_counts=True)
    if len(minutes):
        # The last minute ends where the next one, without steps, begins.
        every = np.arange(minutes[0], minutes[-1] + 2)
        steps = np.zeros(len(every), dtype=int)
        steps[minutes - minutes[0]] = counts
        axes.step(scale(clock.out(every * MINUTE)), steps, where="post", color="black", linewidth=0.8)
    axes.set_ylabel("steps a minute")
    axes.set_xlabel("UTC" if clock.kind == "date" else "seconds" if clock.unit == 1_000_000_000 else "time")
    if named:
        axes.legend(loc="upper left", bbox_to_anchor=(1, 1), frameon=False)
    return axes

