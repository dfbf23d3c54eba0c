#!/usr/bin/env python3
"""Unplugs the device of `footfall live` and plugs it in again.

A pseudo-terminal behind a symbolic link plays a WitMotion sensor on a serial port. Each case is a session of its own. The sensor
walks, rests or sends damaged frames, ends, and comes back under the same link: at once or seconds later, with or without the link
meanwhile, once or twice. Then it walks. The command must go on, state that there is no signal within four seconds of silence, find
the steps after the pause, find none during rest and damage, never show steps that it takes back, and record what it prints.

    devices.py FOOTFALL [--count N] [--seed N] [--only CASE]
"""

import csv
import json
import os
import random
import signal
import struct
import subprocess
import threading
import time
import tty
from pathlib import Path

from cases import TRACES, options, run_cases

RATE = 50
# Of the walk after the pause. Its 109 steps/min give 36 steps; a bout starts after some, and the last may be missing.
WALK_SECONDS, LEAST_STEPS = 20, 30
# In s. The command opens a lost device again within two.
RECONNECTION = 10
# In s. The analysis bridges a break of the signal of up to 2 s, so steps of the walk before a short one may lie in it.
BRIDGED = 4
# A shown step may still be revoked at the end of a walk.
MOST_REVOKED = 6
# Most of the time a session waits for its clock.
JOBS = 10


class Port:
    """A serial port that can be unplugged: a pseudo-terminal behind a symbolic link."""

    def __init__(self, link: Path) -> None:
        self.link = link
        self.plug()

    def plug(self) -> None:
        self.master, slave = os.openpty()
        tty.setraw(slave)
        self.point_to(os.ttyname(slave))
        os.set_blocking(self.master, False)
        os.close(slave)

    def point_to(self, path: str) -> None:
        new = self.link.with_name("new")
        new.symlink_to(path)
        new.rename(self.link)

    def unplug(self, keeping_link: bool) -> None:
        # First the link: another session may get the number of the closed terminal at once.
        if keeping_link:
            self.point_to("nowhere")
        else:
            self.link.unlink()
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


def rest(port: Port, dice: random.Random, seconds: float, damaged: bool) -> None:
    """Plays a sensor at rest, whose frames come in pieces and may be damaged or interrupted by random bytes."""
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        data = bytearray(b"".join(frame(dice.gauss(0, 0.003), 0, 1 + dice.gauss(0, 0.003)) for _ in range(10)))
        if damaged and dice.random() < 0.5:
            data[dice.randrange(len(data))] ^= 1 << dice.randrange(8)
        if damaged and dice.random() < 0.3:
            data += dice.randbytes(dice.randrange(1, 120))
        while data:
            size = dice.randrange(1, 40)
            port.send(bytes(data[:size]))
            del data[:size]
        time.sleep(10 / RATE)


def walk(port: Port, seconds: float) -> None:
    """Sends the shipped walk in real time."""
    with (TRACES / "walk-wrist.csv").open() as file:
        rows = list(csv.DictReader(file))[: int(seconds * RATE)]
    start = time.monotonic()
    for index, row in enumerate(rows):
        time.sleep(max(0, start + index / RATE - time.monotonic()))
        port.send(frame(*(float(row[axis]) for axis in "xyz")))


def clock(ahead: float = 0) -> str:
    """The time now, or some seconds later, comparable with the times of events."""
    now = time.time() + ahead
    return time.strftime("%Y-%m-%dT%H:%M:%S", time.gmtime(now)) + f".{int(now % 1 * 1000):03d}Z"


class Session:
    """A `footfall live` whose lines are collected."""

    def __init__(self, arguments: list[str], folder: Path) -> None:
        self.log = folder / "errors.txt"
        self.events: list[dict] = []
        self.process = subprocess.Popen(arguments, stdout=subprocess.PIPE, stderr=self.log.open("w"), text=True)
        self.reader = threading.Thread(target=lambda: self.events.extend(map(json.loads, self.process.stdout)))
        self.reader.start()

    def wait(self, condition, seconds: float, what: str) -> None:
        end = time.monotonic() + seconds
        while not condition():
            assert self.process.poll() is None, f"the command ended with {self.process.returncode}: {self.errors}"
            assert time.monotonic() < end, f"{what}: not after {seconds} s; {self.errors}"
            time.sleep(0.05)

    @property
    def errors(self) -> str:
        return self.log.read_text()[-500:]

    @property
    def states(self) -> list[dict]:
        return [event for event in list(self.events) if event["event"] == "state"]

    def end(self) -> None:
        self.process.send_signal(signal.SIGINT)
        try:
            code = self.process.wait(30)
        except subprocess.TimeoutExpired:
            self.process.kill()
            raise
        finally:
            self.reader.join()
        assert code == 0, f"exit code {code}: {self.errors}"


def main() -> None:
    given = options(__doc__, 100)

    def attempt(number: int, dice: random.Random, folder: Path) -> str:
        port, history = Port(folder / "port"), folder / "history"
        session = Session(
            given.footfall.arguments("live", port.link, "--history", history, "--source", "wrist", "--output", "ndjson"), folder)
        try:
            return play(dice, port, session, history)
        finally:
            if session.process.poll() is None:
                session.process.kill()
            session.reader.join()

    def play(dice: random.Random, port: Port, session: Session, history: Path) -> str:
        kind = dice.choice(("walk", "rest", "damage"))
        session.wait(lambda: "recording" in session.errors, 30, "the start")
        first = dice.uniform(6, 10)
        if kind == "walk":
            walk(port, first)
        else:
            rest(port, dice, first, kind == "damage")
        walked = clock(BRIDGED)
        for _ in range(dice.choice((1, 1, 2))):
            port.unplug(keeping_link=dice.random() < 0.5)
            pause = dice.choice((0, 0.02, 0.3, 1.5, 6))
            if pause > 4:
                session.wait(lambda: session.states and session.states[-1]["silence"] is not None, pause, "no signal")
                state = session.states[-1]
                assert (state["activity"], state["sampleRate"], state["cadence"]) == ("unknown", None, None), state
            else:
                time.sleep(pause)
            port.plug()
            rest(port, dice, 3, damaged=False)
        # Longer than the 2 s that cut the signal.
        begin = clock()
        walk(port, WALK_SECONDS)
        session.wait(lambda: session.states[-1]["silence"] is None and session.states[-1]["start"] > begin, RECONNECTION, "samples")
        time.sleep(1)
        session.end()
        steps = [event["start"] for event in session.events if event["event"] == "step"]
        early = [moment for moment in steps if moment < begin and (kind != "walk" or moment > walked)]
        assert not early, f"steps before the walk at {begin}: {early}"
        late = [moment for moment in steps if moment >= begin]
        assert len(late) >= LEAST_STEPS, f"{len(late)} steps in the walk after the pause; {session.errors}"
        for state in session.states:
            found = sum(moment <= state["start"] for moment in steps)
            assert state["steps"] <= found + MOST_REVOKED, f"{state['steps']} steps are shown, {found} are found: {state}"
        info = json.loads(given.footfall.run("history", "info", "--history", history, "--output", "json"))
        assert info[0]["sources"][0]["steps"] == len(steps), f"{info[0]['sources']} in the history, {len(steps)} printed"
        return f"sessions after {kind}"

    run_cases(given, attempt, "unplugged devices", JOBS)


if __name__ == "__main__":
    main()
