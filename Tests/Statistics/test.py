#!/usr/bin/env python3
"""Compares the statistics of `footfall evaluate` with scipy, statsmodels and pingouin on ten seeded tables.

Usage: test.py FOOTFALL

A table is a manifest of recordings with true steps and a file of counted steps of other people. Footfall evaluates it with
--results. Each statistic equals that of the packages within 1e-6.
"""
import json
import subprocess
import sys
import tempfile
from pathlib import Path

import numpy as np
import pandas as pd
import pingouin
from scipy import stats
from statsmodels.stats.inter_rater import cohens_kappa
from statsmodels.stats.weightstats import ttost_paired

TOLERANCE = 1e-6
MASK = (1 << 64) - 1
TRACES = Path(__file__).resolve().parents[2] / "SensorTraces"


class SplitMix:
    """The seeded generator of the bootstrap, after Steele, Lea and Flood (OOPSLA 2014)."""

    def __init__(self):
        self.state = 0

    def next(self):
        self.state = (self.state + 0x9E3779B97F4A7C15) & MASK
        mixed = ((self.state ^ (self.state >> 30)) * 0xBF58476D1CE4E5B9) & MASK
        mixed = ((mixed ^ (mixed >> 27)) * 0x94D049BB133111EB) & MASK
        return mixed ^ (mixed >> 31)

    def below(self, bound):
        """A number below the bound, after D. Lemire (ACM TOMACS 29(1), 2019), as Swift draws it."""
        product = self.next() * bound
        if product & MASK < bound:
            least = ((1 << 64) - bound) % bound
            while product & MASK < least:
                product = self.next() * bound
        return product >> 64


def evaluate(footfall, *arguments):
    command = [footfall, "evaluate", *map(str, arguments), "--output", "json"]
    return json.loads(subprocess.run(command, check=True, capture_output=True, text=True).stdout)


def table(seed):
    """Recordings of a few people, each with an error of their own."""
    random = np.random.default_rng(seed)
    rows = []
    for person in range(int(random.integers(4, 12))):
        bias = random.normal(0, 0.05)
        for number in range(int(random.integers(1, 5))):
            truth = int(random.integers(20, 3000))
            counted = max(0, round(truth * (1 + bias + random.normal(0, 0.06))))
            rows.append((f"p{person:02}", f"r{person}-{number}", truth, counted))
    return pd.DataFrame(rows, columns=["subject", "recording", "truth", "counted"])


def agreement(footfall, data, folder):
    """What Footfall computes for a table, over recordings and over minutes."""
    manifest, results = folder / "manifest.csv", folder / "watch.csv"
    data.assign(dataset="made", true_steps=data.truth)[["dataset", "recording", "subject", "true_steps"]].to_csv(
        manifest, index=False)
    data.assign(recording="made/" + data.recording, steps=data.counted)[["recording", "steps"]].to_csv(
        results, index=False)
    recordings = evaluate(footfall, manifest, "--results", results, "--only-results")[0]["agreement"]

    # The same numbers as steps of minutes.
    (folder / "made").mkdir()
    minutes = data.assign(time=60 * np.arange(len(data)), dataset="made")
    for name, row in minutes.groupby("subject"):
        row.rename(columns={"truth": "steps"})[["time", "steps"]].to_csv(folder / f"made/{name}.counts.csv", index=False)
    people = minutes.drop_duplicates("subject").assign(recording=lambda people: people.subject)
    people[["dataset", "recording", "subject"]].to_csv(manifest, index=False)
    minutes.assign(recording="made/" + minutes.subject, steps=minutes.counted)[["recording", "time", "steps"]].to_csv(
        results, index=False)
    return recordings, evaluate(footfall, manifest, "--results", results, "--only-results")[0]["perMinute"]


def bootstrap(data):
    """The interval of the mean absolute percentage error over people."""
    errors = 100 * (data.counted - data.truth).abs() / data.truth
    sums = errors.groupby(data.subject).agg(["sum", "count"]).to_numpy()
    random, means = SplitMix(), []
    for _ in range(1000):
        sample = sums[[random.below(len(sums)) for _ in sums]].sum(axis=0)
        means.append(sample[0] / sample[1])
    return np.quantile(means, [0.025, 0.975])


def expected(data):
    truth, counted = data.truth.to_numpy(float), data.counted.to_numpy(float)
    error, count = counted - truth, len(data)
    percent = 100 * error / truth
    low, high = bootstrap(data)
    values = {
        "pairs": count, "people": data.subject.nunique(), "meanError": error.mean(), "errorSD": stats.tstd(error),
        "meanAbsoluteError": abs(error).mean(), "absoluteErrorSD": stats.tstd(abs(error)),
        "rmse": np.sqrt(np.mean(error ** 2)), "meanPercentageError": percent.mean(),
        "percentageErrorSD": stats.tstd(percent), "mape": abs(percent).mean(), "mapeSD": stats.tstd(abs(percent)),
        "mapeLow": low, "mapeHigh": high, "within5": np.mean(abs(percent) <= 5),
        "within10": np.mean(abs(percent) <= 10), "pearson": stats.pearsonr(truth, counted).statistic,
    }
    long = pd.DataFrame({
        "target": np.tile(np.arange(count), 2), "rater": np.repeat(["truth", "counted"], count),
        "steps": np.concatenate([truth, counted])})
    correlations = pingouin.intraclass_corr(long, "target", "rater", "steps").set_index("Type")["ICC"]
    values["icc"] = correlations.get("ICC2", correlations.get("ICC(A,1)"))
    moments = np.cov(truth, counted, ddof=0)
    values["ccc"] = 2 * moments[0, 1] / (moments[0, 0] + moments[1, 1] + (truth.mean() - counted.mean()) ** 2)

    width, deviation = stats.norm.ppf(0.975), stats.tstd(error)
    limit_error = deviation * np.sqrt(1 / count + width ** 2 / (2 * (count - 1)))
    line = stats.linregress((truth + counted) / 2, error)
    for name, value, scale, freedom in [
            ("bias", error.mean(), stats.sem(error), count - 1),
            ("lowerLimit", error.mean() - width * deviation, limit_error, count - 1),
            ("upperLimit", error.mean() + width * deviation, limit_error, count - 1),
            ("slope", line.slope, line.stderr, count - 2)]:
        values[name] = value
        values[name + "Low"], values[name + "High"] = stats.t.interval(0.95, freedom, loc=value, scale=scale)
    for percent in (5, 10):
        margin = percent / 100 * truth.mean()
        probability = ttost_paired(counted, truth, -margin, margin)[0]
        again = pingouin.tost(counted, truth, bound=margin, paired=True)
        other = again["pval" if "pval" in again else "p_val"].iloc[0]
        assert abs(probability - other) < TOLERANCE, "statsmodels and pingouin differ"
        values[f"equivalence{percent}P"] = probability
        values[f"equivalent{percent}"] = bool(probability < 0.05)
    return values


def compare(name, found, values):
    problems = [f"{name}: {key} is not described here" for key in found.keys() - values.keys()]
    for key, value in values.items():
        if found[key] is None or abs(found[key] - value) > TOLERANCE * max(1, abs(value)):
            problems.append(f"{name}: {key} is {found[key]}, expected {value}")
    return problems


def activities(footfall, folder):
    """Kappa and balanced accuracy of shipped traces, from the seconds that Footfall counts."""
    (folder / "shipped").symlink_to(TRACES)
    names = [path.name.removesuffix(".truth.json") for path in sorted(TRACES.glob("*.truth.json"))]
    manifest = folder / "labels.csv"
    manifest.write_text("dataset,recording,labels\n" + "".join(f"shipped,{name},yes\n" for name in names))
    problems = []
    for record in evaluate(footfall, manifest):
        classes = ["stationary", "walking", "running", "automotive", "cycling"]
        rows = [name for name in classes if record[name]["seconds"]]
        if not rows:
            continue
        counts = np.zeros((6, 6))
        for row in rows:
            answers = record[row]["answers"]
            counts[classes.index(row)] = [answers[name] for name in classes] + [answers["unknown"] + answers["none"]]
        recalls = [counts[classes.index(row), classes.index(row)] / counts[classes.index(row)].sum() for row in rows]
        values = {"balancedAccuracy": np.mean(recalls)}
        if len(rows) > 1:
            values["kappa"] = cohens_kappa(counts).kappa
        problems += compare(record["group"], {key: record[key] for key in values}, values)
    return problems


def main():
    footfall = sys.argv[1]
    problems, number = [], 0
    for seed in range(10):
        data = table(seed)
        with tempfile.TemporaryDirectory() as folder:
            recordings, minutes = agreement(footfall, data, Path(folder))
        values = expected(data)
        problems += compare(f"table {seed}", recordings, values) + compare(f"table {seed}, minutes", minutes, values)
        number += 2 * len(values)
    with tempfile.TemporaryDirectory() as folder:
        problems += activities(footfall, Path(folder))
    print("\n".join(problems) or f"{number} statistics of 10 tables, and the kappa of activities, equal those of Python")
    sys.exit(1 if problems else 0)


main()
