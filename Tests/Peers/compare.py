#!/usr/bin/env python3
"""Runs programs of the field on the same samples as Footfall, and prints the differences in Markdown.

    .build/peers/bin/python Tests/Peers/compare.py .build/release/footfall LOG...

Each row has the differences, and a sentence why. A peer that is not installed or cannot read a log has a row that says so.
The exit code is 1 if a difference has no reason.
"""
import importlib
import pathlib
import subprocess
import sys
import tempfile

import numpy as np
import pandas as pd


def epochs_of_footfall(footfall, log, folder):
    """ENMO by the start of the epoch, in UTC, as `analyze --tables` writes it."""
    subprocess.run([footfall, "analyze", log, "--tables", folder, "--tz", "UTC"], check=True,
                   stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    epochs = pd.read_csv(next(pathlib.Path(folder).rglob("epochs.csv")))
    return pd.Series(epochs.enmoMg.to_numpy(), index=pd.to_datetime(epochs.start, utc=True).dt.tz_localize(None))


def enmo(times, xyz):
    """ENMO in mg of whole epochs of 5 s, from samples of a peer."""
    values = pd.Series(np.maximum(np.linalg.norm(xyz, axis=1) - 1, 0) * 1000, index=pd.DatetimeIndex(times))
    groups = values.groupby(values.index.floor("5s"))
    means, counts = groups.mean(), groups.size()
    return means[counts > 0.98 * counts.median()]


def actipy(log):
    reader = importlib.import_module("actipy")
    frame, _ = reader.read_device(str(log), lowpass_hz=None, calibrate_gravity=False, detect_nonwear=False,
                                  resample_hz=None, verbose=False)
    frame = frame.dropna(subset=["x", "y", "z"])
    return enmo(frame.index, frame[["x", "y", "z"]].to_numpy())


def skdh(log):
    io = importlib.import_module("skdh.io")
    readers = {".cwa": "ReadCwa", ".bin": "ReadBin"}
    if log.suffix not in readers:
        raise ValueError(f"no reader of {log.suffix}")
    data = getattr(io, readers[log.suffix])().predict(file=str(log))
    return enmo(pd.to_datetime(data["time"], unit="s"), data["accel"])


READERS = {"actipy": actipy, "skdh": skdh}

EDGE = "sample times differ by less than an interval, so a sample at the edge of an epoch is in the next one"
ROUNDING = "epochs.csv has two decimals"
# The reasons for larger differences: a part of the name of the log, and the reason.
REASONS = {
    "ax6": "the first 1024 samples of this AX6 have rotation in the place of acceleration; the peer reads it as up to 24 g",
    ".gt3x": "the peer rounds samples to 0.001 g; from its samples in whole 1/256 g the largest is 0.005 mg",
}


def reason(log, difference):
    """Why the values differ; None without a reason."""
    if difference.empty:
        return "no epoch in common"
    if difference.max() <= 0.006:
        return ROUNDING
    # A sample of 500 or 1000 in 5 s moves a mean by less than 1 mg.
    if difference.max() < 0.5 and difference.median() < 0.006:
        return EDGE
    return next((text for part, text in REASONS.items() if part in log.name), None)


def aligned(theirs, own):
    """The epochs of a peer that has local times, moved by whole hours to those of Footfall."""
    hours = round((theirs.index[0] - own.index[0]) / pd.Timedelta(hours=1))
    return theirs.set_axis(theirs.index - pd.Timedelta(hours=hours))


def compare_readers(footfall, logs):
    print("### ENMO of 5 s\n\n| log | peer | epochs | median difference, mg | largest, mg | why |")
    print("|---|---|---|---|---|---|")
    unexplained = 0
    for log in map(pathlib.Path, logs):
        with tempfile.TemporaryDirectory() as folder:
            own = epochs_of_footfall(footfall, log, folder)
        for peer, read in READERS.items():
            try:
                theirs = aligned(read(log), own)
            except Exception as error:  # A peer may fail in any way; the table says how.
                print(f"| {log.name} | {peer} | – | – | – | {type(error).__name__}: {str(error)[:80]} |")
                continue
            both = own.to_frame("own").join(theirs.rename("theirs"), how="inner")
            difference = (both.own - both.theirs).abs()
            why = reason(log, difference)
            unexplained += why is None
            values = f"{difference.median():.4f} | {difference.max():.4f}"
            print(f"| {log.name} | {peer} | {len(both)} | {values} | {why or 'unknown'} |")
    return unexplained


def compare_fragmentation():
    """The functions of skdh on seeded minutes, next to the definitions that days_by_hand.py and Footfall have."""
    print("\n### Fragmentation\n\n| measure | by the definition | skdh | why |\n|---|---|---|---|")
    try:
        endpoints = importlib.import_module("skdh.utility.fragmentation_endpoints")
    except ImportError as error:
        return print(f"| all | – | – | {error} |") or 0
    state = np.random.default_rng(35).random(600) < np.repeat([0.2, 0.8, 0.4], 200)
    edges = np.flatnonzero(np.diff(state)) + 1
    runs = np.split(state, edges)
    lengths = np.array([len(run) for run in runs if run[0]], float)
    n = len(lengths)
    gini = np.abs(lengths[:, None] - lengths).sum() / (2 * n * n * lengths.mean()) * n / (n - 1)
    pairs = state[:-1]
    probability = (pairs & ~state[1:]).sum() / pairs.sum()
    bad = 0
    for name, own, function, why in [
        ("Gini index", gini, "gini_index", "equal"),
        ("transition probability", probability, "state_transition_probability",
         "skdh counts the end of the last bout as a transition"),
    ]:
        theirs = float(getattr(endpoints, function)(a=state.astype(int), voi=1))
        bad += abs(own - theirs) > (1e-9 if why == "equal" else 1 / lengths.sum())
        print(f"| {name} | {own:.6f} | {theirs:.6f} | {why} |")
    return bad


if __name__ == "__main__":
    if len(sys.argv) < 3:
        sys.exit(__doc__)
    sys.exit(1 if compare_readers(sys.argv[1], sys.argv[2:]) + compare_fragmentation() else 0)
