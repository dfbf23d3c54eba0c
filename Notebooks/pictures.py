"""The style of all pictures, and drawing functions that several notebooks use."""

import matplotlib.pyplot as plt
import numpy as np
from matplotlib.colors import LinearSegmentedColormap
from matplotlib.patches import Patch

# The colours of `footfall analyze --plot` (Sources/FootfallReport/Drawing/Palette.swift): the palette of Okabe and Ito, and greys.
COLOURS = {
    "stationary": "#7b8fb0",
    "walking": "#009e73",
    "running": "#d55e00",
    "automotive": "#0072b2",
    "cycling": "#cc79a7",
    "unknown": "#707070",
}
ACTIVITIES = list(COLOURS)
INK, LABEL, GRID, FRAME, HATCH = "#222222", "#555555", "#e4e4e4", "#868686", "#838383"
SIGNAL, RANGE = "#1f4a75", "#7896b6"
# The colour of a step count: white is 0, dark green is the maximum.
STEPS = LinearSegmentedColormap.from_list("steps", ["#f3f7f5", "#8fd0bb", "#009e73", "#00523c"])
STEPS.set_bad("white", 0)
# The colour of a share: white is 0, blue is 1.
SHARES = LinearSegmentedColormap.from_list("shares", ["#ffffff", RANGE, SIGNAL])


def use():
    """Sets the style of all later pictures."""
    plt.rcParams.update({
        "figure.dpi": 110, "figure.constrained_layout.use": True, "figure.facecolor": "white",
        "font.family": "sans-serif", "font.sans-serif": ["DejaVu Sans"], "font.size": 8.5,
        "text.color": INK, "axes.labelcolor": LABEL, "xtick.color": LABEL, "ytick.color": LABEL,
        "axes.titlesize": 9.5, "axes.titleweight": "bold", "axes.titlelocation": "left", "axes.titlecolor": INK,
        "axes.edgecolor": FRAME, "axes.linewidth": 0.7, "axes.spines.top": False, "axes.spines.right": False,
        "axes.axisbelow": True, "axes.grid": False, "grid.color": GRID, "grid.linewidth": 0.7,
        "xtick.major.width": 0.7, "ytick.major.width": 0.7, "lines.linewidth": 1,
        "legend.frameon": False, "legend.fontsize": 8.5, "hatch.color": HATCH, "hatch.linewidth": 0.7,
    })


def strip(axis, activities, gaps=(), unit=1.0, bottom=0.0, height=1.0):
    """Draws `activities`, a table with `offset`, `duration` and `activity`, as a strip of colours; gaps are hatched.

    Times are in seconds; one unit on the axis is `unit` seconds.
    """
    for row in activities.itertuples():
        span = (row.offset / unit, row.duration / unit)
        axis.broken_barh([span], (bottom, height), color=COLOURS[row.activity], lw=0)
    for start, end in gaps:
        shade(axis, start / unit, end / unit, (bottom, height))


def shade(axis, start, end, rows=None):
    """Hatches a range without samples: over the rows of a strip, or over the whole height."""
    look = dict(facecolor="white", edgecolor=HATCH, hatch="/////", lw=0)
    if rows:
        axis.broken_barh([(start, end - start)], rows, **look)
    else:
        axis.axvspan(start, end, zorder=0, **look)


def legend(axis, activities, gaps=False, **where):
    """A legend of the activities that occur, with their colours."""
    names = [name for name in ACTIVITIES if name in set(activities)]
    handles = [Patch(color=COLOURS[name], label=name) for name in names]
    if gaps:
        handles.append(Patch(facecolor="white", edgecolor=HATCH, hatch="/////", lw=0, label="no samples"))
    where = {"loc": "lower left", "bbox_to_anchor": (0, 1.0), "ncols": len(handles), "handlelength": 1.2,
             "columnspacing": 1.2, "borderaxespad": 0.2} | where
    axis.legend(handles=handles, **where)


def cadence(times, window=10.0, longest=2.0):
    """The cadence at each second, in steps a minute: 60 s over the median interval of the steps within half a `window`.

    Intervals of more than `longest` seconds are breaks. The cadence is NaN in a break and where there is no step.
    """
    times = np.asarray(times, float)
    at = np.arange(np.floor(times.min()), np.ceil(times.max()) + 1) if len(times) else np.array([])
    between, middle = np.diff(times), (times[1:] + times[:-1]) / 2
    middle, between = middle[between <= longest], between[between <= longest]
    found = np.full(len(at), np.nan)
    for index, second in enumerate(at):
        near = np.abs(middle - second)
        if len(near) and near.min() <= longest / 2:
            found[index] = 60 / np.median(between[near <= window / 2])
    return at, found
