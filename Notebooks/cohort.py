"""A cohort: many logs, one table of people and days.

`over` distributes the logs with Spark, which calls `rows` on its executors, inside `mapInPandas`. `analyze` reads and
analyses one log there, with the package `footfall` and without another process, and returns a row for each day. An executor
needs the wheel of `make wheel`, pandas and pyarrow. This file is also the program for a real cluster:

    spark-submit --master spark://head:7077 cohort.py /shared/study /shared/cohort.csv

`/shared/study` contains the logs, one folder for each person. The paths must be the same on every machine.
"""

import csv
import os
import socket
import sys
import time
from pathlib import Path

import pandas as pd

import footfall

ACTIVITIES = ["stationary", "walking", "running", "automotive", "cycling", "unknown"]
# A row: person, day and log; steps, then seconds; warnings and error; executor, start and duration of the work.
COLUMNS = ["person", "day", "log", "steps", "coverage", *ACTIVITIES, "warnings", "error", "executor", "began", "took"]
SCHEMA = ("person string, day string, log string, steps long, coverage double, "
          + ", ".join(f"{name} double" for name in ACTIVITIES)
          + ", warnings string, error string, executor string, began double, took double")


def logs(folder):
    """The logs in a folder and in its subfolders, in order."""
    found = [path for path in Path(folder).resolve().rglob("*") if path.is_file() and not path.name.startswith(".")]
    return sorted(map(str, found))


def analyze(log):
    """The rows of a log: one for each day, or one with the error of an unreadable log.

    Raises other errors, such as one of the memory. Spark then repeats the log.
    """
    began = time.time()
    # The worker of Python is a child of a process that serves one executor.
    executor = f"{socket.gethostname()}:{os.getppid()}"
    base = {"person": Path(log).parent.name, "log": log, "executor": executor, "began": began}
    try:
        result = footfall.analyze(log)
    except (footfall.DataError, footfall.FileError) as error:
        found = [{"error": str(error)}]
    else:
        warnings = "; ".join(result.warnings) or None
        found = [row | {"warnings": warnings} for row in days(result)] or [{"error": f"{log}: no usable samples"}]
    took = time.time() - began
    return [tuple((base | row | {"took": took}).get(column) for column in COLUMNS) for row in found]


def days(result):
    """The days of a result, in UTC."""
    segments = pd.DataFrame(result.activities)
    if segments.empty:
        return
    last = segments.end.max() - pd.Timedelta(nanoseconds=1)
    for day in pd.date_range(segments.start.min().normalize(), last, freq="D"):
        until = day + pd.Timedelta(days=1)
        inside = segments.end.clip(upper=until) - segments.start.clip(lower=day)
        seconds = inside.dt.total_seconds().clip(lower=0).groupby(segments.activity).sum()
        steps = (result.steps >= day.to_datetime64()) & (result.steps < until.to_datetime64())
        # The segments tile the time with samples.
        yield {"day": f"{day:%Y-%m-%d}", "steps": int(steps.sum()), "coverage": float(seconds.sum()),
               **{name: float(seconds.get(name, 0)) for name in ACTIVITIES}}


def rows(frames):
    """The rows of all logs in frames with the column `log`, each log as a frame."""
    for frame in frames:
        for log in frame.log:
            yield pd.DataFrame(analyze(log), columns=COLUMNS)


def over(spark, logs):
    """The rows of all logs as a Spark DataFrame. Each log is a task, so a lost executor loses at most one log."""
    tasks = spark.sparkContext.parallelize([(log,) for log in logs], max(1, len(logs)))
    return spark.createDataFrame(tasks, "log string").mapInPandas(rows, SCHEMA)


if __name__ == "__main__":
    if len(sys.argv) != 3:
        sys.exit("usage: spark-submit cohort.py FOLDER TABLE.csv")
    from pyspark.sql import SparkSession

    session = SparkSession.builder.appName("footfall").getOrCreate()
    cohort = over(session, logs(sys.argv[1]))
    found = sorted(cohort.collect(), key=lambda row: row.log)
    with open(sys.argv[2], "w", newline="") as table:
        csv.writer(table).writerows([COLUMNS, *found])
    print(f"{len(found)} rows, {sum(row.error is not None for row in found)} logs failed", file=sys.stderr)
