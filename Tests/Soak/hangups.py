#!/usr/bin/env python3
"""Asks `footfall serve` for much, and closes the connection before the answer.

The history has a month of ways to work. Each case is a request: any query over any range, the page or a picture of it. Its
connection is closed at once, reset, cut in the middle of the request, half closed, or closed after the first bytes of the answer.
From time to time another client asks a small question, and must have its answer within seconds. At the end the server works on
nothing that anyone has asked for, and its memory is bounded.

    hangups.py FOOTFALL [--count N] [--seed N] [--only CASE]
"""

import http.client
import random
import socket
import struct
import tempfile
import time
from pathlib import Path

from cases import TRACES, options, run_cases
from server import Server

DAYS = 30
# A small question comes after so many requests, and takes so many seconds at most, on a machine that does more than this.
EVERY, PATIENCE = 20, 5.0
SMALL = "/api/v1/steps?since=-3d&until=now&by=hour"
# The limit of the service footfall-serve, in MB.
MOST_MEMORY = 200
# In s. After the last request the processor rests so long within a minute.
REST = 2.0


def address(dice: random.Random) -> str:
    ago = dice.choice((1, 3, 7, 14, 35, 366))
    span = f"since=-{ago}d&until=now"
    return dice.choice((
        f"/api/v1/steps?{span}&by={dice.choice(('1m', '5m', '15m', 'hour', 'day'))}", f"/api/v1/activities?{span}",
        f"/api/v1/bouts?{span}", f"/api/v1/coverage?{span}", f"/api/v1/summary?{span}", f"/api/v1/measures?{span}&by=day",
        "/", "/metrics", "/api/v1/sources", "/api/v1/openapi.json", "/api/v1/live", f"/api/v1/steps?{span}&by=1s"))


def hang_up(port: int, dice: random.Random) -> str:
    """Sends one request and closes its connection. Returns how."""
    data = f"GET {address(dice)} HTTP/1.1\r\nHost: localhost\r\n\r\n".encode()
    kind = dice.choice(("closed", "closed", "reset", "cut", "half closed", "answered", "repeated"))
    with socket.create_connection(("127.0.0.1", port), timeout=30) as client:
        if kind == "reset":
            client.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
        if kind == "cut":
            data = data[:dice.randrange(len(data))]
        elif kind == "repeated":
            data *= 5
        try:
            client.sendall(data)
            if kind == "half closed":
                client.shutdown(socket.SHUT_WR)
            if kind in ("half closed", "answered"):
                client.settimeout(dice.choice((0.01, 0.1)))
                client.recv(100)
        except OSError:
            pass  # The server has closed it first, or takes longer.
    return kind


def main() -> None:
    given = options(__doc__, 3_000)
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        today = int(time.time() // 86400)
        for number in range(DAYS):
            morning = time.strftime("%Y-%m-%dT07:00:00Z", time.gmtime((today - DAYS - 2 + number) * 86400))
            given.footfall.run("analyze", TRACES / "commute.csv", "--start", morning, "--tz", "UTC", "--history",
                               folder / "history.sqlite", "--source", "wrist", "--keep", "forever")
        with Server(given.footfall.path, folder) as server:
            slowest = 0.0

            def attempt(number: int, dice: random.Random, _: Path) -> str:
                nonlocal slowest
                kind = hang_up(server.port, dice)
                if number % EVERY == 0:
                    started = time.monotonic()
                    client = http.client.HTTPConnection("127.0.0.1", server.port, timeout=60)
                    client.request("GET", SMALL)
                    answer = client.getresponse()
                    body = answer.read()
                    seconds = time.monotonic() - started
                    slowest = max(slowest, seconds)
                    assert answer.status == 200 and b'"steps":' in body, f"{answer.status}: {body[:300]!r}"
                    assert seconds < PATIENCE, f"a small answer took {seconds:.1f} s"
                assert server.most_megabytes < MOST_MEMORY, f"{server.most_megabytes:.0f} MB"
                return kind

            def rest() -> None:
                end = time.monotonic() + 60
                while time.monotonic() < end:
                    before = server.seconds
                    time.sleep(REST)
                    if server.seconds - before < 0.1 * REST:
                        return
                raise AssertionError("the server still works a minute after the last request")

            try:
                run_cases(given, attempt, "requests with closed connections", jobs=16)
            finally:
                print(f"the slowest small answer took {slowest:.2f} s; {server.seconds:.0f} s of the processor, at most "
                      f"{server.most_megabytes:.0f} MB")
            rest()


if __name__ == "__main__":
    main()
