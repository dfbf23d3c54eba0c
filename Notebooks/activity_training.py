"""Trains the activity model: recordings and their copies, simulated rides, network, calibration, and figures.

All random numbers are seeded, and it runs on one core: training gives the same file every time.
"""

import os
import re
import zlib
from pathlib import Path

import numpy as np
import pandas as pd
from footfall import _training

import activity_model as am
import activity_rides
import activity_wave
import hand_motions

SHARED = Path(os.environ.get("FOOTFALL_SHARED", Path(__file__).resolve().parents[2] / "shared"))
CORPUS = SHARED / "corpus"
HIDDEN, NETS = 24, 3  # three networks, trained separately; their mean is a network of 72 units
# By class, the share of the weight for simulations: they cover more places than recordings of rides and rests, and fewer ways
# to ride a bicycle and to use one's hands than people do.
SIMULATED = np.array([0.8, 0, 0, 0.7, 0.4, 0.3])
# The network sees the seconds in which the step detector finds no steps: few of them are gait.
CLASS_WEIGHT = np.array([3.6, 0.4, 0.25, 1.9, 0.75, 0.85])
WAVE_CLASS_WEIGHT = np.array([1.4, 0.4, 0.25, 1.6, 0.75, 0.7])  # of the network of the wave
RIDES = dict(ride=300, bicycle=100, still=340, handled=60, turned=80, driver=50, hand=100)  # number of simulations of each
STEPS = 2000  # of Adam
RIDE_LABELS = dict(
    ride="automotive", bicycle="cycling", still="stationary", handled="unknown", turned="unknown", driver="automotive",
    hand="unknown",
)
HANDS = ("hands", "jacket", "sweep", "swim")  # kinds of motion without a step, or with one now and then
# The data sets that are left out together; each is tested by a model that knows neither it nor its group.
GROUPS = [
    ["wisdm2019", "qrowd-tr", "qrowd-bus", "mlqs-l42", "adept", "swimming"],
    ["pebble", "mlqs-aj", "sl-road", "tmd", "table-hhar"],
    ["bangle", "pamap2-wrist", "driver-behavior", "ml4qs-p6", "st-examples", "chestwalk"],
    ["ml4qs-g28", "bike-byke", "oxford_opt", "weallwalk", "sp-sw-har", "car-misc", "mlqs-vh"],
    ["car-doha", "bratislava-esp", "bratislava-phone", "ml4qs-66", "ml4qs-puck", "ml4qs-austin", "car-helbert", "exercises",
     "daily-tt", "ml4qs-bahramib"],
]
MISSED = 0.03  # share of the walks that the simulated step detector misses
HANDS_WEIGHT = 0.3  # of hands at work and at desks in the fit of the confidence
TRAINED = ("activity", "steps", "activity-more", "activity-third", "hands")  # the corpora of the training
TESTED = ("activity-fourth",)  # only tested: sitters, riders and exercises that no model has seen
PEOPLE = ("wisdm2019", "wisdm-hands", "smartfall")  # sets of many people, of whom a fifth is left out with each group
# Rougher than the bicycles of the walking check: recorded handlebars, wrists and jackets shake more than cars do.
RIDE_OPTIONS = dict(bicycle=dict(road=(0.1, 0.8), push=(0.05, 0.4)))

# FOOTFALL_QUICK tests the notebook with few rides, no copies and a short fit. It does not write the sources.
QUICK = "FOOTFALL_QUICK" in os.environ
if QUICK:
    RIDES, STEPS = {name: count // 10 for name, count in RIDES.items()}, 200


# --- data -------------------------------------------------------------------------------------------------------------
def recordings(keep=lambda row: True, corpora=TRAINED):
    """The recordings: description, times, acceleration, and a label per sample; `hands` where hands are at work."""
    for corpus in corpora:
        for row in pd.read_csv(CORPUS / corpus / "manifest.csv").itertuples():
            if row.dataset == "grf_run_processed" or not keep(row):
                continue  # treadmill clips of five seconds, not raw
            if corpus == "hands" and not row.kind.startswith(HANDS):
                continue  # a step now and then
            data = pd.read_csv(CORPUS / corpus / row.dataset / f"{row.recording}.csv", comment="#")
            if corpus == "steps":
                label = np.full(len(data), {"driving": "automotive"}.get(row.activity, row.activity))
            elif corpus == "hands":
                label = np.full(len(data), "hands")
            else:
                label = data.label.values.astype(str)
            about = dict(
                source=corpus.split("-")[0],
                set=row.dataset,
                open=re.search("MIT|BSD|Apache|CC BY", row.licence) is not None,
                recording=row.recording,
                kind=getattr(row, "kind", ""),
                subject=f"{row.dataset}/{row.subject}",
                placement=str(row.placement),
                hertz=row.sample_rate_hz,
            )
            yield about, data.time.values, data[["x", "y", "z"]].values, label


def pieces(time, xyz, label, about):
    """The windows of each contiguous signal of a recording, with the label at the middle of each second, and its values at 25 Hz."""
    windows, signals = _training.windows(time, xyz), _training.gait_signals(time, xyz)
    for rows in np.split(windows, np.flatnonzero(np.diff(windows["second"]) != 1) + 1):
        if not len(rows):
            continue
        at = np.clip(np.searchsorted(time, rows["second"] + 0.5), 0, len(time) - 1)
        middle = activity_wave.RATE * (rows["second"][0] + 0.5)
        own = next(signal for signal in signals if signal.start <= middle < signal.start + len(signal.values))
        yield dict(
            about,
            first=int(rows["second"][0]),
            features=rows["features"].copy(),
            rms=rows["rms"].copy(),
            rate=rows["rate"].copy(),
            noise=rows["is_noise"] != 0,
            sprung=rows["is_sprung"] != 0,
            label=label[at],
            wave=dict(start=own.start, values=np.asarray(own.values, np.float32)),
        )


def real():
    """The recordings, and copies that simulate slower and noisier sensors."""
    r = np.random.default_rng(1)
    out = []
    for about, time, xyz, label in recordings():
        out += pieces(time, xyz, label, dict(about, copy=0))
        if about["hertz"] < am.LOWEST_RATE or QUICK:
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


def tested():
    """The recordings that are only tested."""
    found = recordings(corpora=TESTED)
    return [piece for about, time, xyz, label in found for piece in pieces(time, xyz, label, dict(about, copy=0))]


def simulated(seed=0):
    """Simulated rides and rests. The label `stopped` is a halted car, `drowned` a signal below the noise."""
    out = []
    for kind, (name, count) in enumerate(RIDES.items()):
        r = np.random.default_rng([seed, kind])  # so a change of one kind leaves the others as they are
        labels = np.array([RIDE_LABELS[name], "stopped", "drowned"])
        for index in range(count):
            module = hand_motions if name == "hand" else activity_rides
            time, xyz, state, placement = getattr(module, name)(r, **RIDE_OPTIONS.get(name, {}))
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
    # Desk, chores and hands at work: handling, or stationary where there is little motion.
    other = np.isin(label, ["other", "hands"])
    y[other] = 5
    calm = other & (piece["rms"] < 0.040)
    y[calm] = 0
    w[calm] = 0.5
    w[(y == 3) & (piece["rms"] < 0.010)] = 0.05  # a labelled ride without vibration is probably a halt
    w[(piece["rate"] < am.LOWEST_RATE) | (y < 0)] = 0
    return y, w


def table(data, class_weight=CLASS_WEIGHT):
    """Features, classes and weights. In a class, the weight of a real set is proportional to the root of its seconds."""
    X, Y, W, N = [], [], [], []
    names = sorted({piece["set"] for piece in data})
    for piece in data:
        y, w = targets(piece)
        used = w > 0
        X.append(piece["features"][used])
        Y.append(y[used])
        W.append(w[used])
        N.append(np.full(used.sum(), names.index(piece["set"])))
    X, Y, W, N = np.vstack(X).astype(float), *map(np.concatenate, (Y, W, N))
    weights = np.zeros(len(W))
    for c in range(6):
        parts = {names[s]: (Y == c) & (N == s) for s in np.unique(N[Y == c])}
        size = {s: W[m].sum() for s, m in parts.items()}
        roots = sum(np.sqrt(v) for s, v in size.items() if s != "simulated")
        for s, m in parts.items():
            if s == "simulated":
                share = SIMULATED[c] if roots else 1.0
            else:
                share = np.sqrt(size[s]) / roots * (1 - SIMULATED[c] if "simulated" in parts else 1.0)
            weights[m] = W[m] / size[s] * share * class_weight[c]
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


def train(data, seed=0):
    """The model trained on signals."""
    X, Y, W = table(data)
    mean, scale = X.mean(0), X.std(0) + 1e-6
    standard = (X - mean) / scale
    nets = [train_network(standard, Y, W, NETS * seed + net) for net in range(NETS)]
    model = dict(
        classes=am.CLASSES,
        mean=mean,
        scale=scale,
        w1=np.hstack([p[0] for p in nets]),
        b1=np.concatenate([p[1] for p in nets]),
        w2=np.vstack([p[2] for p in nets]) / NETS,
        b2=sum(p[3] for p in nets) / NETS,
        quiet=np.zeros(6),
        wave=activity_wave.fit(data, [targets(piece) for piece in data], table(data, WAVE_CLASS_WEIGHT)[2], seed),
    )
    recorded = [p for p in data if p["source"] in ("activity", "steps")]
    quiet = [p["features"][p["rms"] < am.QUIET] for p in recorded]
    quiet = np.vstack(quiet).astype(float)
    logs = am.network(quiet, model).mean(0)
    logs[0] = max(logs[0], np.log(0.9))
    model["quiet"] = logs - np.log(np.exp(logs).sum())
    return model


# --- figures ----------------------------------------------------------------------------------------------------------
def gates(piece):
    """Simulated step detectors and their weights: 0, or the class of the gait, by second.

    One gate is the truth with late starts and holes. The other misses the walk, as the step detector does with one in 33.
    """
    r = np.random.default_rng([zlib.crc32(piece["recording"].encode()), piece["first"] % 86_400])
    gate = np.where(piece["label"] == "walking", 1, np.where(piece["label"] == "running", 2, 0))
    if not gate.any():
        return [(gate, 1.0)]
    for start in np.flatnonzero(np.diff(np.r_[0, gate > 0].astype(int)) == 1):
        gate[start : start + r.integers(0, 4)] = 0
    for start in np.flatnonzero(r.random(len(gate)) < 0.01):
        gate[start : start + r.integers(1, 9)] = 0
    return [(gate, 1 - MISSED), (np.zeros_like(gate), MISSED)]


def truth(piece):
    """The class of each second, −1 where it is unknown or the rate is too low."""
    y = np.array([am.CLASSES.index(c) if c in am.CLASSES[:5] else -1 for c in piece["label"]])
    return np.where(piece["rate"] >= am.LOWEST_RATE, y, -1)


def outcome(piece, model, gate):
    """The state of each second, the provisional one, and the segments."""
    logs = am.classify(piece, model)
    known = piece["rate"] >= am.LOWEST_RATE
    posterior, filtered = am.smooth(am.emissions(logs, known, gate > 0))
    answer = am.answers(posterior)
    state = np.where(known, answer.argmax(1), 5)
    provisional = np.where(known, am.answers(filtered).argmax(1), 5)
    state[gate > 0] = provisional[gate > 0] = gate[gate > 0]
    return state, provisional, am.segments(piece["first"], state, answer, logs)


def originals(data):
    """The recordings themselves, without copies and simulations."""
    return [piece for piece in data if piece["source"] != "simulated" and not piece["copy"]]


def group(piece):
    """The number of the group that a signal is left out with: that of its set, or that of its person."""
    index = next((i for i, sets in enumerate(GROUPS) if piece["set"] in sets), None)
    return person(piece) if index is None else index


def person(piece):
    """One of as many parts of the people as there are groups. The sets of one origin share people."""
    return zlib.crc32(piece["subject"].split("/")[-1].encode()) % len(GROUPS)


def is_known(piece, index):
    """Whether a model that leaves a group out has learned a signal."""
    return piece["source"] == "simulated" or group(piece) != index and not (piece["set"] in PEOPLE and person(piece) == index)


def left_out(data, tested, seed=0):
    """The outcomes of models that know neither the set nor the person."""
    models = [train([other for other in data if is_known(other, index)], seed) for index in range(len(GROUPS))]
    return outcomes(tested, lambda piece: models[group(piece)])


def outcomes(tested, model_for):
    """The outcome of each recording: (signal, weight, state, provisional state, segments)."""
    return [(p, w, *outcome(p, model_for(p), gate)) for p in originals(tested) for gate, w in gates(p)]


def at_work(piece):
    """Whether hands are at work in a signal, at a desk or elsewhere."""
    return np.isin(piece["label"], ["other", "hands"]).any()


def judged(piece, segment):
    """Which seconds of a segment can be judged, and which are right. No ride is right at work or at a desk."""
    span = slice(segment["start"] - piece["first"], segment["end"] - piece["first"])
    if at_work(piece):
        rides = segment["activity"] in ("automotive", "cycling")
        return (piece["rate"][span] >= am.LOWEST_RATE) & rides, np.zeros(span.stop - span.start, bool)
    part = truth(piece)[span]
    return part >= 0, part == am.CLASSES.index(segment["activity"])


def fit_confidence(results):
    """By class: constant, weight of the posterior and weight of the evidence, for the log-odds of a correct second.

    Ridge logistic regression on sets and people outside the training data. A segment counts as the root of its seconds. Each
    kind of ride has weights of its own. Hands at work weigh HANDS_WEIGHT, since more hours of them were recorded than of rides.
    """
    X, y, w = [], [], []
    for piece, weight, _, _, segments in results:
        for segment in segments:
            c = am.CLASSES.index(segment["activity"])
            known, right = judged(piece, segment)
            if c == 5 or not known.any():
                continue
            rows = np.zeros((known.sum(), 11))
            rows[:, c] = 1
            rows[:, weights_of(c)] = am.logit(np.stack([segment["posterior"], segment["evidence"]], 1)[known])
            X.append(rows)
            y.append(right[known])
            w.append(np.full(len(rows), weight * (HANDS_WEIGHT if at_work(piece) else 1) / np.sqrt(len(rows))))
    count = len(X)
    X, y, w = np.vstack(X), np.concatenate(y).astype(float), np.concatenate(w)
    w = w / w.sum() * count
    ridge, prior, b = np.array([0.3] * 5 + [1.0] * 6), np.array([0.0] * 5 + [0.3, 1.0] * 3), np.zeros(11)
    for _ in range(50):  # Newton's method
        p = 1 / (1 + np.exp(-X @ b))
        hessian = (X * (w * p * (1 - p))[:, None]).T @ X + np.diag(ridge)
        b -= np.linalg.solve(hessian, X.T @ (w * (p - y)) + ridge * (b - prior))
    return {name: b[np.r_[c, weights_of(c)]] for c, name in enumerate(am.CLASSES[:5])}


def weights_of(c):
    """The columns of the weights of a class in the fit of the confidence: rides have their own, the others share theirs."""
    return [[5, 6], [5, 6], [5, 6], [7, 8], [9, 10]][c]


def measure(results, grades):
    """All figures of results outside the training data. `grades` holds the confidence and its grades.

    As in the library, a segment that is more likely wrong than right counts as unknown.
    """
    out = dict(confusion=np.zeros((6, 6)), provisional=np.zeros((6, 6)), places={}, grades={}, hands={}, others={}, runs=[0, 0])
    for piece, weight, state, provisional, segments in results:
        state, y, known = state.copy(), truth(piece), piece["rate"] >= am.LOWEST_RATE
        grade = np.full(len(state), "low", "U6")
        for segment in segments:
            span = slice(segment["start"] - piece["first"], segment["end"] - piece["first"])
            probability, grade[span] = am.graded(segment, grades)
            if segment["activity"] == "unknown":
                continue
            if segment["activity"] not in ("walking", "running"):
                state[span][probability < am.UNCLEAR] = 5
            judgeable, right = judged(piece, segment)
            for level in ("high", "medium", "low"):
                own = judgeable & (grade[span] == level)
                add(out["grades"], level, weight * np.array([(own & right).sum(), own.sum()]))
        counts = np.bincount(state[known], minlength=6)
        if piece["source"] == "hands":
            counts = np.r_[counts, (known & np.isin(state, [3, 4]) & (grade != "low")).sum()]
            place = "wrist" if "wrist" in piece["placement"] else "pocket or hip"
            add(out["hands"], (place, piece["kind"]), counts)
        elif piece["source"] == "steps" and (piece["label"] == "automotive").any():
            add(out["others"], "drivers, device at the wrist", counts)
        elif (piece["label"] == "other").any():
            add(out["others"], "desk and chores at the wrist", counts)
        elif piece["source"] == "activity" and (piece["label"] == "unknown").all():
            add(out["others"], piece["set"], counts)
        judgeable = y >= 0
        if piece["source"] != "activity" or not judgeable.any():
            continue
        own = np.zeros((6, 6))
        np.add.at(own, (y[judgeable], state[judgeable]), weight)
        out["confusion"] += own
        add(out["places"], (piece["set"], piece["placement"].split(" (")[0]), own)
        np.add.at(out["provisional"], (y[judgeable], provisional[judgeable]), weight)
        for index, sequence in enumerate((state[judgeable], y[judgeable])):
            out["runs"][index] += weight * (1 + int((np.diff(sequence) != 0).sum()))
    return out


def add(table, key, counts):
    """Adds counts to those of a key."""
    table[key] = table.get(key, 0) + counts


def scores(confusion):
    """The recall, precision and F1 of each class."""
    recall = confusion.diagonal() / np.maximum(confusion.sum(1), 1)
    precision = confusion.diagonal() / np.maximum(confusion.sum(0), 1)
    return recall, precision, 2 * recall * precision / np.maximum(recall + precision, 1e-9)


def macro_f1(confusion):
    """The mean F1 of stationary, walking, running and automotive."""
    return scores(confusion)[2][:4].mean()
