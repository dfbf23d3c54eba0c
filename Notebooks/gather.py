"""Joins the results of the tasks of `cohort.slurm` into one table of people and days. Needs only Python's standard library.

    python3 gather.py RESULTS        writes RESULTS/cohort.csv
"""

import csv
import json
import re
import sys
from pathlib import Path

import cohort

COLUMNS = [column for column in cohort.COLUMNS if column not in ("executor", "began", "took")]


def gather(results):
    """The rows of the table: one for each day of a log, or one with the error of the log."""
    tables, errors = {}, {}
    for part in results.glob("part-*/"):
        journal, said = part / "tables/traces.ndjson", part / "errors.txt"
        for line in journal.read_text().splitlines() if journal.exists() else []:
            trace = json.loads(line)
            folder = re.sub(r"\.[^./]+$", "", trace["trace"].removesuffix(".gz"))
            tables[trace["trace"]] = (part / "tables" / folder, "; ".join(trace["warnings"]))
        for line in said.read_text().splitlines() if said.exists() else []:
            log, found, problem = line.removeprefix("footfall: ").removeprefix(f"{part}/logs/").partition(": ")
            if found:
                errors[log] = problem
    for log in (results / "logs.txt").read_text().splitlines():
        base = {"person": Path(log).parent.name, "log": log}
        if log in tables:
            folder, warnings = tables[log]
            yield from (base | day | {"warnings": warnings} for day in cohort.days(folder))
        else:
            yield base | {"error": errors.get(log, "not analysed; submit the cohort again")}


if __name__ == "__main__":
    if len(sys.argv) != 2:
        sys.exit("usage: gather.py RESULTS")
    folder = Path(sys.argv[1]).resolve()
    rows = list(gather(folder))
    with open(folder / "cohort.csv", "w", newline="") as table:
        writer = csv.DictWriter(table, COLUMNS)
        writer.writeheader()
        writer.writerows(rows)
    print(f"{len(rows)} rows, {sum('error' in row for row in rows)} logs without a result")
