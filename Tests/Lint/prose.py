#!/usr/bin/env python3
"""Checks the text of Sources and Tests. Prints each problem with its place, and exits with 1 if there is one.

1. No line of a comment has more than 120 columns, and none of a header. `swift format` checks only code in Swift.
2. American spelling in the code, comments and documentation of Sources, as in Swift's own libraries: a word has one
   spelling. Tests have words of other programs and of users.
"""
import re
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
COLUMNS = 120
# British stems and the American ones.
SPELLINGS = {
    r"analys(?=e\b|ed\b|ing\b)": "analyz",
    r"behaviour": "behavior",
    r"centre": "center",
    r"colour": "color",
    r"grey": "gray",
    r"initialis(?=[aei])": "initializ",
    r"(?<!-)labelled": "labeled",  # aria-labelledby is a name of HTML.
    r"learnt": "learned",
    r"licence": "license",
    r"modelled": "modeled",
    r"neighbour": "neighbor",
    r"normalis": "normaliz",
    r"optimis(?=[aei])": "optimiz",
    r"organis(?=[aei])": "organiz",
    r"recognis": "recogniz",
    r"standardis": "standardiz",
    r"summaris": "summariz",
    r"synchronis": "synchroniz",
}
BRITISH = re.compile("|".join(f"({stem})" for stem in SPELLINGS), re.I)


def problems(path):
    for number, line in enumerate(path.read_text().splitlines(), 1):
        place = f"{path.relative_to(ROOT)}:{number}"
        is_comment = path.suffix == ".h" or path.suffix == ".swift" and line.lstrip().startswith("//")
        if is_comment and len(line) > COLUMNS:
            yield f"{place}: the comment has {len(line)} columns; wrap it at {COLUMNS}"
        for match in BRITISH.finditer(line) if path.is_relative_to(ROOT / "Sources") else ():
            yield f"{place}: write {list(SPELLINGS.values())[match.lastindex - 1]}… in place of {match[0]}…"


def main():
    files = [path for folder in ("Sources", "Tests") for path in (ROOT / folder).rglob("*")]
    paths = sorted(path for path in files if path.suffix in (".swift", ".md", ".h"))
    found = [problem for path in paths for problem in problems(path)]
    if found:
        sys.exit("\n".join(found) + f"\n{len(found)} problems in the text of Sources and Tests")
    print(f"{len(paths)} files: no long comment, one spelling")


main()
