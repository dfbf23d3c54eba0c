"""Training and testing of the walking gate and its check: labels, augmentation, fits, figures, and the Swift files.

Each second has up to six cadence candidates, and the gate scores each. A softmax over the candidates and “not on foot”
(score 0) gives probabilities. The fit maximizes the probability of the answers that the label allows: the candidates near
the true cadence, or “not on foot”. A known count or a known activity is a sufficient label.
"""

import json
import os
import tempfile
import zlib
from concurrent.futures import ThreadPoolExecutor
from itertools import product
from pathlib import Path

import numpy as np
import pandas as pd

import activity_rides
import gait
import hand_motions
import wave_check
from command import footfall

# True counts that differ from cadence × duration. They are left out of training and included in every figure.
DOUBTFUL = {"walk_200_pbl_28360_1", "walk_100_pbl_25673_2", "walk_200_pbl_25662_7", "walk_150_pbl_25301_8"}
SETS = ("pebble", "oxford_opt", "weallwalk", "bangle", "grf_run_processed")
# Sets left out together: one with counted steps, one of riders, one of cars where possible, so that five models test all sets.
LEFT_OUT = (
    {"pebble", "qrowd-tr", "exercises", "sl-road", "ml4qs-puck", "gym-sk", "rfid-old"},
    {"oxford_opt", "mlqs-aj", "car-doha", "wisdm2019", "ml4qs-bahramib", "adept", "bike-ml4qs", "keh", "st-ju"},
    {"weallwalk", "pamap2-wrist", "qrowd-bus", "mlqs-vh", "driver-behavior", "ml4qs-66", "mlqs-2025", "casale-chest"},
    {"bangle", "bike-byke", "tmd", "daily-tt", "chestwalk", "ml4qs-g28", "car-helbert", "mlqs-g67", "gaitpocket", "spar", "stm-tile"},
    {"grf_run_processed", "st-examples", "bratislava-esp", "bratislava-phone", "car-misc", "sp-sw-har", "mlqs-l42", "table-hhar",
     "ml4qs-p6", "ml4qs-austin", "harlab", "phystech", "st-gk"})

# Augmentation: variations of people, devices and placements.
COPIES = 4  # changed copies of a recording with steps; one copy of a recording with activities
CROP_EVERY = 20.0  # s of recording for each crop of 4.5 to 10 s, so that short clips work
TIME_STRETCH = (-0.25, 0, 0.5)  # of its logarithm, triangular: slow walkers are rare in the recordings
AMPLITUDE = (0.2, 1, 1.5)  # of the motion, triangular in the logarithm: softly held phones are rare in the recordings
GAIN = (0.94, 1.06)  # of the acceleration
RATES = (12.5, 20, 25, 50, 100)  # Hz

# The fit.
DOUBT, DOUBT_OF_CONTACTS = 0.2, 0.02  # assumed share of wrong labels: of counts and activities; of initial contacts and zeros
COUNT_WIDTH = 1.25  # a known count allows cadences within this factor
UNITS, DECAY, EPOCHS, BATCH, LEARNING_RATE = 24, 1e-3, 8, 1024, 3e-3
# Scores are tempered, because overlapping windows share evidence, and shifted in favour of walking.
TEMPER, SHIFT = 0.5, 1.0
# The fit of the check.
CHECK_UNITS, CHECK_BATCH = 48, 512
CHECK_STEPS, CHECK_RATE, CHECK_DECAY, CHECK_NOISE, CHECK_DOUBT = 12000, 3e-3, 3e-3, 0.1, 0.1
# The scores lack certainty by the assumed doubt, which the temper gives back, and are shifted in favor of walking.
CHECK_TEMPER, CHECK_SHIFT = 1.8, 0.5
# The first training with which all steps of shown bouts settle within ten seconds (LatencyTests), and the first of the wave with which
# simulated walks have their steps and other rhythms none (OtherRhythmTests, the tests of R).
SHIPPED_SEED, SHIPPED_WAVE_SEED = 1, 1
# Shares of the weight of gait and of the weight of all else, by origin.
CHECK_SHARES = {
    True: dict(recorded=0.85, walker=0.15),
    False: dict(recorded=0.3, hands=0.3, hand=0.15, simulated=0.25)}
# Number and seconds of each simulation.
SIMULATIONS = dict(bicycle=(100, 150), ride=(25, 120), noise=(120, 60), hand=(320, 90), slabs=(80, 90))
# Walks of `footfall simulate` and their seconds, for each placement and sensor (hertz, jitter in s, noise in g).
WALKERS = dict(walk=240, run=180, errands=400, commute=600)
# What the check of the wave alone learns: a drive of `footfall simulate`, its run in less time, up to 220 steps a minute, and arms of
# fast runners (number, seconds).
DRIVE, QUICKER, RUNNERS = dict(drive=600), (0.75, 0.85), (30, 60)
SENSORS = [(100, 0.0002, 0.003), (50, 0.002, 0.01), (25, 0.004, 0.02), (12.5, 0.008, 0.03)]
# A watch of a person who eats, with the rhythm, size and shape of a walk: probably one.
WALKS_PERHAPS = {"1642-watch-sandwich"}
# Motions without steps that have no label.
EXERCISES = ["crunches", "cycling-exercise", "leg-raises", "push-ups", "sit-ups", "squats"]
STEPLESS = [*EXERCISES, "tram"]

# FOOTFALL_QUICK tests the notebook with few recordings of activities and hands, few copies and one pass. It does not write the
# sources.
QUICK = "FOOTFALL_QUICK" in os.environ
QUICK_PART = 8  # one of as many recordings
if QUICK:
    COPIES, CROP_EVERY, EPOCHS, CHECK_STEPS, wave_check.STEPS = 0, np.inf, 1, 100, 20
    SIMULATIONS = {name: (count // 10, seconds) for name, (count, seconds) in SIMULATIONS.items()}
    WALKERS = dict(walk=60)


def corpus():
    """The folder of the recordings: `corpus` in the folder that FOOTFALL_SHARED names."""
    return Path(os.environ.get("FOOTFALL_SHARED", "../../shared")) / "corpus"


def manifest(kind):
    """The recordings of activities or of hands; few of them in a test of the notebook."""
    table = pd.read_csv(corpus() / kind / "manifest.csv")
    return table[::QUICK_PART] if QUICK else table


def read(kind, dataset, recording):
    table = pd.read_csv(corpus() / kind / dataset / f"{recording}.csv", comment="#")
    return table, table.time.to_numpy(float), table[["x", "y", "z"]].to_numpy(float)


def step_recordings(kind="steps"):
    table = pd.read_csv(corpus() / kind / "manifest.csv")
    subject = table.subject.astype(object).where(table.subject.notna(), "bangle-" + table.recording.astype(str))
    table["person"] = table.dataset + "/" + subject.astype(str)
    return table


def true_contacts(dataset, recording, kind="steps"):
    """The true times of the steps; None where only their number is known."""
    path = corpus() / kind / dataset / f"{recording}.steps.csv"
    return pd.read_csv(path, comment="#").iloc[:, 0].to_numpy(float) if path.exists() else None


# Augmentation


def changed(random, time, acceleration):
    """A copy that simulates another person or device: the factor of the time, times, acceleration."""
    stretch = np.exp(random.triangular(*TIME_STRETCH))
    count = len(time)
    rate = (count - 1) / (time[-1] - time[0])
    time = time * stretch
    sums = np.cumsum(np.vstack([np.zeros((1, 3)), acceleration]), 0)
    reach, index = max(1, int(rate * 3)), np.arange(count)
    first, end = np.clip(index - reach, 0, count), np.clip(index + reach, 0, count)
    gravity = (sums[end] - sums[first]) / (end - first)[:, None]
    amplitude = np.exp(random.triangular(*np.log(AMPLITUDE)))
    result = (gravity + (acceleration - gravity) * amplitude) * random.uniform(*GAIN)
    result = result + random.normal(0, random.choice([0, 0.002, 0.01]), result.shape)
    target = random.choice(RATES)
    if target < rate / stretch * 0.95 or random.random() < 0.3:
        times = np.arange(time[0], time[-1], 1 / target)
        times = np.sort(times + random.normal(0, random.choice([0, 0.1]) / target, len(times)))
        if random.random() < 0.3:
            times = times[random.random(len(times)) > 0.05]
        result = np.column_stack([np.interp(times, time, result[:, c]) for c in range(3)])
        time = times
    return stretch, time, result


# Labels: +1 on foot at a cadence between lowest and highest, -1 not on foot, 0 unknown; one for each second


def is_active(start, signal, seconds):
    """Whether the amplitude of a second is at least half the median of the recording, which excludes pauses."""
    swings = signal[:, :3] - np.stack([gait.moving_mean(signal[:, c], 37) for c in range(3)], 1)
    level = np.sqrt(gait.moving_mean((swings**2).sum(1), 12))
    level = level[np.clip(seconds * 25 + 12 - start, 0, len(signal) - 1)]
    return level > 0.5 * np.median(level)


def labels_from_contacts(contacts, seconds):
    label, lowest, highest = np.zeros(len(seconds), int), np.zeros(len(seconds)), np.zeros(len(seconds))
    for k, middle in enumerate(seconds + 0.5):
        near = contacts[(contacts >= middle - 2.5) & (contacts <= middle + 2.5)]
        distance = np.min(np.abs(contacts - middle))
        if distance > 1.5:
            label[k] = -1
            continue
        intervals = np.diff(near)
        if len(near) < 4 or intervals.max() > 1.3 or distance > 0.8:
            continue
        usual = np.median(intervals)
        is_even = intervals.max() <= 1.6 * usual and intervals.min() >= 0.5 * usual
        cadence = (len(near) - 1) / (near[-1] - near[0]) if is_even else 1 / usual
        label[k], lowest[k], highest[k] = 1, cadence * 0.92, cadence * 1.08
    return label, lowest, highest


def labels_from_count(recording, cadence, start, signal, seconds):
    """Labels from a count: the mean cadence within a quarter, where the recording is active."""
    label, lowest, highest = np.zeros(len(seconds), int), np.zeros(len(seconds)), np.zeros(len(seconds))
    if recording.true_steps == 0:
        label[:] = -1
    elif recording.recording not in DOUBTFUL and len(seconds) >= 4:
        label[is_active(start, signal, seconds)] = 1
        lowest[:], highest[:] = cadence / COUNT_WIDTH, cadence * COUNT_WIDTH
    return label, lowest, highest


def labels_from_activity(times, words, start, signal, seconds):
    label, lowest, highest = np.zeros(len(seconds), int), np.zeros(len(seconds)), np.zeros(len(seconds))
    first, end = np.searchsorted(times, seconds - 1.0), np.searchsorted(times, seconds + 2.0)
    active = is_active(start, signal, seconds)
    for k in range(len(seconds)):
        near = words[first[k] : end[k]]
        if len(near) < 3 * 9.5 or (near != near[0]).any():
            continue  # below about 10 Hz, or a mixture
        if near[0] in ("stationary", "automotive", "cycling", "stepless"):
            label[k] = -1
        elif near[0] in ("walking", "running") and active[k]:
            label[k] = 1
            lowest[k], highest[k] = (1.25, 2.45) if near[0] == "walking" else (2.1, 3.5)
    return label, lowest, highest


# The training set


def labelled(dataset, person, doubt, labels, frame, is_wave_alone=False):
    """The seconds with a usable label, whose true cadence must be among the candidates, and the wave with all labels."""
    (start, signal, seconds, cadences, features), (label, lowest, highest) = frame, labels
    near = (cadences >= lowest[:, None]) & (cadences <= highest[:, None]) & (cadences > 0) & (label > 0)[:, None]
    kept = (label != 0) & ((label < 0) | near.any(1))
    kept &= not is_wave_alone
    return dict(
        dataset=dataset, person=person, label=label[kept], allowed=near[kept],
        doubt=np.where(label < 0, doubt[0], doubt[1])[kept], cadences=cadences[kept].astype(np.float32),
        features=features[kept],
        wave=dict(start=start, values=signal[:, :5].astype(np.float32), seconds=seconds, label=np.asarray(label), doubt=doubt))


def prepare(seed=1):
    """The recordings with steps as (row, initial contacts, frames), and the labelled seconds of recordings and copies."""
    random, recordings, parts = np.random.default_rng(seed), [], []
    for _, row in step_recordings().iterrows():
        _, time, acceleration = read("steps", row.dataset, row.recording)
        contacts = true_contacts(row.dataset, row.recording)
        whole = gait.frames(time, acceleration)
        recordings.append((row, contacts, whole))
        crops = int(np.clip((time[-1] - time[0]) / CROP_EVERY, 1, 30))
        for stretch, copied, signals in copies(random, time, acceleration, contacts, whole, crops):
            parts += step_parts(row, copied, stretch, signals, whole)
    parts += activity_parts(random, "activity")
    return recordings, [part for part in parts if len(part["label"])]


def step_parts(row, contacts, stretch, signals, whole):
    """The labelled seconds of a copy of a recording with steps; `whole` are the frames of the recording."""
    active = sum(is_active(start, signal, seconds).sum() for start, signal, seconds, _, _ in whole)
    cadence = row.true_steps / max(active, 1)
    trust = DOUBT_OF_CONTACTS if row.dataset in ("oxford_opt", "weallwalk", "grf_run_processed") else DOUBT
    knows_contacts = contacts is not None and row.true_steps > 0 and row.recording not in DOUBTFUL
    for frame in signals:
        start, signal, seconds, _, _ = frame
        labels = (
            labels_from_contacts(contacts, seconds) if knows_contacts
            else labels_from_count(row, cadence / stretch, start, signal, seconds))
        yield labelled(row.dataset, row.person, (DOUBT_OF_CONTACTS, trust), labels, frame)


def copies(random, time, acceleration, contacts, whole, crops):
    """A recording, changed copies, and changed crops: the factor of the time, the initial contacts and frames of each."""
    yield 1.0, contacts, whole
    for k in range(COPIES + crops):
        stretch, times, values = changed(random, time, acceleration)
        moved = None if contacts is None else contacts * stretch
        if k >= COPIES:
            length = random.uniform(4.5, 10)
            begin = times[0] + random.uniform(0, max(0, times[-1] - times[0] - length))
            inside = (times >= begin) & (times < begin + length)
            has_contact = moved is None or ((moved >= begin) & (moved < begin + length)).any()
            if inside.sum() < 30 or not has_contact:
                continue
            times, values = times[inside], values[inside]
        yield stretch, moved, gait.frames(times, values)


def whole_and_changed(random, time, acceleration):
    """A recording and a changed copy: the factor of the time, times, acceleration."""
    return (1.0, time, acceleration), changed(random, time, acceleration)


def activity_parts(random, kind):
    """The labelled seconds of the recordings of activities and of their changed copies."""
    parts = []
    for _, row in manifest(kind).iterrows():
        if row.sample_rate_hz < 9:
            continue
        table, time, acceleration = read(kind, row.dataset, row.recording)
        words = table.label.mask(table.source_label.isin(STEPLESS), "stepless").to_numpy()
        if (words == "unknown").all():
            continue
        for stretch, times, values in whole_and_changed(random, time, acceleration):
            for frame in gait.frames(times, values):
                labels = labels_from_activity(time * stretch, words, *frame[:3])
                parts.append(labelled(row.dataset, "activity/" + str(row.subject), (DOUBT, DOUBT), labels, frame))
    return parts


def hand_parts(random):
    """Hands at work, without steps: at a table, at home and in water."""
    parts = []
    for _, row in manifest("hands").iterrows():
        is_stepless = row.kind.startswith("hands:") or row.kind in ("swim", "jacket", "sweep")
        if row.sample_rate_hz < 8 or not is_stepless or row.recording in WALKS_PERHAPS:
            continue
        _, time, acceleration = read("hands", row.dataset, row.recording)
        for _, times, values in whole_and_changed(random, time, acceleration):
            parts += [stepless(f"hands {row.recording}", row.subject, signal) for signal in gait.frames(times, values)]
    return parts


def exercise_parts(random):
    """Exercises on one spot and hands of the fourth lot, without steps of a walk or a run."""
    parts = []
    for _, row in manifest("activity-fourth").iterrows():
        if row.sample_rate_hz < 8 or not row.kind.startswith(("exercise:", "hands:")):
            continue
        _, time, acceleration = read("activity-fourth", row.dataset, row.recording)
        for _, times, values in whole_and_changed(random, time, acceleration):
            parts += [stepless(row.dataset, row.subject, signal) for signal in gait.frames(times, values)]
    return parts


def jack_parts(random):
    """Jumping jacks, which train the check of the wave alone."""
    parts, table = [], manifest("activity-more")
    for row in table[table.sample_rate_hz >= 8].itertuples():
        samples, time, acceleration = read("activity-more", row.dataset, row.recording)
        if samples.source_label.iloc[0] == "jumping-jacks":
            for _, times, values in whole_and_changed(random, time, acceleration):
                parts += [
                    stepless(row.dataset, f"activity/{row.subject}", signal, is_wave_alone=True)
                    for signal in gait.frames(times, values)]
    return parts


def stepless(dataset, person, signal, **options):
    """The seconds of a signal in which nobody is on foot."""
    none = np.zeros(len(signal[2]))
    return labelled(dataset, person, (0.02, 0.02), (none - 1, none, none), signal, **options)


def simulations(seed=7):
    """Simulated bicycles, rides, noise, hands and roads of slabs, none of them on foot. Slabs train the check of the wave alone."""
    random, parts = np.random.default_rng(seed), []
    for name, (count, length) in SIMULATIONS.items():
        for k in range(count):
            time, acceleration, _, kind = getattr(hand_motions if name == "hand" else activity_rides, name)(random, length)
            kind = kind if name == "hand" else f"simulated {name}"
            parts += [
                stepless(kind, f"{name}/{k}", signal, is_wave_alone=name == "slabs")
                for signal in gait.frames(time, acceleration)]
    return parts


def walkers(seed=1000):
    """Walks and runs of `footfall simulate`, with their true contacts, and drives without any."""
    parts, random = [], np.random.default_rng(seed)
    with tempfile.TemporaryDirectory() as folder:
        for (name, length), placement, sensor in product((WALKERS | DRIVE).items(), ("pocket", "wrist", "hip"), SENSORS):
            seed, (rate, jitter, noise), trace = seed + 1, sensor, Path(folder) / "walker.csv"
            footfall("simulate", name, "--placement", placement, "--duration", length, "--rate", rate,
                     "--jitter", jitter, "--noise", noise, "--seed", seed, "--out", trace, "--force")
            samples = pd.read_csv(trace, comment="#").to_numpy(float)
            contacts = np.array(json.loads(trace.with_suffix(".truth.json").read_text())["stepTimes"])
            if name in DRIVE:
                parts += [
                    stepless(f"simulated {name}", f"walker/{seed}", signal, is_wave_alone=True)
                    for signal in gait.frames(samples[:, 0], samples[:, 1:4])]
                continue
            for stretch in (1.0, random.uniform(*QUICKER)) if name == "run" else (1.0,):
                for frame in gait.frames(samples[:, 0] * stretch, samples[:, 1:4]):
                    labels = labels_from_contacts(contacts * stretch, frame[2])
                    parts.append(labelled(
                        f"walker {name}", f"walker/{seed}", (0.02, 0.02), labels, frame, is_wave_alone=stretch != 1))
    return parts


def runners(seed=8):
    """Simulated arms of runners, which train the check of the wave alone."""
    random, parts = np.random.default_rng(seed), []
    for k in range(RUNNERS[0]):
        time, acceleration, contacts = hand_motions.runner(random, RUNNERS[1])
        for frame in gait.frames(time, acceleration):
            labels = labels_from_contacts(contacts, frame[2])
            parts.append(labelled("walker runner", f"runner/{k}", (0.02, 0.02), labels, frame, is_wave_alone=True))
    return parts


def more_parts(seed=2):
    """What the check is trained on beside the parts of the gate: further activities, hands and simulations."""
    parts = activity_parts(np.random.default_rng(seed), "activity-more") + hand_parts(np.random.default_rng(11))
    random = np.random.default_rng(21)
    parts += activity_parts(random, "activity-fourth") + exercise_parts(random) + simulations() + walkers()
    return parts + jack_parts(random) + runners()


def openly_licensed(more):
    """The parts of `more` whose publishers license them openly, and the simulations."""
    tables = [manifest("activity-more"), manifest("activity-fourth"), manifest("hands")]
    closed = pd.concat(table[~table.licence.str.contains("MIT|BSD|Apache|CC BY")] for table in tables)
    names = set(closed.dataset) | set("hands " + closed.recording)
    return [part for part in more if part["dataset"] not in names]


# The fit


def weights_of(datasets, label):
    """Weights: a set weighs the root of its size, and walking in total as much as not walking."""
    weights = np.ones(len(label))
    for dataset in np.unique(datasets):
        for kind in (-1, 1):
            members = (datasets == dataset) & (label == kind)
            if members.any():
                weights[members] = max(members.sum(), 300) ** -0.5
    for kind in (-1, 1):
        weights[label == kind] *= len(label) / 2 / weights[label == kind].sum()
    return weights.astype(np.float32)


def fit(parts, seed=0):
    """The model: means and scales of the features, a linear part, and a layer of rectified linear units beside it."""

    def all_of(key):
        return np.concatenate([part[key] for part in parts])

    features, cadences, label = all_of("features")[:, :, : gait.FEATURES], all_of("cadences"), all_of("label")
    allowed, doubt = all_of("allowed"), all_of("doubt")
    datasets = np.concatenate([np.full(len(p["label"]), zlib.crc32(p["dataset"].encode())) for p in parts])
    weights, has = weights_of(datasets, label), cadences > 0
    mean, scale = features[has].mean(0), features[has].std(0) + 1e-3
    inputs = np.clip((features - mean) / scale, -gait.MOST_DEVIATION, gait.MOST_DEVIATION).astype(np.float32)
    random, width, count = np.random.default_rng(seed), features.shape[2], len(features)
    model = dict(
        hidden=random.normal(0, width**-0.5, (width, UNITS)), hiddenBias=np.zeros(UNITS),
        output=random.normal(0, 0.1, UNITS), linear=np.zeros(width), bias=-np.ones(1))
    model = {key: value.astype(np.float32) for key, value in model.items()}
    first = {key: np.zeros_like(value) for key, value in model.items()}
    second = {key: np.zeros_like(value) for key, value in model.items()}
    total, step = EPOCHS * (count // BATCH), 0
    for _ in range(EPOCHS):
        order = random.permutation(count)
        for k in range(count // BATCH):
            i = order[k * BATCH : (k + 1) * BATCH]
            gradient = gradients(model, inputs[i], has[i], label[i], allowed[i], doubt[i], weights[i])
            step += 1
            rate = LEARNING_RATE * 0.5 * (1 + np.cos(np.pi * step / total))
            for key in model:  # Adam (Kingma and Ba, ICLR 2015)
                first[key] = 0.9 * first[key] + 0.1 * gradient[key]
                second[key] = 0.999 * second[key] + 0.001 * gradient[key] ** 2
                change = first[key] / (1 - 0.9**step) / (np.sqrt(second[key] / (1 - 0.999**step)) + 1e-8)
                model[key] -= (rate * change).astype(np.float32)
    return dict(
        mean=mean, scale=scale, hidden=model["hidden"], hiddenBias=model["hiddenBias"],
        output=model["output"] * TEMPER, linear=model["linear"] * TEMPER,
        bias=float(TEMPER * (model["bias"][0] + SHIFT)))


def gradients(model, inputs, has, label, allowed, doubt, weights):
    """The gradients of −log P(allowed answers). A second with a probably wrong label has a low weight."""
    x = inputs.reshape(-1, inputs.shape[2])
    sums = x @ model["hidden"] + model["hiddenBias"]
    units = np.maximum(sums, 0)
    scores = (units @ model["output"] + x @ model["linear"] + model["bias"]).reshape(has.shape)
    odds = np.column_stack([np.zeros(len(label)), np.where(has, scores, -30)])
    odds = np.exp(odds - odds.max(1, keepdims=True))
    odds /= odds.sum(1, keepdims=True)
    wanted = odds * np.column_stack([label < 0, allowed])
    p = wanted.sum(1)
    trust = (1 - doubt) * p / ((1 - doubt) * p + doubt + 1e-12)
    g = (odds - wanted / np.maximum(p, 1e-12)[:, None]) * (weights * trust)[:, None]
    g = ((g[:, 1:] * has) / len(label)).reshape(-1).astype(np.float32)
    through = np.outer(g, model["output"]) * (sums > 0)
    return dict(
        hidden=x.T @ through + DECAY * model["hidden"], hiddenBias=through.sum(0),
        output=units.T @ g + DECAY * model["output"], linear=x.T @ g + DECAY * model["linear"],
        bias=g.sum(keepdims=True))


def check_rows(parts, gate):
    """Walks at their true cadence, and whatever else passes the gate at its best one: features, whether gait, set and person."""
    features, walks, people = [], [], []
    for part in parts:
        scores, label = gait.score(gate, part["cadences"], part["features"]), part["label"]
        scores = np.where(part["allowed"] | (label < 0)[:, None], scores, -1e9)
        best, row = scores.argmax(1), np.arange(len(label))
        used = (label > 0) | (scores[row, best] > gait.LEAST_CHECKED)
        features.append(part["features"][row, best][used])
        walks.append(label[used] > 0)
        people.append(np.full(used.sum(), f"{part['dataset']} {part['person']}", object))
    return np.concatenate(features), np.concatenate(walks), np.concatenate(people)


def origin(dataset):
    """The first word of a simulation or of a recorded hand, which has a share of its own in the weight of the check."""
    word = dataset.split()[0].split("-")[0]
    return word if word in ("hands", "hand", "walker", "simulated") else "recorded"


def check_weights(walks, codes, names):
    """Gait weighs as much as all else; within an origin, a person of a set weighs the root of its size."""
    weights, origins = np.zeros(len(walks)), np.array([origin(name) for name in names])
    for kind, shares in CHECK_SHARES.items():
        sizes = np.bincount(codes[walks == kind], minlength=len(names))
        of_person = np.maximum(sizes, 50) ** -0.5
        for name, share in shares.items():
            total = (of_person * sizes)[origins == name].sum()
            if total:
                members = (walks == kind) & (origins == name)[codes]
                weights[members] = of_person[codes[members]] * share / total
    return weights


def fit_check(rows, seed=0):
    """The model that distinguishes gait from other rhythms: a network like that of the gate, by Adam with decoupled decay."""
    features, walks, people = rows
    codes, names = pd.factorize(people, sort=True)
    cumulated = np.cumsum(check_weights(walks, codes, names))
    mean, scale = features.mean(0, dtype=float), features.std(0, dtype=float) + 1e-3
    inputs = ((features - mean.astype(np.float32)) / scale.astype(np.float32))
    inputs.clip(-gait.MOST_DEVIATION, gait.MOST_DEVIATION, out=inputs)
    random, width = np.random.default_rng(seed), features.shape[1]
    # All parameters are views of one array, so that a step of Adam is a few operations.
    shapes = dict(hidden=(width, CHECK_UNITS), hiddenBias=(CHECK_UNITS,), output=(CHECK_UNITS,), linear=(width,), bias=(1,))
    ends = np.cumsum([np.prod(shape) for shape in shapes.values()])
    flat, gradient, first, second = (np.zeros(ends[-1], np.float32) for _ in range(4))
    model, slopes = (
        {key: part.reshape(shape) for (key, shape), part in zip(shapes.items(), np.split(values, ends[:-1]))}
        for values in (flat, gradient))
    model["hidden"][:] = random.normal(size=(width, CHECK_UNITS)) / np.sqrt(width)
    model["output"][:] = random.normal(size=CHECK_UNITS) * 0.1
    wanted = (walks * (1 - 2 * CHECK_DOUBT) + CHECK_DOUBT).astype(np.float32)
    for step in range(CHECK_STEPS):
        drawn = np.sort(random.random(CHECK_BATCH)) * cumulated[-1]
        i = np.minimum(np.searchsorted(cumulated, drawn), len(walks) - 1)
        x = inputs[i] + np.float32(CHECK_NOISE) * random.standard_normal((CHECK_BATCH, width), dtype=np.float32)
        sums = x @ model["hidden"] + model["hiddenBias"]
        units = np.maximum(sums, 0)
        odds = units @ model["output"] + x @ model["linear"] + model["bias"]
        g = (1 / (1 + np.exp(-odds)) - wanted[i]) / np.float32(CHECK_BATCH)
        through = np.outer(g, model["output"]) * (sums > 0)
        slopes["hidden"][:], slopes["hiddenBias"][:] = x.T @ through, through.sum(0)
        slopes["output"][:], slopes["linear"][:], slopes["bias"][:] = units.T @ g, x.T @ g, g.sum()
        first += np.float32(0.1) * (gradient - first)
        second += np.float32(0.001) * (gradient**2 - second)
        rate = CHECK_RATE * 0.5 * (1 + np.cos(np.pi * step / CHECK_STEPS))
        root = np.sqrt(second / np.float32(1 - 0.999 ** (step + 1))) + np.float32(1e-8)
        change = first / np.float32(1 - 0.9 ** (step + 1)) / root
        flat -= np.float32(rate) * (change + np.float32(CHECK_DECAY) * flat)
    return dict(
        mean=mean, scale=scale, hidden=model["hidden"], hiddenBias=model["hiddenBias"],
        output=model["output"] * CHECK_TEMPER, linear=model["linear"] * CHECK_TEMPER,
        bias=float(CHECK_TEMPER * model["bias"][0] + CHECK_SHIFT))


def fit_wave(parts, seed=0):
    """The model of the check that reads the wave, which weighs the same origins and people."""
    parts = [part for part in parts if (part["wave"]["label"] != 0).any()]
    labels = [label[label != 0] for label in (part["wave"]["label"] for part in parts)]
    people = [np.full(len(label), f"{part['dataset']} {part['person']}", object) for label, part in zip(labels, parts)]
    codes, names = pd.factorize(np.concatenate(people), sort=True)
    weights = check_weights(np.concatenate(labels) > 0, codes, names)
    return wave_check.fit([part["wave"] for part in parts], weights, seed)


def rounded(model):
    """The model with the five decimals of the Swift file."""
    return {key: np.round(np.asarray(value, float), 5) if key != "bias" else value for key, value in model.items()}


# Figures


def fold(person):
    """The fifth of the people in which somebody is. The same people are in several sets."""
    return zlib.crc32(str(person).split("/")[-1].encode()) % 5


def splits(kind):
    """For each model: the parts left out of its training, and the recordings of its test."""
    if kind == "set":
        return [
            (lambda part, names=names: part["dataset"] in names, lambda row, names=names: row.dataset in names)
            for names in LEFT_OUT]
    return [
        (lambda part, k=k: fold(part["person"]) == k, lambda row, k=k: fold(getattr(row, "person", row.subject)) == k)
        for k in range(5)]


def trained(parts, more, kind, seeds=(0,)):
    """For each split: whether a recording is in its test, the gate, and two checks for each seed: of the features, of the wave."""

    def of_split(split):
        is_out, is_tried = split
        known, others = ([part for part in group if not is_out(part)] for group in (parts, more))
        gate = fit(known)
        rows = check_rows(known + others, gate)
        return is_tried, gate, [(fit_check(rows, seed), fit_wave(known + others, seed)) for seed in seeds]

    with ThreadPoolExecutor(os.cpu_count()) as pool:
        return list(pool.map(of_split, splits(kind)))


def model_of(row, models):
    """The gate and the checks that a recording is tested with."""
    return next((gate, checkers) for is_tried, gate, checkers in models if is_tried(row))


def steps_of(recordings, models, seed=0):
    """The steps in each recording, by models trained without its person (or its set)."""
    found = []
    for row, _, signals in recordings:
        gate, checkers = model_of(row, models)
        found.append(gait.found(signals, gate, checkers[seed]))
    return found


def counts(signals, gate, checkers):
    """The number of steps without a check, and with each."""
    return dict(
        unchecked=len(gait.found(signals, gate)),
        **{f"seed {seed}": len(gait.found(signals, gate, checker)) for seed, checker in enumerate(checkers)})


def steps_of_activities(models):
    """The recordings of activities and their steps, by models trained without them; a column for each seed of the check."""
    everything = []
    for kind in ("activity", "activity-more", "activity-third", "activity-fourth"):
        table = manifest(kind)
        for row in table[table.sample_rate_hz >= 8].itertuples():
            samples, time, acceleration = read(kind, row.dataset, row.recording)
            signals, (gate, checkers) = gait.frames(time, acceleration), model_of(row, models)
            known = samples.label[samples.label != "unknown"].unique()
            everything.append(dict(
                set=row.dataset, recording=row.recording, subject=row.subject, hours=row.duration_s / 3600,
                activity=known[0] if len(known) == 1 else "mixed" if len(known) else "unknown",
                motion=samples.source_label.iloc[0], **counts(signals, gate, checkers)))
    return pd.DataFrame(everything)


def steps_of_exercises(models):
    """The exercises on one spot and their steps, which are false, by models trained without their people."""
    table = steps_of_activities(models)
    return table[table.motion.isin([*EXERCISES, "jumping-jacks"]) | table.motion.str.startswith("exercise:")]


def steps_of_hands(models):
    """The recordings of hands and their steps, by models trained without their people; a column for each seed of the check."""
    table, everything = manifest("hands"), []
    for row in table[(table.sample_rate_hz >= 8) & ~table.recording.isin(WALKS_PERHAPS)].itertuples():
        signals, (gate, checkers) = gait.frames(*read("hands", row.dataset, row.recording)[1:]), model_of(row, models)
        everything.append(dict(
            recording=row.recording, subject=row.subject, placement=row.placement, kind=row.kind,
            hours=sum(len(signal[2]) for signal in signals) / 3600, **counts(signals, gate, checkers)))
    return pd.DataFrame(everything)


def steps_of_swims(parts, more, gate):
    """The recordings of the swimmer and their steps, those of every second day by checks that have learned the other days."""
    table = manifest("hands").query("kind == 'swim'")
    days = table.recording.str.extract(r"(\d{4})", expand=False)
    everything = []
    for half in (0, 1):
        own = sorted(days.unique())[half::2]
        names = set("hands " + table.recording[days.isin(own)])
        known = parts + [part for part in more if part["dataset"] not in names]
        checkers = [(fit_check(check_rows(known, gate)), fit_wave(known))]
        for row in table[days.isin(own)].itertuples():
            signals = gait.frames(*read("hands", row.dataset, row.recording)[1:])
            everything.append(dict(
                day=days[row.Index], recording=row.recording, hours=row.duration_s / 3600, **counts(signals, gate, checkers)))
    return pd.DataFrame(everything)


def matches(found, true, tolerance=0.25):
    i = j = 0
    errors = []
    while i < len(found) and j < len(true):
        if abs(found[i] - true[j]) <= tolerance:
            errors.append(found[i] - true[j])
            i, j = i + 1, j + 1
        elif found[i] < true[j]:
            i += 1
        else:
            j += 1
    return errors


def figures(recordings, found):
    """The measures of accuracy: MAPE in % by group, pooled bias, F1 of the times, false steps per hour."""
    table = pd.DataFrame([row for row, *_ in recordings]).reset_index(drop=True)
    table["found"] = [len(steps) for steps in found]
    walks = table[table.true_steps >= 20].copy()
    walks["error"] = 100 * (walks.found - walks.true_steps).abs() / walks.true_steps
    wrist, phone = walks.placement.str.startswith("wrist"), walks.placement.str.startswith("phone")
    result = {
        "all": walks.error.mean(), "wrist": walks[wrist].error.mean(), "phone": walks[phone].error.mean(),
        "wrist runs": walks[wrist & (walks.activity == "running")].error.mean()}
    result |= {name: walks[walks.dataset == name].error.mean() for name in SETS}
    result["without the doubtful"] = walks[~walks.recording.isin(DOUBTFUL)].error.mean()
    result["bias"] = walks.found.sum() / walks.true_steps.sum()
    hits = count = 0
    for (row, contacts, _), steps in zip(recordings, found):
        if contacts is not None and row.dataset in ("oxford_opt", "weallwalk"):
            hits += len(matches(np.sort(steps), np.sort(contacts)))
            count += len(steps) + len(contacts)
    result["time F1"] = 2 * hits / count
    still = table[table.true_steps == 0]
    drive = still.activity == "driving"
    desk = still.recording.str.contains("work|desk") | (still.activity == "stationary")
    for name, group in (("driving", drive), ("desk", desk), ("chores", ~drive & ~desk), ("all", drive | True)):
        result[f"false/h {name}"] = still[group].found.sum() / (still[group].duration_s.sum() / 3600)
    return result


# The Swift files


def tables(model):
    """The tables of weights of a network, with six digits, in the order of `GaitNetwork`."""
    names = ["mean", "scale", "linear", "hidden", "hiddenBias", "output", "bias"]
    return [[float(f"{value:.6g}") for value in np.ravel(np.transpose(model[name]))] for name in names]
