#!/usr/bin/env python3
"""Tests `footfall serve` with slow and broken clients, while another client asks normal questions.

500 clients connect and send nothing, 100 send a byte per second, 30 ask for answers of 2 MB and take none, others send a
header of 1 MB, close in the middle of a request, or reset the connection instead of taking the answer. The normal client
must get its answers within a tenth of a second in the median, and the server must close the slow connections after its
15 s.

Then 3,000 clients ask for long answers and close the connection at once. The next answers must not wait for theirs.

Then 80 clients ask for answers of 4 MB at once and take none. The system keeps about half of each answer. The server must
refuse some answers, because 64 MB wait already, and its memory must stay bounded.

    clients.py FOOTFALL
"""

import http.client
import multiprocessing
import socket
import statistics
import struct
import sys
import tempfile
import time
from pathlib import Path

from server import Server

QUERY = "/api/v1/steps?since=-3d&until=now&by=hour"
LONG_QUERY = "/api/v1/steps?since=-13d&until=now&by=1m"
LONGEST_QUERY = "/api/v1/measures?since=-3600d&until=now"
SILENT, SLOW, GREEDY, GREEDIEST, LEAVING = 500, 100, 30, 80, 3000
PATIENCE = 15.0


def connect(port: int) -> socket.socket:
    return socket.create_connection(("127.0.0.1", port), timeout=30)


def is_closed(client: socket.socket) -> bool:
    """Whether the server has closed a connection. Anything that it sent before is skipped."""
    client.setblocking(False)
    try:
        while client.recv(65536):
            pass
        return True
    except BlockingIOError:
        return False
    except OSError:
        return True


def hold_connections(port: int, results: multiprocessing.Queue) -> None:
    """Keeps silent and slow connections. Reports the time after which the server closed the last one."""
    clients = [connect(port) for _ in range(SILENT + SLOW)]
    opened = time.monotonic()
    request = b"GET / HTTP/1.1\r\nHost: localhost\r\nX: " + b"x" * 100
    for byte in request:
        for client in clients[SILENT:]:
            try:
                client.send(bytes([byte]))
            except OSError:
                pass  # The server has closed it.
        time.sleep(1)
        if all([is_closed(client) for client in clients]):
            return results.put(time.monotonic() - opened)
    results.put(None)


def take_nothing(port: int, query: str, count: int) -> list[socket.socket]:
    """Asks for long answers, and does not read them. Returns the connections when the server has closed them."""
    clients = [connect(port) for _ in range(count)]
    for client in clients:
        client.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
        client.sendall(f"GET {query} HTTP/1.1\r\nHost: localhost\r\n\r\n".encode())
    time.sleep(2 * PATIENCE)
    return clients


def leave(port: int) -> None:
    """Asks for long answers, and waits for none."""
    for _ in range(LEAVING):
        client = connect(port)
        client.sendall(f"GET {LONGEST_QUERY} HTTP/1.1\r\nHost: localhost\r\n\r\n".encode())
        client.close()


def break_connections(port: int, results: multiprocessing.Queue) -> None:
    """Sends broken requests one after the other. Reports their number."""
    end = time.monotonic() + PATIENCE
    count = 0
    request = f"GET {QUERY} HTTP/1.1\r\nHost: localhost\r\n".encode()
    while time.monotonic() < end:
        for data in [b"GET / HTTP/1.1\r\nX: " + b"x" * (1 << 20), request, request[:20], request + b"\r\n", b"\x16\x03\x01"]:
            client = connect(port)
            # Closing resets the connection, so that answers find no reader.
            client.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
            try:
                client.sendall(data)
            except OSError:
                pass  # The server has refused the rest.
            client.close()
            count += 1
        time.sleep(0.05)
    results.put(count)


def ask(port: int, seconds: float) -> list[float]:
    """Asks a normal question again and again. Returns the times in milliseconds."""
    times = []
    client = http.client.HTTPConnection("127.0.0.1", port, timeout=30)
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        started = time.perf_counter()
        client.request("GET", QUERY)
        answer = client.getresponse()
        body = answer.read()
        times.append((time.perf_counter() - started) * 1000)
        assert answer.status == 200 and b'"steps":' in body, body
        time.sleep(0.01)
    return times


def main(footfall: str) -> None:
    with tempfile.TemporaryDirectory() as name, Server(footfall, Path(name)) as server:
        before, memory_before = ask(server.port, 5), server.megabytes
        seconds = server.seconds
        results = multiprocessing.Queue()
        attackers = [
            multiprocessing.Process(target=target, args=(server.port, results))
            for target in (hold_connections, break_connections)
        ]
        for attacker in attackers:
            attacker.start()
        greedy = multiprocessing.Process(
            target=take_nothing, args=(server.port, LONG_QUERY, GREEDY), daemon=True)
        greedy.start()
        during = ask(server.port, PATIENCE)
        numbers = [results.get(timeout=300) for _ in attackers]
        assert None not in numbers, "slow connections are still open"
        greedy.join()
        leave(server.port)
        left = ask(server.port, 2)
        refused = [client.recv(12) for client in take_nothing(server.port, LONGEST_QUERY, GREEDIEST)].count(b"HTTP/1.1 503")
        after = ask(server.port, 5)
        broken, closed = int(max(numbers)), min(numbers)
        for title, times in [("before", before), ("during", during), ("behind clients that left", left), ("after", after)]:
            print(f"{title}: {len(times)} answers, median {statistics.median(times):.2f} ms, "
                  f"95 % within {statistics.quantiles(times, n=20)[-1]:.2f} ms, the longest {max(times):.0f} ms")
        print(f"{SILENT} silent and {SLOW} slow connections were closed within {closed:.1f} s; {broken} broken requests; {refused} of {GREEDIEST} answers of 4 MB refused; "
              f"{server.seconds - seconds:.1f} s of the processor, memory {memory_before:.0f} MB, at most {server.most_megabytes:.0f} MB, at last {server.megabytes:.0f} MB")
        # Loose, because other programs use the processor as well. A connection that blocks others would take seconds.
        assert statistics.median(during) < 100, "slow clients delay normal answers"
        assert max(left) < 2000, "the server works for clients that have left"
        assert 0 < refused < GREEDIEST, "the bound on waiting answers has no effect, or refuses all"
        # The limit of the service footfall-serve.
        assert server.most_megabytes < 200, "slow clients take too much memory"


if __name__ == "__main__":
    main(str(Path(sys.argv[1]).resolve()))
