"""The network of `WaveCheck.swift`, which scores a second by the course of the signal around it: its inputs, its training by JAX, and
its scores.

It learns from stretches of signal, each around a second that is drawn by its weight. Its copies are turned at random, softer and
stronger, and begin or end within the stretch. In a third of them, some seconds of gait stand in another motion, or of another motion in
gait: people who busy their hands also walk across a room.
"""

import os

# Sums on one thread are the same in every run.
os.environ["XLA_FLAGS"] = "--xla_cpu_multi_thread_eigen=false"

import jax  # noqa: E402
import jax.numpy as jnp  # noqa: E402
import numpy as np  # noqa: E402

# WaveCheck.swift: values of a row, rows that a row reads, and half-rate values
CHANNELS, FINE, WIDE = 7, 16, 32
VALUES, FINES, NEIGHBORS, FRAMES, BEFORE, AHEAD = 7, 9, 3, 5, 3, 2
GAPS = (1, 2, 4, 8)
RATE, GRAVITY, LEAST_SCORE, MOST_SCORE, CONTEXT = 25, 50, -1.5, 5.0, 8  # CONTEXT: s of signal beside a second that its score reads, at most
# The training.
LENGTH, BATCH, STEPS = 20, 32, 6000  # s of a stretch, stretches of a step
LEARNING_RATE, DECAY, KEPT, WARM = 2e-3, 2e-3, 0.85, 200  # KEPT: share of the numbers of a second that a step keeps
DOUBT = 0.1  # the largest assumed share of wrong labels
SHIFT = 0.15  # of the scores, in favor of walking
LIVELY, LEAST_SHARE = 0.08, 0.1  # g; calmer seconds without gait are drawn less often, at least with this share
SPLICED, SPLICE, SEAM = 0.35, (2, 13), 12  # share of stretches, s of the other motion, values of the seam
SCALED, SCALES = 0.5, (0.5, 2.0)  # share of stretches with softer or stronger motion, and its factors
CUT = 0.1  # share of stretches in which the signal begins or ends


def channels(values):
    """Seven numbers for each value of stretches of signal (stretch, value, x y z magnitude rest)."""
    count = values.shape[1]
    padded = np.concatenate([np.repeat(values[:, :1, :4], GRAVITY, 1), values[:, :, :4]], 1)
    sums = np.cumsum(padded, 1, dtype=float)
    mean = ((sums[:, GRAVITY:] - sums[:, :count]) / GRAVITY).astype(np.float32)
    motion = values[:, :, :4] - mean
    up = mean[:, :, :3] / (np.linalg.norm(mean[:, :, :3], axis=2, keepdims=True) + 1e-3)
    axes = motion[:, :, :3]
    rise = (axes * up).sum(2)
    across = np.sqrt(np.maximum((axes**2).sum(2) - rise**2, 0))
    return np.arcsinh(10 * np.dstack([rise, across, motion[:, :, 3], values[:, :, 4], axes])).astype(np.float32)


SHAPES = [(VALUES * CHANNELS, FINE, 1), (FINES * FINE, WIDE, 1), *[(NEIGHBORS * WIDE, WIDE, 0.5)] * len(GAPS),
          (FRAMES * WIDE, WIDE, 1), ((BEFORE + 1 + AHEAD) * WIDE, WIDE, 1), (WIDE, 1, 0.3)]


def layers(random, shapes):
    """The weights of a network that has learned nothing: (rows × numbers, units) and the bias of each layer. A shape has the scale of
    the weights, too."""
    return [(jnp.array(random.normal(size=(i, o)) * scale * np.sqrt(2 / i), jnp.float32), jnp.zeros(o)) for i, o, scale in shapes]


def convolved(rows, layer, count, step=1, gap=1, padding=(0, 0)):
    weights, bias = layer
    kernel = weights.reshape(count, -1, weights.shape[1])
    return bias + jax.lax.conv_general_dilated(
        rows, kernel, (step,), [padding], rhs_dilation=(gap,), dimension_numbers=("NWC", "WIO", "NWC"))


def joined(layers, rows, kept):
    """A row for each second of stretches, given the channels; zeros lie beyond their ends."""
    fine, frame, *gapped, second = layers
    rows = jax.nn.relu(convolved(rows, fine, VALUES, padding=(3, 3)))
    rows = jax.nn.relu(convolved(rows, frame, FINES, step=FRAMES, padding=(2, 2)))
    for gap, layer in zip(GAPS, gapped):
        rows = rows + jax.nn.relu(convolved(rows, layer, NEIGHBORS, gap=gap, padding=(gap, gap)))
    rows = jax.nn.relu(convolved(rows, second, FRAMES, step=FRAMES))
    return rows if kept is None else rows * kept


def outputs(model, rows, kept=None):
    """The log-odds of each second of stretches."""
    *front, score, output = model
    rows = joined(front, rows, kept)
    rows = jax.nn.relu(convolved(rows, score, BEFORE + 1 + AHEAD, padding=(BEFORE, AHEAD)))
    return convolved(rows, output, 1)[:, :, 0]


known = jax.jit(outputs)


def loss(model, rows, wanted, weights, kept):
    odds = outputs(model, rows, kept)
    return (weights * (jax.nn.softplus(odds) - wanted * odds)).sum() / jnp.maximum(weights.sum(), 1)


def learning(loss):
    """A step of Adam with decoupled decay (Loshchilov and Hutter, ICLR 2019) for a loss."""

    @jax.jit
    def learn(model, first, second, rows, wanted, weights, kept, step, rate):
        gradient = jax.grad(loss)(model, rows, wanted, weights, kept)
        first = jax.tree.map(lambda a, g: 0.9 * a + 0.1 * g, first, gradient)
        second = jax.tree.map(lambda a, g: 0.998 * a + 0.002 * g * g, second, gradient)

        def moved(value, a, b):
            change = a / (1 - 0.9**step) / (jnp.sqrt(b / (1 - 0.998**step)) + 1e-8)
            return value - rate * (change + (DECAY * value if value.ndim > 1 else 0))

        return jax.tree.map(moved, model, first, second), first, second

    return learn


learn = learning(loss)


def stretch(wave, first, count):
    """The values of some seconds of a signal, which repeats its first and last values beyond its ends."""
    index = np.arange(first * RATE, (first + count) * RATE) - wave["start"]
    return wave["values"][np.clip(index, 0, len(wave["values"]) - 1)]


def level(wave):
    """The standard deviation of the magnitude in each second."""
    count = len(wave["seconds"])
    return stretch(wave, wave["seconds"][0], count)[:, 3].reshape(count, RATE).std(1)


class Stretches:
    """Draws stretches around seconds with a label."""

    def __init__(self, waves, weights, random):
        self.waves, self.random = waves, random
        self.wave = np.concatenate([np.full((wave["label"] != 0).sum(), k) for k, wave in enumerate(waves)])
        self.second = np.concatenate([wave["seconds"][wave["label"] != 0] for wave in waves])
        walks = np.concatenate([wave["label"][wave["label"] != 0] > 0 for wave in waves])
        levels = np.concatenate([level(wave)[wave["label"] != 0] for wave in waves])
        share = np.where(walks, 1, np.clip(levels / LIVELY, LEAST_SHARE, 1))
        self.cumulated = {kind: np.cumsum(weights * share * (walks == kind)) for kind in (True, False)}

    def drawn(self, kind, count):
        """Some seconds around one with or without gait: values, wanted probabilities, and whether they have a label."""
        sums = self.cumulated[kind]
        k = min(np.searchsorted(sums, self.random.random() * sums[-1]), len(sums) - 1)
        wave, first = self.waves[self.wave[k]], int(self.second[k] - self.random.integers(0, count))
        index = np.arange(first, first + count) - wave["seconds"][0]
        inside = (index >= 0) & (index < len(wave["seconds"]))
        label = np.where(inside, wave["label"][np.clip(index, 0, len(wave["seconds"]) - 1)], 0)
        doubt = np.minimum(np.where(label > 0, wave["doubt"][1], wave["doubt"][0]), DOUBT)
        values = stretch(wave, first, count)
        if self.random.random() < SCALED:
            mean, scale = values.mean(0), np.exp(self.random.uniform(*np.log(SCALES)))
            mean[4] = 0
            values = mean + (values - mean) * np.float32(scale)
        return values, np.where(label > 0, 1 - doubt, doubt), label != 0

    def spliced(self, kind, values, wanted, used):
        """A stretch with some seconds of the other kind, turned half of the time, and a smooth seam."""
        count = int(self.random.integers(*SPLICE))
        first = int(self.random.integers(0, LENGTH - count + 1))
        others, other_wanted, other_used = self.drawn(not kind, count + 2)
        if self.random.random() < 0.5:
            others[:, :3] = others[:, :3] @ rotations(self.random, 1)[0].T
        shift = int(self.random.integers(-SEAM, SEAM + 1)) if 0 < first < LENGTH - count else 0
        begin, end = first * RATE + shift, (first + count) * RATE + shift
        time, middle = np.arange(LENGTH * RATE), np.arange(LENGTH) * RATE + RATE // 2
        share = np.clip(np.minimum(time - begin + SEAM, end + SEAM - time) / SEAM, 0, 1)[:, None].astype(np.float32)
        beside = others[np.clip(time - begin + RATE, 0, len(others) - 1)]
        inside, second = (middle >= begin) & (middle < end), np.clip((middle - begin) // RATE + 1, 0, count + 1)
        clear = (np.abs(middle - begin) > SEAM) & (np.abs(middle - end) > SEAM)
        return (
            values * (1 - share) + beside * share, np.where(inside, other_wanted[second], wanted),
            np.where(inside, other_used[second], used) & clear)

    def batch(self):
        rows = []
        for k in range(BATCH):
            kind = k % 2 == 0
            values, wanted, used = self.drawn(kind, LENGTH)
            if self.random.random() < SPLICED:
                values, wanted, used = self.spliced(kind, values, wanted, used)
            if self.random.random() < CUT:
                cut = int(self.random.integers(0, LENGTH // 2))
                values, used = values.copy(), used.copy()
                if self.random.random() < 0.5:
                    values[: cut * RATE], used[:cut] = values[cut * RATE], False
                else:
                    values[(LENGTH - cut) * RATE :], used[LENGTH - cut :] = values[(LENGTH - cut) * RATE - 1], False
            rows.append((values, wanted, used))
        values, wanted, used = (np.stack(part).astype(np.float32) for part in zip(*rows))
        values[:, :, :3] = np.einsum("bij,btj->bti", rotations(self.random, BATCH), values[:, :, :3])
        return channels(values), wanted, used


def rotations(random, count):
    """Random rotations, from quaternions."""
    w, x, y, z = (q := random.normal(size=(4, count))) / np.linalg.norm(q, axis=0)
    rows = [[1 - 2 * (y * y + z * z), 2 * (x * y - z * w), 2 * (x * z + y * w)],
            [2 * (x * y + z * w), 1 - 2 * (x * x + z * z), 2 * (y * z - x * w)],
            [2 * (x * z - y * w), 2 * (y * z + x * w), 1 - 2 * (x * x + y * y)]]
    return np.moveaxis(np.array(rows, np.float32), 2, 0)


def fit(waves, weights, seed=0):
    """The model. A wave has the values of a signal, its start, and the label and doubt of its seconds; a second with a label a weight."""
    random = np.random.default_rng(seed)
    stretches, model = Stretches(waves, weights, random), layers(random, SHAPES)
    first = second = jax.tree.map(jnp.zeros_like, model)
    for step in range(STEPS):
        rows, wanted, used = stretches.batch()
        kept = (random.random((BATCH, 1, WIDE)) < KEPT).astype(np.float32) / KEPT
        rate = LEARNING_RATE * 0.5 * (1 + np.cos(np.pi * step / STEPS)) * min(1, (step + 1) / WARM)
        model, first, second = learn(model, first, second, rows, wanted, used, kept, step + 1.0, rate)
    *inner, (weights, bias) = [(np.asarray(weights), np.asarray(bias)) for weights, bias in model]
    return [*inner, (weights, bias + np.float32(SHIFT))]


def scores(model, start, values, seconds):
    """The log-odds of each second of a signal."""
    if not len(seconds):
        return np.zeros(0)
    count = 2 ** int(np.ceil(np.log2(len(seconds) + 2 * CONTEXT)))  # few lengths, as each is compiled
    rows = stretch(dict(values=values[:, :5].astype(np.float32), start=start), seconds[0] - CONTEXT, count)
    odds = np.asarray(known(model, channels(rows[None])))[0]
    return np.clip(odds[CONTEXT : CONTEXT + len(seconds)], LEAST_SCORE, MOST_SCORE)


def tables(model):
    """The tables of weights in the order of the library, whose values have an eighth number that is zero."""
    (first, bias), *others = model
    first = np.pad(first.reshape(-1, CHANNELS, len(bias)), [(0, 0), (0, 1), (0, 0)])
    return [first, bias, *(table for layer in others for table in layer)]
