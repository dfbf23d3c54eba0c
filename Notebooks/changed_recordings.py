"""The recordings of people at other rates, and short walks cut out of them, analyzed by the library."""

import re
from itertools import product
from pathlib import Path

import numpy as np
import pandas as pd

import footfall

RATES = (12.5, 20, 25, 50, 100)  # Hz
GAP = 0.5  # s between two samples
MOST = 2 / 3  # of the recordings have a rate, or it has no figure
REST, NOISE = 20.0, 0.006  # s before and after a short walk, and the noise of a good sensor in g
EXCLUDED = "1642-watch-sandwich"  # a watch that moves as in a walk


def manifest(corpus, kind):
    """The recordings of a folder, each with the path of its file."""
    table = pd.read_csv(Path(corpus, kind, "manifest.csv"))
    return table.assign(path=[Path(corpus, kind, row.dataset, f"{row.recording}.csv") for row in table.itertuples()])


def samples(path):
    table = pd.read_csv(path, comment="#").dropna(subset=["time", "x", "y", "z"])
    return table.time.to_numpy(float), table[["x", "y", "z"]].to_numpy(float)


def at_rate(time, acceleration, rate):
    """A recording interpolated at equal intervals, without a filter, its gaps kept; None at a rate that it does not have."""
    intervals = np.diff(time)
    if rate > 1.1 / np.median(intervals):
        return None
    times = np.arange(time[0], time[-1], 1 / rate)
    before = np.clip(np.searchsorted(time, times, side="right") - 1, 0, len(intervals) - 1)
    times = times[intervals[before] <= GAP]
    return times, np.column_stack([np.interp(times, time, axis) for axis in acceleration.T])


def counted(corpus, kind):
    """The recordings with at least 20 true steps."""
    table = manifest(corpus, kind)
    return table[table.true_steps >= 20]


def by_rate(corpus):
    """Errors of walks in %, false steps an hour of hands, and the share of their time called a ride with medium confidence or more."""
    steps, back, hands = counted(corpus, "steps"), counted(corpus, "steps-more"), manifest(corpus, "hands")
    at_wrist = hands.placement.str.startswith("wrist")
    at_table = hands[at_wrist & (hands.dataset == "wisdm-hands") & (hands.recording != EXCLUDED)]
    rows = {
        f"{name}: error, %": error_by_rate(group)
        for name, group in (
            ("pebble, wrist", steps[steps.dataset == "pebble"]), ("weallwalk, phones", steps[steps.dataset == "weallwalk"]),
            ("oxford_opt, phones", steps[steps.dataset == "oxford_opt"]), ("lower back", back))}
    of_hands = (
        ("at a table, watch", at_table),
        ("at work, wrist", hands[at_wrist & (hands.dataset == "smartfall") & hands.kind.str.match("hands:|jacket|sweep")]),
        ("swimming", hands[hands.kind == "swim"]))
    for name, group in of_hands:
        false, rides = hands_by_rate(group)
        rows[f"hands {name}: steps an hour"] = false
        if group is at_table:
            rows[f"hands {name}: called a ride"] = rides
    return pd.DataFrame(rows, index=RATES).T


def error_by_rate(table):
    errors = {rate: [] for rate in RATES}
    for row in table.itertuples():
        recording = samples(row.path)
        for rate in RATES:
            if (copy := at_rate(*recording, rate)) is not None:
                errors[rate].append(abs(len(footfall.analyze(*copy, unit="g", time_unit="s").steps) / row.true_steps - 1))
    return [100 * np.mean(errors[rate]) if len(errors[rate]) > MOST * len(table) else np.nan for rate in RATES]


def hands_by_rate(table):
    """The steps in an hour, and the share of the time that is called a ride with medium confidence or more."""
    steps, rides, hours = (dict.fromkeys(RATES, 0.0) for _ in range(3))
    for row in table.itertuples():
        recording = samples(row.path)
        for rate in RATES:
            if (copy := at_rate(*recording, rate)) is not None:
                result = footfall.analyze(*copy, unit="g", time_unit="s")
                seconds = result.activities.end - result.activities.start
                is_ride = np.isin(result.activities.activity, ("automotive", "cycling")) & (result.activities.confidence != "low")
                steps[rate] += len(result.steps)
                rides[rate] += seconds[is_ride].sum() / 3600
                hours[rate] += len(copy[0]) / rate / 3600
    has = {rate: hours[rate] > MOST * hours[RATES[0]] for rate in RATES}
    return ([total[rate] / hours[rate] if has[rate] else np.nan for rate in RATES] for total in (steps, rides))


def short_walk(time, acceleration, start, length):
    """A piece of a walk between two rests."""
    inside = (time >= start) & (time < start + length)
    piece = acceleration[inside]
    gravity = piece.mean(0) / np.linalg.norm(piece.mean(0))
    rest = np.arange(int(REST * len(piece) / length)) * length / len(piece)
    random = np.random.default_rng(0)
    still = [gravity + random.normal(0, NOISE, (len(rest), 3)) for _ in range(2)]
    times = np.concatenate([rest, REST + time[inside] - start, REST + length + rest])
    return times, np.concatenate([still[0], piece, still[1]])


def placement(row):
    return re.match("wrist|phone|", row.placement)[0] or "lower back"


def short_walks(corpus, lengths=(4, 6, 8, 10)):
    """By placement and length in seconds: walks, the share without a step, the share of the true steps that are found.

    A walk is cut at its quarters: of its steps where their times are known, else of its time.
    """
    cases = []
    for kind in ("steps", "steps-more"):
        walks = counted(corpus, kind)
        for row in walks[~walks.dataset.isin(("grf_run_processed", "mobgap-lab"))].itertuples():
            time, acceleration = samples(row.path)
            known = row.path.with_suffix(".steps.csv")
            contacts = pd.read_csv(known, comment="#").iloc[:, 0].to_numpy(float) if known.exists() else None
            quarters = np.quantile(time if contacts is None else contacts, (0.25, 0.5, 0.75))
            for length, middle in product(lengths, quarters):
                start = middle - length / 2
                if start < time[0] or start + length > time[-1]:
                    continue
                true = (
                    row.true_steps * length / (time[-1] - time[0]) if contacts is None
                    else np.sum((contacts >= start) & (contacts < start + length)))
                found = len(footfall.analyze(*short_walk(time, acceleration, start, length), unit="g", time_unit="s").steps)
                cases.append((placement(row), length, true, found))
    table = pd.DataFrame(cases, columns=["placement", "seconds", "true", "found"])
    table["none"], table["credited"] = table.found == 0, np.minimum(table.found, 1.3 * table.true)
    groups = table.groupby(["placement", "seconds"])
    return pd.DataFrame({
        "walks": groups.size(), "without a step": groups.none.mean(),
        "found / true": groups.credited.sum() / groups.true.sum()})
