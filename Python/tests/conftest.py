"""Traces that are shipped with the sources, and recordings of real people where FOOTFALL_SHARED has them."""

import os
import signal
from pathlib import Path

import numpy as np
import pytest

ROOT = Path(__file__).resolve().parents[2]


@pytest.fixture(scope="session")
def walk() -> Path:
    """A simulated way to work with its ground truth: 568 steps are found in it."""
    return ROOT / "SensorTraces" / "commute.csv"


@pytest.fixture(scope="session")
def samples(walk):
    """The samples of the walk: times in seconds and accelerations in g, as float64."""
    table = np.genfromtxt(walk, delimiter=",", names=True)
    return table["time"], np.column_stack([table[axis] for axis in "xyz"])


@pytest.fixture(scope="session")
def command() -> Path:
    """The command, which FOOTFALL_COMMAND names or a build has left."""
    places = [os.environ.get("FOOTFALL_COMMAND"), ROOT / ".build/release/footfall", ROOT / ".build/debug/footfall"]
    for place in places:
        if place and Path(place).exists():
            # The package finds it there, too.
            os.environ["FOOTFALL_COMMAND"] = str(place)
            return Path(place)
    pytest.skip("no command; FOOTFALL_COMMAND names it")


@pytest.fixture(scope="session")
def recordings() -> list[Path]:
    """All recordings of the corpus, without the files of their true steps."""
    shared = Path(os.environ.get("FOOTFALL_SHARED") or ROOT.parent / "shared")
    found = sorted(path for path in shared.glob("corpus/*/*/*.csv") if path.suffixes == [".csv"])
    if not found:
        pytest.skip(f"no recordings in {shared}; FOOTFALL_SHARED names their folder")
    return found


@pytest.fixture
def interruptible():
    """Lets Ctrl-C interrupt: a shell starts its background jobs with the signal ignored."""
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    yield
    signal.signal(signal.SIGINT, before)
