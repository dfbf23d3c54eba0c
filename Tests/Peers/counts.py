#!/usr/bin/env python3
"""Compares activity counts with those of agcounts, count for count, on recordings interpolated to the rates of ActiGraph.

    .build/peers/bin/python Tests/Peers/counts.py .build/release/footfall LOG.csv...

A log has the columns time (seconds), x, y, z (g). At 32, 64 and 128 Hz agcounts has a way of its own, and at other rates none: the
second table compares all counts of the vector magnitude there, with those of agcounts or with those at 100 Hz. The exit code is 1 if
a count differs in the first table.
"""
import pathlib
import subprocess
import sys
import tempfile

import numpy as np
import pandas as pd
from agcounts.extract import get_counts

AXES = ["countsX", "countsY", "countsZ"]
# A multiple of 5 s, so that the epochs of both programs are the same.
START = 1_700_000_000


def at_rate(recording, rate):
    """The samples at an even rate, as the log will have them."""
    seconds = recording["time"].to_numpy() - recording["time"].iloc[0]
    times = np.arange(int(seconds[-1] * rate)) / rate
    values = [np.interp(times, seconds, recording[axis]) for axis in "xyz"]
    return times, np.round(np.column_stack(values), 4).astype(np.float32).astype(float)


def footfall_counts(footfall, times, values):
    """The counts by the start of the epoch, of a log that begins at START."""
    with tempfile.TemporaryDirectory() as folder:
        log = pathlib.Path(folder) / "log.csv"
        rows = np.column_stack([times + START, values])
        np.savetxt(log, rows, fmt=["%.6f"] + ["%.4f"] * 3, delimiter=",", header="time,x,y,z", comments="")
        subprocess.run([footfall, "analyze", log, "--tables", folder, "--tz", "UTC", "--columns", "time,x,y,z", "--unit", "g"],
                       check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        return pd.read_csv(next(pathlib.Path(folder).rglob("epochs.csv")))[AXES]


def compare(footfall, logs):
    recordings = [pd.read_csv(log) for log in logs]
    differ = False
    print("| rate | epochs | largest count | axes and epochs that differ |\n|---|---|---|---|")
    for rate in range(30, 101, 10):
        epochs = largest = different = 0
        for recording in recordings:
            times, values = at_rate(recording, rate)
            theirs = get_counts(values, freq=rate, epoch=5)
            ours = footfall_counts(footfall, times, values).iloc[:len(theirs)].to_numpy()
            epochs, largest = epochs + len(theirs), max(largest, theirs.max(initial=0))
            different += int((ours != theirs).sum())
        differ |= different > 0
        print(f"| {rate} Hz | {epochs} | {largest} | {different} |")
    print("\n| rate | compared with | all counts, as a ratio | median difference of a recording |\n|---|---|---|---|")
    for rate in [20, 25, 32, 52, 64, 85.7, 128]:
        is_peer = rate in (32, 64, 128)
        totals = np.array([pair(footfall, recording, rate, is_peer) for recording in recordings])
        ours, theirs = totals[totals[:, 1] > 0].T
        print(f"| {rate} Hz | {'agcounts' if is_peer else '100 Hz'} | {ours.sum() / theirs.sum():.3f} "
              f"| {100 * np.median(abs(ours - theirs) / theirs):.1f} % |")
    return differ


def pair(footfall, recording, rate, is_peer):
    """The counts of the vector magnitude at a rate, and those they are compared with, of the epochs that both have."""
    times, values = at_rate(recording, rate)
    ours = footfall_counts(footfall, times, values).to_numpy()
    if is_peer:
        theirs = get_counts(values, freq=rate, epoch=5)
    else:
        theirs = footfall_counts(footfall, *at_rate(recording, 100)).to_numpy()
    both = min(len(ours), len(theirs))
    ours, theirs = np.nan_to_num(ours[:both]), np.nan_to_num(theirs[:both])
    return np.linalg.norm(ours, axis=1).sum(), np.linalg.norm(theirs, axis=1).sum()


if __name__ == "__main__":
    if len(sys.argv) < 3:
        sys.exit(__doc__)
    sys.exit(compare(sys.argv[1], sys.argv[2:]))
