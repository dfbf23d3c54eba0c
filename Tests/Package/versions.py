#!/usr/bin/env python3
"""Compares the versions of the packages that CONTRIBUTING.md names as tested with those that SwiftPM has resolved.

Usage: Tests/Package/versions.py. Reads .build/workspace-state.json, which each build writes; without it, SwiftPM resolves the packages.
"""
import json
import re
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]


def tested():
    """The versions in the table of CONTRIBUTING.md, by the name of the package."""
    page = (ROOT / "CONTRIBUTING.md").read_text()
    rows = page.partition("| package | tested version |\n|---|---|\n")[2].partition("\n\n")[0]
    return dict(re.findall(r"^\| (\S+) \| (\S+) \|$", rows, re.MULTILINE))


def resolved():
    """The versions that a build here uses, by the name of the package."""
    file = ROOT / ".build/workspace-state.json"
    if not file.exists():
        subprocess.run(["swift", "package", "resolve"], cwd=ROOT, check=True)
    state = json.loads(file.read_text())
    return {dependency["packageRef"]["name"]: dependency["state"].get("checkoutState", {}).get("version")
            for dependency in state["object"]["dependencies"]}


def main():
    (named, used) = (tested(), resolved())
    problems = [f"{name}: CONTRIBUTING.md names {named.get(name, 'no version')}, SwiftPM has resolved {used.get(name, 'none')}"
                for name in sorted(named.keys() | used.keys()) if named.get(name) != used.get(name)]
    if not named:
        problems = ["CONTRIBUTING.md has no table of tested versions"]
    if problems:
        sys.exit("\n".join(problems) + "\nUpdate the table in CONTRIBUTING.md after all checks have passed.")
    print("The tested versions: " + ", ".join(f"{name} {version}" for name, version in sorted(named.items())))


main()
