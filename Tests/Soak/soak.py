#!/usr/bin/env python3
"""Tests `footfall live` under longer and harder conditions than the unit tests.

First it replays a day of samples at full speed: the history must equal that of an analysis of the same log. Then a
pseudo-terminal plays a WitMotion sensor at rest on a serial port. It is unplugged, sends frames in pieces, and sends
random bytes: the command must find no step. At the end the wearer walks, and the command must find the steps.

    soak.py FOOTFALL [SECONDS]
"""

import csv
import json
import os
import random
import signal
import struct
import subprocess
import sys
import tempfile
import threading
import time
import tty
from pathlib import Path

WALK = Path(__file__).resolve().parents[2] / "SensorTraces" / "walk-wrist.csv"
RATE = 50


def replayed_day(footfall: str, folder: Path) -> None:
    """Checks that `live` and `analyze` record the same history of a day."""
    day = folder / "day.csv"
    run(footfall, "simulate", "day", "--rate", "25", "--out", day)
    started = time.monotonic()
    run(footfall, "live", "--replay", day, "--speed", "max", "--quiet", "--history", folder / "live.sqlite")
    seconds = time.monotonic() - started
    run(footfall, "analyze", day, "--history", folder / "analysis.sqlite")
    live, analysis = (
        run(footfall, "history", "export", "--history", folder / name) for name in ("live.sqlite", "analysis.sqlite")
    )
    assert live == analysis, "the histories of the replay and of the analysis of a day differ"
    print(f"a day replayed in {seconds:.1f} s: {len(live.splitlines())} lines of history, equal to those of an analysis")


def run(*arguments: object) -> str:
    return subprocess.run(
        [str(argument) for argument in arguments], check=True, capture_output=True, text=True
    ).stdout


class Port:
    """A serial port that can be unplugged: a pseudo-terminal behind a symbolic link."""

    def __init__(self, link: Path) -> None:
        self.link = link
        self.plug()

    def plug(self) -> None:
        self.master, slave = os.openpty()
        tty.setraw(slave)
        self.link.unlink(missing_ok=True)
        self.link.symlink_to(os.ttyname(slave))
        os.set_blocking(self.master, False)
        os.close(slave)

    def unplug(self) -> None:
        os.close(self.master)

    def send(self, data: bytes) -> None:
        try:
            os.write(self.master, data)
        except OSError:
            pass  # No reader yet, or the buffer is full: a real line loses these bytes as well.


def frame(x: float, y: float, z: float) -> bytes:
    """An acceleration frame of a WitMotion sensor."""
    body = b"\x55\x51" + struct.pack("<4h", *(int(value / 16 * 32768) for value in (x, y, z)), 0)
    return body + bytes([sum(body) & 0xFF])


def disturb(port: Port, seconds: float) -> dict[str, int]:
    """Plays a sensor at rest that is unplugged, and whose frames are damaged and split."""
    counts = {"unplugged": 0, "damaged": 0, "pieces": 0}
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        dice = random.random()
        if dice < 0.08:
            port.unplug()
            counts["unplugged"] += 1
            time.sleep(random.choice([0.02, 0.1, 0.3]))
            port.plug()
            time.sleep(random.choice([0, 0.3, 0.6]))
        elif dice < 0.5:
            port.send(random.randbytes(random.randrange(1, 120)))
            counts["damaged"] += 1
        else:
            noise = [random.gauss(0, 0.003) for _ in range(20)]
            data = bytearray(b"".join(frame(noise[i], 0, 1 + noise[i + 10]) for i in range(10)))
            if random.random() < 0.5:
                data[random.randrange(len(data))] ^= 1 << random.randrange(8)
                counts["damaged"] += 1
            while data:
                size = random.randrange(1, 40)
                port.send(bytes(data[:size]))
                del data[:size]
                counts["pieces"] += 1
        time.sleep(0.02)
    return counts


def walk(port: Port, seconds: float) -> None:
    """Sends the shipped walk in real time."""
    with WALK.open() as file:
        rows = list(csv.DictReader(file))[: int(seconds * RATE)]
    start = time.monotonic()
    for index, row in enumerate(rows):
        time.sleep(max(0, start + index / RATE - time.monotonic()))
        port.send(frame(*(float(row[axis]) for axis in "xyz")))


def disturbed_port(footfall: str, folder: Path, seconds: float) -> None:
    """Checks that a disturbed port gives no step, and that the walk after it gives its steps."""
    port = Port(folder / "port")
    process = subprocess.Popen(
        [footfall, "live", port.link, "--no-history", "--output", "ndjson"],
        stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True,
    )
    events: list[dict] = []
    reader = threading.Thread(target=lambda: events.extend(json.loads(line) for line in process.stdout))
    reader.start()
    time.sleep(1)
    counts = disturb(port, seconds)
    assert process.poll() is None, "the command ended early"
    # Longer than the 2 s that cut the signal: the walk begins a contiguous signal.
    time.sleep(5)
    begin = time.time()
    walk(port, 20)
    time.sleep(1)
    process.send_signal(signal.SIGINT)
    assert process.wait(10) == 0, "the command did not exit with 0"
    reader.join()
    times = [event["start"] for event in events if event["event"] == "step"]
    since = time.strftime("%Y-%m-%dT%H:%M:%S", time.gmtime(begin))
    early = [moment for moment in times if moment < since]
    assert not early, f"steps before the walk: {early}"
    assert len(times) >= 33, f"{len(times)} steps in 20 s of a walk at 109 steps/min"
    print(f"{counts} in {seconds:.0f} s: no step; {len(times)} steps in the 20 s walk after it")


def main() -> None:
    footfall = str(Path(sys.argv[1]).resolve())
    seconds = float(sys.argv[2]) if len(sys.argv) > 2 else 60
    random.seed(4)
    with tempfile.TemporaryDirectory() as folder:
        replayed_day(footfall, Path(folder))
        disturbed_port(footfall, Path(folder), seconds)


if __name__ == "__main__":
    main()
