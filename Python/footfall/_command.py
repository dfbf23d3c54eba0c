"""The installed command, which computes what the library does not: tables of studies, and the measures of a history."""

from __future__ import annotations

import errno
import json
import os
import re
from collections.abc import Callable, Sequence
from functools import cache
from typing import IO, TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from footfall._library import DataError, Error, FileError, StorageError, UsageError
from footfall._tables import Table

if TYPE_CHECKING:
    import subprocess

# The errors of the command by its exit status.
ERRORS: dict[int, type[Error]] = {64: UsageError, 65: DataError, 66: FileError, 77: FileError}


def path() -> str:
    """The command, which FOOTFALL_COMMAND names, or which is on the PATH."""
    import shutil

    found = os.environ.get("FOOTFALL_COMMAND") or shutil.which("footfall")
    if not found:
        raise UsageError("the footfall command is not installed", "install it, or name it in FOOTFALL_COMMAND")
    return found


def run(*arguments: str | os.PathLike[str], stdout: IO[str] | None = None) -> subprocess.CompletedProcess[str]:
    """Runs the command to its end. What it prints goes into a file, or is kept as text."""
    import subprocess

    pipe, nothing = subprocess.PIPE, subprocess.DEVNULL
    try:
        return subprocess.run([path(), *arguments], text=True, stdin=nothing, stdout=stdout or pipe, stderr=pipe)
    except OSError as error:
        if error.errno == errno.E2BIG:
            raise UsageError("the list of arguments is too long for the system", "give the folder of the logs") from None
        raise UsageError(f"the footfall command cannot be run: {error}", "name it in FOOTFALL_COMMAND") from None


def output(*arguments: str | os.PathLike[str]) -> str:
    """What the command prints. Raises its error."""
    done = run(*arguments)
    if done.returncode:
        raise error(done)
    return done.stdout


def error(done: subprocess.CompletedProcess[str]) -> Error:
    """The error of a command that failed."""
    return ERRORS.get(done.returncode, StorageError)("; ".join(lines(done.stderr)) or "the command failed")


def lines(text: str) -> list[str]:
    """What the command says on standard error, without its name and its usage."""
    said = [line.removeprefix("footfall: ") for line in text.splitlines()]
    return [line for line in said if line.strip() and not line.startswith(("Usage:", "  See '"))]


def json_rows(*arguments: str | os.PathLike[str]) -> list[dict[str, Any]]:
    """The rows that the command prints as JSON."""
    return json.loads(output(*arguments, "--output", "json"))  # type: ignore[no-any-return]


@cache
def columns() -> dict[str, dict[str, dict[str, Any]]]:
    """What the command says about its columns, by table and column: kind, unit and meaning."""
    found: dict[str, dict[str, dict[str, Any]]] = {}
    for row in json.loads(output("columns", "--output", "json")):
        found.setdefault(row["table"], {})[row["column"]] = row
    return found


def table(rows: Sequence[dict[str, Any]], name: str, part: str = "") -> Table:
    """A table of rows whose columns the command describes under a name. Lists and objects of JSON are left out.

    Args:
        rows: The rows; an empty text and None are missing.
        name: The name of the table.
        part: What stands before the columns in the descriptions, such as "sources."
    """
    facts = {column.removeprefix(part): fact for column, fact in columns().get(name, {}).items() if column.startswith(part)}
    flat = [column for column, fact in facts.items() if "." not in column and fact["kind"] not in ("list", "object")]
    names = [column for column, value in rows[0].items() if not isinstance(value, (list, dict))] if rows else flat
    kinds = {column: facts[column]["kind"] if column in facts else "text" for column in names}
    return Table(
        {column: array([row.get(column) for row in rows], kinds[column]) for column in names},
        units={column: facts[column]["unit"] for column in names if column in facts and facts[column]["unit"]},
    )


def array(values: Sequence[Any], kind: str) -> NDArray[Any]:
    """Values of a kind of column as an array: None and empty text are missing."""
    return KINDS.get(kind, _text)([None if value == "" else value for value in values])


def _text(values: list[Any]) -> NDArray[Any]:
    return np.array(["" if value is None else str(value) for value in values], dtype=str)


def _number(values: list[Any]) -> NDArray[Any]:
    return np.array([np.nan if value is None else float(value) for value in values], dtype=np.float64)


def _count(values: list[Any]) -> NDArray[Any]:
    return _number(values) if None in values else np.array([int(value) for value in values], dtype=np.int64)


def _flag(values: list[Any]) -> NDArray[Any]:
    return np.array([str(value).lower() == "true" for value in values], dtype=bool)


def _time(values: list[Any]) -> NDArray[Any]:
    return np.array([moment(value) for value in values], dtype="datetime64[ns]")


def _local_time(values: list[Any]) -> NDArray[Any]:
    # Microseconds, as steps have them: only UTC is datetime64[ns].
    return np.array(["NaT" if value is None else value for value in values], dtype="datetime64[us]")


def _date(values: list[Any]) -> NDArray[Any]:
    return np.array([np.datetime64("NaT") if value is None else value for value in values], dtype="datetime64[D]")


def moment(text: str | None) -> np.datetime64:
    """A time in ISO 8601 with an offset as UTC."""
    if text is None:
        return np.datetime64("NaT", "ns")
    local, sign, hours, minutes = re.fullmatch(r"(.*?)(?:Z|([+-])(\d\d):(\d\d))", text).groups()  # type: ignore[union-attr]
    offset = (int(hours) * 60 + int(minutes)) * (-1 if sign == "-" else 1) if sign else 0
    return np.datetime64(local, "ns") - np.timedelta64(offset, "m")


KINDS: dict[str, Callable[[list[Any]], NDArray[Any]]] = {
    "number": _number, "count": _count, "time": _time, "localTime": _local_time, "date": _date, "boolean": _flag,
}  # fmt: skip
