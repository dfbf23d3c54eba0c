"""A trial: a convolutional network that reads the wave joins the network of the activity model (`RideTrials.md`).

    activity_wave.py [units of the first layer, units of the others]     trains without each group, and prints the table

The front of the network is that of `wave_check.py`. Three layers with gaps of 1, 2 and 4 s then join a second and the 14 s before it. It
learns 28 s around seconds that are drawn with the weights of the activity model, by the seconds that have their class.
"""

import sys

import jax
import jax.numpy as jnp
import numpy as np
import pandas as pd
from footfall import _training

import activity_model as am
import activity_training as training
import wave_check as wave

LENGTH, STEPS, GAPS = 28, 5000, (1, 2, 4)  # s of a stretch, steps of the training, s between the seconds that a layer joins
BEFORE = 14  # s before a second that the layers with gaps read
SOFT, SCALES = 0.03, (0.67, 1.5)  # assumed share of wrong labels, factors of softer and stronger motion
SHARE, UNSURE = 0.3, 0.7  # share of the wave, and the probability of a class from which on it is not asked


def pieces(time, xyz, label, about, known=training.pieces):
    """The pieces of the activity model, with their signal at 25 Hz."""
    signals = _training.gait_signals(time, xyz)
    for piece in known(time, xyz, label, about):
        middle = wave.RATE * piece["first"] + wave.RATE // 2
        own = next((signal for signal in signals if signal.start <= middle < signal.start + len(signal.values)), None)
        if own is not None:
            piece["wave"] = dict(start=own.start, values=np.asarray(own.values, np.float32))
        yield piece


def layers(random, fine, wide):
    shapes = [(wave.VALUES * wave.CHANNELS, fine, 1), (wave.FINES * fine, wide, 1), *[(3 * wide, wide, 0.5)] * len(wave.GAPS),
              (wave.FRAMES * wide, wide, 1), *[(3 * wide, wide, 0.5)] * len(GAPS), (wide, len(am.CLASSES), 0.3)]
    return [(jnp.array(random.normal(size=(i, o)) * scale * np.sqrt(2 / i), jnp.float32), jnp.zeros(o)) for i, o, scale in shapes]


def outputs(model, rows, kept=None):
    """The log-probability of each class, by second of stretches, given the channels of `wave_check.py`."""
    *front, last = model
    front, far = front[: -len(GAPS)], front[-len(GAPS) :]
    rows = wave.joined(front, rows, kept)
    for gap, layer in zip(GAPS, far):
        rows = rows + jax.nn.relu(wave.convolved(rows, layer, 3, gap=gap, padding=(2 * gap, 0)))
    return jax.nn.log_softmax(wave.convolved(rows, last, 1))


known = jax.jit(outputs)


def loss(model, rows, wanted, weights, kept):
    soft = jax.nn.one_hot(wanted, len(am.CLASSES)) * (1 - SOFT) + SOFT / len(am.CLASSES)
    return -(weights[:, :, None] * soft * outputs(model, rows, kept)).sum() / jnp.maximum(weights.sum(), 1)


learn = wave.learning(loss)


def fit(data, units=(8, 16), seed=0):
    """The network that learns the seconds of signals with the weights of the activity model."""
    random, data = np.random.default_rng(seed), [piece for piece in data if "wave" in piece]
    _, classes, weights = training.table(data, lambda piece: True)
    goals = [training.targets(piece) for piece in data]
    used = [np.flatnonzero(weight > 0) for _, weight in goals]
    piece_of, second_of = np.concatenate([np.full(len(own), k) for k, own in enumerate(used)]), np.concatenate(used)
    cumulated = np.cumsum(weights)
    model = layers(random, *units)
    first = second = jax.tree.map(jnp.zeros_like, model)
    for step in range(STEPS):
        rows = []
        for _ in range(wave.BATCH):
            drawn = min(np.searchsorted(cumulated, random.random() * cumulated[-1]), len(cumulated) - 1)
            piece, (labels, own) = data[piece_of[drawn]], goals[piece_of[drawn]]
            start = int(second_of[drawn] - random.integers(BEFORE + 2, LENGTH - 3))
            index = np.arange(start, start + LENGTH)
            near = np.clip(index, 0, len(labels) - 1)
            alike = (index == near) & (labels[near] == classes[drawn])
            values = wave.stretch(piece["wave"], piece["first"] + start, LENGTH)
            if random.random() < wave.SCALED:
                mean = values.mean(0)
                mean[4] = 0
                values = mean + (values - mean) * np.float32(np.exp(random.uniform(*np.log(SCALES))))
            rows.append((values, labels[near], np.where(alike, np.minimum(own[near], 1), 0)))
        values, wanted, weight = (np.stack(part) for part in zip(*rows))
        values[:, :, :3] = np.einsum("bij,btj->bti", wave.rotations(random, wave.BATCH), values[:, :, :3])
        kept = (random.random((wave.BATCH, 1, units[1])) < wave.KEPT).astype(np.float32) / wave.KEPT
        rate = wave.LEARNING_RATE * 0.5 * (1 + np.cos(np.pi * step / STEPS)) * min(1, (step + 1) / wave.WARM)
        model, first, second = learn(
            model, first, second, wave.channels(values), wanted, weight.astype(np.float32), kept, step + 1.0, rate)
    return model


def logs(model, piece):
    """The log-probability of each class, by second of a piece."""
    count, margin = len(piece["label"]), BEFORE + 6
    rows = wave.stretch(piece["wave"], piece["first"] - margin, 2 ** int(np.ceil(np.log2(count + margin + 8))))
    return np.asarray(known(model, wave.channels(rows[None])))[0][margin : margin + count]


def outcomes(data, tested, models, share, unsure):
    """What the two networks give together for pieces that neither knows: (piece, weight, state, provisional, segments)."""
    alone = am.network

    def both(features, model):
        first = alone(features, model)
        joined = np.where((np.exp(first.max(1)) < unsure)[:, None], (1 - share) * first + share * model["wave"], first)
        return joined - np.log(np.exp(joined).sum(1, keepdims=True))

    am.network = both
    try:
        known_by = [(piece, models[training.group(piece)]) for piece in training.originals(data)]
        for piece, (net, waves) in known_by + [(piece, models[-1]) for piece in tested]:
            own = dict(net, wave=logs(waves, piece) if "wave" in piece else alone(piece["features"].astype(float), net))
            for gate, weight in training.gates(piece):
                yield piece, weight, *training.outcome(piece, own, gate)
    finally:
        am.network = alone


def figures(results):
    """Recall and precision of each class, and what is called of busy hands and of drivers with a watch."""
    grades = dict(confidence=training.fit_confidence(results), high=0.9, medium=0.7)
    found = training.measure(results, grades)
    table, row = found["confusion"], {}
    for k, name in enumerate(am.CLASSES[:5]):
        row[name] = f"{table[k, k] / table[k].sum():.3f}, {table[k, k] / table[:, k].sum():.3f}"
    hands = sum(counts for (place, kind), counts in found["hands"].items() if place == "wrist" and kind.startswith("hands:"))
    row["hands: a ride"] = round(hands[3:5].sum() / hands[:6].sum(), 3)
    drivers = found["others"]["drivers, device at the wrist"]
    return row | {"drivers": round(drivers[3] / drivers.sum(), 3), "macro-F1": round(training.macro_f1(table), 3)}


if __name__ == "__main__":
    units = tuple(map(int, sys.argv[1:3])) or (8, 16)
    training.pieces = pieces
    data, tested = training.real() + training.simulated(), training.tested()
    models = []
    for index in range(len(training.GROUPS) + 1):  # the last one has learned all, for those that are only tested
        kept = [piece for piece in data if training.is_known(piece, index)]
        models.append((training.train(kept), fit(kept, units)))
    settings = {"the network of the features": (0, 0), "… and the wave": (SHARE, 1), "… where it is unsure": (SHARE, UNSURE)}
    print(pd.DataFrame({
        name: figures(list(outcomes(data, tested, models, *setting))) for name, setting in settings.items()}).to_string())
