"""Splices walks and drives of real people into errands, which measure the errors of the start and end of drives.

    python splice_recordings.py FOLDER && footfall evaluate FOLDER/manifest.csv

Every errand is a walk, a drive and a walk. A walk lasts at most two minutes, a drive at most four. The parts come from one
kind of device at similar rates, but from different people and places. It needs the labelled recordings.
"""

import sys
from pathlib import Path

import numpy as np
import pandas as pd

import activity_training as at

LONGEST = dict(walking=120, automotive=240)  # s of each
SHORTEST = 40  # s
WRISTS = ("pebble", "bangle")


def signals():
    """Contiguous signals of one label: label, device, set, times and acceleration."""
    for about, time, xyz, label in at.recordings():
        if about["hertz"] < 12 or about["set"] == "oxford_opt":
            continue
        order = np.argsort(time, kind="stable")
        time, xyz, label = time[order], xyz[order], label[order]
        cuts = np.flatnonzero((np.diff(time) > 1) | (label[1:] != label[:-1])) + 1
        for s, e in zip(np.r_[0, cuts], np.r_[cuts, len(time)]):
            if label[s] not in LONGEST:
                continue
            device = "wrist" if "wrist" in about["placement"] or about["set"] in WRISTS else "phone"
            for start in np.arange(time[s], time[e - 1] - SHORTEST, LONGEST[label[s]]):
                part = slice(*np.searchsorted(time[:e], (start, start + LONGEST[label[s]])))
                yield label[s], device, about["set"], time[part] - time[part][0], xyz[part]


def errand(parts):
    """Joins recordings: the first sample of each follows the last of the previous one by a sample interval."""
    rows, start = [], 0.0
    for label, _, _, time, xyz in parts:
        rows.append(pd.DataFrame(dict(time=start + time, x=xyz[:, 0], y=xyz[:, 1], z=xyz[:, 2], label=label)))
        start += time[-1] + np.median(np.diff(time))
    return pd.concat(rows).round(5)


def main(folder):
    found = list(signals())
    r = np.random.default_rng(1)
    (folder / "spliced").mkdir(parents=True, exist_ok=True)
    rows = []
    for device in ("phone", "wrist"):
        drives = [s for s in found if s[:2] == ("automotive", device)]
        walks = [s for s in found if s[:2] == ("walking", device)]
        for index, drive in enumerate(drives):
            out, home = (walks[i] for i in r.choice(len(walks), 2, replace=False))
            name = f"{device}{index}-{out[2]}-{drive[2]}-{home[2]}"
            errand([out, drive, home]).to_csv(folder / "spliced" / f"{name}.csv", index=False)
            rows.append(dict(dataset="spliced", recording=name, placement=device, labels="walking;automotive"))
    pd.DataFrame(rows).to_csv(folder / "manifest.csv", index=False)
    print(len(rows), "errands")


if __name__ == "__main__":
    main(Path(sys.argv[1]))
