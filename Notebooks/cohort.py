"""A cohort: many logs, one table of people and days.

`analyze` runs on an executor: it runs `footfall analyze` on one log and returns a row for each day. It needs only Python's
standard library and the `footfall` command. `over` distributes the logs with Spark. This file is also the program for a
real cluster:

    spark-submit --master spark://head:7077 cohort.py /shared/study /shared/cohort.csv

`/shared/study` contains the logs, one folder for each person. The paths must be the same on every machine.
"""

import csv
import json
import os
import socket
import subprocess
import sys
import tempfile
import time
from pathlib import Path

ACTIVITIES = ["stationary", "walking", "running", "automotive", "cycling", "unknown"]
# A row: person, day and log; steps, then seconds; warnings and error; executor, start and duration of the work.
COLUMNS = ["person", "day", "log", "steps", "coverage", *ACTIVITIES, "warnings", "error", "executor", "began", "took"]
SCHEMA = ("person string, day string, log string, steps long, coverage double, "
          + ", ".join(f"{name} double" for name in ACTIVITIES)
          + ", warnings string, error string, executor string, began double, took double")
# The exit codes of `footfall` for an error in the log: bad data, and no input (sysexits.h).
BAD_LOG = {65, 66}
LONGEST = 3600  # s, limit for a log


def logs(folder):
    """The logs in a folder and in its subfolders, in order."""
    found = [path for path in Path(folder).resolve().rglob("*") if path.is_file() and not path.name.startswith(".")]
    return sorted(map(str, found))


def analyze(log, command="footfall"):
    """The rows of a log: one for each day, or one with the error of an unreadable log.

    Raises other errors, such as a missing command, a full disk or a killed process. Spark then repeats the log.
    """
    began = time.time()
    executor = f"{socket.gethostname()}:{os.getppid()}"
    base = {"person": Path(log).parent.name, "log": log, "executor": executor, "began": began}
    with tempfile.TemporaryDirectory() as folder:
        done = subprocess.run(
            [command, "analyze", log, "--jobs", "1", "--tables", folder, "--output", "json"],
            capture_output=True, text=True, timeout=LONGEST)
        if done.returncode in BAD_LOG:
            found = [{"error": done.stderr.strip()}]
        elif done.returncode:
            raise RuntimeError(f"footfall ended with {done.returncode} on {log}: {done.stderr.strip()}")
        else:
            warnings = "; ".join(json.loads(done.stdout)[0]["warnings"])
            found = [row | {"warnings": warnings or None} for row in days(folder)]
    took = time.time() - began
    return [tuple((base | row | {"took": took}).get(column) for column in COLUMNS) for row in found]


def days(tables):
    """The days in the tables of one log."""
    # The folder itself has the days of all logs, that of a log its own.
    for file in sorted(Path(tables).glob("*/days.csv")):
        with open(file, newline="") as lines:
            for row in csv.DictReader(lines):
                yield {"day": row["start"][:10], "steps": int(row["steps"]), "coverage": float(row["coverage"]),
                       **{name: float(row[name]) for name in ACTIVITIES}}


def over(spark, logs, command="footfall"):
    """The rows of all logs as a Spark DataFrame. Each log is a task, so a lost executor loses at most one log."""
    tasks = spark.sparkContext.parallelize(logs, max(1, len(logs)))
    return spark.createDataFrame(tasks.flatMap(lambda log: analyze(log, command)), SCHEMA)


if __name__ == "__main__":
    if len(sys.argv) != 3:
        sys.exit("usage: spark-submit cohort.py FOLDER TABLE.csv")
    from pyspark.sql import SparkSession

    session = SparkSession.builder.appName("footfall").getOrCreate()
    cohort = over(session, logs(sys.argv[1]), os.environ.get("FOOTFALL", "footfall"))
    rows = sorted(cohort.collect(), key=lambda row: row.log)
    with open(sys.argv[2], "w", newline="") as table:
        csv.writer(table).writerows([COLUMNS, *rows])
    print(f"{len(rows)} rows, {sum(row.error is not None for row in rows)} logs failed", file=sys.stderr)
