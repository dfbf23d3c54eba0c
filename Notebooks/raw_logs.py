"""The samples of sensor logs, decoded with numpy: an implementation apart from Footfall's, to compare with.

Each function returns the times in nanoseconds since 1970, or since the start for a log without a date, and the acceleration in g, a column
for each axis.
"""

import io
import struct
import zipfile
from datetime import datetime, timezone

import numpy as np
import pandas as pd


def cwa(path):
    """A recording of Axivity: blocks of 512 bytes, each with the time of one of its samples."""
    data, places, times, samples, count = path.read_bytes(), [], [], [], 0
    for block in (data[at:at + 512] for at in range(0, len(data) - 511, 512)):
        if block[:2] != b"AX":
            continue
        (fraction,), (packed,) = struct.unpack_from("<H", block, 4), struct.unpack_from("<I", block, 14)
        code, layout, offset, length = struct.unpack_from("<BBhH", block, 24)
        fields = [packed >> shift & mask for shift, mask in ((26, 63), (22, 15), (17, 31), (12, 31), (6, 63), (0, 63))]
        time = datetime(2000 + fields[0], *fields[1:], tzinfo=timezone.utc).timestamp()
        if fraction & 0x8000:  # The fraction of a second is in the field of the device; the offset then needs its correction.
            part = (fraction & 0x7FFF) << 1
            time += part / 65536
            offset += part * int(3200 / (1 << (15 - (code & 15)))) >> 16
        if layout & 15:
            raise ValueError(f"{path}: only packed samples are decoded here")
        # Three values of ten bits, and an exponent, in four bytes.
        words = np.frombuffer(block, "<u4", length, 30)
        values = np.stack([(words >> shift & 1023).astype(np.int32) for shift in (0, 10, 20)], 1)
        samples.append((np.where(values > 511, values - 1024, values) << (words >> 30).astype(np.int32)[:, None]) / 256)
        places.append(count + offset)
        times.append(time)
        count += length
    places, times = np.array(places, float), np.array(times)
    # The clock of the sensor is linear between two blocks.
    at, slope = np.arange(count), np.diff(times) / np.diff(places)
    found = np.interp(at, places, times)
    found = np.where(at < places[0], times[0] + (at - places[0]) * slope[0], found)
    found = np.where(at > places[-1], times[-1] + (at - places[-1]) * slope[-1], found)
    return (1e9 * (found - times[0])).astype(np.int64) + int(1e9 * times[0]), np.concatenate(samples)


def gt3x(path):
    """A recording of ActiGraph: an archive with records of one second."""
    archive = zipfile.ZipFile(path)
    info = dict(line.split(": ", 1) for line in archive.read("info.txt").decode().splitlines() if ": " in line)
    rate, scale = int(info["Sample Rate"]), float(info["Acceleration Scale"])
    hours, minutes, _ = (int(part) for part in info["TimeZone"].split(":"))
    data, at, seconds = archive.read("log.bin"), 0, {}
    while at + 8 < len(data):
        kind, second, size = struct.unpack_from("<BIH", data, at + 1)
        if data[at] != 0x1E:
            raise ValueError(f"{path}: no record at byte {at}")
        if kind == 0 and size > 1:  # Activity: values of twelve bits, in the order y, x, z.
            bits = np.unpackbits(np.frombuffer(data, np.uint8, size, at + 8))[:size * 8 // 36 * 36].reshape(-1, 12)
            values = bits @ (1 << np.arange(11, -1, -1))
            seconds[second] = (values - 4096 * (values > 2047)).reshape(-1, 3)[:, [1, 0, 2]] / scale
        at += 9 + size
    times, samples = [], []
    for second, values in sorted(seconds.items()):
        after = min((other for other in seconds if other > second), default=second + 1)
        times.append(second * 10**9 + (np.arange(len(values)) * 1e9 / rate).astype(np.int64))
        # The logger sleeps while nothing moves: its last sample holds, set to 1 g as in GGIR.
        slept, gravity = (after - second - 1) * rate, values[-1] / np.linalg.norm(values[-1])
        times.append((second + 1) * 10**9 + (np.arange(slept) * 1e9 / rate).astype(np.int64))
        samples += [values, np.tile(gravity, (slept, 1))]
    return np.concatenate(times) - (3600 * hours + 60 * minutes) * 10**9, np.concatenate(samples)


def android(path):
    """A log of an Android phone: nanoseconds, accuracy, and three axes in m/s²."""
    table = pd.read_csv(path, header=None).to_numpy(float)
    return (table[:, 0] - table[0, 0]).astype(np.int64), table[:, 2:5] / 9.80665
