"""The files of weights that the compiler embeds into the library; `NetworkWeights` reads them there.

A file has the letters FOOT, the version of the network, the number of its tables and the size of each as 32-bit integers, and then the
numbers of all tables as 32-bit floats, all little-endian.
"""

from pathlib import Path

import numpy as np

SOURCES = Path(__file__).resolve().parent.parent / "Sources"


def file(version, tables):
    """The bytes of a file."""
    rows = [np.ravel(table).astype("<f4") for table in tables]
    head = np.array([version, len(rows), *(len(row) for row in rows)], "<u4")
    return b"FOOT" + head.tobytes() + b"".join(row.tobytes() for row in rows)


def write(name, version, tables):
    """Writes a file such as `Footfall/Models/walking-gate`. Returns whether it has changed."""
    path, new = (SOURCES / name).with_suffix(".weights"), file(version, tables)
    before = path.read_bytes() if path.exists() else b""
    path.write_bytes(new)
    return new != before
