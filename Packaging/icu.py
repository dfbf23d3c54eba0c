#!/usr/bin/env python3
"""Fills the tables of ICU that Footfall does not use with zeros, in the command or the library for C.

    icu.py BINARY

Foundation links 34 MB of ICU's tables, most of them of other languages. Footfall uses those of the time zones and the
calendar, and English. A removed table is for ICU as one that is not installed. The binary keeps its length, and a package
compresses the zeros to nothing.
"""

import re
import struct
import sys
from pathlib import Path

# The head of the tables (`UDataInfo` in ICU's unicode/udata.h): little endian, ASCII, format “CmnD” of version 1.
HEAD = re.compile(rb"..\xda\x27\x14\x00\x00\x00\x00\x00\x02\x00CmnD\x01", re.DOTALL)
# The tables of one language, and what every language needs with those of English.
LANGUAGE = re.compile(r"[a-z]{2,3}(_\w+)?\.res")
KEPT = re.compile(r"(root|pool|res_index|en|en_001|en_US|en_US_POSIX)\.res")
# Line breaks, sort orders, numbers in words, and other scripts.
UNUSED_FOLDERS = {"brkitr", "coll", "rbnf", "translit"}
# Converters of character sets, characters that look alike, and names of characters.
UNUSED = re.compile(r".*\.cnv|confusables\.cfu|unames\.icu")


def require(condition: object, problem: str) -> None:
    if not condition:
        sys.exit(f"icu.py: {sys.argv[1]}: {problem}")


def is_used(folder: str, name: str) -> bool:
    if folder in UNUSED_FOLDERS or UNUSED.fullmatch(name):
        return False
    # The other folders have names of regions, units and so on in each language.
    return KEPT.fullmatch(name) is not None or folder == "" and not LANGUAGE.fullmatch(name)


def clear(binary: bytearray) -> int:
    """Clears the unused tables. Returns the number of bytes that are zero now."""
    heads = [match.start() for match in HEAD.finditer(binary)]
    require(len(heads) == 1, f"{len(heads)} heads of ICU's tables; the Swift runtime, linked statically, has one")
    # The contents: a count, then for each table the places of its name and of its bytes, both relative to the count.
    base = heads[0] + int.from_bytes(binary[heads[0]:heads[0] + 2], "little")
    count, = struct.unpack_from("<I", binary, base)
    tables = []
    for name, start in struct.iter_unpack("<II", binary[base + 4:base + 4 + 8 * count]):
        # Such as icudt76l/zoneinfo64.res and icudt76l/zone/en.res
        path = re.fullmatch(r"icudt\d+l/(?:([^/]+)/)?([^/]+)",
                            binary[base + name:binary.index(0, base + name)].decode())
        require(path, "a name that is not that of a table of ICU")
        tables.append((start, path[1] or "", path[2]))
    require(tables == sorted(tables, key=lambda table: table[0]), "tables of ICU that are not in the order of their names")
    require({("", "zoneinfo64.res"), ("", "supplementalData.res")} <= {table[1:] for table in tables}, "no time zones")
    removed = 0
    # Nothing states the end of the last table, so it stays.
    for (start, folder, name), (end, _, _) in zip(tables, tables[1:]):
        if not is_used(folder, name):
            binary[base + start:base + end] = bytes(end - start)
            removed += end - start
    return removed


def main(path: str) -> None:
    binary = bytearray(Path(path).read_bytes())
    removed = clear(binary)
    Path(path).write_bytes(binary)
    print(f"{path}: {removed / 1e6:.1f} MB of unused tables of ICU are zero now")


main(*sys.argv[1:])
