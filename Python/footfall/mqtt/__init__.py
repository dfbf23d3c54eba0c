"""Steps and activities for an MQTT broker, in the form that Home Assistant finds by itself: the program ``footfall-mqtt``.

::

    footfall-mqtt --broker mqtt://homeassistant.local --password-file password
    footfall-mqtt --history steps.sqlite --source pocket

It reads a running ``footfall serve`` or ``footfall live --serve``, or a history, and publishes

- ``homeassistant/device/<id>/config``: the device and its sensors, once for each start of broker and Home Assistant;
- ``footfall/<id>/<source>``: the state of a source as JSON, see :class:`Reading`;
- ``footfall/<id>/availability``: ``online`` or ``offline``. The broker itself publishes ``offline`` for a lost program.

All messages are retained. Each state has the total of the day from the history and no difference to the state before, so that
a restart of the program, the server or the broker neither loses nor doubles a step.

It needs paho-mqtt: ``pip install 'footfall-….whl[mqtt]'``.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import os
import re
import signal
import socket
import ssl
import sys
import threading
from collections.abc import Iterable
from dataclasses import asdict
from typing import Any, NoReturn
from urllib.parse import unquote, urlsplit

import footfall
from footfall.mqtt._feeds import ACTIVITIES, LONGEST_PAUSE, Feed, HistoryFeed, Reading, ServerFeed, Unavailable

try:
    import paho.mqtt.client as paho
    from paho.mqtt.enums import CallbackAPIVersion
except ImportError as error:
    raise ImportError(f"{error}. Install what brokers need: pip install paho-mqtt") from error

INTERVAL = 5.0
"""The least time between two states of a source in seconds: Home Assistant stores each one."""

POLL = 30.0
"""The longest time between two questions to the server in seconds: a day ends without an event."""

USAGE, NO_PERMISSION, CONFIGURATION = 64, 77, 78  # sysexits.h, as the command


def slug(name: str) -> str:
    """A name as a part of a topic and an identifier of Home Assistant, which have only these characters.

    >>> slug("pocket"), slug("left wrist")
    ('pocket', 'left_wrist_3bed5f')
    """
    plain = re.sub(r"[^a-zA-Z0-9_-]", "_", name)
    return plain if plain == name and name else f"{plain}_{hashlib.sha256(name.encode()).hexdigest()[:6]}"


def discovery(identifier: str, sources: Iterable[str], removed: Iterable[str] = ()) -> dict[str, Any]:
    """The message by which Home Assistant finds the device and its sensors.

    Args:
        identifier: The identifier of the device: letters, digits, ``_`` and ``-``.
        sources: The names of the sources.
        removed: Those of sources that the message before had, and which are gone.
    """
    sensors: dict[str, dict[str, Any]] = {
        "steps": {"name": "steps today", "state_class": "total_increasing", "unit_of_measurement": "steps",
                  "icon": "mdi:shoe-print"},
        "cadence": {"name": "cadence", "state_class": "measurement", "unit_of_measurement": "steps/min",
                    "suggested_display_precision": 0, "icon": "mdi:metronome"},
        "activity": {"name": "activity", "device_class": "enum", "options": ACTIVITIES, "icon": "mdi:walk"},
        "coverage": {"name": "coverage today", "state_class": "measurement", "unit_of_measurement": "%",
                     "suggested_display_precision": 0, "entity_category": "diagnostic", "icon": "mdi:timelapse"},
        "lastSample": {"name": "last sample", "device_class": "timestamp", "entity_category": "diagnostic"},
    }  # fmt: skip
    components: dict[str, dict[str, Any]] = {
        f"{slug(source)}_{key}": {
            **sensor,
            "p": "sensor",
            "name": f"{source} {sensor['name']}",
            "unique_id": f"footfall_{identifier}_{slug(source)}_{key}",
            "state_topic": f"footfall/{identifier}/{slug(source)}",
            "value_template": f"{{{{ value_json.{key} }}}}",
        }
        for source in sources
        for key, sensor in sensors.items()
    }
    # A component with its platform alone is removed.
    components |= {f"{slug(source)}_{key}": {"p": "sensor"} for source in removed for key in sensors}
    return {
        "dev": {"ids": [f"footfall_{identifier}"], "name": f"Footfall {identifier}", "mf": "Footfall",
                "mdl": "steps and activities", "sw": footfall.__version__},
        "o": {"name": "footfall-mqtt", "sw": footfall.__version__},
        "availability_topic": f"footfall/{identifier}/availability",
        "qos": 1,
        "cmps": components,
    }  # fmt: skip


class Bridge:
    """Publishes the readings of a feed, until it is stopped."""

    def __init__(self, feed: Feed, client: paho.Client, identifier: str) -> None:
        self.feed, self.client, self.identifier = feed, client, identifier
        self.changed, self.stopped, self.is_new = threading.Event(), threading.Event(), threading.Event()
        self.sources: list[str] = []
        self.published: dict[str, str] = {}
        self.availability = f"footfall/{identifier}/availability"
        self.is_accepted = False
        client.will_set(self.availability, "offline", qos=1, retain=True)
        client.reconnect_delay_set(1, LONGEST_PAUSE)
        client.on_connect, client.on_message, client.on_connect_fail = self._connected, self._born, self._failed
        client.on_disconnect = self._disconnected

    def stop(self) -> None:
        """Ends :meth:`run`."""
        self.stopped.set()
        self.changed.set()

    def run(self) -> None:
        """Publishes until :meth:`stop`. The client has its address."""
        self.feed.follow(self.changed)
        self.client.loop_start()
        pause = 1.0
        while not self.stopped.is_set():
            self.changed.clear()
            try:
                readings = self.feed.readings()
            except Unavailable as error:
                report(str(error))
                self._publish(self.availability, "offline")
                self.stopped.wait(pause)
                pause = min(2 * pause, LONGEST_PAUSE)
                continue
            pause = 1.0
            self._publish_all(readings)
            self.stopped.wait(INTERVAL)
            self.changed.wait(POLL)
        if self.client.is_connected():
            self.client.publish(self.availability, "offline", qos=1, retain=True).wait_for_publish(INTERVAL)
        self.client.disconnect()
        self.client.loop_stop()

    def _publish_all(self, readings: dict[str, Reading]) -> None:
        removed = [source for source in self.sources if source not in readings]
        if readings:
            topic = f"homeassistant/device/{self.identifier}/config"
            self._publish(topic, json.dumps(discovery(self.identifier, readings, removed), ensure_ascii=False))
            self.sources = [*readings, *removed]
        for source in removed:
            self._publish(f"footfall/{self.identifier}/{slug(source)}", "")  # An empty message is not retained.
        for source, reading in readings.items():
            self._publish(f"footfall/{self.identifier}/{slug(source)}", json.dumps(asdict(reading)))
        self._publish(self.availability, "online")

    def _publish(self, topic: str, payload: str) -> None:
        """Publishes what has changed. Without a broker nothing waits: the next connection publishes the present state."""
        if self.is_new.is_set():
            self.is_new.clear()
            self.published = {}
        if self.client.is_connected() and self.published.get(topic) != payload:
            self.client.publish(topic, payload, qos=1, retain=True)
            self.published[topic] = payload

    # The callbacks run on the thread of the client.

    def _connected(self, client: paho.Client, _: Any, __: Any, reason: Any, ___: Any) -> None:
        if reason.is_failure:
            report(f"the broker refuses the connection: {reason}; check the user, and --password-file")
            return
        report("connected with the broker")
        self.is_accepted = True
        client.subscribe("homeassistant/status", qos=1)
        self._announce()

    def _born(self, _: paho.Client, __: Any, message: paho.MQTTMessage) -> None:
        """Home Assistant has started. It may have forgotten the states."""
        if message.payload == b"online":
            self._announce()

    def _announce(self) -> None:
        self.is_new.set()
        self.changed.set()

    def _failed(self, *_: Any) -> None:
        report(f"the broker cannot be reached at {self.client.host}:{self.client.port}; trying again")

    def _disconnected(self, *_: Any) -> None:
        # The broker ends a connection that it refuses, too.
        if self.is_accepted and not self.stopped.is_set():
            report("the connection with the broker has ended; trying again")
        self.is_accepted = False


_reported = ""


def report(message: str) -> None:
    """Prints a message on standard error, unless it repeats the one before."""
    global _reported
    if message != _reported:
        print(f"footfall-mqtt: {message}", file=sys.stderr, flush=True)
    _reported = message


def fail(message: str, status: int) -> NoReturn:
    """Ends the program."""
    report(message)
    sys.exit(status)


def secret(path: str | None) -> str:
    """The text of a file that only its owner and group read; empty without a file."""
    if path is None:
        return ""
    try:
        if os.stat(path).st_mode & 0o004:
            fail(f"{path}: everyone may read the secret; run chmod 600 {path}", CONFIGURATION)
        with open(path, encoding="utf-8") as file:
            return file.read().strip()
    except PermissionError as error:
        fail(f"{path}: {error.strerror}", NO_PERMISSION)
    except OSError as error:
        fail(f"{path}: {error.strerror}", CONFIGURATION)


def connection(broker: str, password: str, ca_file: str | None, identifier: str) -> paho.Client:
    """A client for the broker at an address such as ``mqtts://user@host:8883``, which connects when its loop starts."""
    address = urlsplit(broker)
    try:
        port = address.port
    except ValueError:
        port = -1
    if address.password:
        fail("others see a password on the command line; write it into a file for --password-file", USAGE)
    if address.scheme not in ("mqtt", "mqtts") or not address.hostname or port == -1:
        fail(f"the broker is “{broker}”; write mqtt://host, mqtts://host for TLS, or mqtt://user@host:port", USAGE)
    client = paho.Client(CallbackAPIVersion.VERSION2, client_id=f"footfall-{identifier}")
    if address.scheme == "mqtts":
        try:
            client.tls_set_context(ssl.create_default_context(cafile=ca_file))
        except OSError as error:
            fail(f"{ca_file}: {error.strerror or error}", CONFIGURATION)
    elif ca_file:
        fail(f"--ca-file is for TLS; write mqtts:// in “{broker}”", USAGE)
    if address.username:
        client.username_pw_set(unquote(address.username), password or None)
    elif password:
        fail(f"--password-file needs a user; write {address.scheme}://user@{address.hostname}", USAGE)
    client.connect_async(address.hostname, port or (8883 if address.scheme == "mqtts" else 1883))
    return client


class Parser(argparse.ArgumentParser):
    """Exits as the other programs of Footfall do."""

    def error(self, message: str) -> NoReturn:
        fail(f"{message}; see --help", USAGE)


def main(arguments: list[str] | None = None) -> None:
    """The program ``footfall-mqtt``."""
    parser = Parser(prog="footfall-mqtt", description="Publish steps and activities to an MQTT broker for Home Assistant.")
    parser.add_argument("--broker", default="mqtt://localhost", metavar="ADDRESS",
                        help="mqtt://user@host:port, or mqtts:// for TLS (default: %(default)s)")
    parser.add_argument("--password-file", metavar="FILE", help="the password of the user of the broker")
    parser.add_argument("--ca-file", metavar="FILE", help="the authority that has signed the certificate of the broker")
    parser.add_argument("--server", default="http://127.0.0.1:8321", metavar="ADDRESS",
                        help="a running footfall serve (default: %(default)s)")
    parser.add_argument("--token-file", metavar="FILE", help="the token of the server")
    parser.add_argument("--history", metavar="FILE", help="read this history in place of a server; needs --source")
    parser.add_argument("--source", action="append", metavar="NAME", help="a source of the history; may be repeated")
    parser.add_argument("--id", default=slug(socket.gethostname()), metavar="NAME",
                        help="the name of the device in topics (default: %(default)s)")
    parser.add_argument("--version", action="version", version=footfall.__version__)
    options = parser.parse_args(arguments)
    if bool(options.history) != bool(options.source):
        parser.error("--history and --source need each other")
    if slug(options.id) != options.id:
        parser.error(f"--id is “{options.id}”; use letters, digits, _ and -")
    if urlsplit(options.server).scheme not in ("http", "https"):
        parser.error(f"--server is “{options.server}”; write http://127.0.0.1:8321")
    feed: Feed
    if options.history:
        feed = HistoryFeed(options.history, options.source)
    else:
        feed = ServerFeed(options.server, secret(options.token_file))
    client = connection(options.broker, secret(options.password_file), options.ca_file, options.id)
    bridge = Bridge(feed, client, options.id)
    # A handler runs inside of what it interrupts, so another thread sets the events.
    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, lambda *_: threading.Thread(target=bridge.stop).start())
    bridge.run()
