"""Records of IEEE 1752.1, Health Connect and HealthKit."""

from __future__ import annotations

import time
from typing import Any

import footfall
from footfall._history import History
from footfall._moments import Time
from footfall.health._spans import SECOND, Period, Range, identifier, text


def ieee1752(
    history: History, since: Time | None = None, until: Time | None = None, *, source: str | None = None, tz: str = "UTC",
) -> list[dict[str, Any]]:
    """Data points of the schema ``ieee:physical-activity:1.0`` of IEEE 1752.1: one for each segment with steps.

    Args:
        history: The history.
        since: The start of the range, see :meth:`footfall.History.steps`; all by default.
        until: Its end, not included.
        source: The source; None for the only one.
        tz: The time zone of the times.

    Returns:
        Data points with ``header`` and ``body``. Their identifiers stay the same when the history is asked again.
    """  # fmt: skip
    span = Range(history, since, until, source, tz)
    return [_data_point(span, period) for period in span.periods()]


def _data_point(span: Range, period: Period) -> dict[str, Any]:
    seconds = (period.end - period.start) / SECOND
    return {
        "header": {
            "uuid": identifier("ieee1752", span.source, period.start),
            "schema_id": {"namespace": "ieee", "name": "physical-activity", "version": "1.0"},
            "source_creation_date_time": text(period.end, span.zone),
            "modality": "sensed",
            "external_datasheets": [
                {"datasheet_type": "manufacturer", "datasheet_reference": f"Footfall {footfall.__version__}"}
            ],
        },
        "body": {
            # The schema has no word for an unknown activity.
            "activity_name": period.activity if period.activity != "unknown" else "generic",
            "effective_time_frame": {
                "time_interval": {
                    "start_date_time": text(period.start, span.zone),
                    "end_date_time": text(period.end, span.zone),
                }
            },
            "base_movement_quantity": {"value": period.steps, "unit": "steps"},
            "duration": {"value": round(seconds, 3), "unit": "sec"},
            "average_cadence": {"value": round(60 * period.steps / seconds, 1), "unit": "steps/min"},
        },
    }


def health_connect(
    history: History, since: Time | None = None, until: Time | None = None, *, source: str | None = None, tz: str = "UTC",
) -> list[dict[str, Any]]:
    """The members of StepsRecords of Health Connect, for an app to insert: one for each minute of the clock with steps.

    Records do not overlap, and each has 1 to 1,000,000 steps, as Health Connect asks for. An identifier stays the same, and its version
    grows with each call, so that a record that is inserted again replaces itself.

    Args: as of :func:`ieee1752`.
    """  # fmt: skip
    span = Range(history, since, until, source, tz)
    version = int(time.time())
    return [
        {
            "startTime": text(minute.start, span.zone),
            "startZoneOffset": text(minute.start, span.zone)[-6:],
            "endTime": text(minute.end, span.zone),
            "endZoneOffset": text(minute.end, span.zone)[-6:],
            "count": minute.steps,
            "metadata": {
                "clientRecordId": identifier("minute", span.source, minute.start),
                "clientRecordVersion": version,
                "recordingMethod": "RECORDING_METHOD_AUTOMATICALLY_RECORDED",
            },
        }
        for minute in span.minutes()
    ]


def healthkit(
    history: History, since: Time | None = None, until: Time | None = None, *, source: str | None = None, tz: str = "UTC",
) -> list[dict[str, Any]]:
    """The members of HKQuantitySamples of HealthKit, for an app to save: one for each minute of the clock with steps.

    A sample that is saved again replaces itself: its sync identifier stays the same, and the version grows with each call.

    Args: as of :func:`ieee1752`.
    """  # fmt: skip
    span = Range(history, since, until, source, tz)
    version = int(time.time())
    return [
        {
            "quantityType": "HKQuantityTypeIdentifierStepCount",
            "unit": "count",
            "quantity": minute.steps,
            "startDate": text(minute.start, span.zone),
            "endDate": text(minute.end, span.zone),
            "metadata": {
                "HKMetadataKeySyncIdentifier": identifier("minute", span.source, minute.start),
                "HKMetadataKeySyncVersion": version,
                "HKTimeZone": tz,
            },
        }
        for minute in span.minutes()
    ]
