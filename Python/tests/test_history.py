"""Histories."""

import os
from datetime import datetime, timezone

import footfall
import numpy as np
import pytest


@pytest.fixture
def result(walk):
    return footfall.analyze(walk, start="2026-11-20T07:55:00")


def test_a_source_keeps_its_zone_and_a_new_one_is_in_utc(tmp_path, result, walk):
    with footfall.History(tmp_path / "steps.sqlite") as history:
        history.record(result, source="wrist", tz="Europe/Berlin")
        history.record(footfall.analyze(walk, start="2026-11-22T07:55:00"), source="wrist")
        history.record(result, source="pocket")
        for source, start in [("wrist", "2026-11-21T23:00"), ("pocket", "2026-11-22T00:00")]:
            assert np.datetime64(start, "ns") in history.steps("2026-11-20", "2026-11-23", by="day", source=source).start


def test_what_is_recorded_can_be_asked_for(tmp_path, result):
    with footfall.History(tmp_path / "steps.sqlite") as history:
        history.record(result, source="wrist", tz="Europe/Berlin")
        history.record(result, source="wrist", tz="Europe/Berlin")
        assert history.steps(source="wrist").steps.tolist() == [568]
        hours = history.steps(by="hour")
        assert hours.steps.sum() == 568 and len(hours.steps) == 2
        minutes = history.steps("2026-11-20T07:55Z", "2026-11-20T08:06Z", by=1)
        assert minutes.rows == 11 and minutes.steps.sum() == 568
        since = datetime(2026, 11, 20, 8, 0, tzinfo=timezone.utc)
        assert history.steps(since).steps[0] == np.sum(result.steps >= np.datetime64("2026-11-20T08:00"))
        # A range may lie beside what is kept.
        for since, until in [("2026-11-21", None), (None, "2026-11-19"), ("-1s", None)]:
            assert history.steps(since, until).steps.tolist() == [0] and len(history.events(since, until).steps) == 0
        with pytest.raises(footfall.UsageError, match="ends before it starts"):
            history.steps("2026-11-21", "2026-11-20")
        assert history.steps("-99999d").truncated.tolist() == [False]
        assert history.steps(by=np.int64(15)).steps.sum() == 568
        start, end = history.extent()
        assert start == np.datetime64("2026-11-20T07:55", "ns") and end == result.activities.end[-1]
        kept = history.events()
        # A history does not keep the qualities of steps.
        assert kept.gaps == result.gaps == history.events("2026-11-19", "2026-11-22").gaps
        assert isinstance(kept, footfall.Events) and not hasattr(kept, "qualities")
        history.record(kept, source="copy")
        assert history.steps(source="copy").steps.tolist() == [568]
        assert np.array_equal(kept.steps, result.steps)
        assert kept.activities.activity.tolist() == result.activities.activity.tolist()


def test_a_history_that_cannot_be_used_says_why(tmp_path, result):
    with pytest.raises(footfall.FileError):
        footfall.History(tmp_path / "none.sqlite", read_only=True)
    (tmp_path / "letter").write_text("Dear Sir or Madam,\n" * 100)
    with pytest.raises(footfall.DataError):
        footfall.History(tmp_path / "letter")
    history = footfall.History(tmp_path / "steps.sqlite")
    history.record(result, "wrist")
    with pytest.raises(footfall.UsageError, match="ankle"):
        history.steps(source="ankle")
    beyond = ("9999-12-31", "0001-01-01", datetime.max, np.datetime64("20000-01-01"))
    for moment in ("tomorrow", float("nan"), float("inf"), 1e300, np.datetime64("NaT"), True, *beyond):
        with pytest.raises(footfall.UsageError, match="the time is"):
            history.steps(moment)
    for source in (None, 5, "", "wrist\0left"):
        with pytest.raises(footfall.UsageError, match="source"):
            history.record(result, source)
    with pytest.raises(footfall.UsageError, match="result is a str"):
        history.record("walk.csv", "wrist")
    live = footfall.Analyzer()
    # Nothing is settled at first.
    footfall.History(tmp_path / "empty.sqlite").record(live.settled(), "ankle")
    live.add(50, np.tile([0.0, 0.0, 1.0], (500, 1)))
    with pytest.raises(footfall.UsageError, match="provisional results may change"):
        history.record(live.provisional, "wrist")
    for path in (":memory:", "", None):
        with pytest.raises(footfall.UsageError, match="the path is"):
            footfall.History(path)
    assert len(history.steps(by="15m")) == len(history.steps(by=15)) > 0
    for by in ("fortnight", -1, 0, True, 1441, 2.5, "0m", "1441m", "15"):
        with pytest.raises(footfall.UsageError, match="write hour"):
            history.steps(by=by)
    history.close()
    with pytest.raises(footfall.StorageError, match="closed"):
        history.steps()


def test_a_forked_process_opens_a_history_again(tmp_path, result):
    with footfall.History(tmp_path / "steps.sqlite") as history:
        history.record(result, "wrist")
        if not (child := os.fork()):
            try:
                history.steps()
            except footfall.StorageError as error:
                os._exit("before a fork" not in str(error))
            os._exit(2)
        assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 0
        assert history.steps().steps.tolist() == [568]


def test_an_empty_history_has_no_steps(tmp_path):
    with footfall.History(tmp_path / "steps.sqlite") as history:
        assert history.steps().steps.tolist() == [0]
        assert len(history.events().steps) == 0 and history.extent() is None


def test_a_result_without_a_date_is_recorded_with_a_warning(tmp_path, walk, samples, result):
    with footfall.History(tmp_path / "steps.sqlite") as history:
        for undated in (footfall.analyze(walk), footfall.analyze(*samples)):
            with pytest.warns(UserWarning, match="1970-01-01"):
                history.record(undated, source="pocket")
        history.record(result, source="wrist")
        other = footfall.analyze(walk.with_name("errands-wrist.csv"))
        with pytest.warns(UserWarning), pytest.raises(footfall.DataError, match="pocket holds another trace of the same time"):
            history.record(other, source="pocket")
        assert len(history.events(source="pocket").steps) == len(undated.steps)


def test_what_is_ahead_of_the_clock_is_not_recorded_and_said(tmp_path, walk):
    with footfall.History(tmp_path / "steps.sqlite") as history:
        with pytest.raises(footfall.DataError, match="ahead of the clock .up to 2099-01-01T08:"):
            history.record(footfall.analyze(walk, start="2099-01-01T08:00"), source="wrist")
        assert history.steps().steps.sum() == 0


def test_what_is_older_than_the_history_keeps_is_said(tmp_path, walk):
    with footfall.History(tmp_path / "steps.sqlite") as history:
        for start in ("2026-11-10T08:00", "2026-11-16T08:00", "2026-11-10T08:00"):
            history.record(footfall.analyze(walk, start=start), source="wrist")
        history.record(footfall.analyze(walk, start="2026-11-18T08:00"), source="wrist")
        with pytest.warns(UserWarning, match="nothing of wrist before 2026-11-16T08:.*starts at 2026-11-10T08:00:00.*--keep"):
            history.record(footfall.analyze(walk, start="2026-11-10T08:00"), source="wrist")


def test_marks_have_the_steps_of_their_time(command, tmp_path, result):
    with footfall.History(tmp_path / "steps.sqlite") as history:
        history.record(result, source="wrist", tz="Europe/Berlin")
        assert history.marks().rows == 0
        # This process records into the history meanwhile.
        history.mark("--with the pram", "2026-11-20T08:00Z", "2026-11-20T08:02Z", source="wrist")
        history.mark("lap", np.datetime64("2026-11-20T08:01"))
        marks = history.marks()
        assert marks.mark.tolist() == ["--with the pram", "lap"] and marks.open.tolist() == [False, True]
        assert marks.steps[0] == history.steps("2026-11-20T08:00Z", "2026-11-20T08:02Z").steps[0]
        assert abs(marks.end[1] - result.activities.end[-1]) < np.timedelta64(1, "ms")
        assert history.marks(until="2026-11-20T08:01Z").mark.tolist() == ["--with the pram"]
        with pytest.raises(footfall.UsageError, match="ankle"):
            history.mark("lap", source="ankle")
        with pytest.raises(footfall.UsageError, match="text"):
            history.mark("")


def test_the_command_adds_sources_summaries_measures_and_an_export(command, monkeypatch, tmp_path, result):
    with footfall.History(tmp_path / "steps.sqlite") as history:
        history.record(result, source="wrist", tz="Europe/Berlin")
        sources = history.sources()
        assert sources.source.tolist() == ["wrist"] and sources.timeZone.tolist() == ["Europe/Berlin"]
        assert sources.start[0] == history.extent("wrist")[0] and sources.units["coverage"] == "s"
        summary = history.summary(source="wrist")
        assert summary.steps.tolist() == [568] and summary.walking[0] > 200 and summary.units["walking"] == "s"
        assert history.summary("2026-11-20T08:00Z", source="wrist").steps[0] == history.steps("2026-11-20T08:00Z").steps[0]
        assert history.measures().wearHours[0] == pytest.approx(0.183)
        with monkeypatch.context() as other, pytest.raises(footfall.UsageError):
            other.setenv("FOOTFALL_COMMAND", str(tmp_path / "nowhere"))
            history.export(tmp_path / "steps.ndjson")
        history.export(tmp_path / "steps.ndjson")
        assert (tmp_path / "steps.ndjson").read_text().count("\n") > 2
        with pytest.raises(footfall.FileError, match="File exists; name another file"):
            history.export(tmp_path / "steps.ndjson")
        with pytest.raises(footfall.UsageError, match="ankle"):
            history.export(tmp_path / "ankle.ndjson", source="ankle")
        assert not (tmp_path / "ankle.ndjson").exists()
        with pytest.raises(footfall.UsageError, match="ankle"):
            history.summary(source="ankle")


def test_a_range_with_more_parts_than_memory_holds_is_refused(tmp_path, result):
    history = footfall.History(tmp_path / "steps.sqlite")
    history.record(result, source="pocket")
    with pytest.raises(footfall.UsageError, match="105189120 buckets.* at most 1000000"):
        history.steps(since="1900-01-02", until="2100-01-01", by=1)
    assert history.steps(since="2020-01-01", until="2030-01-01", by=1440).steps.sum() == 568
