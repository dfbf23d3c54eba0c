#!/usr/bin/env python3
"""Runs notebooks from top to bottom and prints the duration of each. Fails when a notebook fails.

    run.py                        runs all; training with a short fit. Training and measures need the recordings of people
    run.py --save accuracy        runs one in full, stores its output in it and its picture for the README
"""

import argparse
import base64
import os
import re
import sys
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import nbformat
from nbclient import NotebookClient
from nbclient.exceptions import CellExecutionError

HERE = Path(__file__).resolve().parent
TRAINING = ["train-walking-gate", "train-activity-model"]
ON_RECORDINGS = ["measures", *TRAINING]
ALL = ["cohort-on-spark", *TRAINING, "a-week-of-history", "accuracy", "study", "explore-a-trace", "measures"]  # the longest first
RECORDINGS = Path(os.environ.get("FOOTFALL_SHARED", HERE.parent.parent / "shared"), "corpus")
LONGEST = 3600  # s, limit for a cell; on a busy machine a training takes long
# The Python package of the sources, with the library that FOOTFALL_LIBRARY names or that of the release build.
PACKAGE, LIBRARY = HERE.parent / "Python", HERE.parent / ".build/release/libFootfallC.so"


def run(name, saves):
    """Runs a notebook in this folder. Writes the file only with `saves`."""
    file = HERE / f"{name}.ipynb"
    notebook = nbformat.read(file, as_version=4)
    NotebookClient(
        notebook, timeout=LONGEST, kernel_name="python3", resources={"metadata": {"path": str(HERE)}},
        extra_arguments=["--log-level=ERROR"],
    ).execute()
    if not saves:
        return
    for cell in notebook.cells:
        cell.metadata.pop("execution", None)  # the times at which cells ran, which differ in every run
        if "cover" in cell.metadata.get("tags", []):
            pictures = [output.data["image/png"] for output in cell.outputs if "image/png" in output.get("data", {})]
            (HERE / f"Resources/{name}.png").write_bytes(base64.b64decode(pictures[0]))
    nbformat.write(notebook, file)


def attempt(name, saves):
    """Runs a notebook and prints the outcome. Returns False when it failed."""
    began, problem = time.monotonic(), ""
    if name in ON_RECORDINGS and not RECORDINGS.exists():
        outcome = "skipped: needs the recordings of people in the folder that FOOTFALL_SHARED names"
    else:
        try:
            run(name, saves)
            outcome = "done"
        except CellExecutionError as error:
            outcome, problem = "FAILED", re.sub(r"\x1b\[[0-9;]*m", "", str(error))
    print(f"{name:<22}{time.monotonic() - began:5.0f} s  {outcome}", problem, sep="\n" if problem else "", flush=True)
    return not problem


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("notebooks", nargs="*", default=ALL, metavar="notebook", help="its name, without .ipynb")
    parser.add_argument("--save", action="store_true", help="store the output in the notebooks, and train in full")
    options = parser.parse_args()
    os.environ |= {"PYTHONDONTWRITEBYTECODE": "1", "OMP_NUM_THREADS": "1"}
    if "FOOTFALL_LIBRARY" not in os.environ and LIBRARY.exists():
        os.environ["FOOTFALL_LIBRARY"] = str(LIBRARY)
    if "FOOTFALL_LIBRARY" in os.environ:
        os.environ["PYTHONPATH"] = os.pathsep.join([str(PACKAGE), os.environ.get("PYTHONPATH", "")])
    if not options.save:
        os.environ["FOOTFALL_QUICK"] = "1"
    # Each works in one thread. Notebooks that are stored run alone, because they state times.
    with ThreadPoolExecutor(1 if options.save else os.cpu_count()) as pool:
        outcomes = list(pool.map(lambda name: attempt(name, options.save), options.notebooks))
    sys.exit(0 if all(outcomes) else 1)


if __name__ == "__main__":
    main()
