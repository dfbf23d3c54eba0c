#!/usr/bin/env python3
"""Computes columns of days.csv and persons.csv by hand, with pandas, over both changes of the clock, and compares them.

    Tests/Peers/days_by_hand.py .build/release/footfall

It writes the tables of random logs in Berlin, lets `footfall summarize` compute the days, and prints a row for each column with the
number of days and the largest difference. It needs numpy and pandas.
"""
import pathlib
import subprocess
import sys
import tempfile

import numpy as np
import pandas as pd

ZONE, CUTS = "Europe/Berlin", (44.8, 100.6)
SET = "hildebrand-adults-wrist-actigraph"
EPOCHS = 12  # of a minute
DIARY = ("22:45", "06:30")  # the night of the second run
AXES = ["countsX", "countsY", "countsZ"]


def write_log(folder, first, days, hours, random):
    """Writes the tables of a log between two hours of the first and the last date, and returns its epochs and steps."""
    folder.mkdir(parents=True)
    start = pd.Timestamp(first, tz=ZONE) + pd.DateOffset(hours=hours[0])
    end = pd.Timestamp(first, tz=ZONE) + pd.DateOffset(days=days - 1, hours=hours[1])
    times = pd.date_range(start, end, freq="5s", inclusive="left")
    hour = times.hour + times.minute / 60
    # Each night starts and ends a little later than the one before.
    late = (times.normalize() - times[0].normalize()).days % 3 * 0.2
    rest = np.asarray((hour >= 23) | (hour < 6.5 + late))
    angle = np.where(rest, 20.0, random.uniform(-80, 80, len(times)))
    angle = np.where(rest, angle + random.uniform(-0.04, 0.04, len(times)), angle)
    active = np.repeat(random.random(len(times) // 36 + 1) < 0.4, 36)[: len(times)]
    enmo = np.where(rest, 2, np.where(active, 120, 20)) * random.uniform(0.5, 1.5, len(times))
    worn = ~np.asarray((hour >= 12) & (hour < 13.5) & (times.day_of_year % 2 == 0))
    clipped = np.where(random.random(len(times)) < 0.1, random.random(len(times)), 0).round(3)
    counts = random.integers(0, 400, (len(times), 3)).astype(float)
    counts[random.random(len(times)) < 0.01] = np.nan  # epochs with a gap
    epochs = pd.DataFrame({"enmoMg": enmo.round(2), "angleZDeg": angle.round(2), "worn": worn, "clipped": clipped}, index=times)
    epochs[AXES] = counts
    utc = lambda t: t.tz_convert("UTC").strftime("%Y-%m-%dT%H:%M:%S.000Z")
    with open(folder / "epochs.csv", "w") as file:
        file.write("start,enmoMg,madMg,angleZDeg,clipped,worn,countsX,countsY,countsZ\n")
        for time, row in zip(times, epochs.itertuples()):
            file.write(f"{utc(time)},{row.enmoMg},{row.enmoMg},{row.angleZDeg},{row.clipped},{str(row.worn).lower()},")
            file.write(",,\n" if np.isnan(row.countsX) else f"{row.countsX:.0f},{row.countsY:.0f},{row.countsZ:.0f}\n")
    change = np.flatnonzero(np.diff(worn.astype(int))) + 1
    bounds = [times[0], *times[change], end]
    with open(folder / "activities.csv", "w") as file:
        file.write("start,end,activity,reason\n")
        for a, b in zip(bounds, bounds[1:]):
            file.write(f"{utc(a)},{utc(b)}," + ("stationary," if epochs.worn[a] else "unknown,notWorn") + "\n")
    minutes = times[::EPOCHS]
    counts = random.integers(0, 60, len(minutes)) * (~rest[::EPOCHS]) * epochs.worn.to_numpy()[::EPOCHS]
    with open(folder / "steps.csv", "w") as file:
        file.write("time,offset,quality\n")
        for minute, count in zip(minutes, counts):
            for index in range(count):
                file.write(f"{minute.tz_convert('UTC').strftime('%Y-%m-%dT%H:%M')}:{index:02}.000000Z,0,1\n")
    dates = pd.date_range(pd.Timestamp(first, tz=ZONE), periods=days, freq="D")
    with open(folder / "days.csv", "w") as file:
        file.write("start,end,timeZone,cutPoints,calibration,calibrationErrorBeforeMg,calibrationErrorAfterMg,placement\n")
        for date in dates:
            a, b = max(start, date), min(end, date + pd.DateOffset(days=1))
            file.write(f"{utc(a)},{utc(b)},{ZONE},{SET},applied,{12.5},{1.25},wrist\n")
    steps = pd.Series(counts, index=minutes).where(epochs.worn[::EPOCHS])
    return epochs, steps


def night(epochs):
    """The longest block of rest of van Hees 2018; empty if it is shorter than three hours."""
    change = epochs.angleZDeg.diff().shift(-1).abs()
    median = change.rolling(61, center=True, min_periods=1).median()
    limit = np.clip(15 * np.nanpercentile(median[epochs.worn], 10), 0.13, 0.5)
    rest = (~epochs.worn | (median < limit)).to_numpy()
    edges = np.flatnonzero(np.diff(np.r_[0, rest.astype(int), 0]))
    blocks = [(a, b) for a, b in zip(edges[::2], edges[1::2]) if b - a > 360]
    joined = []
    for a, b in blocks:
        if joined and a - joined[-1][1] < 720:
            joined[-1] = (joined[-1][0], b)
        else:
            joined.append((a, b))
    part, last = len(epochs) <= 12 * 720, len(epochs)
    joined = [(a, b) for a, b in joined if b - a >= 3 * 720 or part and (a == 0 or b == last)]
    a, b = max(joined, key=lambda block: block[1] - block[0], default=(0, 0))
    return epochs.index[a:b]


def diary(epochs):
    """The epochs from going to bed to getting up, by the clock. It changes between, so the night starts and ends at local times."""
    found = pd.DatetimeIndex([])
    first = epochs.index[0].tz_localize(None).normalize() - pd.Timedelta(days=1)
    for day in pd.date_range(first, epochs.index[-1].tz_localize(None)):
        start = pd.Timestamp(f"{day.date()} {DIARY[0]}", tz=ZONE)
        end = pd.Timestamp(f"{(day + pd.Timedelta(days=1)).date()} {DIARY[1]}", tz=ZONE)
        found = found.union(epochs.index[(epochs.index >= start) & (epochs.index < end)])
    return found


def gini(lengths):
    v, n = np.asarray(lengths, float), len(lengths)
    return np.abs(v[:, None] - v).sum() / (2 * n * n * v.mean()) * n / (n - 1)


def amplitude(day):
    """(M10 - L5) / (M10 + L5) of a day that is recorded and worn without a break."""
    most, least = (day.enmoMg.rolling(hours * 720).mean() for hours in (10, 5))
    return (most.max() - least.min()) / (most.max() + least.min())


def rhythm(epochs):
    """The columns of a person: stability and variability of Witting 1990, and the cosine by numpy's least squares."""
    worn = epochs[epochs.worn].tz_convert("UTC")
    hours = worn.enmoMg.groupby(worn.index.floor("h")).agg(["mean", "size"])
    hours = hours[hours["size"] >= 360]["mean"]
    clock = hours.index.tz_convert(ZONE).hour
    total = ((hours - hours.mean()) ** 2).sum()
    means = hours.groupby(clock).transform("mean")
    follows = np.diff(hours.index) == np.timedelta64(1, "h")
    angle = 2 * np.pi * (clock + 0.5) / 24
    (mesor, cosine, sine), rest, _, _ = np.linalg.lstsq(
        np.column_stack([np.ones(len(clock)), np.cos(angle), np.sin(angle)]), hours.to_numpy(), rcond=None)
    return {
        "interdailyStability": ((means - hours.mean()) ** 2).sum() / total,
        "intradailyVariability": (np.diff(hours) ** 2)[follows].mean() * len(hours) / total,
        "cosineMesorMg": mesor, "cosineAmplitudeMg": np.hypot(cosine, sine),
        "cosineAcrophaseHours": np.arctan2(sine, cosine) * 24 / (2 * np.pi) % 24, "cosineRSquared": 1 - rest[0] / total,
    }


def hours(epochs, steps):
    """The means of each hour of the clock of all days, in which an hour that the clock repeats is two hours."""
    worn = epochs[epochs.worn].tz_convert("UTC").enmoMg
    enmo = worn.groupby(worn.index.floor("h")).agg(["mean", "size"])
    enmo = enmo[enmo["size"] >= 360]["mean"]
    enmo = enmo.groupby(enmo.index.tz_convert(ZONE).hour).mean()
    present = steps.tz_convert("UTC").dropna()
    counts = present.groupby(present.index.floor("h")).agg(["sum", "size"])
    counts = counts[counts["size"] >= 50]["sum"]
    counts = counts.groupby(counts.index.tz_convert(ZONE).hour).mean()
    return {f"enmoMgHour{hour:02}": enmo[hour] for hour in range(24)} | {f"stepsHour{hour:02}": counts[hour] for hour in range(24)}


def by_hand(epochs, stated=False):
    """The columns of each day; the night is that of the diary if it is stated."""
    noon = (epochs.index.tz_localize(None) - pd.Timedelta(hours=12)).date
    asleep = pd.Series(False, index=epochs.index)
    if stated:
        asleep[diary(epochs)] = True
    else:
        for _, part in epochs.groupby(noon):
            asleep[night(part)] = True
    for date, day in epochs.groupby(epochs.index.date):
        worn, rest = day[day.worn], asleep[day.index]
        waking = worn[~rest[worn.index]]
        minutes = waking.enmoMg.groupby(waking.index.floor("min", ambiguous="infer")).agg(["mean", "size"])
        counts = worn[AXES].dropna().groupby(worn[AXES].dropna().index.tz_convert("UTC").floor("min")).agg(["sum", "size"])
        counts = counts[counts["countsX"]["size"] == EPOCHS].xs("sum", axis=1, level=1)
        start = pd.Timestamp(date, tz=ZONE)
        grid = pd.date_range(start, start + pd.DateOffset(days=1), freq="min", inclusive="left")
        state = minutes[minutes["size"] >= EPOCHS / 2]["mean"].lt(CUTS[0]).reindex(grid).astype(float).to_numpy()
        known = ~np.isnan(state)
        pairs = known[:-1] & known[1:]
        breaks = (pairs & (state[:-1] == 1) & (state[1:] == 0)).sum()
        ends = (pairs & (state[:-1] == 0) & (state[1:] == 1)).sum()
        runs = np.split(state, np.flatnonzero((state[1:] != state[:-1])) + 1)
        sedentary = [len(run) for run in runs if run[0] == 1]
        active = [len(run) for run in runs if run[0] == 0]
        long = [length for length in sedentary if length >= 30]
        sorted_enmo = np.sort(worn.enmoMg)[::-1]
        complete = {"relativeAmplitude": amplitude(day)} if len(worn) == len(grid) * EPOCHS else {}
        yield str(date), complete | {
            "calibrationErrorBeforeMg": 12.5, "calibrationErrorAfterMg": 1.25, "clippedPercent": 100 * day.clipped.mean(),
            "countsYPerMinute": counts.countsY.mean(), "countsVmPerMinute": np.linalg.norm(counts, axis=1).mean(),
            "m30MinutesEnmoMg": sorted_enmo[359], "m60MinutesEnmoMg": sorted_enmo[719],
            "nightHours": rest.sum() / 720, "wornHoursWaking": len(waking) / 720,
            "enmoMgWaking": waking.enmoMg.mean(),
            "sedentaryMinutesWaking": (waking.enmoMg < CUTS[0]).sum() / EPOCHS,
            "lightMinutesWaking": waking.enmoMg.between(*CUTS, inclusive="left").sum() / EPOCHS,
            "sedentaryBouts30CountWaking": len(long), "sedentaryBouts30MinutesWaking": sum(long),
            "sedentaryBouts60CountWaking": sum(length >= 60 for length in long),
            "sedentaryBouts60MinutesWaking": sum(length for length in long if length >= 60),
            "sedentaryBreaksWaking": breaks,
            "sedentaryToActiveWaking": breaks / (pairs & (state[:-1] == 1)).sum(),
            "activeToSedentaryWaking": ends / (pairs & (state[:-1] == 0)).sum(),
            "sedentaryGiniWaking": gini(sedentary), "activeGiniWaking": gini(active),
        }


def adjusted(steps):
    """The totals of days as stepcount fills them, with its group-bys of the same time of the clock."""
    start, end = steps.index[0].normalize(), steps.index[-1].normalize() + pd.DateOffset(days=1)
    steps = steps.reindex(pd.date_range(start, end, freq="min", inclusive="left"))
    for group in (steps.index.day_of_week, steps.index.day_of_week >= 5, np.zeros(len(steps))):
        keys = [group, steps.index.hour, steps.index.minute // 5]
        steps = steps.fillna(steps.groupby(keys).transform("mean"))
    present = steps.groupby(steps.index.date).count()
    return {str(date): total for date, total in steps.groupby(steps.index.date).sum().items() if present[date] >= 1260}


class Differences:
    """The number of values and the largest difference of each column."""

    def __init__(self):
        self.columns = {}

    def add(self, columns, row):
        for column, value in columns.items():
            count, worst = self.columns.get(column, (0, 0))
            both = pd.isna(value) and pd.isna(row[column])
            difference = 0 if both else abs(value - row[column])
            self.columns[column] = (count + 1, max(worst, np.inf if pd.isna(difference) else difference))

    def report(self):
        """Prints the table; False if a difference is larger than the rounding of the column."""
        print(f"{'column':32} rows  largest difference")
        for column, (count, worst) in self.columns.items():
            print(f"{column:32} {count:4}  {worst:.5f}")
        # Totals and counts have one decimal, other columns two or more.
        return all(worst < (0.051 if name == "adjustedSteps" or "PerMinute" in name else 0.0051) for name, (_, worst) in self.columns.items())


def main(footfall):
    random = np.random.default_rng(35)
    differences = Differences()
    with tempfile.TemporaryDirectory() as folder:
        results = pathlib.Path(folder, "results")
        logs = {name: write_log(results / name, first, 9, hours, random)
                for name, first, hours in [("spring", "2026-03-25", (3, 19)), ("autumn", "2026-10-21", (8, 24))]}
        for stated in (False, True):
            who = "trace,person,night\n" + "".join(f"{name},{name},{'-'.join(DIARY) if stated else ''}\n" for name in logs)
            (results / "who.csv").write_text(who)
            subprocess.run([footfall, "summarize", results, "--cut-points", SET, "--all-columns", "--persons", results / "who.csv"],
                           check=True, stdout=subprocess.DEVNULL)
            days = pd.read_csv(results / "days.csv").set_index(["person", "date"])
            persons = pd.read_csv(results / "persons.csv").set_index("person")
            for name, (epochs, steps) in logs.items():
                totals = adjusted(steps)
                own = days.loc[name]
                valid = own.steps[own.valid]
                for date, columns in by_hand(epochs, stated):
                    row = days.loc[(name, date)]
                    if row.valid:
                        columns["adjustedSteps"] = totals.get(date, np.nan)
                    differences.add(columns, row)
                extremes = {"stepsMin": valid.min(), "stepsMax": valid.max()}
                differences.add(rhythm(epochs) | hours(epochs, steps) | extremes, persons.loc[name])
    return 0 if differences.report() else 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1]))
