"""Tables: named columns of equal length, which become data frames and Parquet."""

from __future__ import annotations

import os
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from footfall._library import FileError, UsageError

if TYPE_CHECKING:
    import pandas
    import pyarrow

# The rows that a table shows, and the widest column and line, so that it fits a screen of 24 lines by 80 columns.
SHOWN, WIDEST, SCREEN = 10, 26, 79


class Table(dict[str, NDArray[Any]]):
    """Named columns of equal length: numpy arrays, by key or as attributes.

    >>> table = Table(start=np.array([0.0, 30.0]), activity=np.array(["stationary", "walking"]))
    >>> len(table), table.activity.tolist()
    (2, ['stationary', 'walking'])
    >>> table
    start  activity
        0  stationary
       30  walking

    ``len(table)`` is the number of rows; iteration gives the names of the columns. Two tables are equal if their columns are,
    in names and values. ``pandas.DataFrame(table)`` and ``polars.DataFrame(dict(table))`` make data frames, too.

    Attributes:
        units: The unit of each column that has one, such as "s" or "mg".
    """

    def __init__(
        self, *columns: Mapping[str, NDArray[Any]], units: Mapping[str, str] | None = None, **more: NDArray[Any]
    ) -> None:
        super().__init__(*columns, **more)
        self.units: dict[str, str] = dict(units or {})

    def __getattr__(self, name: str) -> NDArray[Any]:
        try:
            return self[name]
        except KeyError:
            raise AttributeError(f"there is no column {name}") from None

    @property
    def rows(self) -> int:
        """The number of rows."""
        return len(next(iter(self.values()), ()))

    def __len__(self) -> int:
        return self.rows

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Mapping):
            return NotImplemented
        return list(self) == list(other) and all(same(self[name], other[name]) for name in self)

    def __ne__(self, other: object) -> bool:
        return not self == other

    __hash__ = None

    def __repr__(self) -> str:
        return "\n".join(lines(self)) or "a table without columns"

    def _repr_html_(self) -> str:
        head = "".join(f"<th>{escaped(name)}</th>" for name in self)
        rows = zip(*(texts(column[:SHOWN]) for column in self.values()))
        body = "".join("<tr>" + "".join(f"<td>{escaped(cell)}</td>" for cell in row) + "</tr>" for row in rows)
        more = f"<p>{self.rows} rows</p>" if self.rows > SHOWN else ""
        return f"<table><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table>{more}"

    def to_pandas(self) -> pandas.DataFrame:
        """The table as a data frame of pandas. Times have the zone UTC, local ones none; ``frame.attrs["units"]`` has the units."""
        frame: pandas.DataFrame = module("pandas").DataFrame({name: column for name, column in self.items()})
        for name, column in self.items():
            if column.dtype == "datetime64[ns]":
                frame[name] = frame[name].dt.tz_localize("UTC")
        frame.attrs["units"] = dict(self.units)
        return frame

    def to_arrow(self) -> pyarrow.Table:
        """The table of Arrow. Times have the zone UTC, local ones none, and the metadata of a field has its unit."""
        arrow = module("pyarrow")
        arrays = [
            arrow.array(column, type=arrow.timestamp("ns", "UTC")) if column.dtype == "datetime64[ns]" else arrow.array(column)
            for column in self.values()
        ]
        fields = [
            arrow.field(name, array.type, metadata={"unit": self.units[name]} if name in self.units else None)
            for name, array in zip(self, arrays)
        ]
        return arrow.Table.from_arrays(arrays, schema=arrow.schema(fields))

    def to_parquet(self, path: str | os.PathLike[str]) -> None:
        """Writes a Parquet file, with the zone of dates and the units in its schema."""
        table = self.to_arrow()
        module("pyarrow.parquet").write_table(table, os.fspath(path))


def module(name: str) -> Any:
    """A module that only some users have."""
    import importlib

    try:
        return importlib.import_module(name)
    except ImportError:
        package = name.partition(".")[0]
        raise UsageError(f"{package} is not installed", f"install it: pip install {package}") from None


def content_of(path: str | os.PathLike[str]) -> bytes:
    """The bytes of a file. Raises FileError."""
    try:
        with open(path, "rb") as file:
            return file.read()
    except OSError as error:
        raise FileError(f"cannot be read: {error.strerror}", "", os.fspath(path)) from None


def written(path: str | os.PathLike[str]) -> tuple[str, str]:
    """The text of a table that people write, and its separator: in the forms of spreadsheets that the command reads, too."""
    content = content_of(path)
    try:
        text = content.decode("utf-8-sig")
    except UnicodeDecodeError:
        text = content.decode("latin-1")
    # The most frequent one of the titles.
    return text, max(",;\t", key=text.partition("\n")[0].count)


def same(one: Any, other: Any) -> bool:
    """Whether two columns have the same values; nan is equal to nan."""
    one, other = np.asarray(one), np.asarray(other)
    return bool(np.array_equal(one, other, equal_nan=one.dtype.kind in "fmM" and other.dtype.kind in "fmM"))


def texts(column: NDArray[Any]) -> list[str]:
    """The values of a column as texts for a screen."""
    if column.dtype in ("datetime64[ns]", "datetime64[us]"):
        # To the millisecond, as the command prints times.
        return ["" if np.isnat(value) else str(value).replace("T", " ") for value in column.astype("datetime64[ms]")]
    if column.dtype.kind == "f":
        return ["" if np.isnan(value) else f"{value:.10g}" if abs(value) >= 1e4 else f"{value:.4g}" for value in column]
    return ["" if value is None else str(value) for value in column.tolist()]


def escaped(text: str) -> str:
    """A text in HTML."""
    return text.replace("&", "&amp;").replace("<", "&lt;")


def lines(table: Table, shown: int = SHOWN) -> list[str]:
    """The first rows of a table, its titles above them, and what is left out."""
    columns: list[list[str]] = []
    width = 0
    for name, values in table.items():
        cells = [text if len(text) <= WIDEST else text[: WIDEST - 1] + "…" for text in [name, *texts(values[:shown])]]
        longest = max(map(len, cells))
        if columns and width + 2 + longest > SCREEN:
            break
        is_number = values.dtype.kind in "iuf"
        columns.append([cell.rjust(longest) if is_number else cell.ljust(longest) for cell in cells])
        width += longest + (2 if columns[1:] else 0)
    found = ["  ".join(row).rstrip() for row in zip(*columns)]
    left_out = []
    if table.rows > shown:
        left_out.append(f"{table.rows} rows")
    if dict.__len__(table) > len(columns):
        left_out.append("also " + ", ".join(list(table)[len(columns) :]))
    return found + shortened("; ".join(left_out))


def shortened(text: str) -> list[str]:
    """A line that fits the screen; none for an empty text."""
    return [text if len(text) <= SCREEN else text[: SCREEN - 1] + "…"] if text else []
