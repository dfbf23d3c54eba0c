"""Sensor logs."""

import footfall
import numpy as np
import pytest


def test_a_log_is_read_and_analysed_in_one_pass(walk, samples):
    shares = []
    result = footfall.analyze(walk, progress=shares.append)
    assert len(result.steps) == 566 and result.steps.dtype == np.dtype("datetime64[ns]")
    assert "CSV" in result.layout and shares[-1] == pytest.approx(1)
    assert result.quality.samples == len(samples[0])


def test_a_log_gives_its_samples(walk, samples):
    log = footfall.read(walk)
    assert np.allclose(log.xyz, samples[1], atol=1e-6) and log.xyz.dtype == np.float32
    assert np.allclose(log.time.astype(np.int64) / 1e9, samples[0])
    assert log.rate == pytest.approx(50, abs=1)
    chunks = list(log.chunks())
    assert sum(len(time) for time, _ in chunks) == len(samples[0]) and max(len(time) for time, _ in chunks) <= 4096
    # The samples give the same result as the log.
    assert np.array_equal(footfall.analyze(log.time, log.xyz).steps, log.analyze().steps)


def test_options_reach_the_reader(tmp_path, samples):
    time, xyz = samples
    path = tmp_path / "counts.txt"
    np.savetxt(path, np.round(xyz[:3000] * 1024), fmt="%d", delimiter=";")
    result = footfall.analyze(path, unit=1024, rate=50, start="2026-11-20T08:00:00")
    assert result.activities.start[0] == np.datetime64("2026-11-20T08:00:00")
    for options, words in [
        ({"unit": "stone"}, "unit"),
        ({"columns": "a"}, "columns"),
        ({"tz": "Mars/Olympus"}, "Mars"),
        ({"time_unit": "weeks"}, "time_unit"),
        ({"rate": -1}, "rate"),
        ({"rows": ["user"]}, "rows"),
    ]:
        with pytest.raises(footfall.UsageError, match=words):
            footfall.read(path, **options)


def test_a_log_that_cannot_be_used_says_why(tmp_path):
    with pytest.raises(footfall.FileError) as missing:
        footfall.read(tmp_path / "none.csv")
    assert missing.value.path.endswith("none.csv") and isinstance(missing.value, OSError)
    path = tmp_path / "letter.txt"
    path.write_text("Dear Sir or Madam,\n" * 100)
    with pytest.raises(footfall.DataError) as refused:
        footfall.analyze(path)
    assert refused.value.problem and str(path) in str(refused.value)


def test_dropped_rows_are_told(walk, tmp_path):
    lines = walk.read_text().splitlines()
    lines[500] = "12.3,what,0,1"
    path = tmp_path / "damaged.csv"
    path.write_text("\n".join(lines) + "\n")
    result = footfall.analyze(path)
    assert len(result.warnings) == 1 and "not a number" in result.warnings[0]
