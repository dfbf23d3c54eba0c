"""The messages for Home Assistant, through the broker mosquitto of Debian and the servers of the command."""

import contextlib
import json
import os
import re
import shutil
import socket
import subprocess
import sys
import threading
import time
from datetime import datetime, timedelta, timezone
from pathlib import Path

import pytest

pytest.importorskip("paho.mqtt.client")

import footfall
import paho.mqtt.client as paho
from conftest import ROOT
from footfall import mqtt
from footfall.mqtt._feeds import HistoryFeed
from paho.mqtt.enums import CallbackAPIVersion

BROKER = shutil.which("mosquitto", path=f"{os.environ['PATH']}:/usr/sbin")
needs_broker = pytest.mark.skipif(BROKER is None, reason="Debian's package mosquitto is not installed")
LIMIT = 60  # s, only there to fail


def eventually(condition):
    """Waits until a condition holds, and returns its value."""
    end = time.monotonic() + LIMIT
    while not (value := condition()):
        assert time.monotonic() < end, "the condition has not come true"
        time.sleep(0.05)
    return value


def free_port():
    with socket.socket() as sock:
        sock.bind(("127.0.0.1", 0))
        return sock.getsockname()[1]


def answers(port):
    with contextlib.suppress(OSError), socket.create_connection(("127.0.0.1", port), 1):
        return True


@contextlib.contextmanager
def running(*arguments, port=None, stderr=None):
    """A process, from the time when its port answers until the end of the block."""
    with subprocess.Popen([str(argument) for argument in arguments], stderr=stderr) as process:
        try:
            if port:
                eventually(lambda: process.poll() is not None or answers(port))
            yield process
        finally:
            process.terminate()
            process.wait(LIMIT)


@contextlib.contextmanager
def broker(folder, port, more=""):
    configuration = folder / "mosquitto.conf"
    # Root would become another user, who cannot read this folder.
    configuration.write_text(f"user root\nlistener {port} 127.0.0.1\n{more or 'allow_anonymous true'}\n")
    with running(BROKER, "-c", configuration, port=port, stderr=subprocess.DEVNULL):
        yield


def program(port, *options, scheme="mqtt", host="127.0.0.1", stderr=None):
    run = [sys.executable, "-c", "from footfall.mqtt import main; main()"]
    return running(*run, "--broker", f"{scheme}://{host}:{port}", "--id", "test", *options, stderr=stderr)


class Home:
    """A subscriber, which has all messages in the order of their arrival."""

    def __init__(self, port):
        self.messages = []
        self.client = paho.Client(CallbackAPIVersion.VERSION2)
        self.client.on_connect = lambda client, *_: client.subscribe([("footfall/#", 1), ("homeassistant/#", 1)])
        self.client.on_message = lambda _, __, message: self.messages.append((message.topic, message.payload.decode()))
        self.client.reconnect_delay_set(1, 1)
        self.client.connect_async("127.0.0.1", port)
        self.client.loop_start()

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.client.disconnect()
        self.client.loop_stop()

    def all(self, topic):
        return [payload for name, payload in self.messages if name == topic]

    def states(self, source):
        return [json.loads(payload) for payload in self.all(f"footfall/test/{source}")]

    def waits_for(self, topic, payload):
        """Waits until the newest message of a topic is this one."""
        eventually(lambda: self.all(topic)[-1:] == [payload])

    def waits_for_steps(self, source, steps):
        return eventually(lambda: [state for state in self.states(source)[-1:] if state["steps"] == steps])[0]


def zone():
    """An offset from UTC with which it is about noon now: no test meets the end of a day."""
    return f"{12 - datetime.now(timezone.utc).hour:+03d}:00"


def record(command, history, trace, minutes_ago, source="pocket"):
    start = datetime.now(timezone.utc) - timedelta(minutes=minutes_ago)
    subprocess.run(
        [command, "analyze", ROOT / f"SensorTraces/{trace}.csv", "--start", f"{start:%Y-%m-%dT%H:%M:%SZ}", f"--tz={zone()}",
         "--history", history, "--source", source], check=True, capture_output=True)  # fmt: skip


def steps(history, source="pocket"):
    with footfall.History(history, read_only=True) as opened:
        return int(opened.steps(source=source).steps[0])


def test_the_discovery_message_has_what_home_assistant_asks_for():
    message = mqtt.discovery("pi", ["pocket", "left wrist"], removed=["ankle"])
    assert message["dev"]["ids"] and message["o"]["name"] == "footfall-mqtt"
    sensors = {key: sensor for key, sensor in message["cmps"].items() if len(sensor) > 1}
    assert len(sensors) == 10 and len({sensor["unique_id"] for sensor in sensors.values()}) == 10
    assert all(sensor["p"] == "sensor" and "state_topic" in sensor for sensor in sensors.values())
    assert all(re.fullmatch("[a-zA-Z0-9_-]+", key) for key in message["cmps"])
    assert message["cmps"]["pocket_steps"]["state_class"] == "total_increasing"
    assert message["cmps"]["pocket_activity"]["options"] == mqtt.ACTIVITIES
    assert message["cmps"]["ankle_steps"] == {"p": "sensor"}
    # Different names never share an identifier.
    assert len({mqtt.slug(name) for name in ["a b", "a_b", "a/b", "ä b", ""]}) == 5


@needs_broker
def test_restarts_of_server_and_broker_neither_lose_nor_double_a_step(command, tmp_path):
    history, server, port = tmp_path / "history.sqlite", free_port(), free_port()
    record(command, history, "commute", 40)
    serve = [command, "serve", "--history", history, "--listen", f"127.0.0.1:{server}"]
    availability, config = "footfall/test/availability", "homeassistant/device/test/config"
    with Home(port) as home, program(port, "--server", f"http://127.0.0.1:{server}"):
        with broker(tmp_path, port):
            with running(*serve, port=server, stderr=subprocess.DEVNULL):
                state = home.waits_for_steps("pocket", 568)
                assert 0 < state["coverage"] < 100 and state["activity"] is None and state["cadence"] is None
                assert datetime.fromisoformat(state["lastSample"].replace("Z", "+00:00")) < datetime.now(timezone.utc)
                home.waits_for(availability, "online")
                assert json.loads(home.all(config)[-1])["cmps"].keys() == mqtt.discovery("test", ["pocket"])["cmps"].keys()
            home.waits_for(availability, "offline")
            record(command, history, "walk-wrist", 20)
            with running(*serve, port=server, stderr=subprocess.DEVNULL):
                home.waits_for(availability, "online")
                home.waits_for_steps("pocket", second := steps(history))
        # The broker is away, and starts again without a memory.
        record(command, history, "stroll-hip", 10)
        before = len(home.messages)
        with broker(tmp_path, port), running(*serve, port=server, stderr=subprocess.DEVNULL):
            home.waits_for_steps("pocket", steps(history))
            home.waits_for(availability, "online")
            assert config in [topic for topic, _ in home.messages[before:]]
            counts = [state["steps"] for state in home.states("pocket")]
            assert counts == sorted(counts) and set(counts) == {568, second, steps(history)}
            # Home Assistant starts again: all messages are sent to it.
            before = len(home.messages)
            home.client.publish("homeassistant/status", "online", qos=1)
            eventually(lambda: {config, "footfall/test/pocket"} <= {topic for topic, _ in home.messages[before:]})


@needs_broker
def test_a_source_that_is_deleted_leaves_home_assistant(command, tmp_path):
    history, server, port = tmp_path / "history.sqlite", free_port(), free_port()
    for source in ("pocket", "left wrist"):
        record(command, history, "walk-wrist", 30, source)
    config, state = "homeassistant/device/test/config", f"footfall/test/{mqtt.slug('left wrist')}"
    serve = [command, "serve", "--history", history, "--listen", f"127.0.0.1:{server}"]
    with broker(tmp_path, port), Home(port) as home, program(port, "--server", f"http://127.0.0.1:{server}"):
        with running(*serve, port=server, stderr=subprocess.DEVNULL):
            eventually(lambda: home.all(state))
            subprocess.run([command, "history", "delete", "--history", history, "--source", "left wrist"], check=True)
            home.waits_for(state, "")
            components = json.loads(home.all(config)[-1])["cmps"]
            assert components[f"{mqtt.slug('left wrist')}_steps"] == {"p": "sensor"} and len(components["pocket_steps"]) > 1


@needs_broker
def test_a_lost_program_is_reported_by_the_broker(command, tmp_path):
    history, port = tmp_path / "history.sqlite", free_port()
    record(command, history, "walk-wrist", 3)
    with broker(tmp_path, port), Home(port) as home:
        with program(port, "--history", history, "--source", "pocket") as process:
            state = home.waits_for_steps("pocket", steps(history))
            assert state["activity"] == "walking" and 60 < state["cadence"] < 140
            home.waits_for("footfall/test/availability", "online")
            process.kill()
            home.waits_for("footfall/test/availability", "offline")
        # A program that ends says so itself.
        with program(port, "--history", history, "--source", "pocket"):
            home.waits_for("footfall/test/availability", "online")
        home.waits_for("footfall/test/availability", "offline")


@needs_broker
def test_a_live_device_has_its_present_activity_and_all_its_steps(command, tmp_path):
    history, server, port = tmp_path / "history.sqlite", free_port(), free_port()
    start = datetime.now(timezone.utc) - timedelta(minutes=15)
    live = [command, "live", "--quiet", "--replay", ROOT / "SensorTraces/commute.csv", "--speed", "20", "--source", "pocket",
            "--start", f"{start:%Y-%m-%dT%H:%M:%SZ}", f"--tz={zone()}", "--history", history, "--serve", "--listen",
            f"127.0.0.1:{server}"]  # fmt: skip
    with broker(tmp_path, port), Home(port) as home, program(port, "--server", f"http://127.0.0.1:{server}"):
        with running(*live, port=server, stderr=subprocess.DEVNULL) as process:
            eventually(lambda: [state for state in home.states("pocket") if state["activity"] == "walking"])
            eventually(lambda: [state for state in home.states("pocket") if (state["steps"] or 0) > 100])
            assert any(90 < (state["cadence"] or 0) < 140 for state in home.states("pocket"))
            assert process.poll() is None
        with running(command, "serve", "--history", history, "--listen", f"127.0.0.1:{server}", port=server,
                     stderr=subprocess.DEVNULL):  # fmt: skip
            home.waits_for_steps("pocket", steps(history))
            counts = [state["steps"] or 0 for state in home.states("pocket")]
            assert counts == sorted(counts) and counts[-1] > 100


@needs_broker
def test_a_day_without_samples_has_no_steps(command, tmp_path):
    history, port = tmp_path / "history.sqlite", free_port()
    record(command, history, "walk-wrist", 2 * 24 * 60)
    with broker(tmp_path, port), Home(port) as home, program(port, "--history", history, "--source", "pocket"):
        state = eventually(lambda: home.states("pocket"))[0]
        assert (state["steps"], state["coverage"], state["activity"], state["cadence"]) == (None, 0, None, None)


def test_a_source_without_events_is_unknown(command, tmp_path):
    lines = ['{"retention":604800000000000,"version":4}', '{"source":"pocket","zones":[]}', '{"count":2}']
    run = [command, "history", "import", "-", "--history", tmp_path / "history.sqlite"]
    subprocess.run(run, input="\n".join(lines) + "\n", text=True, check=True, capture_output=True)
    reading = HistoryFeed(str(tmp_path / "history.sqlite"), ["pocket"]).readings()["pocket"]
    assert (reading.steps, reading.coverage, reading.activity, reading.lastSample) == (None, 0, None, None)


@needs_broker
def test_the_password_crosses_the_wire_encrypted(command, tmp_path):
    for text in [
        "req -x509 -newkey rsa:2048 -nodes -keyout ca.key -out ca.crt -subj /CN=Test -days 2",
        "req -newkey rsa:2048 -nodes -keyout server.key -out server.csr -subj /CN=localhost",
        "x509 -req -in server.csr -CA ca.crt -CAkey ca.key -CAcreateserial -out server.crt -days 2 -extfile names",
    ]:
        (tmp_path / "names").write_text("subjectAltName=DNS:localhost\n")
        subprocess.run(["openssl", *text.split()], cwd=tmp_path, check=True, capture_output=True)
    subprocess.run(["mosquitto_passwd", "-b", "-c", "passwords", "pi", "secret"], cwd=tmp_path, check=True)
    (tmp_path / "password").write_text("secret\n")
    (tmp_path / "password").chmod(0o600)
    port, plain = free_port(), free_port()
    more = "\n".join(
        [f"{key} {tmp_path / name}" for key, name in
         [("cafile", "ca.crt"), ("certfile", "server.crt"), ("keyfile", "server.key"), ("password_file", "passwords")]]
        + ["allow_anonymous false", f"listener {plain} 127.0.0.1"])  # fmt: skip
    history = tmp_path / "history.sqlite"
    record(command, history, "walk-wrist", 3)
    source = ["--history", history, "--source", "pocket"]
    with broker(tmp_path, port, more):
        home = Home(plain)
        home.client.username_pw_set("pi", "secret")
        trusting = [*source, "--ca-file", tmp_path / "ca.crt", "--password-file", tmp_path / "password"]
        with home, program(port, *trusting, scheme="mqtts", host="pi@localhost"):
            home.waits_for_steps("pocket", steps(history))
        (tmp_path / "wrong").write_text("Secret")
        (tmp_path / "wrong").chmod(0o600)
        wrong = [*source, "--password-file", tmp_path / "wrong"]
        with program(plain, *wrong, host="pi@127.0.0.1", stderr=subprocess.PIPE) as process:
            assert b"refuses" in process.stderr.readline()
            process.terminate()
            assert process.stderr.read() == b""
        # A broker with a certificate of an unknown authority gets no password.
        stranger = [*source, "--password-file", tmp_path / "password"]
        before = len(home.messages)
        with program(port, *stranger, scheme="mqtts", host="pi@localhost", stderr=subprocess.PIPE) as process:
            assert f"cannot be reached at localhost:{port};".encode() in process.stderr.readline()
        assert len(home.messages) == before


@pytest.mark.parametrize(
    ("options", "status", "message"),
    [
        (["--broker", "pi.local"], 64, "mqtt://host"),
        (["--broker", "mqtt://pi.local:99999"], 64, "mqtt://host"),
        (["--broker", "mqtt://pi:secret@pi.local"], 64, "--password-file"),
        (["--history", "h.sqlite"], 64, "--source"),
        (["--id", "my pi"], 64, "letters"),
        (["--server", "pi.local:8321"], 64, "http://"),
        (["--ca-file", "ca.crt"], 64, "mqtts://"),
        (["--broker", "mqtts://pi.local", "--ca-file", "none.crt"], 78, "none.crt"),
        (["--broker", "mqtt://pi@pi.local", "--password-file", "none"], 78, "none"),
        (["--broker", "mqtt://pi@pi.local", "--password-file", "open"], 78, "chmod 600"),
        (["--password-file", "own"], 64, "user@"),
    ],
)
def test_a_program_that_cannot_start_says_why(tmp_path, monkeypatch, capsys, options, status, message):
    monkeypatch.chdir(tmp_path)
    for name, mode in [("open", 0o644), ("own", 0o600)]:
        Path(name).write_text("secret")
        Path(name).chmod(mode)
    with pytest.raises(SystemExit) as end:
        mqtt.main(options)
    assert end.value.code == status and message in capsys.readouterr().err
    assert threading.active_count() == 1
