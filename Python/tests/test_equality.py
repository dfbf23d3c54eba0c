"""The package gives the events of the command."""

import json
import subprocess

import footfall
import numpy as np
import pytest

PARTS = 2  # of the recordings, which run side by side
EVERY = 12  # All are read by the command in Tests/Accuracy/guard.py; one in so many is compared.


def analyses(command, paths):
    """The results of the command by path. It leaves out the logs that it refuses."""
    arguments = [command, "analyze", "--output", "ndjson", "--step-times", *paths]
    lines = subprocess.run(arguments, capture_output=True, text=True, check=False).stdout.splitlines()
    return [json.loads(line) for line in lines]


def milliseconds(times):
    return times.astype(np.int64) // 1_000_000


def moments(texts):
    return np.array([text.rstrip("Z") for text in texts], dtype="datetime64[ms]").astype(np.int64)


def assert_equal(result, expected):
    start = moments([expected["start"]])[0]
    # A document rounds the step times to milliseconds.
    assert np.abs(milliseconds(result.steps) - start - np.round(np.array(expected["stepTimes"]) * 1e3)).max(initial=0) <= 1
    worn = result.activities.reason != "not worn"
    rows = [row for row in expected["activities"] if row["reason"] != "not worn"]
    assert result.activities.activity[worn].tolist() == [row["activity"] for row in rows]
    assert result.activities.steps[worn].tolist() == [row["steps"] for row in rows]
    assert np.array_equal(milliseconds(result.activities.start[worn]), moments([row["start"] for row in rows]))
    assert result.quality.samples == expected["samples"]


@pytest.mark.parametrize("part", range(PARTS))
def test_recordings_have_the_events_of_the_command(command, recordings, part):
    by_name = {}
    for path in recordings[part * EVERY::PARTS * EVERY]:
        by_name.setdefault(path.parent, []).append(path)
    compared = 0
    for paths in by_name.values():
        found = {row["trace"].rsplit("/", 1)[-1]: row for row in analyses(command, paths)}
        for path in paths:
            if path.name not in found:
                continue
            log = footfall.read(path)
            assert_equal(log.analyze(), found[path.name])
            from_arrays = footfall.analyze(log.time, log.xyz)
            assert_equal(from_arrays, found[path.name])
            compared += 1
    assert compared > 500 / PARTS / EVERY
