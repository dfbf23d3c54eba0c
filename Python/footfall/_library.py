"""The functions and structures of footfall.h, by ctypes, which releases the interpreter's lock during each call."""

from __future__ import annotations

import ctypes
import os
from ctypes import POINTER, c_char, c_char_p, c_double, c_float, c_int32, c_int64, c_size_t, c_ssize_t, c_uint8
from ctypes import c_uint32, c_void_p
from typing import Any

import numpy as np
from numpy.typing import NDArray

ABI_VERSION = 1

OK, END, USAGE, BAD_DATA, MISSING = 0, 1, 64, 65, 66
NANOSECONDS, SECONDS, FLOAT32, FLOAT64 = 0, 1, 2, 3


class Error(Exception):
    """A call failed.

    Attributes:
        path: The file; empty without one.
        line: The line in the file, counted from 1; None if the problem concerns the whole file.
        problem: The problem, in one clause.
        remedy: What to do; empty without a remedy.
    """

    def __init__(self, problem: str, remedy: str = "", path: str = "", line: int | None = None) -> None:
        self.problem, self.remedy, self.path, self.line = problem, remedy, path, line
        place = f"{path}:{line}" if line else path
        message = problem if not place or place in problem else f"{place}: {problem}"
        super().__init__(message if not remedy or remedy in problem else f"{message}; {remedy}")

    def __reduce__(self) -> tuple[Any, ...]:
        return type(self), (self.problem, self.remedy, self.path, self.line)


class UsageError(Error, ValueError):
    """An argument is missing or invalid."""


class DataError(Error):
    """The content of a file cannot be used."""


class FileError(Error, OSError):
    """A file cannot be opened or read."""


class StorageError(Error):
    """A history cannot be read or written now."""


class CError(ctypes.Structure):
    _fields_ = [
        ("status", c_int32),
        ("line", c_int64),
        ("path", c_char * 1024),
        ("problem", c_char * 2048),
        ("remedy", c_char * 1024),
    ]

    def exception(self) -> Error:
        kinds: dict[int, type[Error]] = {USAGE: UsageError, BAD_DATA: DataError, MISSING: FileError}
        problem, remedy, path = (
            getattr(self, name).decode("utf-8", "replace") for name in ("problem", "remedy", "path")
        )
        return kinds.get(self.status, StorageError)(problem, remedy, path, self.line or None)


class CColumn(ctypes.Structure):
    _fields_ = [("first", c_void_p), ("stride", c_ssize_t), ("type", c_int32)]


class CSamples(ctypes.Structure):
    _fields_ = [
        ("count", c_size_t),
        ("time", CColumn),
        ("axes", CColumn * 3),
        ("per_g", c_double),
        ("is_unit_assumed", c_int32),
        ("padding", c_int32),
    ]


class CBatch(ctypes.Structure):
    _fields_ = [("count", c_size_t), ("time", c_void_p), ("axes", c_void_p * 3)]


class CQuality(ctypes.Structure):
    _fields_ = [
        *(
            (name, c_int64)
            for name in ("samples", "duplicates", "backward", "leaping", "unusable", "impulses", "gaps")
        ),
        ("coverage", c_double),
        ("rate", c_double),
        ("start", c_int64),
        ("end", c_int64),
    ]


class CTraceOptions(ctypes.Structure):
    _fields_ = [
        ("columns", c_char_p),
        ("rows", c_char_p),
        ("time_unit", c_char_p),
        ("time_zone", c_char_p),
        ("per_g", c_double),
        ("rate", c_double),
        ("start", c_int64),
        ("has_start", c_int32),
        ("has_zero", c_int32),
        ("zero", c_float * 3),
    ]


class CCount(ctypes.Structure):
    _fields_ = [
        ("start", c_int64),
        ("end", c_int64),
        ("steps", c_int64),
        ("coverage", c_double),
        ("is_truncated", c_int32),
        ("padding", c_int32),
    ]


class CStep(ctypes.Structure):
    _fields_ = [("time", c_int64), ("quality", c_float), ("padding", c_uint32)]


class CSegment(ctypes.Structure):
    _fields_ = [
        ("start", c_int64),
        ("end", c_int64),
        ("steps", c_int64),
        ("probability", c_float),
        *((name, c_uint8) for name in ("activity", "is_halt", "confidence", "reason")),
    ]


class CSecond(ctypes.Structure):
    _fields_ = [
        ("start", c_int64),
        ("gate_cadence", c_double),
        ("cadence", c_double),
        ("gate_score", c_float),
        ("check", c_float),
        ("check_sum", c_float),
        ("features", c_float * 16),
        ("classes", c_float * 6),
        ("states", c_float * 8),
        ("probability", c_float),
        ("candidates", c_uint32),
        ("steps", c_uint32),
        *((name, c_uint8) for name in ("activity", "reason", "bout", "decision")),
        ("padding", c_uint8 * 4),
    ]


class CGaitSignal(ctypes.Structure):
    _fields_ = [
        ("start", c_int64),
        ("value_count", c_size_t),
        ("values", c_void_p),
        ("first_second", c_int64),
        ("second_count", c_size_t),
        ("cadences", c_void_p),
        ("inputs", c_void_p),
    ]


class CWindow(ctypes.Structure):
    _fields_ = [
        ("second", c_int64),
        ("features", c_float * 16),
        ("rms", c_float),
        ("rate", c_float),
        ("is_noise", c_uint8),
        ("is_sprung", c_uint8),
        ("padding", c_uint8 * 6),
    ]


class CSpan(ctypes.Structure):
    _fields_ = [("start", c_int64), ("end", c_int64)]


_ERROR = POINTER(CError)
_COUNT = POINTER(c_size_t)
_FUNCTIONS: dict[str, tuple[Any, list[Any]]] = {
    "abi_version": (c_uint32, []),
    "free": (None, [c_void_p]),
    "events_destroy": (None, [c_void_p]),
    "events_steps": (c_void_p, [c_void_p, _COUNT]),
    "events_segments": (c_void_p, [c_void_p, _COUNT]),
    "events_gaps": (c_void_p, [c_void_p, _COUNT]),
    "events_non_wear": (c_void_p, [c_void_p, _COUNT]),
    "events_join": (None, [c_void_p]),
    "analyzer_create": (c_void_p, []),
    "analyzer_destroy": (None, [c_void_p]),
    "analyzer_add": (c_int32, [c_void_p, POINTER(CSamples), _ERROR]),
    "analyzer_add_trace": (c_int32, [c_void_p, c_void_p, c_size_t, _ERROR]),
    "analyzer_finish": (None, [c_void_p]),
    "analyzer_take": (c_void_p, [c_void_p]),
    "analyzer_provisional": (c_void_p, [c_void_p]),
    "analyzer_quality": (None, [c_void_p, POINTER(CQuality)]),
    "analyzer_record_seconds": (c_int32, [c_void_p, _ERROR]),
    "analyzer_take_seconds": (c_void_p, [c_void_p, _COUNT]),
    "seconds_free": (None, [c_void_p]),
    "gait_inputs_create": (c_void_p, [POINTER(CSamples), _ERROR]),
    "gait_inputs_destroy": (None, [c_void_p]),
    "gait_inputs_signals": (c_void_p, [c_void_p, _COUNT]),
    "windows_measure": (c_void_p, [POINTER(CSamples), _COUNT, _ERROR]),
    "windows_free": (None, [c_void_p]),
    "trace_open": (c_void_p, [c_char_p, POINTER(CTraceOptions), _ERROR]),
    "trace_destroy": (None, [c_void_p]),
    "trace_next": (c_int32, [c_void_p, POINTER(CBatch), _ERROR]),
    "trace_progress": (c_double, [c_void_p]),
    "trace_layout": (c_void_p, [c_void_p]),
    "trace_notes": (c_void_p, [c_void_p]),
    "trace_warnings": (c_void_p, [c_void_p]),
    "trace_explain": (c_void_p, [c_char_p, POINTER(CTraceOptions), _ERROR]),
    "history_open": (c_void_p, [c_char_p, c_int32, _ERROR]),
    "history_destroy": (None, [c_void_p]),
    "history_record": (c_int32, [c_void_p, c_void_p, c_char_p, c_char_p, _ERROR]),
    "history_source": (c_void_p, [c_void_p, _ERROR]),
    "history_extent": (c_int32, [c_void_p, c_char_p, POINTER(CSpan), _ERROR]),
    "history_steps": (c_void_p, [c_void_p, c_char_p, c_int64, c_int64, c_int32, _COUNT, _ERROR]),
    "counts_free": (None, [c_void_p]),
    "history_events": (c_void_p, [c_void_p, c_char_p, c_int64, c_int64, _ERROR]),
}


class Library:
    """The functions of libFootfallC without their prefix."""

    def __init__(self, path: str) -> None:
        library = ctypes.CDLL(path)
        for name, (result, arguments) in _FUNCTIONS.items():
            function = getattr(library, f"footfall_{name}")
            function.restype, function.argtypes = result, arguments
            setattr(self, name, function)
        if self.abi_version() != ABI_VERSION:
            raise ImportError(f"{path}: its interface has version {self.abi_version()}, this package needs {ABI_VERSION}")

    def __getattr__(self, name: str) -> Any:  # for type checkers: the functions are set above
        raise AttributeError(name)

    def check(self, status: int, error: CError) -> int:
        """Returns OK or END, and raises the error of any other status."""
        if status not in (OK, END):
            raise error.exception()
        return status

    def made(self, pointer: Any, error: CError) -> Any:
        """Returns a pointer, and raises the error of a null one."""
        if not pointer:
            raise error.exception()
        return pointer

    def text(self, pointer: int | None) -> str:
        """Takes a text."""
        try:
            return ctypes.string_at(pointer).decode() if pointer else ""
        finally:
            self.free(pointer)


def array(first: int, count: int, kind: Any) -> NDArray[Any]:
    """A copy of structures of the library as a numpy array."""
    if not count:
        return np.empty(0, dtype=kind)
    structures: Any = (kind * count).from_address(first)
    return np.frombuffer(structures, dtype=kind).copy()


def _nothing() -> None:
    """What a handle becomes in another process."""


class Handle:
    """An object of the library, which ends with this one. Copies share it; it does not pickle, and becomes None."""

    def __init__(self, pointer: int, destroy: Any) -> None:
        self.pointer, self._destroy, self._process = pointer, destroy, os.getpid()

    @property
    def is_own(self) -> bool:
        """Whether this process made the object: SQLite forbids a forked one to use a connection of its parent (“How To Corrupt
        An SQLite Database File”, 2.6)."""
        # An object that was not made completely has no process.
        return getattr(self, "_process", None) == os.getpid()

    def __copy__(self) -> Handle:
        return self

    def __deepcopy__(self, _: Any) -> Handle:
        return self

    def __reduce__(self) -> tuple[Any, ...]:
        return _nothing, ()

    def __del__(self) -> None:
        if self.is_own:
            self._destroy(self.pointer)


# FOOTFALL_LIBRARY names another build of the library, for development.
library = Library(os.environ.get("FOOTFALL_LIBRARY") or os.path.join(os.path.dirname(__file__), "libFootfallC.so"))
