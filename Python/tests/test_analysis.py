"""Samples in, steps and activities out."""

import multiprocessing
import os
import signal
import threading
import time

import footfall
import numpy as np
import pytest


def test_a_walk_has_its_steps_and_activities(samples):
    time, xyz = samples
    result = footfall.analyze(time, xyz)
    assert len(result.steps) == 568 and np.all(np.diff(result.steps) > 0)
    assert result.steps.dtype == np.float64 and time[0] <= result.steps[0] <= result.steps[-1] <= time[-1]
    activities = result.activities
    assert list(activities.activity[:4]) == ["stationary", "walking", "automotive", "walking"]
    assert activities.steps.sum() == 568 and np.all(activities.start[1:] == activities.end[:-1])
    assert set(activities.confidence) <= {"low", "medium", "high"}
    assert result.quality.samples == 33000 and result.quality.rate == pytest.approx(50, abs=0.01)


@pytest.mark.parametrize("size", [1, 7, 4096, 10_000])
def test_the_size_of_chunks_changes_nothing(samples, size):
    time, xyz = samples[0][:9000], samples[1][:9000]
    whole = footfall.analyze(time, xyz)
    live = footfall.Analyzer()
    for start in range(0, len(time), size):
        live.add(time[start : start + size], xyz[start : start + size])
    result = live.finish()
    assert np.array_equal(result.steps, whole.steps) and np.array_equal(result.qualities, whole.qualities)
    for name, column in whole.activities.items():
        assert np.array_equal(result.activities[name], column), name


def test_the_form_of_the_array_changes_nothing(samples):
    time, xyz = samples
    steps = footfall.analyze(time, xyz.astype(np.float32)).steps
    # Columns, a part of a wider table, reversed twice, other numbers.
    wide = np.zeros((len(time), 7))
    wide[:, 2:5] = xyz
    big_endian = xyz.astype(">f4")
    for form in [np.asfortranarray(xyz), wide[:, 2:5], xyz[::-1].copy()[::-1], xyz.tolist(), big_endian, xyz]:
        assert np.array_equal(footfall.analyze(time, form).steps, steps)
    metres = footfall.analyze(time, xyz * 9.80665, unit="m/s²")
    assert abs(len(metres.steps) - len(steps)) <= 1
    every_other = footfall.analyze(time[::2], xyz[::2])
    assert abs(len(every_other.steps) - len(steps)) <= 0.02 * len(steps)


def test_times_come_back_in_their_form(samples):
    time, xyz = samples
    start = np.datetime64("2026-11-20T08:00:00", "ns")
    dates = start + (time * 1e9).round().astype("timedelta64[ns]")
    result = footfall.analyze(dates, xyz)
    assert result.steps.dtype == np.dtype("datetime64[ns]") and result.activities.start[0] == start
    seconds = footfall.analyze(time, xyz)
    offsets = (result.steps - start).astype(np.int64) / 1e9
    assert np.allclose(offsets, seconds.steps, atol=0.02)
    rate = footfall.analyze(50, xyz)
    assert rate.steps.dtype == np.float64 and abs(len(rate.steps) - len(seconds.steps)) <= 4


def test_samples_that_cannot_be_used_are_dropped_and_counted(samples):
    time, xyz = samples[0].copy(), samples[1].copy()
    steps = len(footfall.analyze(time, xyz).steps)
    xyz[100:110] = np.nan
    time[200] = np.nan
    time[300] = 1e300
    result = footfall.analyze(time, xyz)
    assert result.quality.unusable == 12 and abs(len(result.steps) - steps) <= 2
    dates = np.full(100, np.datetime64("NaT", "ns"))
    assert footfall.analyze(dates, np.zeros((100, 3)), unit="g").quality.unusable == 100


def test_wrong_arguments_are_named():
    xyz = np.zeros((10, 3))
    for time, values, words in [
        (np.arange(9.0), xyz, "one time for each sample"),
        (np.arange(10.0), np.zeros((10, 2)), "three columns"),
        (np.arange(10.0), np.zeros(30), "three columns"),
        (0, xyz, "rate"),
        (np.array(["2026"] * 10), xyz, "seconds"),
        (np.array([object()] * 10), xyz, "timedelta64"),
        (np.arange(10.0), np.full((10, 3), "1 g"), "numbers"),
        (float("nan"), xyz, "rate"),
        (None, xyz, "time is None"),
        ("walk.csv", xyz, "give a log alone"),
        (["a.csv", "b.csv"], None, "footfall.study"),
        ("", None, "the path is empty"),
    ]:
        with pytest.raises(footfall.UsageError, match=words):
            footfall.analyze(time, values)
    with pytest.raises(footfall.UsageError, match="unit"):
        footfall.analyze(50, xyz, unit="stone")
    with pytest.raises(ValueError):
        footfall.analyze(50, np.ones((10, 3)), unit=-1)
    with pytest.raises(footfall.UsageError, match="xyz is missing"):
        footfall.analyze(50)


def test_nothing_gives_nothing():
    for time in [np.array([]), np.array([], dtype="datetime64[ns]"), 50]:
        result = footfall.analyze(time, np.empty((0, 3)))
        assert len(result.steps) == 0 and result.activities.rows == 0 and np.isnan(result.quality.rate)


def test_settled_results_never_change_and_provisional_ones_complete_them(samples):
    time, xyz = samples[0][:9000], samples[1][:9000]
    whole = footfall.analyze(time, xyz).steps
    live, settled = footfall.Analyzer(), []
    for start in range(0, len(time), 50):
        live.add(time[start : start + 50], xyz[start : start + 50])
        settled += live.settled().steps.tolist()
        assert settled == whole[: len(settled)].tolist()
    assert settled + live.provisional.steps.tolist() == whole.tolist()
    assert settled + live.finish().steps.tolist() == whole.tolist()


def test_threads_analyse_side_by_side(samples):
    time, xyz = samples
    results = [None] * 4

    def work(index):
        results[index] = footfall.analyze(time, xyz).steps

    threads = [threading.Thread(target=work, args=(index,)) for index in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert all(np.array_equal(steps, results[0]) for steps in results)


def test_other_threads_run_during_a_call():
    noise = np.random.default_rng(36).normal(0, 0.3, (1_000_000, 3)) + [0, 0, 1]

    def rounds(millions):
        """How often this thread runs during one call of the library."""
        worker = threading.Thread(target=footfall.analyze, args=(100, np.tile(noise, (millions, 1))))
        worker.start()
        count = 0
        while worker.is_alive():
            count += 1
            # Gives way to the other thread. With the interpreter's lock, the first sleep would last as long as the call.
            time.sleep(0.001)
        return count

    # On a busy machine a short call may end before this thread runs.
    assert any(rounds(millions) > 10 for millions in (1, 4, 16))


@pytest.mark.usefixtures("interruptible")
def test_an_interrupt_ends_a_long_analysis():
    # A day at 8 kHz of one sample, without a copy. It takes 15 s or more.
    rest = np.broadcast_to(np.array([0.0, 0.0, 1.0]), (700_000_000, 3))
    interrupt = threading.Timer(0.2, os.kill, (os.getpid(), signal.SIGINT))
    with pytest.raises(KeyboardInterrupt):
        interrupt.start()
        footfall.analyze(8000, rest)
    interrupt.join()


def test_progress_rises_to_one():
    shares = []
    footfall.analyze(100, np.zeros((3_000_000, 3), dtype=np.float32), unit="g", progress=shares.append)
    assert len(shares) == 3 and shares == sorted(shares) and shares[-1] == 1


def test_a_process_that_is_forked_can_analyse(samples):
    expected = len(footfall.analyze(*samples).steps)
    with multiprocessing.get_context("fork").Pool(2) as pool:
        assert pool.map(_steps, [samples, samples]) == [expected, expected]


def _steps(samples):
    return len(footfall.analyze(*samples).steps)


def test_a_table_becomes_columns(samples):
    activities = footfall.analyze(*samples).activities
    assert activities["start"] is activities.start and activities.rows == len(activities.start)
    with pytest.raises(AttributeError):
        activities.colour


def test_random_arrays_never_crash():
    seed = np.random.default_rng(36)
    for _ in range(300):
        count = int(seed.integers(0, 3000))
        xyz = seed.normal(0, 10.0 ** seed.integers(-3, 6), (count, 3))
        xyz[seed.random((count, 3)) < 0.05] = seed.choice([np.nan, np.inf, -np.inf, 1e308, 0])
        time = np.cumsum(seed.choice([0.0, 0.02, -0.02, 1e3, -1e9, np.nan], count, p=[0.1, 0.8, 0.05, 0.03, 0.01, 0.01]))
        step = int(seed.choice([1, 2, -1]))
        result = footfall.analyze(time[::step], xyz[::step], unit="g", time_unit="s")
        assert result.quality.samples == len(time[::step])
