"""A `footfall serve` for the tests beside this file."""

import datetime
import os
import subprocess
from pathlib import Path

PACKAGE = Path(__file__).resolve().parents[2]


class Server:
    """Serves a history of the shipped way to work, two days ago, on any free port of this machine.

    A live server also replays the way to work, in under three minutes, as the device of another source.
    """

    def __init__(self, footfall: str, folder: Path, *options: object, is_live: bool = False) -> None:
        history = folder / "history.sqlite"
        day = datetime.datetime.now(datetime.timezone.utc) - datetime.timedelta(days=2)
        trace = [PACKAGE / "SensorTraces/commute.csv", "--start", f"{day:%Y-%m-%d}T08:00:00Z", "--tz", "UTC"]
        subprocess.run(
            [footfall, "analyze", *trace, "--history", history, "--source", "wrist"], check=True, capture_output=True)
        live = ["live", "--quiet", "--source", "pocket", "--speed", "4", "--serve", "--replay", *trace]
        self.process = subprocess.Popen(
            [footfall, *(live if is_live else ["serve"]), "--history", history, "--listen", "127.0.0.1:0", *options],
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
