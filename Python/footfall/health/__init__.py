"""Steps in the forms of health records, and the steps that phones and watches have exported.

::

    from footfall import History, health

    with History("steps.sqlite", read_only=True) as history:
        health.fhir(history, "2026-11-20T00:00+01:00", "2026-11-21T00:00+01:00", patient="Patient/ann", tz="Europe/Berlin")
        health.ieee1752(history)                    # data points of physical-activity:1.0
        health.health_connect(history)              # StepsRecords for an app on Android
        health.healthkit(history)                   # samples for an app on iOS

    health.counters(health.apple("export.zip"))     # the phone and the watch, each with its steps
    health.compare(history, health.apple("export.zip"), counter="Ann’s watch", by="day")
    health.write_results("watch.csv", health.apple("export.zip"), {"study/ann": ("2026-11-20T08:00Z", "2026-11-20T09:00Z")})

All results are JSON as Python has it: dictionaries, lists, texts and numbers. Without data there is no record and no zero.
"""

from footfall.health._exports import Counted, apple, compare, counters, takeout, write_results
from footfall.health._fhir import fhir
from footfall.health._records import health_connect, healthkit, ieee1752

__all__ = [
    "Counted",
    "apple",
    "compare",
    "counters",
    "fhir",
    "health_connect",
    "healthkit",
    "ieee1752",
    "takeout",
    "write_results",
]
