"""Where the step detector misses steps of people outside its training, and how far the phase of its seconds changes its count.

    FOOTFALL_SHARED=… OMP_NUM_THREADS=1 python missed_steps.py

The recordings are those with timed steps, at any place and at the lower back. The first table has the share of missed steps by
cadence, by amplitude, at the ends of a bout, by place and by cause, in three trainings of the check. The second has the range of the
count over ten shifts of the seconds by 0.1 s, in the first training.
"""

from collections import Counter

import numpy as np
import pandas as pd

import gait
import walking_gate as training

NEAR = 0.35  # s between a step and the true contact that it stands for
PAUSE = 2.0  # s between two bouts
ENDS = 2  # steps at each end of a bout
SOFT = 0.12  # g; standard deviation of the magnitude below 5 Hz over ± 1 s
SLOW = 85  # steps a minute
SHIFTS = np.arange(10) / 10  # s
SETS = ("steps", "steps-more")
PLACES = ("pocket", "phone", "lower_back", "sacrum")  # words of a placement; a phone that is not in a pocket
SEEDS = (0, 1, 2)


def timed_recordings():
    for kind in SETS:
        for _, row in training.step_recordings(kind).iterrows():
            _, time, acceleration = training.read(kind, row.dataset, row.recording)
            yield row, training.true_contacts(row.dataset, row.recording, kind), time - time[0], acceleration


def is_matched(steps, contacts):
    """Whether each true contact has a step."""
    matched, i = np.zeros(len(contacts), bool), 0
    for k, contact in enumerate(contacts):
        while i < len(steps) and steps[i] < contact - NEAR:
            i += 1
        if i < len(steps) and steps[i] <= contact + NEAR:
            matched[k] = True
            i += 1
    return matched


def cause(signal, gate, checker, time):
    """The stage that loses a second."""
    start, values, seconds, cadences, features = signal
    k = int(np.floor(time)) - seconds[0]
    if not 0 <= k < len(seconds) or not (cadences[k] > 0).any():
        return "no candidate"
    scores = gait.score(gate, cadences, features)
    cadence, own = gait.track(cadences, scores)
    if cadence[k] == 0:
        return "no cadence, score below 0" if scores[k].max() < 0 else "no cadence, score above 0"
    checks, odds = gait.judged(cadence, *gait.checked(checker, signal, scores))
    own = own + gait.EVIDENCE_WEIGHT * (checks - gait.NO_EVIDENCE)
    if odds[k] < 0:
        return "check"
    swing = values[:, 3] - gait.moving_mean(values[:, 3], gait.TREND_REACH)
    level = np.sqrt(gait.moving_mean(swing * swing, gait.LEVEL_REACH))
    levels = gait.levels_of(level, start, seconds)
    runs, _ = gait.confirmed(np.where(odds < 0, 0, cadence), own, levels, checks, odds)
    return "within a bout" if any(first <= k < end for first, end in runs) else "not confirmed"


def steps_of_recording(contacts, signals, gate, checker):
    """The true steps: cadence (steps a minute), amplitude (g), places from the ends of the bout, whether missed, and why."""
    matched = is_matched(np.sort(gait.found(signals, gate, checker)), contacts)
    breaks = np.flatnonzero(np.diff(contacts) > PAUSE)
    for first, end in zip(np.r_[0, breaks + 1], np.r_[breaks + 1, len(contacts)]):
        for k in range(first, end):
            near = np.diff(contacts[max(first, k - 2) : min(end, k + 3)])
            signal = next((s for s in signals if s[0] / 25 <= contacts[k] < (s[0] + len(s[1])) / 25), None)
            middle = 0 if signal is None else int(contacts[k] * 25) - signal[0]
            yield dict(
                cadence=60 / np.median(near) if len(near) else 0.0,
                amplitude=0.0 if signal is None else signal[1][max(0, middle - 25) : middle + 26, 3].std(),
                before=k - first, after=end - 1 - k, missed=not matched[k],
                cause="" if matched[k] else "no signal" if signal is None else cause(signal, gate, checker, contacts[k]))


def missed(recordings, models):
    rows = []
    for row, contacts, time, acceleration in recordings:
        if contacts is not None and len(contacts) > 1:
            gate, checkers = training.model_of(row, models)
            signals, place = gait.frames(time, acceleration), next(name for name in PLACES if name in row.placement)
            for seed, checker in enumerate(checkers):
                steps = steps_of_recording(np.sort(contacts), signals, gate, checker)
                rows += [dict(step, seed=seed, place=place) for step in steps]
    table = pd.DataFrame(rows)
    cadence, is_long = table.cadence, table.before + table.after >= 2 * ENDS
    is_hard = (table.amplitude < SOFT) | (cadence < SLOW)
    for name, group in (
        ("all", cadence >= 0), ("below 50 a minute", cadence < 50), ("50 to 70", cadence.between(50, 70, "left")),
        ("70 to 85", cadence.between(70, SLOW, "left")), ("85 and more", cadence >= SLOW), ("soft", table.amplitude < SOFT),
        ("soft or slow", is_hard), ("neither", ~is_hard), ("first two", is_long & (table.before < ENDS)),
        ("last two", is_long & (table.after < ENDS)), ("between", (table.before >= ENDS) & (table.after >= ENDS)),
        *((place, table.place == place) for place in PLACES),
    ):
        counts = ", ".join(str(count) for count in table[group].groupby("seed").missed.sum())
        print(f"{name:20} {counts:>15} of {(group & (table.seed == 0)).sum():6} missed, {100 * table.missed[group].mean():5.1f} %")
    for name, group in (("soft or slow", is_hard), ("neither", ~is_hard)):
        print(name, Counter(table.cause[table.missed & group]).most_common())


def phases(recordings, models):
    """The range of the count over the shifts, as a share of all steps."""
    ranges, counts = [], []
    for row, contacts, time, acceleration in recordings:
        if row.true_steps == 0:
            continue
        gate, checkers = training.model_of(row, models)
        steps = [len(gait.found(gait.frames(time + shift, acceleration), gate, checkers[0])) for shift in SHIFTS]
        ranges.append(max(steps) - min(steps))
        counts.append(max(np.mean(steps), 1))
    share = np.array(ranges) / counts
    print(f"{len(ranges)} recordings: ranges {100 * sum(ranges) / sum(counts):.2f} % of the steps in sum, the largest "
          f"{100 * share.max():.0f} %, {(share > 0.05).sum()} above 5 %")


if __name__ == "__main__":
    _, parts = training.prepare()
    models = training.trained(parts, training.more_parts(), "subject", SEEDS)
    recordings = list(timed_recordings())
    missed(recordings, models)
    phases(recordings, models)
