"""The models are trained on what the analyzer reads."""

import footfall
import numpy as np
import pytest
from conftest import ROOT
from footfall import _training
from footfall._seconds import CLASSES, FEATURES

MODELS = ROOT / "Sources/Footfall/Models"
GATE = ["mean", "scale", "linear", "hidden", "hiddenBias", "output", "bias"]
ACTIVITY = ["mean", "scale", "hidden", "hiddenBias", "output", "outputBias"]
FRAME_GAPS, SECOND_GAPS = (1, 3), (1, 2, 4)


def tables(name, names):
    """The tables of weights in a file."""
    file = MODELS / f"{name}.weights"
    if not file.exists():
        pytest.skip("no sources")
    content = file.read_bytes()
    count = int(np.frombuffer(content, "<u4", 3)[2])
    ends = np.cumsum(np.frombuffer(content, "<u4", count, 12))
    return dict(zip(names, np.split(np.frombuffer(content, "<f4", offset=12 + 4 * count).astype(float), ends)))


def weights(name):
    """The weights of a network of the step detector."""
    model = tables(name, GATE)
    return model | {"hidden": model["hidden"].reshape(len(model["output"]), -1).T}


def score(model, inputs, most):
    standard = np.clip((inputs[..., : len(model["mean"])] - model["mean"]) / model["scale"], -4, 4)
    units = np.maximum(standard @ model["hidden"] + model["hiddenBias"], 0)
    return np.clip(units @ model["output"] + standard @ model["linear"] + model["bias"], -most, most)


def test_the_networks_give_the_scores_of_the_analyzer_on_the_inputs(samples):
    gate, check = weights("walking-gate"), weights("walking-check")
    (signal,) = _training.gait_signals(*samples)
    table = footfall.seconds(*samples)
    scored = np.flatnonzero(~np.isnan(table.gateScore))
    rows = np.searchsorted(signal.seconds, table.start[scored].astype(int))
    assert len(scored) > 400
    assert np.array_equal(signal.seconds[rows], table.start[scored])

    cadences, inputs = signal.cadences[rows], signal.inputs[rows]
    assert np.array_equal((cadences > 0).sum(1), table.candidates[scored])
    scores = np.where(cadences > 0, score(gate, inputs, 12), -np.inf)
    best = scores.argmax(1)
    assert np.abs(scores.max(1) - table.gateScore[scored]).max() < 1e-3
    every = np.arange(len(best))
    assert np.allclose(60 * cadences[every, best], table.gateCadence[scored])

    checked = ~np.isnan(table.check[scored])
    assert checked.sum() > 300
    odds = score(check, inputs[every, best], 4)
    # The check of hops on one spot only lowers the score of a network, and seldom in a walk.
    taken = (odds - table.check[scored])[checked]
    assert taken.min() > -1e-3
    assert np.mean(taken < 1e-3) > 0.95


def test_a_gap_separates_signals(samples):
    time, xyz = samples
    kept = (time < 100) | (time > 103)
    first, second = _training.gait_signals(time[kept], xyz[kept].astype(np.float32)[:, ::-1])
    assert first.seconds[-1] < 100 <= 102 < second.seconds[0]
    assert first.values.shape[1] == 5
    assert first.inputs.shape == (*first.cadences.shape, 74)
    assert np.allclose(np.linalg.norm(second.values[:, :3], axis=1), second.values[:, 3], atol=1e-6)


def test_less_than_a_second_has_no_signal():
    assert _training.gait_signals(50.0, np.zeros((40, 3))) == []
    assert _training.gait_signals(50.0, np.empty((0, 3))) == []
    with pytest.raises(footfall.UsageError):
        _training.gait_signals(np.zeros(3), np.zeros((2, 3)))


def channels(values):
    """What the networks of the wave read from the values of a signal at 25 Hz; gravity is the mean of two seconds."""
    padded = np.concatenate([np.repeat(values[:1], 49, 0), values])[:, :4]
    mean = np.lib.stride_tricks.sliding_window_view(padded, 50, 0).mean(2)
    motion = values[:, :4] - mean
    up = mean[:, :3] / (np.linalg.norm(mean[:, :3], axis=1, keepdims=True) + 1e-3)
    rise = (motion[:, :3] * up).sum(1)
    across = np.sqrt(np.maximum((motion[:, :3] ** 2).sum(1) - rise**2, 0))
    zero = np.zeros(len(values))
    return np.arcsinh(10 * np.column_stack([rise, across, motion[:, 3], values[:, 4], motion[:, :3], zero]))


def wave(signal, count):
    """The log-probability of each class by the wave, for the first seconds of a signal that begins with a second."""
    names = [f"{part}{k}" for k in range(8) for part in ("weights", "bias")]
    model = tables("activity-wave", names)

    def layer(k, rows, first, offsets):
        bias, near = model[f"bias{k}"], np.clip(np.add.outer(first, offsets), 0, len(rows) - 1)
        return rows[near].reshape(len(near), -1) @ model[f"weights{k}"].reshape(-1, len(bias)) + bias

    margin = 20  # seconds before the signal, which repeat its first values
    index = np.arange(-25 * margin, 25 * (count + 3)) - signal.start
    rows = channels(signal.values[np.clip(index, 0, len(signal.values) - 1)].astype(float))
    frame, second = np.arange(len(rows) // 5), np.arange(len(rows) // 25)
    rows = np.maximum(layer(0, rows, 5 * frame, np.arange(-5, 10)), 0)
    for k, gap in enumerate(FRAME_GAPS, 1):
        rows = rows + np.maximum(layer(k, rows, frame, gap * np.arange(-1, 2)), 0)
    rows = np.maximum(layer(3, rows, 5 * second, np.arange(5)), 0)
    for k, gap in enumerate(SECOND_GAPS, 4):
        rows = rows + np.maximum(layer(k, rows, second, gap * np.arange(-2, 1)), 0)
    scores = layer(7, rows, second, [0])[margin:]
    return scores - np.log(np.exp(scores).sum(1, keepdims=True))


def test_the_windows_are_those_of_the_analyzer(samples):
    time, xyz = samples
    table = footfall.seconds(time, xyz)
    # The analyzer has one window for two seconds, around the moment between them. 0.48 s later that is the middle of a second,
    # as the window begins with every second of the cells of 20 ms.
    rows = _training.windows(time + 0.48, xyz)
    observed = np.flatnonzero(~np.isnan(table.classStationary))
    second = table.start[observed].astype(int)
    seen = np.column_stack([table[name] for name in FEATURES])[observed]
    classes = np.column_stack([table[f"class{name}"] for name in CLASSES])[observed]
    quiet = np.isnan(seen[:, 0])

    def is_equal(window):
        differences = np.abs(window["features"] - np.nan_to_num(seen)).max(1)
        return np.where(quiet, window["rms"] < 0.005, differences < 1e-3)

    first, last = (np.clip(second + late - rows["second"][0], 0, len(rows) - 1) for late in (1, 0))
    is_first = is_equal(rows[first])
    window = rows[np.where(is_first, first, last)]
    assert is_equal(window).all()
    assert np.isfinite(window["features"]).all()
    assert np.allclose(window["rate"], 50, atol=0.5)

    model = tables("activity", ACTIVITY)
    standard = (window["features"] - model["mean"]) / model["scale"]
    units = np.tanh(standard @ model["hidden"].reshape(16, -1) + model["hiddenBias"])
    odds = np.exp(units @ model["output"].reshape(-1, 6) + model["outputBias"])
    shares = odds / odds.sum(1, keepdims=True)
    # Below 0.8 the wave has a share of 0.5, as in Notebooks/activity_model.py.
    (signal,) = _training.gait_signals(time, xyz)
    mean = np.exp(0.5 * np.log(shares) + 0.5 * wave(signal, second[-1] + 2)[second + is_first])
    is_unsure = shares.max(1) < 0.8
    assert is_unsure.sum() > 20
    shares[is_unsure] = (mean / mean.sum(1, keepdims=True))[is_unsure]
    # A body that sways, as in Notebooks/activity_model.py: 0.95 of automotive counts for stationary.
    x = window["features"]
    sways = (x[:, 0] - x[:, 3:6].mean(1) > 1.15) & (x[:, 9] > -0.12) & (window["rms"] < 0.2)
    moved = np.where(sways, 0.95 * shares[:, 3], 0)
    shares[:, 0] += moved
    shares[:, 3] -= moved
    # The last seconds share one window, so which of them the wave classifies is not known.
    classified = ~quiet & (window["is_noise"] == 0) & (window["is_sprung"] == 0) & (second < second[-1] - 2)
    assert classified.sum() > 100
    assert np.abs(shares - classes)[classified].max() < 1e-3


def test_a_gap_separates_windows(samples):
    time, xyz = samples
    kept = (time < 100) | (time > 103)
    seconds = _training.windows(time[kept], xyz[kept])["second"]
    (gap,) = np.flatnonzero(np.diff(seconds) != 1)
    assert seconds[gap] < 100 and seconds[gap + 1] >= 103


def test_less_than_a_window_has_no_row():
    assert len(_training.windows(50.0, np.zeros((255, 3)))) == 0
    assert len(_training.windows(0.2 + np.arange(30) / 50, np.zeros((30, 3)))) == 0
    assert len(_training.windows(50.0, np.empty((0, 3)))) == 0
    with pytest.raises(footfall.UsageError):
        _training.windows(np.zeros(3), np.zeros((2, 3)))
