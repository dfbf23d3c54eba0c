#!/usr/bin/env python3
"""Tests that small changes of a recording change its steps little.

Each recording of the corpus is analyzed as it is; with each sample at another time, up to half a period away, in the same
order; with its acceleration 1 % larger and smaller; turned by 5° about a random axis; and cut into two halves, whose steps
are added up. A recording is fragile if one of them differs by more than one step and by more than 5 %. A verdict near a
threshold makes a recording fragile; so does a cut in the middle of ten steps.

Each is also analyzed at other times of the clock, which may not change a single step, and without up to half a second at its
start. The test prints the range of its steps over both, as a share of the steps of all recordings.

    metamorphic.py FOOTFALL CORPUS [--count N] [--seed N]

CORPUS is the folder of the manifests; without manifests in it the test is skipped. The count is that of recordings, in a random order.
The test fails if more than MOST of the recordings with steps are fragile (of a part of the recordings: more than by chance), or if the
clock changes the steps of one.
"""

import csv
import json
import math
import random
import subprocess
import tempfile
from collections import Counter
from pathlib import Path

from cases import options

MOST = 0.22
PARTS = 40  # recordings in one run of the command
START = 1_700_000_000  # of the first sample, in seconds since 1970; a log without a date would begin at a whole second
PHASES = (0.1, 0.37, 0.5)  # s


def read(path: Path) -> list[list[float]]:
    with open(path) as file:
        rows = csv.reader(file)
        column = {name: index for index, name in enumerate(next(rows))}
        wanted = [column[name] for name in ("time", "x", "y", "z")]
        samples = [[float(row[index] or "nan") for index in wanted] for row in rows]
    return [sample for sample in samples if all(math.isfinite(value) for value in sample)]


def turned(samples: list[list[float]], chance: random.Random, degrees: float) -> list[list[float]]:
    """Rodrigues' formula."""
    axis = [chance.gauss(0, 1) for _ in range(3)]
    size = math.sqrt(sum(value * value for value in axis))
    (a, b, c), cos, sin = [value / size for value in axis], math.cos(math.radians(degrees)), math.sin(math.radians(degrees))
    result = []
    for time, x, y, z in samples:
        along = (a * x + b * y + c * z) * (1 - cos)
        result.append([time, x * cos + (b * z - c * y) * sin + a * along, y * cos + (c * x - a * z) * sin + b * along,
                       z * cos + (a * y - b * x) * sin + c * along])
    return result


def variants(samples: list[list[float]], chance: random.Random) -> dict[str, list[list[float]]]:
    periods = sorted(after[0] - before[0] for before, after in zip(samples, samples[1:]))
    period, middle = periods[len(periods) // 2], (samples[0][0] + samples[-1][0]) / 2
    # Where the samples are irregular, two would change places, and a log whose time runs backwards is refused.
    times = sorted(max(0, sample[0] + chance.uniform(-0.5, 0.5) * period) for sample in samples)
    return {
        "unchanged": samples,
        "jitter": [[time, *sample[1:]] for time, sample in zip(times, samples)],
        "1 % less": [[t, 0.99 * x, 0.99 * y, 0.99 * z] for t, x, y, z in samples],
        "1 % more": [[t, 1.01 * x, 1.01 * y, 1.01 * z] for t, x, y, z in samples],
        "turned by 5°": turned(samples, chance, 5),
        **{f"clock +{phase} s": [[time + phase, *rest] for time, *rest in samples] for phase in PHASES},
        **{f"cut {phase} s": [sample for sample in samples if sample[0] >= samples[0][0] + phase] for phase in PHASES},
        "first half": [sample for sample in samples if sample[0] < middle],
        "second half": [sample for sample in samples if sample[0] >= middle],
    }


def counts(footfall: str, paths: list[Path], folder: Path, seed: int) -> list[dict[str, int]]:
    """The steps of each variant of each recording."""
    logs = []
    for number, path in enumerate(paths):
        samples = read(path)
        if len(samples) < 100:
            continue
        for name, rows in variants(samples, random.Random(seed + number)).items():
            log = folder / f"{number}-{len(logs)}.csv"
            log.write_text("time,x,y,z\n" + "".join("%.5f,%.5f,%.5f,%.5f\n" % (START + time, *axes) for time, *axes in rows))
            logs.append((number, name, log))
    # A refused log ends the command with an error after the others; without results it counts as no steps.
    answer = subprocess.run(
        [footfall, "analyze", *[str(log) for _, _, log in logs], "--output", "json"], capture_output=True, text=True)
    steps = {Path(trace["trace"]).name: trace["steps"] for trace in json.loads(answer.stdout)}
    results: dict[int, dict[str, int]] = {}
    for number, name, log in logs:
        results.setdefault(number, {})[name] = steps.get(log.name, 0)
        log.unlink()
    return list(results.values())


def differs(steps: int, other: int) -> bool:
    return abs(steps - other) > max(1, 0.05 * max(steps, other))


def main() -> None:
    given = options(__doc__, 2_000, "corpus", seed=1)
    manifests = sorted(Path(given.corpus).glob("*/manifest.csv"))
    if not manifests:
        print("skipped: the corpus of recordings of people is not here (FOOTFALL_SHARED)")
        return
    paths = []
    for manifest in manifests:
        with open(manifest) as file:
            paths += [manifest.parent / row["dataset"] / f"{row['recording']}.csv" for row in csv.DictReader(file)]
    paths = [path for path in paths if path.exists()]
    random.Random(given.seed).shuffle(paths)
    is_part = given.count < len(paths)
    paths = paths[:given.count]
    fragile, total, walked = Counter(), 0, 0
    all_steps, range_by_clock, range_by_start = 0, 0, 0
    with tempfile.TemporaryDirectory() as folder:
        for first in range(0, len(paths), PARTS):
            for steps in counts(given.footfall.path, paths[first : first + PARTS], Path(folder), given.seed - 1 + first):
                steps["cut"] = steps.pop("first half") + steps.pop("second half")
                unchanged = steps.pop("unchanged")
                by_clock = [unchanged, *(steps.pop(f"clock +{phase} s") for phase in PHASES)]
                by_start = [unchanged, *(steps.pop(f"cut {phase} s") for phase in PHASES)]
                all_steps += unchanged
                range_by_clock += max(by_clock) - min(by_clock)
                range_by_start += max(by_start) - min(by_start)
                changed = [name for name, count in steps.items() if differs(unchanged, count)]
                fragile.update(changed)
                total += bool(changed)
                walked += unchanged > 0 or bool(changed)
    print(f"{total} of {walked} recordings with steps are fragile, of {len(paths)}: "
          + ", ".join(f"{name} {count}" for name, count in sorted(fragile.items())))
    print(f"of {all_steps} steps the clock changes {range_by_clock}, and up to half a second without the start "
          f"{range_by_start / max(all_steps, 1):.2%}")
    assert range_by_clock == 0, "the steps depend on the time of the clock at which a log begins"
    chance = 2 * math.sqrt(MOST * (1 - MOST) * walked) if is_part else 0  # two standard deviations
    assert total <= MOST * walked + chance, f"more than {MOST:.0%} of the recordings are fragile"


if __name__ == "__main__":
    main()
