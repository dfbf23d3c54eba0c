"""The statistics of agreement against published and hand-computed values."""

import json
import subprocess

import numpy as np
import pytest

for name in ("matplotlib", "pandas", "pingouin", "scipy", "statsmodels"):
    pytest.importorskip(name)

import footfall
import matplotlib
import pandas as pd
from footfall import evaluation

matplotlib.use("agg")


def pairs(truth, counted, subjects=None):
    subjects = range(len(truth)) if subjects is None else subjects
    return pd.DataFrame({"subject": subjects, "truth": truth, "counted": counted})


@pytest.fixture
def few():
    return pairs([100, 200, 300, 400, 500, 650], [97, 204, 300, 388, 512, 640], list("aabbcd"))


def test_the_limits_are_those_that_bland_and_altman_published():
    """Peak expiratory flow by two meters (The Lancet 1986, table 1); their limits are the mean and two standard deviations."""
    large = [494, 395, 516, 434, 476, 557, 413, 442, 650, 433, 417, 656, 267, 478, 178, 423, 427]
    mini = [512, 430, 520, 428, 500, 600, 364, 380, 658, 445, 432, 626, 260, 477, 259, 350, 451]
    row = evaluation.agreement(pairs(mini, large)).loc["all"]
    assert row.bias == pytest.approx(-2.1, abs=0.05)
    assert row.error_sd == pytest.approx(38.8, abs=0.05)
    assert (row.bias_low, row.bias_high) == pytest.approx((-22.0, 17.8), abs=0.1)
    assert row.lower == pytest.approx(row.bias - 1.96 * row.error_sd, abs=1e-2)


def test_errors_have_means_deviations_and_shares(few):
    row = evaluation.agreement(few).loc["all"]
    assert (row.pairs, row.people, row.error) == (6, 4, -1.5)
    assert row.error_sd == pytest.approx(8.938679992034617)
    assert (row.mae_sd, row.rmse) == pytest.approx((5.154286242213044, 8.296585643102429))
    assert (row.mpe, row.mpe_sd) == pytest.approx((-0.5230769230769231, 2.386847590467046))
    assert (row.mape, row.mape_sd) == pytest.approx((1.9897435897435898, 1.1289275076612495))
    assert (row.within_5, row.within_10) == (1, 1)
    assert row.mape_low < row.mape < row.mape_high
    assert evaluation.agreement(few).equals(evaluation.agreement(few))


def test_correlations_are_those_of_pearson_of_shrout_and_fleiss_and_of_lin():
    """By hand: the mean squares of rows, raters and the rest are 2, 3/2 and 0; ICC is 2 / (2 + 2 × 3/2 / 3). The variances and the
    covariance are 2/3, and the means differ by 1; CCC is 4/3 / (4/3 + 1)."""
    row = evaluation.agreement(pairs([1, 2, 3], [2, 3, 4])).loc["all"]
    assert (row.pearson, row.icc, row.ccc) == pytest.approx((1, 2 / 3, 4 / 7))
    assert row.slope == pytest.approx(0)


def test_two_one_sided_tests_decide_on_equivalence(few):
    """The errors have a mean of −1.5 and a standard error of 3.649; p is the upper tail of t(5) at (5 % of 358.3 − 1.5) / 3.649."""
    row = evaluation.agreement(few).loc["all"]
    assert row.equivalence_5 == pytest.approx(0.0032035970493602683)
    assert row.equivalence_10 < row.equivalence_5


def test_what_pairs_do_not_determine_is_nan():
    none, one = (evaluation.agreement(pairs([100] * count, [90] * count)).loc["all"] for count in (0, 1))
    assert none.pairs == 0 and np.isnan(none.error) and np.isnan(none.icc)
    assert one.error == -10 and one[["error_sd", "icc", "ccc", "lower", "mape_low", "equivalence_5"]].isna().all()
    equal = evaluation.agreement(pairs([50, 100, 150], [50, 100, 150])).loc["all"]
    assert (equal.pearson, equal.icc, equal.ccc, equal.bias) == pytest.approx((1, 1, 1, 0)) and np.isnan(equal.equivalence_5)
    constant = evaluation.agreement(pairs([100] * 3, [100] * 3)).loc["all"]
    assert constant[["pearson", "slope"]].isna().all()


def test_a_difference_is_paired_by_recording():
    rows = [("Footfall", f"set/{index}", person, 100, 98) for index, person in enumerate("abcd") if index]
    rows += [("watch", f"set/{index}", person, 100, 90) for index, person in enumerate("abcd")]
    recordings = pd.DataFrame(rows, columns=["counter", "recording", "subject", "truth", "counted"])
    result = evaluation.difference(recordings, "watch")
    assert result.tolist() == [3, 8, 8, 8]
    with pytest.raises(ValueError, match="counters are Footfall, watch"):
        evaluation.difference(recordings, "clock")


def test_an_evaluation_that_cannot_be_read_says_why(tmp_path):
    (tmp_path / "m.csv").write_text("recording\na\n")
    with pytest.raises(footfall.FileError, match="none.json: cannot be read"):
        evaluation.read(tmp_path / "none.json", tmp_path / "m.csv")
    for text in ("counter", "{}", '{"group": 1}', "[1]"):
        (tmp_path / "e.json").write_text(text)
        with pytest.raises(footfall.DataError, match="e.json: cannot be read: .*; give what footfall evaluate"):
            evaluation.read(tmp_path / "e.json", tmp_path / "m.csv")
    with pytest.raises(footfall.FileError, match="none.csv"):
        evaluation.read([], tmp_path / "none.csv")
    with pytest.raises(footfall.DataError, match="no column dataset"):
        evaluation.read([], tmp_path / "m.csv")


def test_minutes_run_from_the_first_step_to_the_last():
    table = evaluation.minutes([1, 61, 181], [1.1, 2, 181], "ann")
    assert table.truth.tolist() == [1, 1, 0, 1] and table.counted.tolist() == [2, 0, 0, 1]
    assert evaluation.agreement(table).loc["all", "mae"] == 0.5
    assert len(evaluation.minutes([], [])) == 0
    since = np.array([1000, 61_999, 181_000])
    for times in (since.astype("M8[ms]"), (since * 1_000_000).astype("M8[ns]"), pd.Series(since.astype("M8[ms]")).dt.tz_localize("UTC")):
        assert evaluation.minutes(times, [1.1, 2, 181], "ann").equals(table)
    assert evaluation.minutes(since.astype("m8[ms]"), [1.1, 2, 181], "ann").equals(table)
    for wrong, words in [([1.8e9], "20833 days apart"), ([np.nan], "missing"), (np.array(["NaT"], "M8[s]"), "missing"), (["a"], "type")]:
        with pytest.raises(footfall.UsageError, match=words):
            evaluation.minutes([1, 61], wrong)


def test_an_evaluation_of_the_command_is_read_grouped_and_drawn(command, tmp_path):
    (tmp_path / "manifest.csv").write_text(
        "dataset,recording,subject,activity,true_steps,kind,duration_s\n"
        "made,a,ann,walking,100,zigzag,60\nmade,b,ben,walking,100,zigzag,60\nmade,c,,desk,0,sleep,3600\n"
    )
    (tmp_path / "watch.csv").write_text("recording,steps\nmade/a,90\nmade/b,125\nmade/c,7\n")
    options = ["--results", "watch.csv", "--only-results", "--output", "json"]
    run = subprocess.run([command, "evaluate", "manifest.csv", *options], cwd=tmp_path, capture_output=True, check=True)
    (tmp_path / "evaluation.json").write_bytes(run.stdout)
    recordings = evaluation.read(tmp_path / "evaluation.json", tmp_path / "manifest.csv")
    assert recordings.subject.tolist() == ["ann", "ben", "c"] and recordings.cadence.tolist()[:2] == pytest.approx([100, 100], rel=1e-3)
    # The form of a spreadsheet changes nothing.
    text = (tmp_path / "manifest.csv").read_text().replace(",", ";")
    (tmp_path / "manifest.csv").write_text(text, "utf-8-sig")
    assert evaluation.read(tmp_path / "evaluation.json", tmp_path / "manifest.csv").equals(recordings)
    # The command has the same error.
    groups = {record["group"]: record for record in json.loads(run.stdout)}
    assert evaluation.agreement(recordings).loc["all", "mape"] == groups["all"]["mape"] == 17.5
    assert evaluation.agreement(recordings, by=["counter", "subject"]).loc[("watch", "ben"), "error"] == 25

    table = evaluation.interlive(recordings)
    assert (table.recordings == 0).sum() == 19
    assert table.loc["zigzag walking", "mape"] == 17.5 and table.loc["sleep", "steps_per_hour"] == pytest.approx(7)
    figure = evaluation.picture(recordings, "watch")
    titles = [axis.get_title() for axis in figure.axes]
    assert titles == ["Bland–Altman", "true against counted", "error by cadence", "cumulative error"]
    figure.savefig(tmp_path / "agreement.svg")
