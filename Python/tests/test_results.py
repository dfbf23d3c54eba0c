"""Results: to look at, to compare, to keep, and to send to another process."""

import copy
import multiprocessing
import os
import pickle
import subprocess
import sys

import footfall
import numpy as np
import pytest


@pytest.fixture(scope="session")
def result(walk):
    return footfall.analyze(walk, start="2026-11-20T08:00")


def test_a_result_fits_a_screen_and_tells_its_steps(result):
    text = repr(result)
    lines = text.splitlines()
    assert lines[0].startswith("568 steps in 11 min") and "stationary" in text and "2026-11-20 08:00:30" in text
    assert lines[3].split()[-2:] == ["0", "medium"] and lines[4].split()[-3:] == ["walking", "218", "high"]
    assert len(lines) <= 24 and max(map(len, lines)) <= 80
    assert 0.5 < np.median(result.qualities) <= 1
    assert "<table>" in result._repr_html_() and "568 steps" in result._repr_html_()


def test_a_table_of_any_size_fits_a_screen(result):
    wide = footfall.seconds(50, np.tile([0.0, 0.0, 1.0], (30_000, 1)))
    for table in (result.activities, wide, footfall.Table(), footfall.Table(text=np.array(["long " * 100]))):
        lines = repr(table).splitlines()
        assert 0 < len(lines) <= 24 and max(map(len, lines)) <= 80
    assert "600 rows" in repr(wide) and "also" in repr(wide)


def test_a_time_that_is_missing_is_an_empty_cell():
    for unit in ("ns", "us", "D"):
        dates = np.array(["2026-11-20", "NaT"], dtype=f"datetime64[{unit}]")
        assert repr(footfall.Table(steps=np.array([7, 8]), date=dates)).splitlines()[2] == "    8"


def test_tables_have_rows_and_are_equal_or_not(result):
    activities = result.activities
    assert len(activities) == activities.rows == 6 and bool(footfall.Table()) is False
    assert (activities == footfall.Table(activities)) is True and (activities != footfall.Table(activities)) is False
    assert (activities == footfall.Table({**activities, "steps": activities.steps + 1})) is False
    assert activities != 3 and footfall.Table(x=np.array([np.nan])) == footfall.Table(x=np.array([np.nan]))
    assert (result == footfall.analyze(b"time,x,y,z\n0,0,0,1\n0.02,0,0,1\n")) is False


def test_results_pickle_and_copy(result, walk):
    log = footfall.read(walk, start="2026-11-20T08:00")
    for one in (result, result.activities, result.quality, footfall.explain(walk)):
        for other in (pickle.loads(pickle.dumps(one)), copy.copy(one), copy.deepcopy(one)):
            assert other == one and repr(other) == repr(one)
    again = pickle.loads(pickle.dumps(log))
    assert again.analyze() == result and np.array_equal(again.xyz, log.xyz)
    from_bytes = pickle.loads(pickle.dumps(footfall.read(walk.read_bytes())))
    assert len(from_bytes.analyze().steps) == 568
    for error in (footfall.DataError("a", "b", "c", 4), footfall.FileError("a", "b", "c")):
        assert str(pickle.loads(pickle.dumps(error))) == str(error)


def test_a_cache_knows_a_result_again(walk, result):
    joblib = pytest.importorskip("joblib")
    again = footfall.analyze(walk, start="2026-11-20T08:00")
    assert joblib.hash(again) == joblib.hash(result) != joblib.hash(footfall.analyze(walk, start="2026-11-21T08:00"))


def test_what_does_not_pickle_says_so(tmp_path, result):
    history = footfall.History(tmp_path / "steps.sqlite")
    for one in (footfall.Analyzer(), history):
        for work in (pickle.dumps, copy.copy, copy.deepcopy):
            with pytest.raises(TypeError, match="does not pickle or copy"):
                work(one)
    with pytest.raises(footfall.UsageError, match="analyze in threads"):
        history.record(pickle.loads(pickle.dumps(result)), "wrist")
    history.record(copy.deepcopy(result), "wrist")
    assert history.steps().steps.tolist() == [568]


POOL = """
import multiprocessing, sys
from pathlib import Path

import footfall


def analyze(log):
    return log.analyze()


if __name__ == "__main__":
    method, walk = sys.argv[1], Path(sys.argv[2])
    log = footfall.read(walk, start="2026-11-20T08:00")
    with multiprocessing.get_context(method).Pool(2) as pool:
        found = pool.map(analyze, [log]) + pool.map(footfall.analyze, [walk, walk.read_bytes()])
        assert found[0] == log.analyze() and [len(one.steps) for one in found] == [568] * 3
        try:
            pool.map(footfall.analyze, ["none.csv"])
        except footfall.FileError as error:
            assert error.path == "none.csv"
            print("done")
"""


@pytest.mark.parametrize("method", ["fork", "spawn"])
def test_a_pool_analyses_logs(method, walk, tmp_path):
    # In a process of its own: other tests have loaded libraries whose threads do not survive a fork.
    (tmp_path / "pool.py").write_text(POOL)
    environment = {**os.environ, "PYTHONPATH": os.path.dirname(os.path.dirname(footfall.__file__))}
    arguments = [sys.executable, str(tmp_path / "pool.py"), method, str(walk)]
    done = subprocess.run(arguments, capture_output=True, text=True, env=environment, check=False)
    assert done.stdout == "done\n", done.stderr


def test_a_forked_process_may_forget_a_history_and_a_log(tmp_path, walk, result):
    history = footfall.History(tmp_path / "steps.sqlite")
    held = [history, footfall.read(walk)]
    child = multiprocessing.get_context("fork").Process(target=held.clear)
    child.start()
    # A minute is there to fail only.
    child.join(60)
    child.kill()
    assert child.exitcode == 0
    history.record(result, "wrist")
    assert history.steps().steps.tolist() == [568]


def test_an_object_that_failed_ends_silently():
    code = "import footfall\ntry: footfall.Analyzer(unit='stone')\nexcept ValueError: pass\n"
    code += "footfall._library.Handle.__new__(footfall._library.Handle)\n"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stderr == ""


def test_tables_become_data_frames(result):
    pandas = pytest.importorskip("pandas")
    frame = result.to_pandas()
    assert str(frame.start.dt.tz) == "UTC" and frame.steps.sum() == 568
    assert len(result.to_pandas("steps")) == 568 and list(result.to_pandas("gaps").columns) == ["start", "end"]
    assert pandas.DataFrame(result.activities).shape == (6, 7)
    with pytest.raises(footfall.UsageError, match="activities"):
        result.to_pandas("naps")


def test_parquet_has_the_zone_and_the_units(result, tmp_path):
    parquet = pytest.importorskip("pyarrow.parquet")
    result.to_parquet(tmp_path / "walk")
    schema = parquet.read_schema(tmp_path / "walk" / "activities.parquet")
    assert str(schema.field("start").type) == "timestamp[ns, tz=UTC]"
    table = footfall.Table({"enmo": np.array([1.0])}, units={"enmo": "mg"})
    table.to_parquet(tmp_path / "one.parquet")
    assert parquet.read_schema(tmp_path / "one.parquet").field("enmo").metadata == {b"unit": b"mg"}
    assert parquet.read_table(tmp_path / "walk" / "steps.parquet").num_rows == 568
    for name, read in [("polars", "read_parquet"), ("pandas", "read_parquet"), ("duckdb", "read_parquet")]:
        module = pytest.importorskip(name)
        assert getattr(module, read)(str(tmp_path / "walk" / "activities.parquet")).shape == (6, 7)


def test_a_result_is_drawn(samples, result):
    matplotlib = pytest.importorskip("matplotlib")
    matplotlib.use("agg")
    for one in (result, footfall.analyze(*samples), footfall.analyze(50, np.empty((0, 3)))):
        axes = one.plot()
        assert axes.get_ylabel() == "steps a minute" and all(line.get_ydata()[-1] == 0 for line in axes.get_lines())
        assert sum(line.get_ydata().sum() for line in axes.get_lines()) == len(one.steps)


def test_non_wear_is_a_table():
    rest = footfall.analyze(10, np.tile([0.0, 0.0, 1.0], (10 * 3600 * 10, 1)) + np.zeros((10 * 3600 * 10, 3)))
    assert rest.non_wear.rows == 1 and (rest.non_wear.end - rest.non_wear.start)[0] > 3600
    assert "not worn" in rest.activities.reason


def test_hops_on_one_spot_are_an_exercise():
    turn = (2.2 * np.arange(0, 60, 0.02)) % 1
    push = np.where(turn < 0.6, np.sin(np.pi * turn / 0.6) * np.pi / 1.2, 0)
    sway = 0.03 * np.array([np.cos(2 * np.pi * turn), np.sin(2 * np.pi * turn)])
    noise = np.random.default_rng(1).normal(0, 0.01, (len(turn), 3))
    hops = footfall.analyze(50, np.column_stack([*sway, push]) + noise)
    is_exercise = hops.activities.reason == "exercise"
    assert len(hops.steps) == 0 and set(hops.activities.activity[is_exercise]) == {"unknown"}
    assert (hops.activities.end - hops.activities.start)[is_exercise].sum() > 45
