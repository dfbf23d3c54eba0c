"""Simulated recordings with ground truth in the layout of `footfall evaluate`, in place of recordings of people."""

import json
from itertools import product

import pandas as pd

from command import footfall

PLACEMENTS = ["pocket", "wrist", "hip"]
# Sensors from good to poor: hertz, jitter in seconds, noise in g.
SENSORS = [(100, 0.0002, 0.003), (50, 0.002, 0.01), (25, 0.004, 0.02), (12.5, 0.008, 0.03)]
# Scenarios of `footfall simulate`, with the activity of those that contain only one.
STEPS = {"walk": "walking", "run": "running", "errands": "", "desk": "desk", "drive": "driving", "handling": "handling"}
ACTIVITIES = ["commute", "errands", "drive", "desk", "run"]


def write(corpus):
    """Writes the folders `steps` and `activity`, each with its manifest."""
    for part, scenarios in (("steps", STEPS), ("activity", ACTIVITIES)):
        rows = []
        for seed, (scenario, placement, sensor) in enumerate(product(scenarios, PLACEMENTS, SENSORS), start=1):
            folder = corpus / part / scenario
            folder.mkdir(parents=True, exist_ok=True)
            rate, jitter, noise = sensor
            recording = folder / f"{placement}-{rate}.csv"
            footfall("simulate", scenario, "--placement", placement, "--rate", rate, "--jitter", jitter,
                     "--noise", noise, "--seed", seed, "--out", recording, "--force")
            truth = json.loads(recording.with_name(f"{recording.stem}.truth.json").read_text())
            row = {"dataset": scenario, "recording": recording.stem, "subject": f"seed {seed}", "placement": placement,
                   "duration_s": truth["duration"]}
            if part == "steps":
                row |= {"activity": STEPS[scenario], "true_steps": truth["steps"]}
                times = pd.DataFrame({"time": truth["stepTimes"]})
                times.to_csv(recording.with_name(f"{recording.stem}.steps.csv"), index=False)
            else:
                row |= {"labels": " ".join(sorted({segment["activity"] for segment in truth["segments"]}))}
            rows.append(row)
        pd.DataFrame(rows).to_csv(corpus / part / "manifest.csv", index=False)
