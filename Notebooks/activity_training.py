"""Trains the activity model: recordings and their copies, simulated rides, network, calibration, and figures.

All random numbers are seeded, and it runs on one core: training gives the same file every time.
"""

import os
import zlib
from pathlib import Path

import numpy as np
import pandas as pd

import activity_model as am
import activity_rides

SHARED = Path(os.environ.get("FOOTFALL_SHARED", Path(__file__).resolve().parents[2] / "shared"))
CORPUS = SHARED / "corpus"
HIDDEN, NETS = 24, 3  # three networks, trained separately; their mean is a network of 72 units
SIMULATED = 0.8  # share of the weight of a class for simulations: they cover more places than the recordings
CLASS_WEIGHT = np.array([1.4, 1.2, 0.8, 1.2, 0.8, 0.5])  # balances the prior of the chain
RIDES = dict(ride=300, bicycle=100, still=340, handled=60, turned=80, driver=50)  # number of simulations of each
STEPS = 1400  # of Adam
RIDE_LABELS = dict(
    ride="automotive", bicycle="cycling", still="stationary", handled="unknown", turned="unknown", driver="automotive"
)
# Rougher than the bicycles of the walking check: recorded handlebars, wrists and jackets shake more than cars do.
RIDE_OPTIONS = dict(bicycle=dict(road=(0.1, 0.8), push=(0.05, 0.4)))

# FOOTFALL_QUICK tests the notebook with few rides, no copies and a short fit. It does not write the sources.
QUICK = "FOOTFALL_QUICK" in os.environ
if QUICK:
    RIDES, STEPS = {name: count // 10 for name, count in RIDES.items()}, 200


# --- data -------------------------------------------------------------------------------------------------------------
def recordings(keep=lambda row: True):
    """The recordings: description, times, acceleration, and a label per sample. Those to watch are tests only."""
    for corpus in ("activity", "steps", "activity-more"):
        source = corpus.removesuffix("-more")
        for row in pd.read_csv(CORPUS / corpus / "manifest.csv").itertuples():
            if row.dataset == "grf_run_processed" or not keep(row):
                continue  # treadmill clips of five seconds, not raw
            data = pd.read_csv(CORPUS / corpus / row.dataset / f"{row.recording}.csv", comment="#")
            if source == "activity":
                label = data.label.values.astype(str)
            else:
                label = np.full(len(data), {"driving": "automotive"}.get(row.activity, row.activity))
            about = dict(
                source=source,
                watched=corpus == "activity-more",
                set=row.dataset,
                recording=row.recording,
                subject=f"{row.dataset}/{row.subject}",
                placement=str(row.placement),
                hertz=row.sample_rate_hz,
            )
            yield about, data.time.values, data[["x", "y", "z"]].values, label


def pieces(time, xyz, label, about):
    """The features of each contiguous signal of a recording, with the label at the middle of each second."""
    for cell, grid, times in am.pieces(time, xyz):
        cut = -cell % am.GRID
        measured = am.features(grid[cut:])
        if measured is None:
            continue
        features, rms, fast = measured
        first = (cell + cut) // am.GRID
        middle = first + np.arange(len(features)) + 0.5
        at = np.clip(np.searchsorted(time, middle), 0, len(time) - 1)
        yield dict(
            about,
            first=first,
            features=features.astype(np.float32),
            rms=rms,
            fast=fast.astype(np.float32),
            rate=am.effective_rate(times, middle),
            label=label[at],
        )


def real():
    """The recordings, and copies that simulate slower and noisier sensors."""
    r = np.random.default_rng(1)
    out = []
    for about, time, xyz, label in recordings():
        out += pieces(time, xyz, label, dict(about, copy=0))
        if about["hertz"] < am.LOWEST_RATE or about["watched"] or QUICK:
            continue
        order = np.argsort(time, kind="stable")
        time, xyz, label = time[order], xyz[order], label[order]
        rates = (12.5,) if about["hertz"] < 30 else (12.5, 25.0, 50.0)
        for copy, hertz in enumerate(rates, 1):
            if about["hertz"] < hertz * 1.15:
                continue
            t = np.arange(time[0], time[-1], 1 / hertz / r.uniform(0.95, 1.05))
            a = np.stack([np.interp(t, time, xyz[:, i]) for i in range(3)], 1)
            a = a * r.uniform(0.95, 1.05) + r.normal(size=a.shape) * activity_rides.log_uniform(r, 0.0005, 0.006)
            at = np.clip(np.searchsorted(time, t), 0, len(time) - 1)
            out += pieces(t, a, label[at], dict(about, copy=copy))
    return out


def simulated(seed=0):
    """Simulated rides and rests. The label `stopped` is a halted car, `drowned` a signal below the noise."""
    out = []
    for kind, (name, count) in enumerate(RIDES.items()):
        r = np.random.default_rng([seed, kind])  # so a change of one kind leaves the others as they are
        labels = np.array([RIDE_LABELS[name], "stopped", "drowned"])
        for index in range(count):
            time, xyz, state, placement = getattr(activity_rides, name)(r, **RIDE_OPTIONS.get(name, {}))
            about = dict(source="simulated", set="simulated", recording=f"{name}{index}", placement=placement, copy=0)
            out += pieces(time, xyz, labels[state], about)
    return out


# --- training ---------------------------------------------------------------------------------------------------------
def targets(piece):
    """Class and weight of every second."""
    label = piece["label"]
    y = np.full(len(label), -1)
    w = np.ones(len(label))
    for index, name in enumerate(am.CLASSES[:5]):
        y[label == name] = index
    y[label == "stopped"] = 0
    w[label == "stopped"] = 0.3  # without its neighbours in time, a stopped car is stationary
    if piece["source"] == "simulated":
        y[label == "unknown"] = 5
    other = label == "other"  # desk and chores at the wrist: handling, or stationary where there is little motion
    y[other] = 5
    calm = other & (piece["rms"] < 0.040)
    y[calm] = 0
    w[calm] = 0.5
    w[(y == 3) & (piece["rms"] < 0.010)] = 0.05  # a labelled ride without vibration is probably a halt
    w[(piece["rate"] < am.LOWEST_RATE) | (y < 0)] = 0
    return y, w


def table(data, keep):
    """Features, classes and weights. In a class, the weight of a real set is proportional to the root of its seconds."""
    X, Y, W, N = [], [], [], []
    for piece in filter(keep, data):
        y, w = targets(piece)
        used = w > 0
        X.append(piece["features"][used])
        Y.append(y[used])
        W.append(w[used])
        N += [piece["set"]] * int(used.sum())
    X, Y, W, N = np.vstack(X).astype(float), np.concatenate(Y), np.concatenate(W), np.array(N)
    weights = np.zeros(len(W))
    for c in range(6):
        parts = {s: (Y == c) & (N == s) for s in np.unique(N[Y == c])}
        size = {s: W[m].sum() for s, m in parts.items()}
        roots = sum(np.sqrt(v) for s, v in size.items() if s != "simulated")
        for s, m in parts.items():
            if s == "simulated":
                share = SIMULATED if roots else 1.0
            else:
                share = np.sqrt(size[s]) / roots * (1 - SIMULATED if "simulated" in parts else 1.0)
            weights[m] = W[m] / size[s] * share * CLASS_WEIGHT[c]
    return X, Y, weights


def train_network(X, y, w, seed, steps=STEPS, batch=512, rate=3e-3, decay=1e-3, drop=0.1, noise=0.1, soft=0.03):
    """One layer of tanh units and a softmax, by Adam with decoupled decay (Kingma & Ba; Loshchilov & Hutter)."""
    r = np.random.default_rng(seed)
    n, d = X.shape
    Y = np.eye(6)[y] * (1 - soft) + soft / 6
    cumulated = np.cumsum(w) / w.sum()
    P = [
        r.normal(size=(d, HIDDEN)) / np.sqrt(d),
        np.zeros(HIDDEN),
        r.normal(size=(HIDDEN, 6)) / np.sqrt(HIDDEN) * 0.5,
        np.zeros(6),
    ]
    M = [0 * p for p in P]
    V = [0 * p for p in P]
    for s in range(steps):
        i = np.minimum(np.searchsorted(cumulated, r.random(batch)), n - 1)
        x = X[i] + noise * r.normal(size=(batch, d))
        h = np.tanh(x @ P[0] + P[1])
        mask = (r.random(h.shape) >= drop) / (1 - drop)
        z = (h * mask) @ P[2] + P[3]
        e = np.exp(z - z.max(1, keepdims=True))
        g = (e / e.sum(1, keepdims=True) - Y[i]) / batch
        gh = (g @ P[2].T) * mask * (1 - h * h)
        G = [x.T @ gh, gh.sum(0), (h * mask).T @ g, g.sum(0)]
        lr = rate * 0.5 * (1 + np.cos(np.pi * s / steps)) + 1e-5
        for k in range(4):
            M[k] = 0.9 * M[k] + 0.1 * G[k]
            V[k] = 0.999 * V[k] + 0.001 * G[k] ** 2
            step = M[k] / (1 - 0.9 ** (s + 1)) / (np.sqrt(V[k] / (1 - 0.999 ** (s + 1))) + 1e-8)
            P[k] -= lr * (step + decay * P[k])
    return P


def train(data, keep=lambda piece: True):
    """The model trained on the signals that `keep` selects, without those to watch."""
    data = [piece for piece in data if not piece.get("watched")]
    X, Y, W = table(data, keep)
    mean, scale = X.mean(0), X.std(0) + 1e-6
    nets = [train_network((X - mean) / scale, Y, W, seed) for seed in range(NETS)]
    model = dict(
        classes=am.CLASSES,
        mean=mean,
        scale=scale,
        w1=np.hstack([p[0] for p in nets]),
        b1=np.concatenate([p[1] for p in nets]),
        w2=np.vstack([p[2] for p in nets]) / NETS,
        b2=sum(p[3] for p in nets) / NETS,
        quiet=np.zeros(6),
    )
    quiet = [p["features"][p["rms"] < am.QUIET] for p in data if keep(p) and p["source"] != "simulated"]
    quiet = np.vstack(quiet).astype(float)
    logs = am.classify(quiet, np.ones(len(quiet)), model).mean(0)
    logs[0] = max(logs[0], np.log(0.9))
    model["quiet"] = logs - np.log(np.exp(logs).sum())
    return model


# --- figures ----------------------------------------------------------------------------------------------------------
def noisy_gate(piece, r):
    """A simulated step detector: the truth with late starts, holes, and some missed walks."""
    truth = np.isin(piece["label"], ["walking", "running"])
    gate = truth.copy()
    if not truth.any() or r.random() < 0.03:
        return np.zeros(len(gate), bool)
    for start in np.flatnonzero(np.diff(np.r_[0, truth.astype(int)]) == 1):
        gate[start : start + r.integers(0, 4)] = False
    for start in np.flatnonzero(r.random(len(gate)) < 0.01):
        gate[start : start + r.integers(1, 9)] = False
    return gate


def truth(piece):
    """The class of each second, −1 where it is unknown or the rate is too low."""
    y = np.array([am.CLASSES.index(c) if c in am.CLASSES[:5] else -1 for c in piece["label"]])
    return np.where(piece["rate"] >= am.LOWEST_RATE, y, -1)


def outcome(piece, model, gate=None, springs=True):
    """The state of each second, the settled and the provisional posterior, and the segments."""
    features = piece["features"].astype(float)
    sprung = springs and am.is_sprung(features, piece["fast"], piece["rate"])
    logs = am.classify(features, piece["rms"], model, sprung)
    known = piece["rate"] >= am.LOWEST_RATE
    posterior, filtered = am.smooth(am.emissions(logs, known, gate))
    answer = am.answers(posterior)
    state = np.where(known | (gate if gate is not None else False), answer.argmax(1), 5)
    grades = model if "high" in model else dict(high=1, medium=1)
    segments = am.segments(piece["first"], state, answer, logs, known, gate, grades)
    return state, am.answers(filtered), segments, logs


def originals(data):
    """The recordings themselves, without copies and simulations."""
    return [piece for piece in data if piece["source"] != "simulated" and not piece["copy"]]


def left_out(data, group=lambda piece: piece["set"]):
    """A function from a signal to the model that was trained without its group. One model serves all sets to watch."""
    models = {}

    def model_for(piece):
        name = None if piece["watched"] else group(piece)
        if name not in models:
            models[name] = train(data, lambda other: other["source"] == "simulated" or group(other) != name)
        return models[name]

    return model_for


def tenth(piece):
    """One of ten groups of people; all recordings of a person are in one group."""
    return zlib.crc32(piece["subject"].encode()) % 10


def confusions(data, model_for):
    """The confusion of each set, gated."""
    r = np.random.default_rng(9)
    out = {}
    for piece in originals(data):
        gate = noisy_gate(piece, r)
        y = truth(piece)
        known = y >= 0
        if known.any():
            state = outcome(piece, model_for(piece), gate)[0]
            np.add.at(out.setdefault(piece["set"], np.zeros((6, 6), int)), (y[known], state[known]), 1)
    return out


def nested(results):
    """The confusion when each set is measured with the setting that is best on the other sets, and these settings.

    `results` holds the confusion of each set for each setting.
    """
    total, chosen = np.zeros((6, 6), int), {}
    sets = next(iter(results.values())).keys()
    for name in sets:
        others = {setting: sum(c for other, c in result.items() if other != name) for setting, result in results.items()}
        chosen[name] = max(others, key=lambda setting: scores(others[setting])[2][:5].mean())
        total += results[chosen[name]][name]
    return total, chosen


def fit_confidence(data, model_for):
    """By class: constant, weight of the posterior and weight of the evidence, for the log-odds of a correct segment.

    Ridge logistic regression on the segments of the sets outside the training data. Springs are left out, because they were
    found on one of these sets: its errors stand for those of sets never seen.
    """
    r = np.random.default_rng(5)
    X, y, w = [], [], []
    for piece in originals(data):
        label = truth(piece)
        if not (label >= 0).any():
            continue
        _, _, segments, _ = outcome(piece, model_for(piece), noisy_gate(piece, r), springs=False)
        for segment in segments:
            c = am.CLASSES.index(segment["activity"])
            part = label[segment["start"] - piece["first"] : segment["end"] - piece["first"]]
            part = part[part >= 0]
            if c == 5 or not len(part):
                continue
            row = np.zeros(7)
            row[c] = 1
            row[5:] = am.logit(segment["posterior"]), am.logit(segment["evidence"])
            right = (part == c).mean()
            X += [row, row]
            y += [1, 0]
            w += [right * np.sqrt(len(part)), (1 - right) * np.sqrt(len(part))]
    X, y, w = np.array(X), np.array(y, float), np.array(w)
    w = w / w.sum() * len(w) / 2
    ridge, prior, b = np.array([0.3] * 5 + [1.0, 1.0]), np.array([0.0] * 5 + [0.3, 1.0]), np.zeros(7)
    for _ in range(50):  # Newton's method
        p = 1 / (1 + np.exp(-X @ b))
        hessian = (X * (w * p * (1 - p))[:, None]).T @ X + np.diag(ridge)
        b -= np.linalg.solve(hessian, X.T @ (w * (p - y)) + ridge * (b - prior))
    return {c: b[[i, 5, 6]] for i, c in enumerate(am.CLASSES[:5])}


def measure(data, model_for, grades, gated):
    """All figures of models on data outside their training data.

    `grades` holds the confidence and its grades.
    """
    r = np.random.default_rng(9)
    out = dict(
        confusion=np.zeros((6, 6), int),
        single=np.zeros((6, 6), int),
        provisional=np.zeros((6, 6), int),
        places={},
        grades={},
        wheel=np.zeros(6, int),
        unlabelled={},
        desk=np.zeros(6, int),
        probability=[],
        right=[],
        runs=[0, 0],
    )
    for piece in originals(data):
        gate = noisy_gate(piece, r) if gated else None
        state, filtered, segments, logs = outcome(piece, model_for(piece) | grades, gate)
        y = truth(piece)
        known = y >= 0
        if piece["source"] == "steps" and (piece["label"] == "automotive").any():
            out["wheel"] += np.bincount(state[known], minlength=6)
        if (piece["label"] == "other").any():
            out["desk"] += np.bincount(state[piece["rate"] >= am.LOWEST_RATE], minlength=6)
        if piece["watched"] and (piece["label"] == "unknown").all():
            counts = out["unlabelled"].setdefault(piece["set"], np.zeros(6, int))
            counts += np.bincount(state[piece["rate"] >= am.LOWEST_RATE], minlength=6)
        if not known.any():
            continue
        place = out["places"].setdefault((piece["set"], piece["placement"].split(" (")[0]), np.zeros((6, 6), int))
        np.add.at(place, (y[known], state[known]), 1)
        if piece["source"] == "activity":
            np.add.at(out["confusion"], (y[known], state[known]), 1)
            np.add.at(out["single"], (y[known], logs[known].argmax(1)), 1)
            np.add.at(out["provisional"], (y[known], filtered[known].argmax(1)), 1)
            for index, sequence in enumerate((state[known], y[known])):
                out["runs"][index] += 1 + int((np.diff(sequence) != 0).sum())
        for segment in segments:
            part = y[segment["start"] - piece["first"] : segment["end"] - piece["first"]]
            part = part[part >= 0]
            if not len(part) or segment["activity"] == "unknown":
                continue
            hits = part == am.CLASSES.index(segment["activity"])
            grade = out["grades"].setdefault(segment["confidence"], [0, 0])
            grade[0] += int(hits.sum())
            grade[1] += len(hits)
            out["probability"] += [segment["probability"]] * len(hits)
            out["right"] += hits.tolist()
    return out


def scores(confusion):
    """The recall, precision and F1 of each class."""
    recall = confusion.diagonal() / np.maximum(confusion.sum(1), 1)
    precision = confusion.diagonal() / np.maximum(confusion.sum(0), 1)
    return recall, precision, 2 * recall * precision / np.maximum(recall + precision, 1e-9)


def macro_f1(confusion):
    """The mean F1 of stationary, walking, running and automotive."""
    return scores(confusion)[2][:4].mean()
