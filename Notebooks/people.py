"""Simulated people and their days: scenes from `footfall simulate`, joined to one log per day."""

import gzip
import json
import shutil
import tempfile
from pathlib import Path

import numpy as np
import pandas as pd

from command import footfall

MINUTE, HOUR = 60, 3600

# The parts of a day: scenarios of `footfall simulate`, each with its minimum and maximum duration in minutes.
MORNING = [("desk", 10, 20), ("errands", 3, 6)]
WORK = {
    "desk": [("desk", 30, 80), ("errands", 4, 10)],
    "driver": [("drive", 25, 60), ("errands", 5, 15), ("stand", 5, 10)],
    "nurse": [("errands", 15, 40), ("stand", 5, 15), ("desk", 10, 25)],
}
TOWN = [("errands", 20, 40), ("stand", 5, 10)]
EVENING = [("desk", 30, 60), ("errands", 3, 8)]


class Person:
    """A person with a job and habits, which all derive from a number."""

    def __init__(self, number):
        random = np.random.default_rng([2026, number])
        self.number, self.name, self.job = number, f"p{number:02}", list(WORK)[number % len(WORK)]
        self.gets_up = random.uniform(6, 7.5) * HOUR
        self.walks, self.runs = random.uniform(0.3, 0.9), random.uniform(0.1, 0.5)
        # Some people take the watch off at night.
        self.wears_it_at_night = random.random() < 0.4

    def scenes(self, day):
        """The scenes of a day (0 is a Monday), each with its start and end in seconds since midnight."""
        random = np.random.default_rng([2026, self.number, day])
        plan, now = [], 0

        def spend(minutes, *scenes):
            nonlocal now
            end = now + round(minutes * MINUTE)
            for turn in range(1000):
                scene, least, most = scenes[turn % len(scenes)]
                until = min(now + round(random.uniform(least, most) * MINUTE), end)
                # A rest of less than a minute is too short for a scene.
                until = end if end - until < MINUTE else until
                plan.append((scene, now, until))
                now = until
                if now == end:
                    return

        def once(scene, least, most):
            minutes = random.uniform(least, most)
            spend(minutes, (scene, minutes, minutes))

        if self.wears_it_at_night:
            once("day", 350, 360)  # this scenario begins with a night
        now = round(self.gets_up + random.uniform(-20, 30) * MINUTE)
        spend(40, *MORNING)
        if day % 7 < 5:
            once("commute", 11, 11)
            spend(240, *WORK[self.job])
            once("walk", 6, 30)
            spend(240, *WORK[self.job])
            once("commute", 11, 11)
        else:
            once("drive", 20, 50)
            spend(180, *TOWN)
            once("drive", 20, 50)
            spend(180, *EVENING)
        if random.random() < self.runs:
            once("run", 20, 45)
        if random.random() < self.walks:
            once("walk", 20, 60)
        spend((22.5 * HOUR - now) / MINUTE, *EVENING)
        # On one day in ten the battery runs empty before the end of the day.
        empty = random.uniform(12, 19) * HOUR if random.random() < 0.1 else 24 * HOUR
        return [scene for scene in plan if scene[2] <= empty]


def write(file, person, day, monday, rate):
    """Writes the log of a day at the wrist, compressed if its name ends in .gz. Returns the number of true steps."""
    midnight = pd.Timestamp(monday, tz="UTC") + pd.Timedelta(days=day)
    file, steps = Path(file), 0
    with tempfile.TemporaryDirectory() as folder, open(file, "wb") as bytes_out:
        log = gzip.GzipFile(fileobj=bytes_out, mode="wb", compresslevel=1) if file.suffix == ".gz" else bytes_out
        scene = Path(folder, "scene.csv")
        for turn, (name, start, end) in enumerate(person.scenes(day)):
            footfall("simulate", name, "--force", "--out", scene, "--placement", "wrist", "--rate", rate,
                     "--seed", 10_000 * person.number + 100 * day + turn + 1,
                     "--start", (midnight + pd.Timedelta(seconds=start)).isoformat(), "--duration", end - start)
            with open(scene, "rb") as rows:
                header = rows.readline()
                if turn == 0:
                    log.write(header)
                shutil.copyfileobj(rows, log, 1 << 20)
            steps += json.loads(scene.with_suffix(".truth.json").read_text())["steps"]
        log.close()
    return steps
