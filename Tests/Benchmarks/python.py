#!/usr/bin/env python3
"""Measures the Python package beside other readers of logs, and prints tables in Markdown.

Usage: python.py FOOTFALL [HOURS], where FOOTFALL is the release build of the command. The log is a simulated day (24 hours) at
100 Hz, as .csv, .cwa and .gt3x. Readers that are not installed are left out. Each measurement is a process of its own: the
best of three, without imports, by the clock and by the processor's time. The memory is the peak of the process.
"""

import json
import struct
import subprocess
import sys
import tempfile
import zipfile
from pathlib import Path

import footfall
import numpy as np

RATE = 100
RUNS = 3
HERE = Path(__file__).resolve().parent

# What a process measures: its imports, then the work, in which `path` is the log. The peak memory of the imports counts, too.
MEASURE = """
import json, resource, sys, time
path = sys.argv[1]
{imports}
began = time.perf_counter(), time.process_time()
{work}
took = time.perf_counter() - began[0], time.process_time() - began[1]
children = resource.getrusage(resource.RUSAGE_CHILDREN)
# The maximum of a process itself would have that of the process that started it.
own = next(int(line.split()[1]) for line in open("/proc/self/status") if line.startswith("VmHWM"))
print(json.dumps([took[0], took[1] + children.ru_utime + children.ru_stime, max(own, children.ru_maxrss) / 1e3]))
"""

ARRAYS = {
    "footfall.analyze(time, xyz): float64 seconds, float32": (
        "import footfall, numpy as np\ntime_, xyz = np.load(path + '.time.npy'), np.load(path + '.xyz.npy')",
        "footfall.analyze(time_, xyz)",
    ),
    "footfall.analyze(time, xyz): datetime64, float64": (
        "import footfall, numpy as np\ntime_, xyz = np.load(path + '.time.npy'), np.load(path + '.xyz.npy').astype(float)\n"
        "time_ = (time_ * 1e9).astype('datetime64[ns]')",
        "footfall.analyze(time_, xyz)",
    ),
}
PASS = ("import footfall", "footfall.analyze(path)")
READ = ("import footfall", "log = footfall.read(path); log.time, log.xyz")
ACTIPY = (
    "import actipy",
    "actipy.read_device(path, lowpass_hz=None, calibrate_gravity=False, detect_nonwear=False, resample_hz=None, verbose=False)",
)
READERS = {
    "cwa": {
        "footfall.read": READ,
        "actipy": ACTIPY,
        "skdh": ("import skdh.io", "skdh.io.ReadCwa().predict(file=path)"),
    },
    "gt3x": {
        "footfall.read": READ,
        "pygt3x": ("import pygt3x.reader", "with pygt3x.reader.FileReader(path) as log: log.to_pandas()"),
        "actipy": ACTIPY,
    },
    "csv": {
        "footfall.read": READ,
        "polars.read_csv": ("import polars", "polars.read_csv(path)"),
        "pandas.read_csv": ("import pandas", "pandas.read_csv(path)"),
        "pandas.read_csv, pyarrow": ("import pandas, pyarrow", "pandas.read_csv(path, engine='pyarrow')"),
    },
}


def write_cwa(path, units):
    """Writes samples in 1/256 g as an Axivity device does: sectors of 120 samples in 32 bits each."""
    size = 120
    count = len(units) // size
    shift = (np.abs(units) > 511).any(axis=1).astype(np.uint32)
    fields = (units >> shift[:, None]).astype(np.uint32) & 0x3FF
    packed = fields[:, 0] | fields[:, 1] << 10 | fields[:, 2] << 20 | shift << 30
    header = bytearray(b"MD\xfc\x03" + b"\xff" * 1020)
    header[4], header[36] = 0x17, 0x4A
    struct.pack_into("<H", header, 5, 39434)
    struct.pack_into("<H", header, 11, 0)
    with open(path, "wb") as file:
        file.write(header)
        for number in range(count):
            # The clock of 2024-03-01 ticks at the first whole second of a sector.
            first = number * size / RATE
            tick = int(np.ceil(first))
            day, second = divmod(tick, 86400)
            clock = 24 << 26 | 3 << 22 | 1 + day << 17 | second // 3600 << 12 | second // 60 % 60 << 6 | second % 60
            sector = bytearray(512)
            struct.pack_into("<2sHHIII", sector, 0, b"AX", 508, 0, 0, number, clock)
            sector[18:20] = struct.pack("<H", 0x155)
            struct.pack_into("<BBhH", sector, 24, 0x4A, 0x30, round((tick - first) * RATE), size)
            sector[30:510] = packed[number * size : (number + 1) * size].tobytes()
            words = np.frombuffer(sector, dtype="<u2")[:255]
            struct.pack_into("<H", sector, 510, -int(words.sum(dtype=np.uint64)) & 0xFFFF)
            file.write(sector)
    return count * size


def write_gt3x(path, units):
    """Writes samples in 1/256 g as an ActiGraph logger does: a record of 12-bit numbers for each second."""
    start = 1_709_287_200
    info = {
        "Serial Number": "TAS1H30182785", "Device Type": "Link", "Firmware": "1.7.1", "Battery Voltage": "4,03",
        "Sample Rate": RATE, "Start Date": (start + 62135596800) * 10**7, "Stop Date": 0,
        "Last Sample Time": (start + len(units) // RATE + 62135596800) * 10**7, "TimeZone": "00:00:00",
        "Download Date": (start + 62135596800) * 10**7, "Board Revision": 8, "Unexpected Resets": 0,
        "Acceleration Scale": "256.0", "Acceleration Min": "-8.0", "Acceleration Max": "8.0", "Subject Name": "day",
        "Serial Prefix": "TAS",
    }
    records = []
    for number in range(len(units) // RATE):
        values = units[number * RATE : (number + 1) * RATE, [1, 0, 2]].ravel().astype(np.uint16) & 0xFFF
        pairs = values.reshape(-1, 2).astype(np.uint32)
        bits = pairs[:, 0] << 12 | pairs[:, 1]
        payload = np.column_stack([bits >> 16, bits >> 8 & 255, bits & 255]).astype(np.uint8).tobytes()
        record = struct.pack("<BBIH", 0x1E, 0, start + number, len(payload)) + payload
        check = np.bitwise_xor.reduce(np.frombuffer(record, dtype=np.uint8))
        records.append(record + bytes([~int(check) & 255]))
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("log.bin", b"".join(records))
        archive.writestr("info.txt", "".join(f"{name}: {value}\r\n" for name, value in info.items()))
    return len(units) // RATE * RATE


def measure(imports, work, path):
    """The best of several processes: seconds, processor seconds, megabytes; None if the imports fail."""
    code = MEASURE.format(imports=imports, work=work)
    found = []
    for _ in range(RUNS):
        run = subprocess.run([sys.executable, "-c", code, str(path)], capture_output=True, text=True, cwd=HERE)
        if run.returncode:
            last = run.stderr.strip().splitlines()[-1]
            print(f"  left out: {imports.splitlines()[0]}: {last}", file=sys.stderr)
            return None
        found.append(json.loads(run.stdout.splitlines()[-1]))
        if found[0][0] > 60:
            break
    return min(found)


def command(path, footfall_command):
    """The same of the command."""
    work = f"subprocess.run([{str(footfall_command)!r}, 'analyze', path, '--output', 'json'], check=True, capture_output=True)"
    return measure("import subprocess", work, path)


def table(title, rows, count):
    """Prints measurements beside the first."""
    print(f"\n| {title} | M samples/s | by processor | time, to the first | by processor | MB |\n|---|---|---|---|---|---|")
    rows = {name: row for name, row in rows.items() if row}
    first = next(iter(rows.values()))
    for name, (seconds, processor, peak) in rows.items():
        speeds = f"{count / seconds / 1e6:.3g} | {count / processor / 1e6:.3g}"
        print(f"| {name} | {speeds} | {seconds / first[0]:.3g} | {processor / first[1]:.3g} | {peak:.0f} |", flush=True)


def main():
    footfall_command, hours = Path(sys.argv[1]).resolve(), float(sys.argv[2]) if len(sys.argv) > 2 else 24
    with tempfile.TemporaryDirectory() as folder:
        day = Path(folder, "day.csv")
        arguments = ["simulate", "day", "--rate", str(RATE), "--placement", "wrist", "--start", "2024-03-01"]
        subprocess.run([footfall_command, *arguments, "--out", day], check=True, capture_output=True)
        if hours < 24:
            lines = day.read_bytes().splitlines(keepends=True)[: int(hours * 3600 * RATE) + 1]
            day.write_bytes(b"".join(lines))
        log = footfall.read(day)
        count = len(log.time)
        np.save(f"{day}.time.npy", log.time.astype(np.int64) / 1e9)
        np.save(f"{day}.xyz.npy", log.xyz)
        units = np.clip(np.round(log.xyz * 256), -2048, 2047).astype(np.int32)
        counts = {"csv": count, "cwa": write_cwa(day.with_suffix(".cwa"), units)}
        counts["gt3x"] = write_gt3x(day.with_suffix(".gt3x"), units)
        del log, units

        print(f"{count / 1e6:.1f} million samples, {hours:g} hours at {RATE} Hz. Best of {RUNS}.")
        rows = {"footfall analyze day.cwa, the command": command(day.with_suffix(".cwa"), footfall_command)}
        rows['footfall.analyze("day.cwa")'] = measure(*PASS, day.with_suffix(".cwa"))
        rows |= {name: measure(*work, day) for name, work in ARRAYS.items()}
        table("analysis", rows, count)
        for ending, readers in READERS.items():
            path = day.with_suffix(f".{ending}")
            table(f"reading .{ending}", {name: measure(*work, path) for name, work in readers.items()}, counts[ending])
        imports = {"import numpy": ("", "import numpy"), "import footfall, with numpy": ("", "import footfall"),
                   "import footfall, after numpy": ("import numpy", "import footfall"), "import pandas": ("", "import pandas")}
        print("\n| import | ms |\n|---|---|")
        for name, work in imports.items():
            print(f"| {name} | {1e3 * measure(*work, day)[0]:.0f} |")


if __name__ == "__main__":
    main()
