"""Statistics of agreement of counted and true steps, as validation studies report them, from `footfall evaluate`.

::

    footfall evaluate manifest.csv --results watch.csv --output json > evaluation.json

    from footfall import evaluation
    recordings = evaluation.read("evaluation.json", "manifest.csv")
    evaluation.agreement(recordings, by=["counter", "placement"])

It needs scipy, statsmodels, pingouin and matplotlib: ``pip install 'footfall-….whl[evaluation]'``. All intervals have 95 %.
"""

from __future__ import annotations

import io
import json
import math
import os
from collections.abc import Sequence
from typing import Any, cast

import numpy as np
from numpy.typing import ArrayLike, NDArray

from footfall._library import DataError, UsageError
from footfall._samples import plain
from footfall._tables import content_of, written

try:
    import matplotlib.pyplot as plt
    import pandas as pd
    import pingouin
    from matplotlib.figure import Figure
    from scipy import stats
    from statsmodels.stats.weightstats import ttost_paired
except ImportError as error:
    raise ImportError(f"{error}. Install what evaluations need: pip install scipy statsmodels pingouin matplotlib") from error

Path = str | os.PathLike[str]

MARGINS = (5, 10)
"""The shares of the mean truth, in percent, within which counts are tested for equivalence."""

MOST_MINUTES = 5 * 366 * 1440
"""The most minutes between the first and the last step: more are two clocks, such as one from 1970 on and one with dates."""

INTERLIVE = {
    "treadmill walking, below 3 km/h": ["treadmill-slow"],
    "treadmill walking, 3 to 5 km/h": ["treadmill-usual"],
    "treadmill walking, above 5 km/h": ["treadmill-fast"],
    "treadmill running": ["treadmill-run"],
    "incline walking": ["incline"],
    "ground walking, slow": ["walk-slow"],
    "ground walking, usual speed": ["walk-usual", "walk"],
    "ground walking, fast": ["walk-fast"],
    "zigzag walking": ["zigzag"],
    "stairs up": ["stairs-up"],
    "stairs down": ["stairs-down"],
    "running": ["run"],
    "cycling": ["cycle"],
    "rowing": ["row"],
    "sleep": ["sleep"],
    "writing": ["write", "hands:write", "hands:typing"],
    "eating": ["eat", "hands:soup", "hands:sandwich", "hands:chips", "hands:pasta", "hands:drink"],
    "laundry": ["laundry", "hands:fold"],
    "dishes": ["dishes", "hands:wash"],
    "shopping": ["shop"],
    "free living, 24 h": ["free-living"],
}
"""The conditions of the INTERLIVE network (W. Johnston et al., British Journal of Sports Medicine 55, 2021), and the words for
them in the column ``kind`` of a manifest. The limits of speed are Footfall's."""

STEP_FREE = {"cycling", "rowing", "sleep", "writing", "eating", "laundry", "dishes"}
"""Those without a step, or hardly one."""


def read(evaluation: Path | list[dict[str, Any]], manifest: Path) -> pd.DataFrame:
    """The recordings of an evaluation with what the manifest tells about them, for each counter.

    Args:
        evaluation: The file with what ``footfall evaluate … --output json`` printed, or its records.
        manifest: The manifest that it evaluated.

    Returns:
        Rows with the columns of the manifest, and ``counter``, ``truth`` and ``counted`` (steps; nan for recordings with fewer
        than 20 true steps), ``found`` (all detected steps), ``hours``, and ``cadence`` (true steps a minute, with pauses).

    Raises:
        DataError: The file is no evaluation, or the manifest has no columns dataset and recording.
        FileError: A file cannot be read.
    """
    if isinstance(evaluation, list):
        every = evaluation
    else:
        try:
            every = json.loads(content_of(evaluation))
            if not isinstance(every, list) or not all(isinstance(record, dict) and "group" in record for record in every):
                raise ValueError("it is no evaluation")
        except ValueError as error:
            remedy = "give what footfall evaluate … --output json prints"
            raise DataError(f"cannot be read: {error}", remedy, os.fspath(evaluation)) from None
    records = [record for record in every if record["group"].startswith("recording ")]
    found = pd.DataFrame(
        {
            "id": [record["group"].removeprefix("recording ") for record in records],
            "counter": [record["counter"] for record in records],
            "truth": [record.get("trueSteps") or math.nan for record in records],
            "counted": [record.get("countedSteps") for record in records],
            "found": [record["detectedSteps"] for record in records],
            "hours": [record["hours"] for record in records],
        }
    )
    found["counted"] = found["counted"].where(found["truth"].notna()).astype(float)
    found["cadence"] = found["truth"] / found["hours"].where(found["hours"] > 0) / 60
    text, separator = written(manifest)
    rows = pd.read_csv(io.StringIO(text), sep=separator, dtype={"dataset": str, "recording": str, "subject": str})
    if lacking := {"dataset", "recording"} - set(rows):
        raise DataError(f"it has no column {min(lacking)}", "give the manifest of the evaluation", os.fspath(manifest))
    rows["id"] = rows["dataset"] + "/" + rows["recording"]
    for name in ("subject", "placement", "activity", "kind"):
        rows[name] = rows[name] if name in rows else math.nan
    rows["subject"] = rows["subject"].fillna(rows["recording"])
    return found.merge(rows, on="id", how="left").rename(columns={"recording": "name", "id": "recording"})


def minutes(truth: ArrayLike, counted: ArrayLike, subject: str = "") -> pd.DataFrame:
    """The true and the counted steps of each minute of the clock, from the first step to the last, for :func:`agreement`.

    Args:
        truth: The times of the true steps: seconds, datetime64 or timedelta64.
        counted: The times of the counted steps, on the same clock.
        subject: The person.

    Raises:
        UsageError: A time is missing, or the steps lie more than five years apart.
    """
    pair = [_minutes(times) for times in (truth, counted)]
    every = np.concatenate(pair)
    first, last = (int(every.min()), int(every.max())) if len(every) else (0, -1)
    if last - first > MOST_MINUTES:
        raise UsageError(f"the steps lie {(last - first) // 1440} days apart", "give both series on one clock")
    counts = [np.bincount(minute - first, minlength=last - first + 1) for minute in pair]
    return pd.DataFrame({"subject": subject, "minute": np.arange(first, last + 1), "truth": counts[0], "counted": counts[1]})


def _minutes(times: ArrayLike) -> NDArray[np.int64]:
    """The minutes of times."""
    array = plain(times)
    if array.dtype.kind not in "fiuMm":
        raise UsageError(f"the steps are of type {array.dtype}", "give seconds, datetime64 or timedelta64")
    if np.isnan(array).any():
        raise UsageError("the time of a step is missing", "leave it out")
    seconds = array if array.dtype.kind in "fiu" else array.astype(f"{array.dtype.kind}8[s]").astype(np.int64)
    return np.floor(seconds / 60).astype(np.int64)


def agreement(pairs: pd.DataFrame, by: Any = None) -> pd.DataFrame:
    """The agreement of counted and true steps, over recordings or minutes. A statistic that the pairs do not determine is nan.

    Args:
        pairs: Rows with the columns ``subject``, ``truth`` and ``counted``. Rows without truth are left out.
        by: What pandas groups by, such as ``"placement"``; None for all pairs together.

    Returns:
        A row for each group: the number of ``pairs`` and ``people``; the mean (``error``), absolute (``mae``) and percentage
        errors (``mpe``, ``mape``) with their standard deviations (``_sd``); ``rmse``; the interval of ``mape`` over people, by a
        seeded bootstrap; the shares with errors of at most 5 and 10 %; Pearson's correlation; ICC(2,1) of Shrout and Fleiss; Lin's
        concordance (``ccc``); bias, limits of agreement and slope of the errors over the means of Bland and Altman, with
        intervals after Student's t; and the p value of two one-sided tests of a mean error within 5 and 10 % of the mean truth.
    """
    known = pairs[pairs["truth"].notna()]
    groups = [("all", known)] if by is None else known.groupby(by, observed=True)
    return pd.DataFrame({name: _agreement(group) for name, group in groups}).T


def _agreement(pairs: pd.DataFrame) -> pd.Series:
    truth, counted = (pairs[name].to_numpy(float) for name in ("truth", "counted"))
    count, error, mean = len(pairs), counted - truth, (counted + truth) / 2
    percent = np.divide(100 * error, truth, out=np.full(count, math.nan), where=truth > 0)
    values: dict[str, float] = {"pairs": count, "people": pairs["subject"].nunique()}
    for name, errors in [("error", error), ("mae", abs(error)), ("mpe", percent), ("mape", abs(percent))]:
        errors = errors[~np.isnan(errors)]
        values[name] = float(errors.mean()) if len(errors) else math.nan
        values[name + "_sd"] = float(errors.std(ddof=1)) if len(errors) > 1 else math.nan
    values["rmse"] = math.sqrt((error**2).mean()) if count else math.nan
    values["mape_low"], values["mape_high"] = over_people(pairs["subject"], abs(percent))
    for margin in MARGINS:
        within = abs(percent[~np.isnan(percent)]) <= margin
        values[f"within_{margin}"] = float(within.mean()) if len(within) else math.nan
    names = ["pearson", "icc", "ccc", "bias", "bias_low", "bias_high", "lower", "lower_low", "lower_high", "upper", "upper_low"]
    names += ["upper_high", "slope", "slope_low", "slope_high"] + [f"equivalence_{margin}" for margin in MARGINS]
    values |= dict.fromkeys(names, math.nan)
    if count < 2:
        return pd.Series(values)

    moments = np.cov(truth, counted, ddof=0)
    spread = float(np.trace(moments) + error.mean() ** 2)
    if spread > 0:
        values["ccc"] = 2 * float(moments[0, 1]) / spread
    if spread > 0 and count > 2:  # pingouin needs five values.
        values["icc"] = _intraclass_correlation(truth, counted)
    if np.ptp(truth) > 0 and np.ptp(counted) > 0:
        values["pearson"] = float(stats.pearsonr(truth, counted).statistic)
    width, deviation = stats.norm.ppf(0.975), float(error.std(ddof=1))
    # The variance of a limit is that of the bias plus 1.96² times that of the deviation, s² / 2(n − 1): J. Bland and D. Altman,
    # Measuring agreement in method comparison studies, Statistical Methods in Medical Research 8, 1999.
    limit = deviation * math.sqrt(1 / count + width**2 / (2 * (count - 1)))
    rows = [("bias", error.mean(), deviation / math.sqrt(count), count - 1)]
    rows += [("lower", error.mean() - width * deviation, limit, count - 1)]
    rows += [("upper", error.mean() + width * deviation, limit, count - 1)]
    if count > 2 and np.ptp(mean) > 0:
        line = stats.linregress(mean, error)
        rows += [("slope", line.slope, line.stderr, count - 2)]
    for name, value, scale, freedom in rows:
        half = scale * stats.t.ppf(0.975, freedom)
        values[name], values[name + "_low"], values[name + "_high"] = value, value - half, value + half
    if deviation > 0:
        for margin in MARGINS:
            bound = margin / 100 * truth.mean()
            values[f"equivalence_{margin}"] = float(ttost_paired(counted, truth, -bound, bound)[0])
    return pd.Series(values)


def _intraclass_correlation(truth: ArrayLike, counted: ArrayLike) -> float:
    """ICC(2,1): two-way random effects, single measure, absolute agreement (Shrout and Fleiss, Psychological Bulletin 86, 1979)."""
    wide = pd.DataFrame({"truth": truth, "counted": counted})
    long = wide.reset_index().melt("index", var_name="rater", value_name="steps")
    with np.errstate(all="ignore"):  # Its F tests divide by the residual, which equal counts do not have.
        table = pingouin.intraclass_corr(long, "index", "rater", "steps").set_index("Type")["ICC"]
    return float(table["ICC(A,1)"])


def over_people(subjects: Any, values: Any) -> tuple[float, float]:
    """The interval of the mean of values over people like these; nan with fewer than two people.

    People are drawn with replacement, as the recordings of one person resemble each other. The draws are seeded.
    """
    sums = pd.Series(np.asarray(values, float)).groupby(np.asarray(subjects)).agg(["sum", "count"])
    sums = sums[sums["count"] > 0]
    if len(sums) < 2:
        return math.nan, math.nan
    interval = stats.bootstrap(
        (sums["sum"], sums["count"]), lambda total, count, axis: total.sum(axis) / count.sum(axis),
        paired=True, vectorized=True, method="percentile", rng=0,
    ).confidence_interval  # fmt: skip
    return float(interval.low), float(interval.high)


def difference(recordings: pd.DataFrame, counter: str, reference: str = "Footfall") -> pd.Series:
    """The mean absolute percentage error of a counter less that of another, over the recordings that both have counted.

    Returns:
        The number of ``recordings``, the ``difference`` in points, and its interval over people, ``low`` and ``high``. Without 0
        in it, one counter has the smaller error.
    """
    known = recordings[recordings["truth"].notna()]
    error = 100 * abs(known["counted"] - known["truth"]) / known["truth"]
    wide = known.assign(error=error).pivot(index=["recording", "subject"], columns="counter", values="error")
    missing = {counter, reference} - set(wide.columns)
    if missing:
        raise UsageError(f"no recordings counted by {', '.join(sorted(missing))}", f"counters are {', '.join(wide.columns)}")
    points = (wide[counter] - wide[reference]).dropna()
    low, high = over_people(points.index.get_level_values("subject"), points)
    return pd.Series({"recordings": len(points), "difference": points.mean(), "low": low, "high": high})


def interlive(recordings: pd.DataFrame) -> pd.DataFrame:
    """A row for each condition of :data:`INTERLIVE`; conditions without a recording have 0 recordings.

    Where no step is taken, ``steps_per_hour`` are the false steps of an hour. Runs without a kind are running.
    """
    kind = recordings["kind"].where(recordings["kind"].notna() | (recordings["activity"] != "running"), "run")
    rows = {}
    for name, words in INTERLIVE.items():
        own = recordings[kind.isin(words)]
        known = own[own["truth"].notna()]
        row = _agreement(known)[["mape", "mape_low", "mape_high", "mpe", "lower", "upper", "equivalence_5", "equivalence_10"]]
        hours = own["hours"].sum() if name in STEP_FREE else 0
        rows[name] = pd.concat(
            [
                pd.Series({"recordings": len(own), "people": own["subject"].nunique()}),
                row,
                pd.Series({"steps_per_hour": own["found"].sum() / hours if hours else math.nan}),
            ]
        )
    return pd.DataFrame(rows).T


def picture(recordings: pd.DataFrame, title: str = "") -> Figure:
    """Bland and Altman's picture, counted against true steps, the error by cadence, and the sum of the errors.

    Args:
        recordings: Those of :func:`read`, of one counter.
        title: A title above the four.
    """
    known = recordings[recordings["truth"].notna()]
    truth, counted = known["truth"], known["counted"]
    error, colors = counted - truth, np.where(known["activity"] == "running", "#D55E00", "#0072B2")
    figure, axes = plt.subplots(2, 2, figsize=(10, 9), layout="constrained")
    (bland, counts), (cadences, sums) = cast(Sequence[Sequence[Any]], axes)
    figure.suptitle(title)
    bland.scatter((truth + counted) / 2, error, s=9, c=colors)
    limits = _agreement(known)
    for name, word in [("upper", "upper limit"), ("bias", "bias"), ("lower", "lower limit")]:
        if not math.isnan(limits[name]):
            bland.axhline(limits[name], color="0.4", linewidth=1, label=f"{word} {limits[name]:.1f}")
    bland.set(title="Bland–Altman", xlabel="mean of true and counted steps", ylabel="counted − true (steps)", xscale="log")
    bland.legend(fontsize="small")
    counts.scatter(truth, counted, s=9, c=colors)
    counts.axline((1, 1), (2, 2), color="0.6", linewidth=1)
    counts.set(title="true against counted", xlabel="true steps", ylabel="counted steps", xscale="log", yscale="symlog")
    cadences.scatter(known["cadence"], 100 * error / truth, s=9, c=colors)
    cadences.set(title="error by cadence", xlabel="true cadence (steps/min)", ylabel="error (%)")
    sums.plot(np.arange(len(error) + 1), np.concatenate([[0], np.cumsum(error)]))
    sums.set(title="cumulative error", xlabel="recordings, in the order of the manifest", ylabel="Σ counted − true (steps)")
    return figure
