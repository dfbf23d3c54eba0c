#!/usr/bin/env python3
"""Trains the check of what is acceleration with gravity, and tests it on people and data sets outside its training data.

    FOOTFALL_SHARED=… OMP_NUM_THREADS=1 python sensor_check.py            prints the confusion by sensor and by length of cut
    FOOTFALL_SHARED=… OMP_NUM_THREADS=1 python sensor_check.py --write    also writes the weights

It needs the recordings and about six minutes on two cores. All recordings are of accelerometers, and simulated hands are added in training.
Other sensors on the same body are derived from them: a rate of turn from the direction of gravity and a wandering heading, a magnetic field,
acceleration without gravity by two kinds of low-pass, gravity alone, angles and quaternions. Cuts of 2 to 240 s, each as a file of its own,
are described by the measures of `MotionEvidence.swift`, in each unit in which a reader may take them for acceleration.
"""

import argparse
import csv
import os
from collections import Counter
from multiprocessing import Pool
from pathlib import Path

import numpy as np
import pandas as pd
from scipy.signal import butter, filtfilt, lfilter
from sklearn.neural_network import MLPClassifier

import hand_motions
import network_weights

HERE = Path(__file__).resolve().parent
CORPUS = Path(os.environ.get("FOOTFALL_SHARED", HERE.parent.parent / "shared")) / "corpus"
PARTS = ("steps", "steps-more", "activity", "activity-more", "activity-third", "hands")
LENGTHS = (2, 4, 6, 10, 15, 20, 30, 45, 60, 120, 240)  # s
LONGEST = 900  # s of one recording
VERSION = 1  # of the network
SIMULATED, SIMULATED_LENGTH = 320, 90  # hands, and s of each
SIMULATED_WEIGHT = 0.15  # of their cuts: with the whole weight, angles of a phone resemble a hand
GRAVITY = 9.80665
OTHERS = ("gyroscope", "linear", "magnetometer", "angles", "quaternion", "gravity")

# How the values of each sensor are written, as a factor.
WRITTEN = {
    "acceleration": {"g": 1.0}, "gyroscope": {"rad/s": 1.0, "°/s": 57.2958},
    "linear": {"g": 1.0, "m/s²": GRAVITY}, "magnetometer": {"µT": 1.0, "G": 0.01, "mG": 10.0},
    "angles": {"rad": 1.0, "°": 57.2958}, "quaternion": {"": 1.0}, "gravity": {"g": 1.0, "m/s²": GRAVITY},
}
# The units in which a reader may take them for acceleration, in g.
UNITS = {"g": 1.0, "m/s²": 1 / GRAVITY, "mg": 1e-3}

# --- Recordings and the sensors derived from them


def recordings():
    for part in PARTS:
        with open(CORPUS / part / "manifest.csv") as file:
            for row in csv.DictReader(file):
                path = CORPUS / part / row["dataset"] / (row["recording"] + ".csv")
                if path.exists():
                    yield row, path
    for number in range(SIMULATED):
        yield {"dataset": "simulated", "subject": str(number)}, None


def read(path, random):
    if path is None:
        return hand_motions.hand(random, SIMULATED_LENGTH)[:2]
    table = pd.read_csv(path, usecols=["time", "x", "y", "z"], dtype=float, on_bad_lines="skip").dropna()
    time, values = table["time"].to_numpy(), table[["x", "y", "z"]].to_numpy()
    kept = np.concatenate([[True], np.diff(time) > 0])
    return time[kept], values[kept]


def smooth(values, rate, hertz):
    b, a = butter(2, min(0.9, hertz / (rate / 2)))
    return filtfilt(b, a, values, axis=0, padlen=min(len(values) - 1, 36))


def unit(vectors):
    return vectors / np.maximum(np.linalg.norm(vectors, axis=1, keepdims=True), 1e-3)


def wander(random, count, rate, rms, hertz):
    noise = smooth(random.standard_normal((count + 200, 1)), rate, hertz)[100:-100, 0]
    return noise / max(noise.std(), 1e-9) * rms


def derive(time, acceleration, rate, random):
    """What other sensors on the same body would have measured."""
    count = len(time)
    down = unit(smooth(acceleration, rate, random.choice([0.5, 1.0, 2.0])))
    turn = np.clip(np.cross(down, np.gradient(down, time, axis=0)), -25, 25)
    level = np.sqrt((turn**2).sum(1).mean())
    fastest = random.choice([0.2, 0.5, 1.0, 2.0]) if rate > 9 else 0.5
    yaw_rate = wander(random, count, rate, max(0.02, level * random.uniform(0.2, 1.5)), fastest)
    heading = np.cumsum(yaw_rate * np.gradient(time)) + random.uniform(-np.pi, np.pi)
    noise, bias = 10 ** random.uniform(-3.3, -2.2), random.standard_normal(3) * 10 ** random.uniform(-3.5, -1.8)
    gyroscope = turn + down * yaw_rate[:, None] + random.standard_normal((count, 3)) * noise + bias

    if random.random() < 0.5:  # a low-pass that lags, as in old phones
        share = 1 - np.exp(-1 / (rate * random.choice([0.15, 0.4, 1.0])))
        low, _ = lfilter([share], [1, share - 1], acceleration, axis=0, zi=(1 - share) * acceleration[:1])
    else:
        low = smooth(acceleration, rate, random.choice([0.2, 0.3, 0.5, 0.8]))
        low = unit(low) if random.random() < 0.6 else low
    linear = acceleration - low
    if random.random() < 0.3:
        linear = linear + random.standard_normal(3) * 0.01

    axis = np.eye(3)[np.argmin(np.abs(down).mean(0))]
    north = unit(axis - down * (down @ axis)[:, None])
    level_field = north * np.cos(heading)[:, None] + np.cross(down, north) * np.sin(heading)[:, None]
    dip = np.radians(random.uniform(15, 75)) * random.choice([-1, 1])
    strength = 10 ** random.uniform(np.log10(20), np.log10(75))  # µT; outdoors 25 to 65
    strength = strength * (1 + wander(random, count, rate, random.choice([0.005, 0.05, 0.15]), 0.2))[:, None]
    field = strength * (level_field * np.cos(dip) + down * np.sin(dip))
    field += random.standard_normal(3) * random.choice([0, 2, 10])
    field += random.standard_normal((count, 3)) * random.uniform(0.1, 1)

    pitch, roll = np.arcsin(np.clip(down[:, 0], -1, 1)), np.arctan2(down[:, 1], down[:, 2])
    yaw = np.mod(heading + np.pi, 2 * np.pi) - np.pi
    if random.random() < 0.4:
        yaw = np.mod(yaw, 2 * np.pi)
    angles = np.stack([roll, pitch, yaw], 1)[:, random.permutation(3)]
    angles = angles + random.standard_normal((count, 3)) * 10 ** random.uniform(-4, -2.3)
    cr, sr, cp, sp, cy, sy = (f(v / 2) for v in (roll, pitch, heading) for f in (np.cos, np.sin))
    quaternion = np.stack(
        [cr * cp * cy + sr * sp * sy, sr * cp * cy - cr * sp * sy, cr * sp * cy + sr * cp * sy, cr * cp * sy - sr * sp * cy],
        1)
    three = np.sort(random.permutation(4)[:3]) if random.random() < 0.5 else np.array([1, 2, 3])
    gravity = unit(smooth(acceleration, rate, random.choice([0.2, 0.4, 0.8])))
    return dict(zip(OTHERS, (gyroscope, linear, field, angles, quaternion[:, three], gravity)))


# --- Measures, as in MotionEvidence.swift

MX, MAGNITUDE, VARIANCE, MAGNITUDE_VARIANCE, SLOW, LEAST, GREATEST, TURN, WIDE, WIDE_MAGNITUDE, WIDTH, JOLT = 0, *range(3, 14)
WIDEST = 4  # blocks over which gravity is averaged
LONG, GREATEST_SANE = 8, 24  # blocks over which a body ends at its speed; g of a block without a wrong value


def blocks(time, values, length=1.0, fewest=8, longest=1.0):
    """The statistics of blocks of a second."""
    magnitudes, out, count = np.linalg.norm(values, axis=1), [], len(time)
    before, chain, i = None, [], 0
    while i < count:
        j = min(count, max(i + fewest, int(np.searchsorted(time, time[i] + length - 1e-6))))
        gap = np.flatnonzero(np.diff(time[i:j]) > longest)
        if len(gap):
            i, before, chain = i + gap[0] + 1, None, []
            continue
        if j >= count and (count - i < fewest or time[-1] - time[i] < 0.85 * length):
            break
        block, sizes = values[i:j], magnitudes[i:j]
        mean = block.mean(0)
        from_mean = block - mean
        quarter = np.minimum(((time[i:j] - time[i]) * 4 / max(length, time[j - 1] - time[i] + 1e-9)).astype(int), 3)
        number = np.bincount(quarter, minlength=4)
        sums = np.stack([np.bincount(quarter, from_mean[:, k], minlength=4) for k in range(3)], 1)
        slow = (sums**2 / np.maximum(number, 1)[:, None]).sum() / number.sum()
        turn = np.nan if before is None else mean @ before / max(np.linalg.norm(mean) * np.linalg.norm(before), 1e-12)
        chain = (chain + [(mean, sizes.mean())])[-WIDEST:]
        out.append([
            *mean, sizes.mean(), (from_mean**2).sum(1).mean(), sizes.var(), slow, sizes.min(), sizes.max(), turn,
            np.linalg.norm(np.mean([c[0] for c in chain], 0)), np.mean([c[1] for c in chain]), len(chain),
            (np.diff(block, axis=0) ** 2).sum(1).mean() / 2])
        before = mean
        if j < count and time[j] - time[j - 1] > longest:
            before, chain = None, []
        i = j
    return np.array(out).reshape(-1, 14)


def as_file(cut):
    """The blocks of a cut as those of a file that begins with it: the seconds before are unknown."""
    cut = cut.copy()
    cut[0, TURN] = np.nan
    for last in range(min(WIDEST - 1, len(cut))):
        if cut[last, WIDTH] > last + 1:
            known = cut[: last + 1]
            cut[last, WIDE] = np.linalg.norm(known[:, :3].mean(0))
            cut[last, WIDE_MAGNITUDE], cut[last, WIDTH] = known[:, MAGNITUDE].mean(), last + 1
    return cut


def quantile(values, share):
    values = np.sort(values)
    return values[int(round(share * (len(values) - 1)))] if len(values) else 0.0


def rolling(values, count):
    sums = np.cumsum(np.concatenate([np.zeros((1, *values.shape[1:])), values]), 0)
    return (sums[count:] - sums[:-count]) / count


def balance(b, scale):
    """Over seconds a body keeps its speed: the mean vector is about gravity, and the mean of |a| hardly less than 1 g."""
    sane = b[b[:, GREATEST] * scale < GREATEST_SANE]
    sane = sane if len(sane) else b
    magnitude, width = sane[:, MAGNITUDE] * scale, min(LONG, len(sane))
    square = (magnitude**2 + sane[:, MAGNITUDE_VARIANCE] * scale**2).mean()
    magnitudes = rolling(magnitude, width)
    lengths = np.linalg.norm(rolling(sane[:, :3] * scale, width), axis=1)
    spread = max(square - magnitude.mean() ** 2, 0)
    sizes = np.array([
        magnitude.mean(), np.sqrt(square), magnitudes.min(), magnitudes.max(), lengths.min(), lengths.max(),
        np.linalg.norm(sane[:, :3].mean(0)) * scale, np.sqrt(spread)])
    return [*np.log(np.maximum(sizes, 1e-3)), np.sign(square - 1) * np.sqrt(abs(square - 1))]


def measures(b, scale):
    """The measures of blocks, in g by a scale."""

    def log(values):
        return np.log(np.maximum(values * scale, 1e-3))

    lengths = np.linalg.norm(b[:, :3], axis=1)
    magnitude, deviation = b[:, MAGNITUDE], np.sqrt(b[:, VARIANCE])
    wide = b[b[:, WIDTH] >= min(WIDEST, b[:, WIDTH].max())]
    sizes, turns = log(wide[:, WIDE]), b[:, TURN][~np.isnan(b[:, TURN])]
    alignment = lengths / np.maximum(magnitude, 1e-12)
    rest, still = np.argsort(deviation)[: max(1, len(b) // 10)], deviation * scale < 0.03
    variance = np.maximum(b[:, VARIANCE], 1e-18)
    return np.array([
        quantile(log(magnitude), 0.5), quantile(sizes, 0.5), quantile(sizes, 0.1), quantile(sizes, 0.9),
        quantile(alignment, 0.5), quantile(alignment, 0.1),
        quantile(wide[:, WIDE] / np.maximum(wide[:, WIDE_MAGNITUDE], 1e-12), 0.5),
        np.linalg.norm(b[:, :3].mean(0)) / max(magnitude.mean(), 1e-12),
        quantile(turns, 0.5) if len(turns) else 1.0, quantile(turns, 0.1) if len(turns) else 1.0,
        quantile(log(deviation), 0.5), quantile(log(deviation), 0.1), quantile(log(deviation), 0.9), still.mean(),
        quantile(log(lengths)[rest], 0.5), abs(quantile(log(lengths)[rest], 0.5)),
        log(lengths)[still].std() if still.sum() > 1 else 0.0,
        np.log(np.sqrt(np.median(b[:, MAGNITUDE_VARIANCE]) / max(np.median(b[:, VARIANCE]), 1e-18)) + 1e-3),
        quantile(b[:, SLOW] / variance, 0.5), np.log(quantile(b[:, JOLT] / variance, 0.5) + 1e-4),
        quantile(log(b[:, LEAST]), 0.5), quantile(log(b[:, LEAST]), 0.1),
        quantile(log(b[:, GREATEST]), 0.5), quantile(log(b[:, GREATEST]), 0.9), sizes.std(), np.log(len(b)),
        *balance(b, scale)])


def cuts(job):
    """The measures of the cuts of one recording: (sensor, length, set, subject, measures) by unit; None where no unit fits."""
    number, row, path = job
    random = np.random.default_rng([30, number])
    time, acceleration = read(path, random)
    if len(time) < 40:
        return []
    if time[-1] - time[0] > LONGEST:
        start = random.uniform(time[0], time[-1] - LONGEST)
        kept = (time >= start) & (time < start + LONGEST)
        time, acceleration = time[kept], acceleration[kept]
    rate = 1 / np.median(np.diff(time))
    skipped = set(random.choice(OTHERS, 2, replace=False))
    sensors, seed = {"acceleration": acceleration}, random.integers(1 << 30)
    for piece in np.split(np.arange(len(time)), np.flatnonzero(np.diff(time) > 0.5) + 1):
        if len(piece) >= 60:
            for name, values in derive(time[piece], acceleration[piece], rate, np.random.default_rng(seed)).items():
                if name not in skipped:
                    sensors.setdefault(name, np.full((len(time), 3), np.nan))[piece] = values
    found = []
    for name, values in sensors.items():
        known = ~np.isnan(values).any(1)
        whole = blocks(time[known], values[known])
        for length in LENGTHS:
            if len(whole) < length:
                continue
            most = min(3 if length <= 15 else 2, len(whole) // length)
            for start in set(random.integers(0, len(whole) - length + 1, size=most).tolist()):
                cut = as_file(whole[start : start + length])
                for factor in WRITTEN[name].values():
                    scales = [factor * unit for unit in UNITS.values()]
                    if name == "acceleration":
                        scales = scales[:1]
                    fitting = [s for s in scales if 0.2 < np.median(cut[:, MAGNITUDE]) * s < 6]
                    rows = [measures(cut, s) for s in (scales if name == "acceleration" else fitting)]
                    found.append((name, length, row["dataset"], row["subject"], rows))
    return found


# --- Training

HIDDEN, NETWORKS = 32, 4


class Model:
    """The mean of four small networks over measures cut to the range of the training data."""

    def __init__(self, x, y, weights):
        self.lowest = np.minimum(np.quantile(x[y], 0.0005, axis=0), np.quantile(x, 0.002, axis=0))
        self.highest = np.maximum(np.quantile(x[y], 0.9995, axis=0), np.quantile(x, 0.998, axis=0))
        cut = np.clip(x, self.lowest, self.highest)
        self.mean, self.scale = cut.mean(0), cut.std(0) + 1e-6
        self.networks = [
            MLPClassifier(
                (HIDDEN,), activation="tanh", alpha=3e-4, batch_size=512, learning_rate_init=3e-3, max_iter=40, tol=0,
                n_iter_no_change=100, random_state=seed,
            ).fit((cut - self.mean) / self.scale, y, sample_weight=weights)
            for seed in range(NETWORKS)
        ]

    def log_odds(self, x):
        z = (np.clip(x, self.lowest, self.highest) - self.mean) / self.scale
        outputs = [np.tanh(z @ n.coefs_[0] + n.intercepts_[0]) @ n.coefs_[1] + n.intercepts_[1] for n in self.networks]
        return np.mean(outputs, 0)[:, 0]

    def tables(self):
        """The tables of weights, in the order of `MotionEvidence`."""
        networks = self.networks
        tables = [
            self.lowest, self.highest, self.mean, self.scale, np.concatenate([n.coefs_[0] for n in networks], 1),
            np.concatenate([n.intercepts_[0] for n in networks]),
            np.concatenate([n.coefs_[1][:, 0] for n in networks]) / NETWORKS, np.mean([n.intercepts_[1][0] for n in networks])]
        return [np.round(np.ravel(np.asarray(table, float)), 5) for table in tables]


def sample_weights(sensor, dataset):
    """Each wrong sensor weighs the same; a data set weighs as the root of its cuts."""
    weights = np.ones(len(sensor))
    for name in np.unique(dataset):
        at = (dataset == name) & (sensor == "acceleration")
        weights[at] = 1 / np.sqrt(max(1, at.sum()))
    weights[sensor == "acceleration"] /= weights[sensor == "acceleration"].sum()
    for name in OTHERS:
        weights[sensor == name] = 1 / max(1, (sensor == name).sum()) / len(OTHERS)
    weights[dataset == "simulated"] *= SIMULATED_WEIGHT
    return weights * len(weights) / weights.sum()


def confusion(found, owner, odds, title):
    print(f"\n{title}: decided wrongly, per thousand cuts, by the least log-odds of acceptance")
    best = np.full(len(found), -np.inf)
    np.maximum.at(best, owner, odds)
    tested = np.array([f[2] != "simulated" for f in found])
    sensor, length = np.array([f[0] for f in found])[tested], np.array([f[1] for f in found])[tested]
    best, rows = best[tested], {}
    for least in (-8, -4, -2, -1, 0, 1, 2):
        rows[least] = {
            name: 1e3 * np.mean((best < least) if name == "acceleration" else (best >= least), where=sensor == name)
            for name in ("acceleration", *OTHERS)}
    print(pd.DataFrame(rows).T.round(1).to_string())
    rows = {}
    for least in (-8, -1, 0):
        for name, wrong in (("refused", best < least), ("accepted", best >= least)):
            own = (sensor == "acceleration") == (name == "refused")
            rows[f"{name} at {least}"] = {n: 1e3 * wrong[own & (length == n)].mean() for n in LENGTHS}
    print(pd.DataFrame(rows).T.round(1).to_string())


def folds(groups, dataset, count=5):
    """The fold that each row is tested in; -1 for what is simulated and trains only."""
    names = np.unique(groups[dataset != "simulated"])
    fold = dict(zip(names[np.random.default_rng(3).permutation(len(names))], np.arange(len(names)) % count))
    return np.array([fold.get(g, -1) for g in groups])


def main():
    options = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    options.add_argument("--write", action="store_true", help="write the weights into the sources")
    write = options.parse_args().write
    jobs = [(number, *recording) for number, recording in enumerate(recordings())]
    with Pool() as pool:
        found = [cut for part in pool.imap(cuts, jobs, 8) for cut in part]
    owner = np.array([number for number, cut in enumerate(found) for _ in cut[4]])
    x = np.array([row for cut in found for row in cut[4]], dtype=np.float32)
    sensor, dataset = np.array([found[o][0] for o in owner]), np.array([found[o][2] for o in owner])
    subject = np.array([f"{found[o][2]}/{found[o][3]}" for o in owner])
    y, weights = sensor == "acceleration", sample_weights(sensor, dataset)
    print(f"{len(jobs)} recordings, {len(found)} cuts:", dict(Counter(cut[0] for cut in found)))
    for title, groups in (("People left out", subject), ("Sets left out", dataset)):
        fold, odds = folds(groups, dataset), np.zeros(len(y))
        for k in range(5):
            odds[fold == k] = Model(x[fold != k], y[fold != k], weights[fold != k]).log_odds(x[fold == k])
        confusion(found, owner, odds, title)
    if write:
        network_weights.write("FootfallReaders/Evidence/motion-evidence", VERSION, Model(x, y, weights).tables())


if __name__ == "__main__":
    main()
