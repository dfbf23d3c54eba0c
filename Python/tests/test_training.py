"""The models are trained on what the analyzer reads."""

import re

import footfall
import numpy as np
import pytest
from conftest import ROOT
from footfall import _training

STEPS = ROOT / "Sources/Footfall/Steps"


def weights(name):
    """The weights of a network, from its Swift file."""
    file = STEPS / f"{name}.swift"
    if not file.exists():
        pytest.skip("no sources")
    text = file.read_text()
    arrays = re.findall(r"static let (\w+): \[Float\] = \[([^\]]*)\]", text)
    model = {key: np.array(values.split(","))[:-1].astype(float) for key, values in arrays}
    bias = float(re.search(r"static let bias: Float = (\S+)", text)[1])
    return model | {"hidden": model["hidden"].reshape(len(model["output"]), -1).T, "bias": bias}


def score(model, inputs, most):
    standard = np.clip((inputs[..., : len(model["mean"])] - model["mean"]) / model["scale"], -4, 4)
    units = np.maximum(standard @ model["hidden"] + model["hiddenBias"], 0)
    return np.clip(units @ model["output"] + standard @ model["linear"] + model["bias"], -most, most)


def test_the_networks_give_the_scores_of_the_analyzer_on_the_inputs(samples):
    gate, check = weights("WalkingGateWeights"), weights("WalkingCheckWeights")
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
    assert np.abs(odds - table.check[scored])[checked].max() < 1e-3


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
