"""Sensor logs."""

import contextlib
import os
import signal
import threading

import footfall
import numpy as np
import pytest


def test_a_log_is_read_and_analysed_in_one_pass(walk, samples):
    shares = []
    result = footfall.analyze(walk, progress=shares.append)
    assert len(result.steps) == 568 and result.steps.dtype == np.dtype("datetime64[ns]")
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


def test_an_error_has_its_line_and_its_remedy(walk, tmp_path):
    header, *lines = walk.read_text().splitlines()
    path = tmp_path / "units.csv"
    rows = [line.split(",") for line in lines]
    for row in rows[15_000:]:
        row[1:] = [f"{float(value) * 9.80665:.5f}" for value in row[1:]]
    path.write_text("\n".join([header, *map(",".join, rows)]) + "\n")
    for work in (footfall.analyze, lambda path: footfall.read(path).xyz, footfall.seconds):
        with pytest.raises(footfall.DataError) as refused:
            work(path)
        error = refused.value
        assert error.path == str(path) and error.line == 15_002 and "unit" in error.remedy
        assert str(error).startswith(f"{path}:15002: ") and str(error).endswith(error.remedy)


def test_dropped_rows_are_told(walk, tmp_path):
    lines = walk.read_text().splitlines()
    lines[500] = "12.3,what,0,1"
    path = tmp_path / "damaged.csv"
    path.write_text("\n".join(lines) + "\n")
    result = footfall.analyze(path)
    assert len(result.warnings) == 1 and "not a number" in result.warnings[0]


def test_a_reading_is_explained_and_can_be_fixed(walk, tmp_path):
    explanation = footfall.read(walk).explain()
    assert explanation.layout == footfall.read(walk).layout and not explanation.refusal
    assert explanation.columns.role.tolist() == ["time", "x", "y", "z"] and explanation.delimiter == ","
    assert explanation.rate == pytest.approx(50, abs=1) and explanation.magnitude == pytest.approx(1, abs=0.1)
    assert "column 2 x: x, the title names x" in str(explanation)
    assert explanation.options["columns"] == "time,x,y,z" and explanation.options["unit"] == "g"
    assert np.array_equal(footfall.read(walk, **explanation.options).xyz, footfall.read(walk).xyz)
    counts = tmp_path / "counts.csv"
    np.savetxt(counts, np.round(footfall.read(walk).xyz[:3000] * 1024), fmt="%d", delimiter=";")
    fixed = footfall.explain(counts, unit=1024, rate=50).options
    assert fixed["unit"] == 1024 and fixed["rate"] == 50
    assert np.array_equal(footfall.read(counts, **fixed).xyz, footfall.read(counts, unit=1024, rate=50).xyz)


def test_a_refusal_is_explained(tmp_path):
    path = tmp_path / "letter.txt"
    path.write_text("Dear Sir or Madam,\n" * 100)
    explanation = footfall.explain(path)
    assert explanation.refusal and not explanation.layout and explanation.refusal in str(explanation)
    with pytest.raises(footfall.FileError):
        footfall.explain(tmp_path / "none.csv")
    with pytest.raises(TypeError):
        footfall.explain(path, colour="red")


@pytest.mark.parametrize("read", [footfall.analyze, lambda path, rate: footfall.read(path, rate=rate).xyz])
@pytest.mark.usefixtures("interruptible")
def test_an_interrupt_ends_a_long_log(tmp_path, read):
    path = tmp_path / "rest.csv"
    os.mkfifo(path)
    interrupted = threading.Event()

    def write():
        """Writes a log without an end, and interrupts its reader."""
        with contextlib.suppress(BrokenPipeError), path.open("w") as pipe:
            pipe.write("x,y,z\n")
            while True:
                for _ in range(100):
                    pipe.write("0.0123,-0.0456,0.9987\n" * 1000)
                if not interrupted.is_set():
                    interrupted.set()
                    os.kill(os.getpid(), signal.SIGINT)

    writer = threading.Thread(target=write, daemon=True)
    with pytest.raises(KeyboardInterrupt):
        writer.start()
        read(path, rate=100)
    writer.join()
