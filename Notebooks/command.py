"""The `footfall` command, called from Python."""

import json
import os
import shutil
import subprocess
from pathlib import Path

BUILT = Path(__file__).resolve().parent.parent / ".build/release/footfall"


def path():
    """The command: what FOOTFALL names, else what `make build` built, else what is installed."""
    found = os.environ.get("FOOTFALL") or (str(BUILT) if BUILT.exists() else shutil.which("footfall"))
    if not found:
        raise FileNotFoundError("no footfall: run `make build`, or let FOOTFALL name the command")
    return found


def footfall(*arguments):
    """What the command prints, given these arguments. It raises what the command says when it fails."""
    done = subprocess.run([path(), *map(str, arguments)], capture_output=True, text=True)
    if done.returncode:
        raise RuntimeError(f"footfall ended with {done.returncode}: {done.stderr.strip()}")
    return done.stdout


def answer(*arguments):
    """What the command prints as JSON, parsed: a list of records."""
    return json.loads(footfall(*arguments, "--output", "json"))
