#!/usr/bin/env python3
"""Tests the query API of `footfall serve` and the live signal of `footfall live --serve` with schemathesis.

It derives requests from the OpenAPI document. Requests that fit the document must be answered, others refused. Every status, type and body must be as documented.

    api.py FOOTFALL SCHEMATHESIS [--count N] [--seed N]

The count is the number of random requests for each query.
"""

import argparse
import json
import os
import subprocess
import tempfile
import time
import urllib.request
from pathlib import Path

from cases import options
from server import Server

# `explained_refusal` checks the refusals of requests that fit the document, so the first check allows them. An address
# with several long values is refused as too long, 414, before its values are read.
SETTINGS = """
continue-on-failure = true

[checks.positive_data_acceptance]
expected-statuses = ["2xx", "304", "400", "404"]

[checks.negative_data_rejection]
expected-statuses = ["400", "404", "405", "406", "414"]
"""


def check(server: Server, folder: Path, given: argparse.Namespace, *paths: str) -> None:
    result = subprocess.run(
        [Path(given.schemathesis).resolve(), "run", "--checks", "all", "--phases", "examples,coverage,fuzzing",
         "--max-examples", str(given.count), "--seed", str(given.seed), "--no-color", "--request-timeout", "60", *paths,
         f"{server.address}/api/v1/openapi.json"],
        cwd=folder, env=os.environ | {"SCHEMATHESIS_HOOKS": "api_check",
                                      "PYTHONPATH": str(Path(__file__).resolve().parent)},
    )
    assert result.returncode == 0, "schemathesis found the problems above"


def wait_for_steps(server: Server) -> None:
    """Waits until the signal of the live device has steps."""
    for _ in range(120):
        with urllib.request.urlopen(f"{server.address}/api/v1/trail") as answer:
            if json.load(answer)["steps"]:
                return
        time.sleep(0.25)
    raise AssertionError("no steps in the live signal after 30 s")


def main() -> None:
    given = options(__doc__, 500, "schemathesis", seed=20)
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        (folder / "schemathesis.toml").write_text(SETTINGS)
        with Server(given.footfall.path, folder) as server:
            # The answer of `/api/v1/live` has no end.
            check(server, folder, given, "--exclude-path", "/api/v1/live")
        with Server(given.footfall.path, folder, is_live=True) as server:
            wait_for_steps(server)
            check(server, folder, given, "--include-path", "/api/v1/trail")


if __name__ == "__main__":
    main()
