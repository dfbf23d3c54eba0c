"""The tables of a study are those of the command."""

import csv
import subprocess
from datetime import datetime

import footfall
import numpy as np
import pytest
from footfall._tables import same

WHO = """trace,person,tz,age,group
walk-wrist.csv,ann,Europe/Berlin,31,walkers
stroll-hip.csv,ben,,40,walkers
commute.csv,ann,Europe/Berlin,31,walkers
"""
WALK = {"trace": ["walk-wrist.csv"], "person": ["ann"]}
NAMES = ("steps", "bouts", "activities", "epochs", "minutes", "hours", "gait", "gaitdays")


@pytest.fixture(scope="module")
def logs(walk):
    return [walk.parent / name for name in ("commute.csv", "stroll-hip.csv", "walk-wrist.csv")]


@pytest.fixture(scope="module")
def found(command, logs, tmp_path_factory):
    who = tmp_path_factory.mktemp("who") / "who.csv"
    who.write_text(WHO)
    return footfall.study(logs, who=who, start="2026-11-20T08:00", tz="Europe/Berlin")


@pytest.fixture(scope="module")
def folder(command, logs, tmp_path_factory):
    """The folder that the command writes."""
    place = tmp_path_factory.mktemp("study")
    (place / "who.csv").write_text(WHO)
    options = ["--tables", place / "results", "--all-columns", "--start", "2026-11-20T08:00", "--tz", "Europe/Berlin"]
    subprocess.run([command, "analyze", *logs, *options], check=True, capture_output=True)
    join = ["--persons", place / "who.csv", "--all-columns"]
    subprocess.run([command, "summarize", place / "results", *join], check=True, capture_output=True)
    return place / "results"


def assert_equal(table, rows):
    assert len(table) == len(rows)
    for name in rows[0]:
        cells, column = [row[name] for row in rows], table[name]
        if column.dtype == "datetime64[D]":
            assert column.astype(str).tolist() == [cell or "NaT" for cell in cells], name
        elif column.dtype.kind == "M":
            # Times are UTC in all tables; only local ones have no zone.
            ends = "Z" if column.dtype == "datetime64[ns]" else tuple("0123456789")
            assert all(cell.endswith(ends) for cell in cells if cell), name
            expected = np.array([cell.rstrip("Z") or "NaT" for cell in cells], dtype=column.dtype)
            assert same(column, expected), name
        elif column.dtype.kind == "b":
            assert [str(value).lower() for value in column.tolist()] == cells, name
        elif column.dtype.kind in "fi":
            assert np.array_equal(column, [float(cell or "nan") for cell in cells], equal_nan=True), name
        else:
            assert column.tolist() == cells, name


def rows(path):
    with path.open(newline="") as lines:
        return list(csv.DictReader(lines))


def test_the_tables_of_logs_are_those_of_the_command(found, folder):
    for name in NAMES:
        table = getattr(found, name)
        expected = [row for trace in ("commute", "stroll-hip", "walk-wrist") for row in rows(folder / trace / f"{name}.csv")]
        assert_equal(table, expected)
        assert set(table.trace) <= {"commute.csv", "stroll-hip.csv", "walk-wrist.csv"}
    assert found.epochs.units["enmoMg"] == "mg" and found.epochs.worn.dtype == bool
    assert found.traces.steps.sum() == len(found.steps) == 937


def test_times_are_utc_and_local_times_have_columns_of_their_own(found):
    for name in NAMES:
        table = getattr(found, name)
        for column in [column for column in table if f"{column}Local" in table]:
            assert (table[f"{column}Local"] - table[column] == np.timedelta64(1, "h")).all(), (name, column)
    assert set(found.days.startLocal.astype(str)) == {"2026-11-20T08:00:00.000000"}
    assert "2026-11-20 08:00:00.000" in repr(footfall.Table({"startLocal": found.days.startLocal}))
    pandas = pytest.importorskip("pandas")
    frame = found.days.to_pandas()
    assert str(frame.start.dt.tz) == "UTC" and frame.startLocal.dt.tz is None
    assert frame.startLocal[0] == pandas.Timestamp("2026-11-20T08:00")


def test_epochs_have_the_length_that_is_asked_for(command, logs):
    found = footfall.study(logs[2], epoch=60)
    assert set(found.days.epochSeconds) == {60} and len(found.epochs) == 2
    assert np.allclose(found.epochs.enmoMg, found.minutes.enmoMg, atol=0.01)
    with pytest.raises(footfall.UsageError, match="epoch"):
        footfall.study(logs[2], epoch=7)


def test_parts_of_the_day_have_measures_of_their_own(command, logs):
    found = footfall.study(logs[2], start="2026-11-20T08:00", parts={"school": "08:00-08:01", "later": "08:01-24:00"})
    assert found.dayparts.part.tolist() == ["school", "later"]
    assert found.dayparts.steps.sum() == found.days.steps.sum()
    assert len(footfall.study(logs[2]).dayparts) == 0
    with pytest.raises(footfall.UsageError, match="part"):
        footfall.study(logs[2], parts={"school": "13:00-08:00"})


def test_days_and_persons_have_the_covariates(found, folder):
    for name in ("days", "persons"):
        table, expected = getattr(found, name), rows(folder / f"{name}.csv")
        assert_equal(table, expected)
        assert dict(zip(table.person, table.age)) == {"ann": 31, "ben": 40} and set(table.group) == {"walkers"}
    assert found.days.date.dtype.kind == "M" and "2 persons" in repr(found)


def test_who_may_be_a_data_frame_or_columns(command, logs):
    pandas = pytest.importorskip("pandas")
    columns = {"trace": ["walk-wrist.csv", "stroll-hip.csv"], "person": ["ann", "ben"], "age": [31, 40]}
    for who in (columns, pandas.DataFrame(columns)):
        persons = footfall.study(logs[1:], who=who).persons
        assert persons.person.tolist() == ["ann", "ben"] and persons.age.tolist() == [31, 40]
    for who, words in [({"trace": ["a"]}, "person"), ({**columns, "steps": [1, 2]}, "another name"),
                       ({**columns, "person": ["ann", "ann"]}, "several values")]:  # fmt: skip
        with pytest.raises(footfall.UsageError, match=words):
            footfall.study(logs[1:], who=who).days  # noqa: B018


def test_a_log_without_a_row_is_a_person_whose_covariates_are_missing(command, logs, tmp_path):
    who = {"trace": ["walk-wrist.csv"], "person": ["ann"], "age": [31], "group": ["a"], "seen": np.array(["2026-01-02"], "M8[D]")}
    persons = footfall.study(logs[1:], who=who).persons
    assert persons.person.tolist() == ["ann", "stroll-hip"] and persons.group.tolist() == ["a", ""]
    assert persons.age[0] == 31 and np.isnan(persons.age[1]) and np.isnat(persons.seen).tolist() == [False, True]
    (tmp_path / "who.csv").write_text("trace,person,start\nwalk-wrist,ann,16.11.2026\n")
    with pytest.raises(footfall.DataError, match=f"^{tmp_path}/who.csv:2: start"):
        footfall.study(logs[1:], who=tmp_path / "who.csv")


def test_a_table_of_persons_may_be_that_of_a_spreadsheet(command, logs, tmp_path):
    for encoding in ("utf-8-sig", "latin-1"):
        (tmp_path / "who.csv").write_text("Trace;Person ;age\nwalk-wrist.csv;Jürgen;31,5\n;;\n", encoding)
        persons = footfall.study(logs[2], who=tmp_path / "who.csv").persons
        assert persons.person.tolist() == ["Jürgen"] and persons.age.tolist() == [31.5]


def test_arguments_of_a_study_are_those_of_analyze(command, logs):
    # datetime64 is UTC everywhere; text and datetime without a zone are in tz.
    for start, hour in [("2026-07-01T10:00", 8), (datetime(2026, 7, 1, 10), 8), (np.datetime64("2026-07-01T10:00"), 10)]:
        found = footfall.study(iter(logs[2:]), start=start, tz="Europe/Berlin", columns=["time", "x", "y", "z"])
        assert found.traces.start[0] == np.datetime64(f"2026-07-01T{hour:02}:00", "ns"), start
    with pytest.raises(footfall.UsageError, match="several lengths"):
        footfall.study(logs, who={"trace": ["walk-wrist.csv"], "person": ["ann", "bea"]})
    for wrong in ({"who": 5}, {"parts": "school 08:00-13:00"}, {"columns": 5}):
        with pytest.raises(footfall.UsageError, match=f"^{next(iter(wrong))} is"):
            footfall.study(logs, **wrong)


def test_a_log_that_cannot_be_read_stops_no_other(command, logs, tmp_path):
    (tmp_path / "letter.txt").write_text("Dear Sir or Madam,\n" * 100)
    found = footfall.study([logs[2], tmp_path / "letter.txt"], out=tmp_path / "results")
    assert found.traces.trace.tolist() == ["walk-wrist.csv"] and any("letter.txt" in text for text in found.messages)
    assert (tmp_path / "results" / "columns.json").exists()
    # A folder with earlier logs hides no failure.
    for out in (None, tmp_path / "results"):
        with pytest.raises(footfall.FileError, match="none.csv"):
            footfall.study(tmp_path / "none.csv", out=out)
        with pytest.raises(footfall.UsageError, match="valid-day"):
            footfall.study(logs, valid_day="long", out=out)


def test_a_missing_command_is_said(monkeypatch, logs):
    monkeypatch.delenv("FOOTFALL_COMMAND", raising=False)
    monkeypatch.setenv("PATH", "/nowhere")
    with pytest.raises(footfall.UsageError, match="FOOTFALL_COMMAND"):
        footfall.study(logs)


def test_a_study_becomes_parquet(found, tmp_path):
    parquet = pytest.importorskip("pyarrow.parquet")
    found.to_parquet(tmp_path)
    schema = parquet.read_schema(tmp_path / "epochs.parquet")
    assert schema.field("enmoMg").metadata == {b"unit": b"mg"} and str(schema.field("start").type) == "timestamp[ns, tz=UTC]"
    assert parquet.read_table(tmp_path / "days.parquet").num_rows == len(found.days)


def test_recordings_have_the_tables_of_the_command(command, recordings, tmp_path):
    chosen = recordings[:: max(1, len(recordings) // 12)]
    found = footfall.study(chosen, out=tmp_path / "results")
    assert len(found.traces) > 8
    for name in NAMES:
        folders = [found._folder(trace) for trace in found.traces.trace.tolist()]
        assert_equal(getattr(found, name), [row for folder in folders for row in rows(folder / f"{name}.csv")] or [{}])
    for name in ("days", "persons"):
        assert_equal(getattr(found, name), rows(tmp_path / "results" / f"{name}.csv"))


def test_all_tables_have_the_zone_and_the_start_of_the_table_of_persons(command, logs, tmp_path):
    for log in logs:
        (tmp_path / log.name).write_bytes(log.read_bytes())
    who = {
        "trace": ["walk-wrist.csv", "stroll-hip"], "person": ["ann", "ben"], "tz": ["Europe/Berlin", "Asia/Kolkata"],
        "start": ["2026-11-20T23:30", ""],
    }  # fmt: skip
    starts = {"walk-wrist.csv": "2026-11-20T23:30", "stroll-hip.csv": "2026-11-21T08:00", "commute.csv": "2026-11-21T08:00"}
    for paths in (tmp_path, logs):
        study = footfall.study(paths, who=who, start="2026-11-21T08:00", tz="Europe/Lisbon")
        for name in ("epochs", "minutes", "hours", "bouts", "activities"):
            table = getattr(study, name)
            first = {trace: table.startLocal[table.trace == trace].min() for trace in starts}
            assert all(abs(first[trace] - np.datetime64(start)) < np.timedelta64(1, "m") for trace, start in starts.items()), name
        days = dict(zip(study.days.person.tolist(), study.days.startLocal.astype("M8[m]").astype(str).tolist()))
        assert days == {"ann": starts["walk-wrist.csv"], "ben": starts["stroll-hip.csv"], "commute": starts["commute.csv"]}
        assert len(study.traces) == 3 and study.traces.start[-1] == np.datetime64("2026-11-20T22:30")
    travel = footfall.study(logs[2], who={**WALK, "tz": ["Europe/Berlin; 2026-12-03 14:00 Asia/Tokyo"]}, start="2026-11-20T08:00")
    assert str(travel.hours.startLocal[0]).startswith("2026-11-20T08:00") and any("in the first" in text for text in travel.messages)


def test_a_start_of_the_table_of_persons_may_be_a_date(command, logs):
    study = footfall.study(logs[2], who={**WALK, "start": np.array(["2026-11-20T23:30"], "M8[ns]"), "tz": ["Europe/Berlin"]})
    assert str(study.hours.startLocal[0]).startswith("2026-11-21T00:30")


def test_any_number_of_paths_is_analyzed(command, logs, tmp_path, monkeypatch):
    import footfall._study

    monkeypatch.setattr(footfall._study, "MOST_BYTES", 100)
    assert footfall.study(logs).traces.trace.tolist() == [log.name for log in logs]
    monkeypatch.setattr(footfall._study, "MOST_BYTES", 1 << 30)
    with pytest.raises(footfall.UsageError, match="too long for the system; give the folder"):
        footfall.study([f"{index:0200}.csv" for index in range(60_000)])
    for paths, words in [([], "there are no paths"), ("", "a path is empty")]:
        with pytest.raises(footfall.UsageError, match=words):
            footfall.study(paths)
    with pytest.raises(footfall.UsageError, match="a log is a int; give paths"):
        footfall.study(logs[0].read_bytes()[:100])
