"""What the analyzer computes for each second."""

import csv
import subprocess

import footfall
import numpy as np
import pytest

TEXTS = {"bout", "decision", "activity", "reason"}
REASONS = {"tooShort": "too short", "lowRate": "low rate", "notWorn": "not worn"}


def seconds_of_command(command, path, folder):
    """The table of `analyze --seconds`, column by column, as text."""
    file = folder / "seconds.csv"
    arguments = [command, "analyze", str(path), "--seconds", str(file), "--force"]
    subprocess.run(arguments, check=True, capture_output=True)
    with file.open(newline="") as lines:
        rows = list(csv.reader(lines))
    return {name: np.array(column) for name, *column in zip(*rows)}


def assert_equal(found, expected):
    assert list(found) == list(expected)
    for name, column in expected.items():
        if name == "start":
            assert np.array_equal(found[name], np.array([text.rstrip("Z") for text in column], "datetime64[ns]"))
        elif name in TEXTS:
            assert found[name].tolist() == [REASONS.get(text, text) for text in column], name
        else:
            # The command rounds numbers to as many decimals as it prints, and leaves a missing one empty.
            values = np.array([float(text) if text else np.nan for text in column])
            decimals = max(len(text.partition(".")[2]) for text in column)
            assert np.allclose(found[name], values, rtol=1e-6, atol=0.51 * 10.0**-decimals, equal_nan=True), name


def test_a_log_has_the_seconds_of_the_command(command, walk, tmp_path):
    found = footfall.seconds(walk)
    assert_equal(found, seconds_of_command(command, walk, tmp_path))
    assert found.steps.sum() == len(footfall.analyze(walk).steps)


def test_recordings_have_the_seconds_of_the_command(command, recordings, tmp_path):
    compared = 0
    for path in recordings[:: max(1, len(recordings) // 40)]:
        try:
            log = footfall.read(path)
            expected = seconds_of_command(command, path, tmp_path)
        except (footfall.DataError, subprocess.CalledProcessError):
            continue  # one that both refuse
        assert_equal(log.seconds(), expected)
        assert_equal(footfall.seconds(log.time, log.xyz), expected)
        compared += 1
    assert compared > 20


def test_samples_have_the_seconds_of_their_log(walk, samples):
    log = footfall.read(walk)
    from_log, from_arrays = log.seconds(), footfall.seconds(log.time, log.xyz)
    for name, column in from_log.items():
        equal_nan = column.dtype.kind == "f"
        assert np.array_equal(from_arrays[name], column, equal_nan=equal_nan), name
    assert footfall.seconds(*samples).start.dtype == np.float64
    assert footfall.seconds(*samples).steps.sum() == from_log.steps.sum()


def test_seconds_tell_why_there_are_steps(walk):
    found = footfall.seconds(walk)
    walked, driven = found.steps > 0, (found.activity == "automotive") & (found.bout == "none")
    assert set(found.bout[walked]) == {"confirmed"} and np.all(found.cadence[walked & ~np.isnan(found.cadence)] > 60)
    assert set(found.decision[walked]) == {"bout"} and "bout" not in found.decision[driven]
    assert driven.sum() > 100 and np.isnan(found.cadence[driven]).all() and found.steps[driven].sum() == 0
    states = np.column_stack([found[name] for name in found if name.startswith("state")])
    known = ~np.isnan(states[:, 0])
    assert known.any() and np.allclose(states[known].sum(axis=1), 1, atol=1e-3)


def test_progress_and_errors_are_those_of_analyze(walk, tmp_path):
    shares = []
    assert footfall.seconds(100, np.zeros((2_500_000, 3), np.float32), unit="g", progress=shares.append).rows == 25_000
    assert len(shares) == 3 and shares[-1] == 1
    assert footfall.seconds(50, np.zeros((0, 3))).rows == 0
    with pytest.raises(footfall.FileError):
        footfall.seconds(tmp_path / "none.csv")
    with pytest.raises(footfall.UsageError, match="xyz"):
        footfall.seconds(50)
    with pytest.raises(footfall.UsageError, match="rows"):
        footfall.seconds(50, np.zeros((10, 3)), rows="user=1")
    assert footfall.seconds(50, np.full((1000, 3), 9.80665 / 3**0.5), unit="m/s²").activity[5] == "stationary"
