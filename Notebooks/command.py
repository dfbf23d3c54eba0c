"""The `footfall` command, called from Python."""

import json
import os
import shutil
import subprocess
from pathlib import Path

BUILT = Path(__file__).resolve().parent.parent / ".build/release/footfall"


def path():
    """The path of the command: FOOTFALL, else the release build, else the installed command."""
    found = os.environ.get("FOOTFALL") or (str(BUILT) if BUILT.exists() else shutil.which("footfall"))
    if not found:
        raise FileNotFoundError("no footfall: run `make build`, or set FOOTFALL to the command")
    return found


def footfall(*arguments):
    """The standard output of the command. Raises RuntimeError with its messages when it fails."""
    done = subprocess.run([path(), *map(str, arguments)], capture_output=True, text=True)
    if done.returncode:
        raise RuntimeError(f"footfall ended with {done.returncode}: {done.stderr.strip()}")
    return done.stdout


def answer(*arguments):
    """The JSON output of the command as a list of records."""
    return json.loads(footfall(*arguments, "--output", "json"))
