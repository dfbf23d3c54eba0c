"""Steps and activities from raw accelerometer samples.

>>> import footfall
>>> import numpy as np
>>> rest = footfall.analyze(100.0, np.tile([0.0, 0.0, 1.0], (6000, 1)))   # a minute at 100 Hz, at rest
>>> len(rest.steps), rest.activities.activity.tolist()
(0, ['stationary'])

Acceleration is in g, gravity included, unless a unit is given. Times are seconds, ``datetime64`` or a rate.
"""

from footfall._analysis import analyze, seconds
from footfall._analyzer import Analyzer
from footfall._explanation import Explanation
from footfall._history import History
from footfall._library import DataError, Error, FileError, StorageError, UsageError
from footfall._results import Events, LossWarning, Quality, Result
from footfall._study import Study, study
from footfall._tables import Table
from footfall._traces import Log, explain, read

__version__ = "0.1.0"

__all__ = [
    "Analyzer",
    "DataError",
    "Error",
    "Events",
    "Explanation",
    "FileError",
    "History",
    "Log",
    "LossWarning",
    "Quality",
    "Result",
    "StorageError",
    "Study",
    "Table",
    "UsageError",
    "analyze",
    "explain",
    "read",
    "seconds",
    "study",
]
