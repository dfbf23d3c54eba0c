#!/usr/bin/env python3
"""Shows that the tests can fail: each mutant of mutants.toml is a small error, and some test has to notice it.

Usage: run.py [WORD]

All mutants live in one build of a copy of the package, in .build-mutants. An environment variable turns one of them on.
WORD runs only the mutants with this word in their file, name or tests. Prints the test that kills each mutant. Exits
with 1 if one survives, if the tests fail without a mutant, and if a text of the list does not stand exactly once in its
file. The recordings of people are not used.
"""
import os
import re
import shutil
import subprocess
import sys
import time
import tomllib
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path

HERE = Path(__file__).resolve().parent
ROOT = HERE.parents[1]
COPY = ROOT / ".build-mutants"
TESTS = COPY / ".build" / "release" / "footfallPackageTests.xctest"
VARIABLE = "FOOTFALL_MUTANT"
# A suite takes seconds. A mutant with which it does not end is no use: it kills nothing within the time of a run.
LONGEST_SECONDS = 600
# The choice, in each module with a mutant. A function that is inlined elsewhere may use it.
CHOICE = f"""
#if canImport(Darwin)
    private import Darwin
#else
    private import Glibc
#endif

/// The number of the mutant that is on; 0 for none.
private let chosenMutant = getenv("{VARIABLE}").flatMap {{ Int(String(cString: $0)) }} ?? 0

/// Whether a mutant is on.
@usableFromInline
func isMutant(_ number: Int) -> Bool {{ chosenMutant == number }}
"""


@dataclass
class Mutant:
    number: int
    file: str
    name: str
    text: str
    becomes: str
    tests: str

    def edit(self, source):
        """The range of the text between « and » in a source, and what replaces it."""
        before, original, after = re.fullmatch(r"(.*)«(.+)»(.*)", self.text, re.S).groups()
        count = source.count(before + original + after)
        if count != 1:
            sys.exit(f"{self.file}: the text of “{self.name}” stands {count} times in it, not once: {self.text}")
        start = source.index(before + original + after) + len(before)
        choice = f"(isMutant({self.number}) ? ({self.becomes}) : ({original}))"
        if not self.becomes:
            choice = f"if !isMutant({self.number}) {{ {original} }}"
        return start, start + len(original), choice


def read_mutants():
    """The mutants of the list. The number of a mutant is its place in it."""
    table = tomllib.loads((HERE / "mutants.toml").read_text())
    rows = [(file, name, row) for file, mutants in table.items() for name, row in mutants.items()]
    return [Mutant(number, file, name, *row) for number, (file, name, row) in enumerate(rows, 1)]


def mutated(source, mutants):
    """A source with all its mutants."""
    edits = sorted(mutant.edit(source) for mutant in mutants)
    for (_, end, _), (start, _, _) in zip(edits, edits[1:]):
        if start < end:
            sys.exit(f"{mutants[0].file}: two mutants change the same text")
    for start, end, choice in reversed(edits):
        source = source[:start] + choice + source[end:]
    return source


def update(path, content):
    """Writes a file of the copy, unless it has the content: an unchanged file is not compiled again."""
    if not path.is_symlink() and path.exists() and path.read_bytes() == content:
        return
    path.parent.mkdir(parents=True, exist_ok=True)
    path.unlink(missing_ok=True)
    path.write_bytes(content)


def copy_package(mutants):
    """Copies the package with its mutants."""
    by_file = {}
    for mutant in mutants:
        by_file.setdefault("Sources/" + mutant.file, []).append(mutant)
    listed = subprocess.run(
        ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"],
        cwd=ROOT, check=True, capture_output=True, text=True).stdout.split("\0")
    names = {name for name in listed if name and (ROOT / name).is_file()}
    for name in by_file.keys() - names:
        sys.exit(f"there is no file {name}")
    modules = {"/".join(name.split("/")[:2]) for name in by_file}
    choices = {module + "/Mutants.swift" for module in modules}
    for name in names:
        content = (ROOT / name).read_bytes()
        if name in by_file:
            content = mutated(content.decode(), by_file[name]).encode()
        update(COPY / name, content)
        shutil.copymode(ROOT / name, COPY / name)
    for name in choices:
        update(COPY / name, CHOICE.encode())
    # The versions of the packages that the build of the package itself uses.
    if (ROOT / "Package.resolved").exists():
        update(COPY / "Package.resolved", (ROOT / "Package.resolved").read_bytes())
    for path in COPY.rglob("*"):
        name = str(path.relative_to(COPY))
        if name.split("/")[0] != ".build" and path.is_file() and name not in names | choices | {"Package.resolved"}:
            path.unlink()


def run(number, filters):
    """Runs the tests that match one of the filters, with a mutant. Returns the exit code and the output."""
    environment = os.environ | {VARIABLE: str(number), "FOOTFALL_SHARED": "/nowhere", "NO_COLOR": "1"}
    options = [option for tests in filters for option in ("--filter", tests)]
    try:
        done = subprocess.run(
            [TESTS, "--testing-library", "swift-testing", *options], cwd=COPY, env=environment, text=True,
            errors="replace", stdout=subprocess.PIPE, stderr=subprocess.STDOUT, timeout=LONGEST_SECONDS)
        return done.returncode, done.stdout
    except subprocess.TimeoutExpired:
        return None, ""


def verdict(mutant):
    """What the tests make of a mutant, and whether one of them kills it."""
    code, output = run(mutant.number, [mutant.tests])
    if code is None:
        return f"DOES NOT END within {LONGEST_SECONDS} s", False
    failed = re.search(r"✘ Test (?!run|case)(.+?) (?:recorded an issue|failed)", output)
    if failed:
        return f"killed by {failed[1]}", True
    if "Test run with 0 tests" in output or "Test run started" not in output:
        return f"NO TEST has the name {mutant.tests}", False
    # A process that traps prints no test that failed.
    return ("SURVIVES", False) if code == 0 else (f"killed by a crash of {mutant.tests} ({code})", True)


def main():
    mutants = read_mutants()
    copy_package(mutants)
    subprocess.run(["make", "--no-print-directory", "build-tests"], cwd=COPY, check=True)
    start = time.monotonic()
    word = sys.argv[1] if len(sys.argv) > 1 else ""
    chosen = [mutant for mutant in mutants if word in f"{mutant.file} {mutant.name} {mutant.tests}"]
    survivors = 0
    with ThreadPoolExecutor(os.cpu_count()) as pool:
        sound = pool.submit(run, 0, sorted({mutant.tests for mutant in chosen}))
        for mutant, (text, is_killed) in zip(chosen, pool.map(verdict, chosen)):
            survivors += not is_killed
            print(f"{mutant.file}: {mutant.name}: {text}", flush=True)
    code, output = sound.result()
    if code != 0:
        sys.exit(f"{output}\nThe tests fail without a mutant.")
    print(f"{len(chosen)} mutants, {survivors} survive; tests ran for {time.monotonic() - start:.0f} s")
    sys.exit(1 if survivors else 0)


main()
