"""Sensor logs as paths, bytes and open files."""

from __future__ import annotations

import io
import os
import weakref
from collections.abc import Iterator
from contextlib import contextmanager
from typing import IO, Any, Protocol

from footfall._library import Error, UsageError


class Member(Protocol):
    """A file that is no path of the system, such as `zipfile.Path` and those of `importlib.resources`."""

    def read_bytes(self) -> bytes: ...


Source = str | os.PathLike[str] | bytes | bytearray | memoryview | IO[bytes] | IO[str] | Member


def is_log(given: Any) -> bool:
    """Whether a path, the bytes of a file or an open file is given."""
    is_file = hasattr(given, "read") or hasattr(given, "read_bytes")
    return is_file or isinstance(given, (str, os.PathLike, bytes, bytearray, memoryview))


class File:
    """The path of a log. What has no path of its own is copied into a temporary file, which ends with this object.

    The content of an open file is read from its position on. Its name helps to find the sensor, as that of any file does.
    """

    def __init__(self, source: Source) -> None:
        if source == "":
            raise UsageError("the path is empty", "name a log")
        if isinstance(source, (str, os.PathLike)):
            self.path = self.name = os.fspath(source)
        elif isinstance(source, (bytes, bytearray, memoryview)):
            self.name = "bytes"
            self._copy(io.BytesIO(bytes(source)))
        elif hasattr(source, "read_bytes"):
            self.name = getattr(source, "name", "bytes")
            self._copy(io.BytesIO(source.read_bytes()))
        elif hasattr(source, "read"):
            name = getattr(source, "name", None)
            if isinstance(name, str) and _is_whole(source, name):
                self.path = self.name = os.path.abspath(name)
                return
            self.name = os.path.basename(name) if isinstance(name, str) and os.path.basename(name) else "stream"
            self._copy(source)
        else:
            raise UsageError(f"the log is a {type(source).__name__}", "give a path, bytes or an open file")

    def _copy(self, source: Any) -> None:
        # What few calls need of the standard library is imported late: all of it doubles the time of `import footfall`.
        import shutil
        import tempfile

        folder = tempfile.mkdtemp(prefix="footfall-")
        weakref.finalize(self, shutil.rmtree, folder, ignore_errors=True)
        self.path = os.path.join(folder, self.name)
        with open(self.path, "wb") as file:
            while block := source.read(1 << 20):
                file.write(block.encode() if isinstance(block, str) else block)

    @contextmanager
    def named(self) -> Iterator[None]:
        """Gives errors about a temporary file the name of what it holds."""
        try:
            yield
        except Error as error:
            if error.path != self.path:
                raise
            raise type(error)(error.problem, error.remedy, self.name, error.line) from None

    def __reduce__(self) -> tuple[Any, ...]:
        # A path pickles as it is, for it need not be copied; a temporary file pickles with its content.
        if self.name == self.path:
            return File, (self.path,)
        with open(self.path, "rb") as file:
            return _restored, (self.name, file.read())


def _is_whole(source: Any, path: str) -> bool:
    """Whether an open file is at the start of the file at a path."""
    try:
        return bool(source.tell() == 0 and os.path.samestat(os.fstat(source.fileno()), os.stat(path)))
    except (AttributeError, OSError):
        return False


def _restored(name: str, content: bytes) -> File:
    source = io.BytesIO(content)
    source.name = name
    return File(source)
