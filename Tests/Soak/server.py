"""A `footfall serve` for the tests beside this file."""

import datetime
import os
import subprocess
from pathlib import Path

PACKAGE = Path(__file__).resolve().parents[2]


class Server:
    """Serves a history of the shipped way to work, two days ago, on any free port of this machine."""

    def __init__(self, footfall: str, folder: Path, *options: object) -> None:
        history = folder / "history.sqlite"
        day = datetime.datetime.now(datetime.timezone.utc) - datetime.timedelta(days=2)
        subprocess.run(
            [footfall, "analyze", PACKAGE / "SensorTraces/commute.csv", "--start", f"{day:%Y-%m-%d}T08:00:00Z",
             "--tz", "UTC", "--history", history, "--source", "wrist"], check=True, capture_output=True)
        self.process = subprocess.Popen(
            [footfall, "serve", "--history", history, "--listen", "127.0.0.1:0", *options],
            stderr=subprocess.PIPE, text=True)
        line = self.process.stderr.readline()  # footfall: serving http://127.0.0.1:40123/
        self.address = line.split()[-1].rstrip("/")
        self.port = int(self.address.rsplit(":", 1)[1])

    @property
    def megabytes(self) -> float:
        """The resident memory."""
        return self.memory("VmRSS")

    @property
    def most_megabytes(self) -> float:
        """The most resident memory so far."""
        return self.memory("VmHWM")

    def memory(self, name: str) -> float:
        status = Path(f"/proc/{self.process.pid}/status").read_text()
        return int(status.split(name + ":")[1].split()[0]) / 1024

    @property
    def seconds(self) -> float:
        """The time of the processor."""
        fields = Path(f"/proc/{self.process.pid}/stat").read_text().rsplit(")", 1)[1].split()
        return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")

    def __enter__(self) -> "Server":
        return self

    def __exit__(self, *_: object) -> None:
        assert self.process.poll() is None, f"the server ended with {self.process.returncode}"
        self.process.terminate()
        assert self.process.wait(timeout=30) == 0, f"the server ended with {self.process.returncode}"
