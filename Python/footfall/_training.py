"""What the models of Footfall read from samples. The notebooks that train them use it; its numbers change with the models."""

from __future__ import annotations

import ctypes
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from footfall._library import CError, CGaitSignal, CSamples, CWindow, Handle, array, library
from footfall._samples import Times, c_samples, native, vectors

CADENCES, INPUTS, LANES = 6, 74, 5


class GaitSignal(NamedTuple):
    """What the walking gate and its check read from a contiguous signal.

    Attributes:
        start: The number of the first value; value n belongs to n × 40 ms.
        values: x, y, z and magnitude below 5 Hz, and the magnitude of the rest, in g, shape (n, 5).
        seconds: The numbers of the seconds, shape (s,).
        cadences: The cadences of each second in Hz, the most regular first; 0 for none, shape (s, 6).
        inputs: Their 49 inputs for the gate and 25 more for the check, shape (s, 6, 74).
    """

    start: int
    values: NDArray[np.float32]
    seconds: NDArray[np.int64]
    cadences: NDArray[np.float32]
    inputs: NDArray[np.float32]


def gait_signals(time: ArrayLike, xyz: ArrayLike) -> list[GaitSignal]:
    """The contiguous signals of a second or more in samples, as the analyzer makes them.

    Args:
        time: The time of each sample or the rate, see :meth:`footfall.Analyzer.add`.
        xyz: Accelerations in g with gravity, shape (n, 3).
    """
    (samples, _owners), error, count = _samples(time, xyz), CError(), ctypes.c_size_t()
    pointer = library.gait_inputs_create(ctypes.byref(samples), ctypes.byref(error))
    handle = Handle(library.made(pointer, error), library.gait_inputs_destroy)
    first = library.gait_inputs_signals(handle.pointer, ctypes.byref(count))
    if not count.value:
        return []
    signals: Any = (CGaitSignal * count.value).from_address(first)
    return [
        GaitSignal(
            signal.start,
            _rows(signal.values, (signal.value_count, LANES)),
            np.arange(signal.first_second, signal.first_second + signal.second_count),
            _rows(signal.cadences, (signal.second_count, CADENCES)),
            _rows(signal.inputs, (signal.second_count, CADENCES, INPUTS)),
        )
        for signal in signals
    ]


def windows(time: ArrayLike, xyz: ArrayLike) -> NDArray[Any]:
    """What the activity classifier reads from the window around the middle of each whole second, as the analyzer measures it.

    Args:
        time: The time of each sample or the rate, see :meth:`footfall.Analyzer.add`.
        xyz: Accelerations in g with gravity, shape (n, 3).

    Returns:
        A row for each second: its number ``second``, the sixteen ``features``, the ``rms`` of the three axes together
        without their means in g, the sample ``rate`` in Hz over half a minute, ``is_noise`` if the classifier takes the
        window for noise, and ``is_sprung`` if it cannot be that of a bicycle. The seconds of a contiguous signal are
        consecutive; one that is shorter than a window has no row.
    """
    (samples, _owners), error, count = _samples(time, xyz), CError(), ctypes.c_size_t()
    first = library.windows_measure(ctypes.byref(samples), ctypes.byref(count), ctypes.byref(error))
    library.made(first, error)
    try:
        return array(first, count.value, CWindow)
    finally:
        library.windows_free(first)


def _samples(time: ArrayLike, xyz: ArrayLike) -> tuple[CSamples, tuple[NDArray[Any], NDArray[Any]]]:
    """Samples in g for the library, and the arrays that own them."""
    values = native(vectors(xyz))
    times = Times(time, len(values)).chunk(slice(0, len(values)))
    return c_samples(times, values, 1.0), (times, values)


def _rows(first: int, shape: tuple[int, ...]) -> NDArray[np.float32]:
    """A copy of numbers of the library."""
    numbers: Any = (ctypes.c_float * int(np.prod(shape))).from_address(first)
    return np.frombuffer(numbers, np.float32).reshape(shape).copy()
