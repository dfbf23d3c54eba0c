"""How many steps of a short walk count where busy hands come before and after it, with the people of both left out of the training.

    FOOTFALL_SHARED=… OMP_NUM_THREADS=1 python spliced_walks.py

Some steps from the middle of each counted walk at the wrist are put into a recording of hands. The steps are those that are found in the
whole walk, if their number is about the true one. The table has the share of them that count, in %, by kind of hands and number of steps:
the mean of three trainings of the check, and its range.
"""

import numpy as np
import pandas as pd

import gait
import walking_gate as training

HANDS = {
    "brushing teeth": ["teeth"], "clapping": ["clap"], "folding": ["fold"], "typing, writing": ["typing", "write"],
    "eating": ["soup", "pasta", "sandwich", "chips"]}
STEPS = (6, 10, 14, 20, 50)
LEAST_STEPS = 70  # of a walk that 50 steps are cut out of
MOST_ERROR = 0.1  # of the number of steps that are found in the walk
RATE = 20.0  # Hz, that of the hands
BEFORE, AFTER = 60.0, 30.0  # s of hands
SEAM = 0.5  # s over which one signal fades into the other
SEEDS = (0, 1, 2)


def overflows(acceleration):
    """Whether values leave the sensor's range and come out at its other end. The library puts back those of a whole recording."""
    return (np.abs(np.diff(acceleration, axis=0)) > 1.5 * np.abs(acceleration).max()).sum() >= 6


def at(times, recording):
    _, time, acceleration = recording
    return np.column_stack([np.interp(times, time - time[0], axis) for axis in acceleration.T])


def middle(steps, count):
    """The start and the end of the middle steps, halfway to the steps beside them."""
    first = (len(steps) - count) // 2
    return steps[first - 1 : first + 1].mean(), steps[first + count - 1 : first + count + 1].mean()


def spliced(hand, walk, start, end):
    """The times and the acceleration of hands with a piece of a walk from BEFORE on."""
    length = end - start
    times = np.arange(0, BEFORE + length + AFTER, 1 / RATE)
    share = np.interp(times, BEFORE + np.array([-SEAM, 0, length, length + SEAM]), [0, 1, 1, 0])[:, None]
    return times, at(times, hand) * (1 - share) + at(times - BEFORE + start, walk) * share


def splices(models, seed=1):
    """The walk, the kind of hands, the number of steps, the seconds of the walk, and the frames. Each walk is in each kind once."""
    random, hands = np.random.default_rng(seed), training.manifest("hands")
    hands = hands[(hands.dataset == "wisdm-hands") & (hands.placement.str.startswith("wrist"))]
    hands = hands[~hands.recording.isin(training.WALKS_PERHAPS)]
    groups = hands.subject.map(training.fold)
    walks = training.step_recordings()
    walks = walks[(walks.placement == "wrist") & (walks.activity == "walking") & (walks.true_steps >= LEAST_STEPS)]
    for row in walks.itertuples():
        walk, (gate, checkers) = training.read("steps", row.dataset, row.recording), training.model_of(row, models)
        steps = gait.found(gait.frames(*walk[1:]), gate, checkers[0])
        if abs(len(steps) / row.true_steps - 1) > MOST_ERROR or overflows(walk[2]):
            continue
        for name, kinds in HANDS.items():
            own = hands[hands.kind.isin([f"hands:{kind}" for kind in kinds]) & (groups == training.fold(row.person))]
            hand = own.iloc[random.integers(len(own))]
            recording = training.read("hands", hand.dataset, hand.recording)
            for count in STEPS:
                start, end = middle(steps, count)
                yield row, name, count, end - start, gait.frames(*spliced(recording, walk, start, end))


def shares(models):
    """The steps of each splice that count with each check, as a share of those that were put in."""
    rows = []
    for row, name, count, length, signals in splices(models):
        gate, checkers = training.model_of(row, models)
        for seed, checker in enumerate(checkers):
            steps = gait.found(signals, gate, checker)
            inside = (steps >= BEFORE) & (steps < BEFORE + length)
            rows.append(dict(hands=name, steps=count, seed=seed, share=100 * inside.sum() / count))
    table = pd.DataFrame(rows).groupby(["hands", "steps", "seed"]).share.mean().unstack()
    texts = table.apply(lambda row: f"{row.mean():.0f} ({row.min():.0f} to {row.max():.0f})", axis=1)
    return texts.unstack("steps").loc[list(HANDS)]


if __name__ == "__main__":
    _, parts = training.prepare()
    print(shares(training.trained(parts, training.more_parts(), "subject", SEEDS)).to_string())
