#!/usr/bin/env python3
"""Treats `footfall live` worse and longer than a test may.

First a day of samples is replayed at full speed: the history must be that of an analysis of the same log. Then a
WitMotion sensor on a serial port, which is a pseudo-terminal, is unplugged, cut into pieces and drowned in garbage for
a while: no step may come of it. Afterwards its wearer walks, and the steps must be there.

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
    """A day through `live` leaves the same history as a day through `analyze`."""
    day = folder / "day.csv"
    run(footfall, "simulate", "day", "--rate", "25", "--out", day)
    started = time.monotonic()
    run(footfall, "live", "--replay", day, "--speed", "max", "--quiet", "--history", folder / "live.sqlite")
    seconds = time.monotonic() - started
    run(footfall, "analyze", day, "--history", folder / "analysis.sqlite")
    live, analysis = (
        run(footfall, "history", "export", "--history", folder / name) for name in ("live.sqlite", "analysis.sqlite")
    )
    assert live == analysis, "the replay of a day and its analysis differ"
    print(f"a day replayed in {seconds:.1f} s: {len(live.splitlines())} lines of history, those of an analysis")


def run(*arguments: object) -> str:
    return subprocess.run(
        [str(argument) for argument in arguments], check=True, capture_output=True, text=True
    ).stdout


class Port:
    """A serial port that can be unplugged: a pseudo-terminal behind a name that stays."""

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
            pass  # Nobody listens yet, or the buffer is full: what a real line would lose.


def frame(x: float, y: float, z: float) -> bytes:
    """An acceleration frame as WitMotion's sensors send it."""
    body = b"\x55\x51" + struct.pack("<4h", *(int(value / 16 * 32768) for value in (x, y, z)), 0)
    return body + bytes([sum(body) & 0xFF])


def torment(port: Port, seconds: float) -> dict[str, int]:
    """Unplugs, damages and cuts up a sensor at rest."""
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
    """Sends the shipped walk at the pace it was recorded."""
    with WALK.open() as file:
        rows = list(csv.DictReader(file))[: int(seconds * RATE)]
    start = time.monotonic()
    for index, row in enumerate(rows):
        time.sleep(max(0, start + index / RATE - time.monotonic()))
        port.send(frame(*(float(row[axis]) for axis in "xyz")))


def tormented_port(footfall: str, folder: Path, seconds: float) -> None:
    """No step comes of garbage and plugs pulled, and every step of the walk after it is there."""
    port = Port(folder / "port")
    process = subprocess.Popen(
        [footfall, "live", port.link, "--no-history", "--output", "ndjson"],
        stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True,
    )
    events: list[dict] = []
    reader = threading.Thread(target=lambda: events.extend(json.loads(line) for line in process.stdout))
    reader.start()
    time.sleep(1)
    counts = torment(port, seconds)
    assert process.poll() is None, "it ended"
    # A pause, so that the walk begins in a stretch of its own.
    time.sleep(5)
    begin = time.time()
    walk(port, 20)
    time.sleep(1)
    process.send_signal(signal.SIGINT)
    assert process.wait(10) == 0, "it did not end in order"
    reader.join()
    times = [event["start"] for event in events if event["event"] == "step"]
    since = time.strftime("%Y-%m-%dT%H:%M:%S", time.gmtime(begin))
    early = [moment for moment in times if moment < since]
    assert not early, f"steps where nobody walked: {early}"
    assert len(times) >= 33, f"{len(times)} steps in 20 s of a walk at 109 steps/min"
    print(f"{counts} in {seconds:.0f} s: no step; {len(times)} steps in the 20 s walk afterwards")


def main() -> None:
    footfall = str(Path(sys.argv[1]).resolve())
    seconds = float(sys.argv[2]) if len(sys.argv) > 2 else 60
    random.seed(4)
    with tempfile.TemporaryDirectory() as folder:
        replayed_day(footfall, Path(folder))
        tormented_port(footfall, Path(folder), seconds)


if __name__ == "__main__":
    main()
