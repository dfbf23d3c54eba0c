#!/usr/bin/env python3
"""Evaluates the recordings of people and names each recording whose result has moved.

Usage: guard.py FOOTFALL [--update]

FOOTFALL_SHARED, or ../shared, has the recordings in corpus/*/manifest.csv; without them the check is skipped. expected.csv has
the detected steps and the share of right seconds of each recording. --update writes it.
"""
import csv
import json
import os
import subprocess
import sys
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

HERE = Path(__file__).resolve().parent
EXPECTED = HERE / "expected.csv"
# A result has moved if it differs by more than two steps and 1 %, or by more than 0.02 of the seconds.
STEPS, SHARE_OF_STEPS, SHARE_RIGHT = 2, 0.01, 0.02


def evaluate(footfall, manifest):
    """The results of the recordings of a manifest: {name: (steps, share of right seconds or None)}."""
    command = [footfall, "evaluate", str(manifest), "--output", "json"]
    run = subprocess.run(command, capture_output=True, text=True)
    if not run.stdout:
        sys.exit(f"{manifest} is not evaluated: {run.stderr}")
    results = {}
    for record in json.loads(run.stdout):
        if record["group"].startswith("recording "):
            name = f"{manifest.parent.name}: {record['group'].removeprefix('recording ')}"
            results[name] = (record["detectedSteps"], record.get("right"))
    return results


def moved(found, expected):
    """What has moved, or an empty text."""
    (steps, right), (old_steps, old_right) = found, expected
    parts = []
    if abs(steps - old_steps) > max(STEPS, SHARE_OF_STEPS * old_steps):
        parts.append(f"{old_steps} steps before, {steps} now")
    if (right is None) != (old_right is None) or right is not None and abs(right - old_right) > SHARE_RIGHT:
        parts.append(f"right in {old_right} of the seconds before, {right} now")
    return "; ".join(parts)


def main():
    shared = Path(os.environ.get("FOOTFALL_SHARED") or HERE.parents[1].parent / "shared")
    manifests = sorted(shared.glob("corpus/*/manifest.csv"))
    if not manifests:
        print(f"Skipped: {shared}/corpus has no recordings. FOOTFALL_SHARED names the folder that has them.")
        return
    start, results = time.monotonic(), {}
    with ThreadPoolExecutor(os.cpu_count()) as pool:
        for part in pool.map(lambda manifest: evaluate(sys.argv[1], manifest), manifests):
            results.update(part)
    print(f"{len(results)} recordings of {len(manifests)} corpora in {time.monotonic() - start:.0f} s")

    if "--update" in sys.argv:
        with EXPECTED.open("w", newline="") as file:
            writer = csv.writer(file, lineterminator="\n")
            writer.writerow(["recording", "steps", "right"])
            writer.writerows((name, steps, "" if right is None else right) for name, (steps, right) in results.items())
        return
    with EXPECTED.open(newline="") as file:
        expected = {row["recording"]: (int(row["steps"]), float(row["right"]) if row["right"] else None)
                    for row in csv.DictReader(file)}
    problems = [f"{name}: not expected" for name in results.keys() - expected.keys()]
    problems += [f"{name}: expected, but not evaluated" for name in expected.keys() - results.keys()]
    for name in results.keys() & expected.keys():
        change = moved(results[name], expected[name])
        problems += [f"{name}: {change}"] if change else []
    print("\n".join(sorted(problems)) or "all as expected")
    if problems:
        sys.exit(f"{len(problems)} recordings have moved. If they should: {Path(__file__).name} FOOTFALL --update")


main()
