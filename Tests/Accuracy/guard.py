#!/usr/bin/env python3
"""Evaluates the recordings of people and names each recording whose result has moved.

Usage: guard.py FOOTFALL [--update]

FOOTFALL_SHARED, or ../shared, has the recordings in corpus/*/manifest.csv; without them the check is skipped. expected.csv has
the detected steps and the share of right seconds of each recording. --update writes it. The figures in README.md that are results
of the shipped model must be those of the evaluation.
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
ROOT = HERE.parents[1]
EXPECTED = HERE / "expected.csv"
# A result has moved if it differs by more than two steps and 1 %, or by more than 0.02 of the seconds.
STEPS, SHARE_OF_STEPS, SHARE_RIGHT = 2, 0.01, 0.02


def evaluate(footfall, manifest):
    """The results of the recordings of a manifest: {name: (steps, share of right seconds or None)}, and those of its groups."""
    command = [footfall, "evaluate", str(manifest), "--output", "json"]
    run = subprocess.run(command, capture_output=True, text=True)
    if not run.stdout:
        sys.exit(f"{manifest} is not evaluated: {run.stderr}")
    results, groups = {}, {}
    for record in json.loads(run.stdout):
        if record["group"].startswith("recording "):
            name = f"{manifest.parent.name}: {record['group'].removeprefix('recording ')}"
            results[name] = (record["detectedSteps"], record.get("right"))
        else:
            groups[record["group"]] = record
    return results, groups


def moved(found, expected):
    """What has moved, or an empty text."""
    (steps, right), (old_steps, old_right) = found, expected
    parts = []
    if abs(steps - old_steps) > max(STEPS, SHARE_OF_STEPS * old_steps):
        parts.append(f"{old_steps} steps before, {steps} now")
    if (right is None) != (old_right is None) or right is not None and abs(right - old_right) > SHARE_RIGHT:
        parts.append(f"right in {old_right} of the seconds before, {right} now")
    return "; ".join(parts)


def misquoted(groups, manifests):
    """The results of the shipped model that README.md has otherwise, from the groups of each corpus."""
    steps, activity = (groups[corpus]["all"] for corpus in ("steps", "activity"))
    further = [groups[corpus]["8 Hz and more"] for corpus in ("activity-more", "activity-third")]
    with next(path for path in manifests if path.parent.name == "steps").open(newline="") as file:
        counted = sum(int(row["true_steps"] or 0) for row in csv.DictReader(file))
    hours = steps["stepFreeHours"]
    # Zero steps in these hours mean at most so many an hour with 95 % confidence: the rule of three.
    bound = 3 / hours
    minutes = 60 * sum(group["hours"] for group in further)
    lines = [
        (f"The recordings are of real people and are not part of this package: {steps['recordings']} for steps "
         f"({60 * steps['hours']:.0f} minutes, {counted:,} counted steps) and {activity['recordings']} for activities", ""),
        ("| mean absolute error of the step count |", f"| {steps['mape']:.1f} % |"),
        ("| step times, F1 within ±0.25 s |", f"| {steps['timeF1']:.3f} |"),
        (f"| steps per hour invented, {hours:.1f} hours without steps", f"| {steps['falseStepsPerHour']:.0f} ({bound:.1f}) |"),
        ("| activities, macro-F1", f"| {groups['activity']['8 Hz and more']['macroF1']:.3f} |"),
        (f"| … of {sum(group['recordings'] for group in further)} further recordings ({minutes:,.0f} minutes) |",
         f"| {', '.join(format(group['macroF1'], '.3f') for group in further)} |"),
    ]
    page = (ROOT / "README.md").read_text().splitlines()
    return [f"README.md has no line like this: {start} … {end}" for start, end in lines
            if not any(line.startswith(start) and line.endswith(end) for line in page)]


def main():
    shared = Path(os.environ.get("FOOTFALL_SHARED") or ROOT.parent / "shared")
    manifests = sorted(shared.glob("corpus/*/manifest.csv"))
    if not manifests:
        print(f"Skipped: {shared}/corpus has no recordings. FOOTFALL_SHARED names the folder that has them.")
        return
    start, results, groups = time.monotonic(), {}, {}
    with ThreadPoolExecutor(os.cpu_count()) as pool:
        for manifest, part in zip(manifests, pool.map(lambda manifest: evaluate(sys.argv[1], manifest), manifests)):
            results.update(part[0])
            groups[manifest.parent.name] = part[1]
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
    if wrong := misquoted(groups, manifests):
        sys.exit("\n".join(wrong))
    print("README.md has the figures of these results")


main()
