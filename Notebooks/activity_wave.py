"""The network `ActivityWave`, which classifies a second by the course of the signal: its training by JAX, and its results.

It learns from stretches of signal, each around a second that is drawn with the weight of the activity model, by the seconds that have the
class of that one. So the classes keep their weights. The stretches are turned at random, and softer or stronger.
"""

import os

import wave_check as wave  # before JAX, whose sums it keeps on one thread

import jax
import jax.numpy as jnp
import numpy as np

CLASSES, RATE = 6, wave.RATE
# ActivityWave (ActivityClassifier.swift): units of a frame and of a second, values that a frame reads and those from one to the next,
# frames of a second, and gaps in frames and in seconds
FINE, WIDE, VALUES, FRAME, FRAMES, FRAME_GAPS, GAPS = 8, 24, 15, 5, 5, (1, 3), (1, 2, 4)
BEFORE, MARGIN = 2 * sum(GAPS), 6  # s before a second that the gaps reach, and more s of signal than the first layers read beside it
# The training.
LENGTH, STEPS = 28, 5000  # s of a stretch, steps of the training
SOFT = 0.03  # assumed share of wrong labels
LEAST_RATE, LASTING, AVERAGED = 0.1, 0.999, 1000  # share of the rate at the end; of an average of the weights, from this step on
SCALES = 0.67, 1.5  # factors of softer and stronger motion

if "FOOTFALL_QUICK" in os.environ:
    STEPS = 100

SHAPES = [(VALUES * wave.CHANNELS, FINE, 1), *[(3 * FINE, FINE, 0.5)] * len(FRAME_GAPS),
          (FRAMES * FINE, WIDE, 1), *[(3 * WIDE, WIDE, 0.5)] * len(GAPS), (WIDE, CLASSES, 0.3)]


def outputs(model, rows, kept=None):
    """The log-probability of each class, by second of stretches, given the channels of `wave_check.py`."""
    frame, *framed = model[: 1 + len(FRAME_GAPS)]
    second, *joined, last = model[1 + len(FRAME_GAPS) :]
    rows = jax.nn.relu(wave.convolved(rows, frame, VALUES, step=FRAME, padding=(5, 5)))
    for gap, layer in zip(FRAME_GAPS, framed):
        rows = rows + jax.nn.relu(wave.convolved(rows, layer, 3, gap=gap, padding=(gap, gap)))
    rows = jax.nn.relu(wave.convolved(rows, second, FRAMES, step=FRAMES))
    rows = rows if kept is None else rows * kept
    for gap, layer in zip(GAPS, joined):
        rows = rows + jax.nn.relu(wave.convolved(rows, layer, 3, gap=gap, padding=(2 * gap, 0)))
    return jax.nn.log_softmax(wave.convolved(rows, last, 1))


known = jax.jit(outputs)


def loss(model, rows, wanted, weights, kept):
    soft = jax.nn.one_hot(wanted, CLASSES) * (1 - SOFT) + SOFT / CLASSES
    return -(weights[:, :, None] * soft * outputs(model, rows, kept)).sum() / jnp.maximum(weights.sum(), 1)


learn = wave.learning(loss)


def fit(pieces, goals, weights, seed=0):
    """The network that learns the seconds of signals. A signal has the classes and weights of its seconds as goals; the weights of
    all seconds that have one, in their order, are those of their draw."""
    random = np.random.default_rng(seed)
    used = [np.flatnonzero(weight > 0) for _, weight in goals]
    piece_of, second_of = np.concatenate([np.full(len(own), k) for k, own in enumerate(used)]), np.concatenate(used)
    cumulated = np.cumsum(weights)
    model = average = wave.layers(random, SHAPES)
    first = second = jax.tree.map(jnp.zeros_like, model)
    for step in range(STEPS):
        rows = []
        for _ in range(wave.BATCH):
            drawn = min(np.searchsorted(cumulated, random.random() * cumulated[-1]), len(cumulated) - 1)
            piece, (classes, own) = pieces[piece_of[drawn]], goals[piece_of[drawn]]
            start = int(second_of[drawn] - random.integers(BEFORE + 2, LENGTH - 3))
            index = np.arange(start, start + LENGTH)
            near = np.clip(index, 0, len(classes) - 1)
            alike = (index == near) & (classes[near] == classes[second_of[drawn]])
            values = wave.stretch(piece["wave"], piece["first"] + start, LENGTH)
            if random.random() < wave.SCALED:
                mean = values.mean(0)
                mean[4] = 0
                values = mean + (values - mean) * np.float32(np.exp(random.uniform(*np.log(SCALES))))
            rows.append((values, classes[near], np.where(alike, np.minimum(own[near], 1), 0)))
        values, wanted, weight = (np.stack(part) for part in zip(*rows))
        values[:, :, :3] = np.einsum("bij,btj->bti", wave.rotations(random, wave.BATCH), values[:, :, :3])
        kept = (random.random((wave.BATCH, 1, WIDE)) < wave.KEPT).astype(np.float32) / wave.KEPT
        fall = LEAST_RATE + (1 - LEAST_RATE) * 0.5 * (1 + np.cos(np.pi * step / STEPS))
        rate = wave.LEARNING_RATE * fall * min(1, (step + 1) / wave.WARM)
        model, first, second = learn(
            model, first, second, wave.channels(values), wanted, weight.astype(np.float32), kept, step + 1.0, rate)
        share = LASTING if step > AVERAGED else 0
        average = jax.tree.map(lambda old, new: share * old + (1 - share) * new, average, model)
    return [(np.asarray(weights), np.asarray(bias)) for weights, bias in average]


def logs(model, piece):
    """The log-probability of each class, by second of a signal."""
    count, margin = len(piece["label"]), BEFORE + MARGIN
    length = 2 ** int(np.ceil(np.log2(count + margin + 8)))  # few lengths, as each is compiled
    rows = wave.stretch(piece["wave"], piece["first"] - margin, length)
    return np.asarray(known(model, wave.channels(rows[None])))[0][margin : margin + count]
