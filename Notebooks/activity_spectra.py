"""The level of the shaking by band and placement: recorded rides, those of the training, and those of `footfall simulate`."""

import tempfile
from pathlib import Path

import numpy as np
import pandas as pd

import activity_rides
import activity_training as at
from command import footfall

EDGES = np.array([0.2, 0.6, 1.2, 2, 3, 4.5, 6.2, 10, 16, 22])  # Hz
SHARE = 0.42  # of the sample rate: bands above it are left out
PIECE = 30  # s; one level for each piece that moves
GAP = 2  # s; a piece with a longer one is left out
# Recorded rides by data set and label. Placements that no set states are “carried”.
PLACES = {
    ("car-misc", "automotive"): "mount", ("car-doha", "automotive"): "mount", ("bratislava-esp", "automotive"): "mount",
    ("bangle", "automotive"): "wrist", ("pebble", "automotive"): "wrist",
    ("qrowd-tr", "automotive"): "carried", ("qrowd-bus", "automotive"): "carried", ("st-examples", "automotive"): "carried",
    ("bike-byke", "cycling"): "mount", ("pamap2-wrist", "cycling"): "wrist",
    ("qrowd-tr", "cycling"): "carried", ("mlqs-aj", "cycling"): "carried",
}
SIMULATED = {"dash": "mount", "bar": "mount", "wrist": "wrist", "pocket": "carried", "bag": "carried", "hand": "carried",
             "thigh": "carried", "jacket": "carried"}


def levels(time, xyz, keep=lambda middle: True):
    """The rms of three axes by band in mg, of each piece that moves; NaN where the sample rate is too low."""
    order = np.argsort(time, kind="stable")
    time, xyz = time[order], xyz[order]
    out = []
    for start in np.arange(time[0], time[-1] - PIECE, PIECE):
        part = slice(*np.searchsorted(time, (start, start + PIECE)))
        n = part.stop - part.start
        if n < 2 or np.diff(time[part]).max() > GAP or not keep(start + PIECE / 2):
            continue
        even = start + np.arange(n) * PIECE / n  # at the sample rate, without its jitter
        x = np.stack([np.interp(even, time, xyz[:, axis]) for axis in range(3)], 1)
        window = np.hanning(n)[:, None]
        power = np.abs(np.fft.rfft((x - x.mean(0)) * window, axis=0)) ** 2 * 2 / (n * (window**2).sum())
        f = np.arange(len(power)) / PIECE
        bands = [power[(f >= lo) & (f < hi)].sum() for lo, hi in zip(EDGES, EDGES[1:])]
        row = 1000 * np.sqrt(bands)
        row[EDGES[1:] > SHARE * n / PIECE] = np.nan
        if np.nanmax(row[:6], initial=0) > 5:
            out.append(row)
    return out


def recorded():
    """Levels by (activity, placement), each with the sets they are from."""
    out = {}
    sets = {name for name, _ in PLACES}
    for about, time, xyz, label in at.recordings(lambda row: row.dataset in sets):
        for activity in ("automotive", "cycling"):
            place = PLACES.get((about["set"], activity))
            if place and (label == activity).any():
                at_middle = lambda middle: label[min(np.searchsorted(time, middle), len(label) - 1)] == activity
                out.setdefault((activity, place), []).extend(levels(time, xyz, at_middle))
    return out


def trained(count):
    """Levels of simulated rides of the training."""
    out = {}
    r = np.random.default_rng(11)
    for name, activity in (("ride", "automotive"), ("driver", "automotive"), ("bicycle", "cycling")):
        for _ in range(count):
            time, xyz, state, placement = getattr(activity_rides, name)(r, **at.RIDE_OPTIONS.get(name, {}))
            moves = lambda middle: state[min(np.searchsorted(time, middle), len(state) - 1)] == 0
            out.setdefault((activity, SIMULATED[placement.split("-")[1]]), []).extend(levels(time, xyz, moves))
    return out


def commanded(count):
    """Levels of drives of `footfall simulate`, at the wrist and in the pocket."""
    out = {}
    with tempfile.TemporaryDirectory() as folder:
        for placement, place in (("wrist", "wrist"), ("pocket", "carried")):
            for seed in range(1, count + 1):
                file = Path(folder, "drive.csv")
                footfall("simulate", "drive", "--placement", placement, "--rate", 50, "--seed", seed, "--out", file, "--force")
                data = pd.read_csv(file, comment="#")
                out.setdefault(("automotive", place), []).extend(levels(data.iloc[:, 0].values, data[["x", "y", "z"]].values))
    return out
