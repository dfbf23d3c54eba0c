#!/usr/bin/env python3
"""Tests the configurations of the page “Home Assistant, Grafana and MQTT” against `footfall serve`.

The templates of Home Assistant's sensors are evaluated on the answers of the server, with its own filters rebuilt here.
Debian's Prometheus reads the metrics with the documented configuration, and answers the queries for Grafana.

    automation.py FOOTFALL
"""

import json
import re
import shutil
import socket
import subprocess
import sys
import tempfile
import time
import urllib.parse
import urllib.request
from pathlib import Path

import yaml
from jinja2.sandbox import ImmutableSandboxedEnvironment

from server import PACKAGE, Server

PAGE = PACKAGE / "Sources/FootfallServer/FootfallServer.docc/Automation.md"
TOKEN = "0123456789abcdef0123456789abcdef"
STEPS = 568


def block(text: str, start: str) -> str:
    """The block of code that starts with a line."""
    return re.search(rf"```\n({start}\n.*?)```", text, re.DOTALL).group(1)


def ask(address: str) -> str:
    request = urllib.request.Request(address, headers={"Authorization": f"Bearer {TOKEN}"})
    with urllib.request.urlopen(request, timeout=30) as answer:
        return answer.read().decode()


def home_assistant(configuration: str, server: Server) -> None:
    environment = ImmutableSandboxedEnvironment()
    environment.filters["regex_findall_index"] = lambda value, find, index=0: re.findall(find, value)[index]
    environment.tests["search"] = lambda value, find: re.search(find, value) is not None
    assert f"Bearer {TOKEN}" in configuration
    states = {}
    for resource in yaml.safe_load(configuration)["rest"]:
        address = resource["resource"].replace("http://pi.local:8321", server.address).replace("pocket", "wrist")
        for sensor in resource["sensor"]:
            # The recording is from two days ago, so that today has no data.
            for start in ["today", "-3d"]:
                body = ask(address.replace("since=today", f"since={start}"))
                values = {"value": body, "value_json": json.loads(body) if body.startswith("[") else None}
                render = lambda name: environment.from_string(sensor[name].replace("pocket", "wrist")).render(values)
                state = render("value_template") if render("availability") == "True" else "unavailable"
                states.setdefault(sensor["name"], []).append(state)
    assert states == {"Steps today": ["unavailable", str(STEPS)], "Steps": [str(STEPS)] * 2}, states
    print(f"Home Assistant: {states}")


def prometheus(configuration: str, queries: list[str], server: Server, folder: Path, token: Path) -> None:
    checked = subprocess.run(["promtool", "check", "metrics"], input=ask(f"{server.address}/metrics"), text=True)
    assert checked.returncode == 0, "promtool has found problems in /metrics"
    configuration = configuration.replace("pi.local:8321", f"127.0.0.1:{server.port}")
    configuration = configuration.replace("/etc/prometheus/footfall-token", str(token))
    (folder / "prometheus.yml").write_text("global: {scrape_interval: 1s}\n" + configuration)
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        address = f"127.0.0.1:{free.getsockname()[1]}"
    process = subprocess.Popen(
        ["prometheus", f"--config.file={folder}/prometheus.yml", f"--storage.tsdb.path={folder}/data",
         f"--web.listen-address={address}"], stderr=subprocess.DEVNULL)

    def values(query: str) -> list[str]:
        url = f"http://{address}/api/v1/query?" + urllib.parse.urlencode({"query": query})
        with urllib.request.urlopen(url, timeout=30) as answer:
            return [row["value"][1] for row in json.load(answer)["data"]["result"]]

    try:
        end = time.monotonic() + 60
        steps: list[str] = []
        while not steps and time.monotonic() < end:
            time.sleep(1)
            try:
                steps = values("footfall_steps_total")
            except OSError:
                pass  # It is starting.
        assert steps == [str(STEPS)], f"Prometheus has {steps}"
        time.sleep(3)
        answers = {query: values(query) for query in queries}
        assert all(answers.values()), answers
        print(f"Prometheus: {answers}")
    finally:
        process.terminate()
        process.wait(timeout=30)


def main(footfall: str) -> None:
    page = PAGE.read_text()
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        token = folder / "token"
        token.write_text(TOKEN)
        token.chmod(0o600)
        with Server(footfall, folder, "--token-file", token) as server:
            home_assistant(block(page, "rest:"), server)
            queries = re.findall(r"`(increase\(footfall[^`]*|footfall[^`]* > [0-9]+)`", page)
            assert len(queries) == 2, queries
            if shutil.which("prometheus") and shutil.which("promtool"):
                prometheus(block(page, "scrape_configs:"), queries, server, folder, token)
            else:
                print("Prometheus: skipped, because Debian's package prometheus is not installed")


if __name__ == "__main__":
    main(str(Path(sys.argv[1]).resolve()))
