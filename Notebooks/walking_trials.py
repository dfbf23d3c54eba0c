"""The contribution of the parts of the step detector: the comparison tables of “Trials of the step detector”.

    FOOTFALL_SHARED=… OMP_NUM_THREADS=1 python walking_trials.py stops changed tried

`stops` separates the errors in steady walking from those at its start and end. `changed` tests the detector on softer,
slower and sparser copies of the recordings. `tried` changes one part
at a time, trains again where needed, and prints the figures. It runs all trials in half an hour, or those whose names
contain one of the words that follow it.
Every figure is of people (S) or data sets (O) outside the training data of the gate.
"""

import itertools
import sys
from types import SimpleNamespace

import numpy as np

import activity_rides as rides
import gait
import walking_gate as training

STEADY = 3  # steps from a stop


def models_without(parts, kind, seed=0):
    return [training.fit([part for part in parts if not is_out(part)], seed) for is_out, _ in training.splits(kind)]


def model_for(row, models, kind):
    return next(m for m, (_, is_tried) in zip(models, training.splits(kind)) if is_tried(row))


def found(model, signals):
    return gait.decode(signals, [gait.score(model, f, x) for *_, f, x in signals])


def all_found(recordings, models, kind):
    return [found(model_for(row, models, kind), signals) for row, _, signals in recordings]


# Where the errors are


def stops(recordings, models):
    """Counts in recordings with known initial contacts: from the third to the third-last step of a bout, and elsewhere."""
    print("found / true in steady walking, around stops, and contacts that come within 0.65 of the usual interval")
    for dataset in ("weallwalk", "oxford_opt"):
        totals = np.zeros(4)
        for row, contacts, signals in recordings:
            if row.dataset != dataset:
                continue
            steps, contacts = found(model_for(row, models, "subject"), signals), np.sort(contacts)
            count = np.arange(len(steps))
            pauses = np.flatnonzero(np.diff(contacts) > 1.3)
            steady = np.zeros(2)
            for first, last in zip(np.r_[0, pauses + 1], np.r_[pauses, len(contacts) - 1]):
                if last - first > 3 * STEADY:
                    within = contacts[[first + STEADY, last - STEADY]]
                    steady += np.diff(np.interp(within, steps, count))[0], last - first - 2 * STEADY
            intervals = np.diff(contacts)
            usual = np.array([np.median(intervals[max(0, k - 8) : k + 9]) for k in range(len(intervals))])
            close = (intervals < 0.65 * usual).sum()
            print(f"  {row.recording:36} {steady[0]:6.1f} / {steady[1]:3.0f}  "
                  f"{len(steps) - steady[0]:5.1f} / {len(contacts) - steady[1]:3.0f}  {close:3}")
            totals += *steady, len(steps), len(contacts)
        print(f"{dataset}: steady {totals[0] / totals[1]:.3f}, all {totals[2] / totals[3]:.3f}")


# Changed recordings


def still_part(time, acceleration):
    """The mean over six seconds, which excludes the motion."""
    count = len(time)
    reach = max(1, int(3 * (count - 1) / (time[-1] - time[0])))
    sums = np.vstack([np.zeros((1, 3)), np.cumsum(acceleration, 0)])
    first, end = np.clip(np.arange(count) - reach, 0, count), np.clip(np.arange(count) + reach, 0, count)
    return (sums[end] - sums[first]) / (end - first)[:, None]


def altered(time, acceleration, random, amplitude=1.0, stretch=1.0, is_sparse=False):
    """A copy with softer motion, with slower and softer motion, or at 12.5 Hz with 8 % of the samples lost."""
    still = still_part(time, acceleration)
    time, acceleration = time * stretch, still + (acceleration - still) * amplitude / stretch
    if is_sparse:
        times = np.arange(time[0], time[-1], 0.08)
        times = times[random.random(len(times)) > 0.08]
        acceleration = np.column_stack([np.interp(times, time, acceleration[:, c]) for c in range(3)])
        time = times
    return time, acceleration


CHANGES = {
    "as they are": {}, "what moves × 0.5": dict(amplitude=0.5), "what moves × 0.35": dict(amplitude=0.35),
    "what moves × 0.25": dict(amplitude=0.25), "what moves × 1.5": dict(amplitude=1.5),
    "slower by a fifth": dict(stretch=1.2), "slower by two fifths": dict(stretch=1.4),
    "at 12.5 Hz, 8 % lost": dict(is_sparse=True),
    "at 12.5 Hz, 8 % lost, slower by a quarter": dict(stretch=1.25, is_sparse=True),
}


def is_fit_for_change(row):
    return row.duration_s <= 700 and row.recording not in training.DOUBTFUL and row.dataset != "grf_run_processed"


def error_when(change, recordings, models):
    """MAPE of wrists and of phones in %, and the false steps, when recordings are changed; models by subject."""
    random, errors, false = np.random.default_rng(0), {"wrist": [], "phone": []}, 0
    for row, _, _ in filter(lambda recording: is_fit_for_change(recording[0]), recordings):
        _, time, acceleration = training.read("steps", row.dataset, row.recording)
        signals = gait.frames(*altered(time, acceleration, random, **change))
        count = len(found(model_for(row, models, "subject"), signals))
        if row.true_steps:
            errors[row.placement[:5]].append(100 * abs(count / row.true_steps - 1))
        else:
            false += count
    return np.mean(errors["wrist"]), np.mean(errors["phone"]), false


def changed(recordings, models):
    for name, change in CHANGES.items():
        wrist, phone, false = error_when(change, recordings, models)
        print(f"{name:44} wrist {wrist:5.1f}  phone {phone:5.1f}  false steps {false}")
    error, silent = clips(recordings, models)
    print(f"{'8 s out of the middle of walks':44} MAPE {error:5.1f}  nothing found in {silent:.1f} %")


def clips(recordings, models):
    """MAPE in % and the share without a step, of clips of 8 s; the truth is known, or found in the whole recording."""
    errors = []
    for row, contacts, signals in recordings:
        if not is_fit_for_change(row) or row.true_steps < 20:
            continue
        model = model_for(row, models, "subject")
        true = found(model, signals) if contacts is None else contacts
        _, time, acceleration = training.read("steps", row.dataset, row.recording)
        for begin in np.arange(time[0] + 4, time[-1] - 12, 16)[:8]:
            count = ((true >= begin) & (true < begin + 8)).sum()
            inside = (time >= begin) & (time < begin + 8)
            if count >= 8 and inside.sum() >= 50:
                errors.append(abs(len(found(model, gait.frames(time[inside], acceleration[inside]))) / count - 1))
    return 100 * np.mean(errors), 100 * np.mean(np.array(errors) == 1)


# Trials


def vouching_for_all(cadence, odds, levels, checks):
    return CONFIRMED(cadence, odds, np.ones(len(levels)), checks)


def leaking(cadence, odds, levels, checks, seconds=12.0):
    """A bout detector whose summed score decays, so that weak seconds must follow each other closely."""
    runs, left, usual, first = [], 0.0, 0.0, 0
    while first < len(cadence):
        end, evidence, is_confirmed = first, 0.0, False
        while end < len(cadence) and cadence[end] > 0:
            evidence = max(0.0, evidence * np.exp(-1 / seconds) + odds[end] - gait.MARGIN)
            vouched = left if levels[end] >= gait.LIVELY_SHARE * usual else 0.0
            is_confirmed |= evidence + vouched >= gait.CONFIRMATION
            end += 1
        if is_confirmed:
            runs.append((first, end))
            usual = np.median(levels[max(first, end - gait.LEVEL_BEFORE - 1) : end])
        left = min(left + evidence, gait.MOST_LEFT)
        if end == first:
            left, end = left * np.exp(-1 / gait.FORGETTING), end + 1
        first = end
    return runs, cadence


def bridging(longest):
    """A bout detector that fills pauses with walking where half of the pause is active."""

    def confirmed(cadence, odds, levels, checks, trust):
        runs = []
        known, cadence = CONFIRMED(cadence, odds, levels, checks, trust)
        for first, end in known:
            if runs and first - runs[-1][1] <= longest:
                begin, last = runs[-1]
                usual = np.median(levels[max(begin, last - gait.LEVEL_BEFORE - 1) : last])
                if (levels[last:first] >= gait.LIVELY_SHARE * usual).mean() >= 0.5:
                    pause = np.arange(last, first)
                    cadence[pause] = np.interp(pause, [last - 1, first], [cadence[last - 1], cadence[first]])
                    runs[-1] = (begin, end)
                    continue
            runs.append((first, end))
        return runs, cadence

    return confirmed


def only_whole(count):
    """Copies without crops, or (0) no copies."""
    return lambda *arguments: itertools.islice(COPIES(*arguments), count + 1)


def simulated(make, count):
    """Simulated recordings with the label “not on foot”."""

    def extended(parts):
        random, more = np.random.default_rng(7), []
        for k in range(count):
            time, acceleration, *_ = make(random)
            more += [training.stepless("simulated", f"simulated/{k}", signal) for signal in gait.frames(time, acceleration)]
        return parts + [part for part in more if len(part["label"])]

    return extended


def without_activities(parts):
    return [part for part in parts if part["dataset"] in training.SETS]


def without_doubt(parts):
    return [part | dict(doubt=np.minimum(part["doubt"], 1e-6)) for part in parts]


def mean_of(count):
    """The mean score of networks with different seeds."""

    def fit(parts, seed=0):
        return [FIT(parts, seed + k) for k in range(count)]

    def score(models, cadences, features):
        return np.mean([SCORE(model, cadences, features) for model in models], 0)

    return dict(fit=fit, score=score)


CONFIRMED, COPIES, FIT, SCORE = gait.confirmed, training.copies, training.fit, gait.score
# Name, the work to repeat (1: training, 2: preparation and training), the change in gait.py or walking_gate.py. The features
# are those of the library.
TRIALS = [
    ("as it is", 1, {}),
    ("a set ± 13 % wide", 2, dict(COUNT_WIDTH=1.13)),
    ("no label taken for wrong", 1, dict(parts=without_doubt)),
    ("no changed copies", 2, dict(copies=only_whole(0))),
    ("copies less soft and less slow", 2, dict(TIME_STRETCH=(-0.25, 0, 0.25), AMPLITUDE=(0.5, 1, 1.5))),
    ("no crops", 2, dict(copies=only_whole(training.COPIES))),
    ("without the labelled activities", 1, dict(parts=without_activities)),
    ("simulated busy hands as “not walking”", 1, dict(parts=simulated(rides.handled, 60))),
    ("simulated bicycles as “not walking”", 1, dict(parts=simulated(rides.bicycle, 40))),
    ("a linear gate", 1, dict(UNITS=0)),
    ("12 hidden units", 1, dict(UNITS=12)),
    ("48 hidden units", 1, dict(UNITS=48)),
    ("a mean of four networks", 1, mean_of(4)),
    ("weight decay × 10", 1, dict(DECAY=1e-2)),
    ("no shift and no margin", 1, dict(SHIFT=0.0, MARGIN=0.0)),
    ("a shift of 0.5", 1, dict(SHIFT=0.5)),
    ("evidence 10", 0, dict(CONFIRMATION=10.0)),
    ("evidence 8", 0, dict(CONFIRMATION=8.0)),
    ("evidence 6", 0, dict(CONFIRMATION=6.0)),
    ("evidence that fades while it is gathered", 0, dict(confirmed=leaking)),
    ("no evidence left after a bout", 0, dict(MOST_LEFT=0.0)),
    ("all evidence left after a bout", 0, dict(MOST_LEFT=np.inf)),
    ("what is left vouches for anything", 0, dict(confirmed=vouching_for_all)),
    ("candidates without pauses", 0, dict(LONGEST_PAUSE=0)),
    ("candidates with pauses of 12 s", 0, dict(LONGEST_PAUSE=12)),
    ("lively pauses of 8 s bridged", 0, dict(confirmed=bridging(8))),
    ("lively pauses of 12 s bridged", 0, dict(confirmed=bridging(12))),
    ("bouts that do not grow", 0, dict(EDGE=0)),
    ("bouts that grow by 3 s", 0, dict(EDGE=75)),
    ("growing at 0.5", 0, dict(EDGE_SHARE=0.5)),
    ("growing at 0.6", 0, dict(EDGE_SHARE=0.6)),
    ("growing at 0.7", 0, dict(EDGE_SHARE=0.7)),
    ("lively from 0.3 on", 0, dict(LIVELY_SHARE=0.3)),
    ("lively from 0.5 on", 0, dict(LIVELY_SHARE=0.5)),
    ("a level over 0.6 s", 0, dict(LEVEL_REACH=7)),
    ("a level over 1.5 s", 0, dict(LEVEL_REACH=18)),
    ("phase averaged over 1.2 s", 0, dict(PHASE_REACH=14)),
    ("phase averaged over 4 s", 0, dict(PHASE_REACH=49)),
    ("look-ahead of 2 s", 0, dict(LAG=2)),
    ("look-ahead of 5 s", 0, dict(LAG=5)),
    ("cheap changes of cadence (10)", 0, dict(DRIFT_COST=10.0)),
    ("dear changes of cadence (30)", 0, dict(DRIFT_COST=30.0)),
    ("cheaper stops (4)", 0, dict(STOP_COST=4.0)),
    ("dear stops (8)", 0, dict(STOP_COST=8.0)),
]


def tried(usual, words):
    for name, effort, change in TRIALS:
        if words and not any(word in name for word in words):
            continue
        alter = change.get("parts", lambda parts: parts)
        kept = {}
        for key, value in change.items():
            for module in (gait, training):
                if hasattr(module, key):
                    kept[module, key] = getattr(module, key)
                    setattr(module, key, value)
        recordings, parts = training.prepare(seed=1) if effort == 2 else (usual.recordings, usual.parts)
        parts = alter(parts)
        models = {
            kind: models_without(parts, kind) if effort else usual.models[kind] for kind in ("subject", "set")}
        s, o = (training.figures(recordings, all_found(recordings, models[k], k)) for k in ("subject", "set"))
        soft = error_when(CHANGES["what moves × 0.35"], recordings, models["subject"])
        print(f"{name:42} S {s['all']:5.2f} wrist {s['wrist']:5.2f} phone {s['phone']:5.2f} F1 {s['time F1']:.3f}  "
              f"O {o['all']:5.2f} phone {o['phone']:5.2f}  false/h {s['false/h all']:4.1f} {o['false/h all']:4.1f}  "
              f"softer wrist {soft[0]:5.1f} phone {soft[1]:5.1f}", flush=True)
        for (module, key), value in kept.items():
            setattr(module, key, value)


def main(words):
    recordings, parts = training.prepare(seed=1)
    models = {"subject": models_without(parts, "subject")}
    if "stops" in words:
        stops(recordings, models["subject"])
    if "changed" in words:
        changed(recordings, models["subject"])
    if "tried" in words:
        models["set"] = models_without(parts, "set")
        usual = SimpleNamespace(recordings=recordings, parts=parts, models=models)
        tried(usual, words[words.index("tried") + 1 :])


if __name__ == "__main__":
    main(sys.argv[1:])
