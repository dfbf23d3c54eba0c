"""The results of an analysis: steps, activities, and the counts of samples."""

from __future__ import annotations

import ctypes
import os
import re
import warnings
from dataclasses import dataclass, field, fields
from typing import TYPE_CHECKING, Any, TypeVar

import numpy as np
from numpy.typing import NDArray

from footfall import _library
from footfall._library import CQuality, CSegment, CSpan, CStep, Handle, UsageError, library
from footfall._tables import Table, lines, same, shortened

if TYPE_CHECKING:
    import matplotlib.axes
    import pandas
    import pyarrow

ACTIVITIES = np.array(["stationary", "walking", "running", "automotive", "cycling", "unknown"])
CONFIDENCES = np.array(["low", "medium", "high"])
REASONS = np.array(["", "too short", "low rate", "handled", "unclear", "not worn", "exercise"])

# The columns of activities that the text of a result has: as many as fit 80 characters.
SHOWN = ("start", "end", "activity", "steps", "confidence")

# The rates in Hz about which the command warns, too (Sources/FootfallStudy/Logs/TraceWarnings.swift).
LOWEST_RATE, HIGHEST_RATE = 11.5, 1600

# 2000-01-01 in nanoseconds since 1970. The reader takes earlier times for times since the start of a log, too.
EARLIEST_DATE = 946_684_800_000_000_000


# The share of rows above which the command refuses a log (Sources/FootfallStudy/Logs/TraceWarnings.swift). Of times in disorder,
# as large a share steps back; of series behind each other, few do.
ACCEPTED_LOSS = 0.1


class LossWarning(UserWarning):
    """More than a tenth of the rows are dropped. The command refuses such a log."""


@dataclass(frozen=True)
class Clock:
    """The form of times, in and out.

    Attributes:
        kind: "date" for datetime64, "duration" for timedelta64, else "number".
        unit: The nanoseconds of one unit of a number.
    """

    kind: str = "number"
    unit: int = 1_000_000_000

    def out(self, nanoseconds: NDArray[np.int64]) -> NDArray[Any]:
        """Times in this form. Nanoseconds stay integers, because a float does not hold their digits."""
        if self.kind == "number":
            return nanoseconds if self.unit == 1 else nanoseconds / self.unit
        return nanoseconds.view("datetime64[ns]" if self.kind == "date" else "timedelta64[ns]")


def nanoseconds_of(times: NDArray[Any], clock: Clock) -> NDArray[np.int64]:
    """Times as nanoseconds."""
    is_number = clock.kind == "number" and clock.unit != 1
    return np.round(times * clock.unit).astype(np.int64) if is_number else times.astype(np.int64)


@dataclass(frozen=True)
class Quality:
    """Counts of samples, received and dropped.

    Attributes:
        samples: Samples received, used or not.
        duplicates: Dropped, because they repeat the sample before.
        backward: Dropped, because their time steps back.
        leaping: Dropped, because their time leaps more than seven days ahead.
        unusable: Dropped, because a value is not finite or beyond 4e9 g, or the time lies outside 1900 to 2150.
        impulses: Dropped, because no motion of a body can make such isolated samples.
        gaps: Spans without samples between spans with samples.
        coverage: The time covered by samples, in seconds.
        rate: The measured rate in Hz; nan for fewer than two samples.
    """

    samples: int
    duplicates: int
    backward: int
    leaping: int
    unusable: int
    impulses: int
    gaps: int
    coverage: float
    rate: float

    @classmethod
    def _of(cls, analyzer: Handle) -> Quality:
        found = CQuality()
        library.analyzer_quality(analyzer.pointer, ctypes.byref(found))
        values = {name: getattr(found, name) for name in cls.__dataclass_fields__}
        values["rate"] = values["rate"] or float("nan")
        return cls(**values)

    @property
    def _warnings(self) -> tuple[str, ...]:
        """What was dropped, and rates at which no steps are found."""
        reasons = {
            "backward": "their times step back",
            "leaping": "their times leap more than seven days ahead",
            "unusable": "a value is missing, infinite or huge, the time lies outside 1900 to 2150, or thousands have one time",
            "impulses": "isolated values that no motion of a body makes; check the cable or the sensor",
        }
        counts = {name: getattr(self, name) for name in reasons if getattr(self, name)}
        told = [f"{count} of {self.samples} samples dropped: {reasons[name]}" for name, count in counts.items()]
        if self.rate < LOWEST_RATE:
            told.append(f"{self.rate:.1f} Hz is too slow to find steps reliably; 12.5 Hz is the least")
        if self.rate > HIGHEST_RATE:
            told.append(
                f"{self.rate:.1f} Hz is too fast for a worn sensor: check whether the times are seconds, not minutes, and have all "
                "of their digits; time_unit may help"
            )
        if np.isnan(self.rate) and self.samples - self.duplicates - sum(counts.values()) > 1:
            told.append("the samples are too far apart for a signal; time_unit may help")
        return tuple(told)


def warn_of_loss(result: Result, steps_back: int, name: str, stacklevel: int) -> None:
    """Warns if more than a tenth of the rows are dropped. A row that repeats the one before is no loss.

    Args:
        result: The result.
        steps_back: How often the times step back.
        name: The log; empty for arrays.
        stacklevel: That of `warnings.warn`, from the caller.
    """
    quality = result.quality
    told = [re.fullmatch(r"(\d+) (?:row|record)s? dropped: (.*)", text) for text in result.warnings]
    reasons = [(int(match[1]), match[2]) for match in told if match and not match[2].startswith("damaged")]
    rows = quality.samples - quality.duplicates + sum(count for count, _ in reasons)
    reasons += [(quality.backward, "times step back"), (quality.unusable, "not usable")]
    lost = sum(count for count, _ in reasons)
    if lost <= ACCEPTED_LOSS * rows:
        return
    reasons = [(count, reason) for count, reason in reasons if count]
    parts = ", ".join(f"{count} {reason}" if len(reasons) > 1 else reason for count, reason in reasons)
    remedy = ""
    if 2 * quality.backward > lost and steps_back > ACCEPTED_LOSS * rows:
        remedy = "; the rows are unsorted: sort them by time"
    elif 2 * quality.backward > lost:
        places = f"{steps_back} places" if steps_back > 1 else "one place"
        remedy = f"; the times begin again at {places}: analyze each series alone"
        remedy += ", if a column names them by such as rows='user=1'" if name else ""
    place = f"{name}: " if name else ""
    warnings.warn(f"{place}{lost} of {rows} rows are dropped: {parts}{remedy}", LossWarning, stacklevel + 1)


@dataclass(frozen=True, eq=False)
class Events:
    """Steps and activities, in order of time. Times have the form of the input; those of a history are datetime64[ns].

    Attributes:
        steps: The times of the initial contacts.
        activities: A table of segments: start, end, activity, confidence (low, medium, high), probability (0 to 1), steps,
            reason (why an activity is unknown).
        gaps: A table of spans without samples: start, end.
        non_wear: A table of spans in which the sensor was not worn: start, end.
    """

    steps: NDArray[Any]
    activities: Table
    gaps: Table
    non_wear: Table
    _clock: Clock = field(repr=False)
    _events: Handle | None = field(repr=False)

    def _tables(self) -> dict[str, Table]:
        return {"steps": Table(time=self.steps), "activities": self.activities, "gaps": self.gaps, "non_wear": self.non_wear}

    def _table(self, name: str) -> Table:
        tables = self._tables()
        if name not in tables:
            raise UsageError(f"there is no table “{name}”", f"write one of {', '.join(tables)}")
        return tables[name]

    def to_pandas(self, table: str = "activities") -> pandas.DataFrame:
        """A table as a data frame, see :meth:`Table.to_pandas`.

        Args:
            table: "activities", "steps", "gaps" or "non_wear".
        """
        return self._table(table).to_pandas()

    def to_arrow(self, table: str = "activities") -> pyarrow.Table:
        """A table for Arrow, see :meth:`Table.to_arrow`; `table` as for :meth:`to_pandas`."""
        return self._table(table).to_arrow()

    def to_parquet(self, folder: str | os.PathLike[str]) -> None:
        """Writes steps.parquet, activities.parquet, gaps.parquet and non_wear.parquet into a folder, and creates it."""
        os.makedirs(folder, exist_ok=True)
        for name, table in self._tables().items():
            table.to_parquet(os.path.join(folder, f"{name}.parquet"))

    def plot(self, axes: matplotlib.axes.Axes | None = None) -> matplotlib.axes.Axes:
        """Draws the activities as colours, and the steps of each minute over them. It needs matplotlib.

        Args:
            axes: Where to draw; new ones by default.
        """
        from footfall._pictures import draw

        drawn: matplotlib.axes.Axes = draw(self, axes)
        return drawn

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Events):
            return NotImplemented
        if type(self) is not type(other):
            return False
        pairs = [(getattr(self, item.name), getattr(other, item.name)) for item in fields(self) if item.repr]
        return all(same(one, two) if isinstance(one, np.ndarray) else one == two for one, two in pairs)

    __hash__ = None  # type: ignore[assignment]

    def _head(self) -> list[str]:
        return shortened(f"{len(self.steps)} steps; gaps: {self.gaps.rows}; spans without wear: {self.non_wear.rows}")

    def __repr__(self) -> str:
        return "\n".join([*self._head(), *lines(Table({name: self.activities[name] for name in SHOWN}))])

    def _repr_html_(self) -> str:
        from footfall._tables import escaped

        return "".join(f"<p>{escaped(line)}</p>" for line in self._head()) + self.activities._repr_html_()


Found = TypeVar("Found", bound=Events)


@dataclass(frozen=True, eq=False, repr=False)
class Result(Events):
    """The steps and activities that an analysis finds.

    Attributes:
        qualities: How much the second of each step resembles gait, 0 to 1.
        quality: Counts of the samples, used and dropped.
        layout: How the samples or the log were read; empty where nothing had to be found.
        notes: Assumptions that a user should check.
        warnings: What was dropped, and a rate at which no steps are found.
    """

    qualities: NDArray[np.float32]
    quality: Quality
    layout: str = ""
    notes: tuple[str, ...] = ()
    warnings: tuple[str, ...] = ()
    _may_change: bool = field(default=False, repr=False)

    def _tables(self) -> dict[str, Table]:
        return {**super()._tables(), "steps": Table(time=self.steps, quality=self.qualities)}

    def _head(self) -> list[str]:
        quality = self.quality
        head = [
            f"{len(self.steps)} steps in {duration(quality.coverage)} with samples "
            f"({quality.samples} samples, {quality.rate:.1f} Hz); gaps: {quality.gaps}"
        ]
        told = [self.layout, *(f"note: {text}" for text in self.notes), *(f"warning: {text}" for text in self.warnings)]
        told = [text for text in told if text]
        more = [f"and {len(told) - TOLD} more in .notes and .warnings"] if len(told) > TOLD else []
        return [line for text in [*head, *told[:TOLD], *more] for line in shortened(text)]


# The lines about a log that the text of a result has.
TOLD = 6


def duration(seconds: float) -> str:
    """A length of time in words."""
    minutes, hours = round(seconds / 60), round(seconds) // 3600
    return f"{seconds:.1f} s" if seconds < 60 else f"{minutes} min" if not hours else f"{hours} h {minutes - 60 * hours:02} min"


def found(kind: type[Found], events: Handle, clock: Clock, **more: Any) -> Found:
    """The events of the library as arrays."""
    library.events_join(events.pointer)
    steps = _array(library.events_steps, events, CStep)
    segments = _array(library.events_segments, events, CSegment)
    activities = Table(
        start=clock.out(segments["start"].copy()),
        end=clock.out(segments["end"].copy()),
        activity=ACTIVITIES[segments["activity"]],
        confidence=CONFIDENCES[segments["confidence"]],
        probability=segments["probability"].copy(),
        steps=segments["steps"].copy(),
        reason=REASONS[segments["reason"]],
    )
    non_wear = _spans(library.events_non_wear, events, clock)
    if kind is Events:
        # A history has them as activities alone.
        is_off = activities.reason == "not worn"
        non_wear = Table(start=activities.start[is_off], end=activities.end[is_off])
    else:
        more["qualities"] = steps["quality"].copy()
    return kind(
        steps=clock.out(steps["time"].copy()), activities=activities, gaps=_spans(library.events_gaps, events, clock),
        non_wear=non_wear, _clock=clock, _events=events, **more,
    )  # fmt: skip


def _spans(function: Any, events: Handle, clock: Clock) -> Table:
    spans = _array(function, events, CSpan)
    return Table(start=clock.out(spans["start"].copy()), end=clock.out(spans["end"].copy()))


def _array(function: Any, events: Handle, kind: Any) -> NDArray[Any]:
    count = ctypes.c_size_t()
    first = function(events.pointer, ctypes.byref(count))
    return _library.array(first, count.value, kind)
