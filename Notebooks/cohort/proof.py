#!/usr/bin/env python3
"""Shows that a cohort survives kills: simulated persons, jobs killed at random, and Snakemake killed in the middle.

Usage: proof.py FOOTFALL SNAKEMAKE [PERSONS]

Every tenth person has a second log, all persons have logs of the same names, and one log is unreadable. The persons, days and
steps must be those of an analysis without Snakemake.
"""
import csv
import os
import random
import signal
import subprocess
import sys
import tempfile
import time
from pathlib import Path

HERE = Path(__file__).resolve().parent
KILLS = 0.1  # s between two kills of a job


def simulate(footfall, study, count):
    """Writes the logs of `count` persons, and a file that is no log."""
    for number in range(count):
        for log in ["day1.csv", "day2.csv"] if number % 10 == 0 else ["day1.csv"]:
            person = study / f"p{number:05d}"
            person.mkdir(parents=True, exist_ok=True)
            day = 16 + int(log[3])
            subprocess.run(
                [footfall, "simulate", "walk", "--rate", "25", "--duration", "60", "--seed", str(number + 1), "--start",
                 f"2026-11-{day}T10:00:00Z", "--out", person / log], check=True, capture_output=True)
            (person / log).with_suffix(".truth.json").unlink()
    (study / "p99999").mkdir()
    (study / "p99999" / "day1.csv").write_text("name,town\nAnn,Bonn\n")


def children(root):
    """The descendants of a process: id and command line."""
    parents, lines = {}, {}
    for entry in Path("/proc").glob("[0-9]*"):
        try:
            line = (entry / "cmdline").read_bytes().split(b"\0")
            parents[int(entry.name)] = int((entry / "stat").read_text().rpartition(")")[2].split()[1])
            lines[int(entry.name)] = line
        except OSError:
            continue  # it has ended
    found = {root}
    while more := {child for child, parent in parents.items() if parent in found} - found:
        found |= more
    return {child: lines[child] for child in found - {root}}


def run(command, footfall, seconds=None):
    """Runs Snakemake and kills its analyses at random; itself after some seconds. Returns its status and the kills."""
    kills, start = 0, time.monotonic()
    with open(Path(command[-1].partition("=")[2]).parent / "snakemake.txt", "a") as log:
        driver = subprocess.Popen(command, stdout=log, stderr=log)
        while driver.poll() is None:
            # A job has to be met while it runs. This is a pause between two attempts, and decides nothing.
            time.sleep(KILLS)
            jobs = [child for child, line in children(driver.pid).items()
                    if line[0] == os.fsencode(footfall) and b"analyze" in line]
            if jobs and random.random() < 0.3:
                try:
                    os.kill(random.choice(jobs), signal.SIGKILL)
                    kills += 1
                except ProcessLookupError:
                    pass
            if seconds is not None and time.monotonic() - start > seconds:
                alive = children(driver.pid)
                for process in [driver.pid, *alive]:
                    try:
                        os.kill(process, signal.SIGKILL)
                    except ProcessLookupError:
                        pass
                driver.wait()
    return driver.returncode, kills


def main():
    footfall, snakemake, count = sys.argv[1], sys.argv[2], int(sys.argv[3]) if len(sys.argv) > 3 else 100
    random.seed(1)
    with tempfile.TemporaryDirectory() as folder:
        study, results = Path(folder, "study"), Path(folder, "results")
        simulate(footfall, study, count)
        subprocess.run([footfall, "analyze", study, "--tables", Path(folder, "plain"), "--output", "ndjson"],
                       capture_output=True)
        command = [snakemake, "--snakefile", str(HERE / "Snakefile"), "--cores", str(os.cpu_count()), "--keep-going",
                   "--rerun-incomplete", "--quiet", "all", "--config", f"footfall={footfall}", f"study={study}",
                   f"results={results}"]
        start = time.monotonic()
        status, kills = run(command, footfall, seconds=10)
        assert status == -signal.SIGKILL, "Snakemake ended before it was killed: take more persons"
        done = len(list(results.glob("tables/*/*")))
        while True:
            subprocess.run([*command, "--unlock"], check=True, capture_output=True)
            status, more = run(command, footfall)
            kills += more
            if status == 0:
                break
            print(f"Snakemake ended with {status}; the same command again", flush=True)
        wall = time.monotonic() - start
        table = lambda path: list(csv.DictReader(open(path, newline="")))
        persons, days, errors = (table(results / f"{name}.csv") for name in ("persons", "days", "errors"))
        plain = table(Path(folder, "plain", "days.csv"))
        total = lambda rows: sum(int(row["steps"]) for row in rows)
        assert sorted(row["person"] for row in persons) == [f"p{number:05d}" for number in range(count)]
        assert [row["log"] for row in errors] == ["p99999/day1.csv"], errors
        assert len(days) == len(plain) and total(days) == total(plain), (total(days), total(plain))
        print(f"{count} persons, {len(days)} days, {total(days)} steps, 1 unreadable log: each once, after {kills} killed jobs "
              f"and a killed Snakemake ({done} folders done); {wall:.0f} s")


main()
