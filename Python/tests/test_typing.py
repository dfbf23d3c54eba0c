"""What a type checker knows of the package."""

import subprocess
import sys
from pathlib import Path

import pytest

RIGHT = """
import zipfile
from pathlib import Path

import footfall
import numpy as np

footfall.analyze(zipfile.Path("study.zip", "walk.csv"), columns=["time", "x", "y", "z"], zero=[1.0, 2.0, 3.0])
footfall.analyze(open("walk.csv", "rb"))
footfall.analyze(Path("walk.csv"), start=np.datetime64("2026-11-20"))
footfall.seconds({"time": [0.0], "x": [0.0], "y": [0.0], "z": [1.0]})
result = footfall.analyze("walk.csv", unit="m/s²", tz="Europe/Berlin")
coverage: float = result.quality.coverage
rows: int = len(result.activities)
footfall.Analyzer().finish().quality.rate + 1
with footfall.History("steps.sqlite") as history:
    history.record(history.events(), source="copy")
"""
WRONG = {
    'footfall.analyze("walk.csv", strat="2026-11-20")': "strat",
    'footfall.seconds("walk.csv", strat="2026-11-20")': "strat",
    'footfall.explain("walk.csv", strat="2026-11-20")': "strat",
    'footfall.analyze("walk.csv").quality.cover': "cover",
    'footfall.History("a").events().qualities': "qualities",
}


def test_mypy_knows_results_and_arguments(tmp_path):
    pytest.importorskip("mypy")
    code = "\n".join([RIGHT, *WRONG]) + "\n"
    (tmp_path / "script.py").write_text(code)
    # In the folder of the package mypy has read numpy already.
    arguments = [sys.executable, "-m", "mypy", "--strict", str(tmp_path / "script.py")]
    done = subprocess.run(arguments, capture_output=True, text=True, cwd=Path(__file__).parents[1], check=False)
    errors = [line for line in done.stdout.splitlines() if "script.py" in line and ": error:" in line]
    lines = code.splitlines()
    for wrong, word in WRONG.items():
        number = lines.index(wrong) + 1
        assert any(f"script.py:{number}:" in line and word in line for line in errors), (wrong, done.stdout)
    assert len(errors) == len(WRONG), done.stdout
