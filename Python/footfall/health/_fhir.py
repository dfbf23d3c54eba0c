"""Bundles of FHIR R4 by the Physical Activity Implementation Guide of HL7, version 1.0.1."""

from __future__ import annotations

from typing import Any
from urllib.parse import quote

import numpy as np

import footfall
from footfall._history import History
from footfall._library import UsageError
from footfall._moments import Time
from footfall.health._spans import Day, Range, identifier, text

GUIDE = "http://hl7.org/fhir/us/physical-activity"
ACTIVITY_CODES = f"{GUIDE}/CodeSystem/pa-temporary-codes"
UNITS = "http://unitsofmeasure.org"
CATEGORIES = [
    {"coding": [{"system": "http://terminology.hl7.org/CodeSystem/observation-category", "code": "activity"}]},
    {"coding": [{"system": ACTIVITY_CODES, "code": "PhysicalActivity"}]},
]
MODERATE, VIGOROUS = 100, 130
"""The least steps of a minute of moderate and of vigorous activity (C. Tudor-Locke et al., International Journal of Behavioral
Nutrition and Physical Activity 16, 2019), as in ``footfall query measures``."""


def fhir(
    history: History, since: Time | None = None, until: Time | None = None, *, patient: str, source: str | None = None,
    tz: str = "UTC",
) -> dict[str, Any]:
    """A transaction that stores days and periods on a FHIR server. Sent again, it replaces what it has stored.

    For each whole day that the range touches and that is over, it has Observations of the steps (LOINC 41950-7), with the share
    of the day that has samples, and of the minutes with 100 to 129 steps (moderate, 77592-4) and with more (vigorous, 77593-2).
    A day without samples has the reason ``not-performed`` in place of a value, and one that the history no longer keeps as a whole
    has ``unknown``. Each segment with steps has an Observation (55423-8). A Device names Footfall.

    Args:
        history: The history.
        since: The start of the range, see :meth:`footfall.History.steps`; all by default.
        until: Its end, not included.
        patient: The reference of the wearer on the server, such as ``"Patient/ann"``.
        source: The source; None for the only one.
        tz: The time zone with which the source was recorded.

    Returns:
        The Bundle as JSON, valid by the models of fhir.resources.

    Raises:
        UsageError: The days of the history do not begin at midnight in the zone, or the patient is no reference.
        ImportError: fhir.resources is missing: ``pip install fhir.resources``.
    """  # fmt: skip
    try:
        from fhir.resources.R4B.bundle import Bundle
    except ImportError as error:
        raise ImportError(f"{error}. Install what health records need: pip install fhir.resources") from error
    if not patient.startswith(("Patient/", "urn:uuid:", "http://", "https://")):
        raise UsageError(f"the patient is “{patient}”", "write a reference such as Patient/ann")
    span = Range(history, since, until, source, tz)
    device = {
        "resourceType": "Device",
        "manufacturer": "Footfall",
        "deviceName": [{"name": "Footfall", "type": "model-name"}],
        "version": [{"value": footfall.__version__}],
        "type": {"text": "step counter"},
    }
    builder = _Builder(patient, identifier("device", footfall.__version__), span.source)
    builder.add(builder.device, device)
    for day in span.days():
        builder.add_day(day, history)
    for period in span.periods():
        times = {"start": text(period.start, span.zone), "end": text(period.end, span.zone)}
        value = _quantity(period.steps, "steps", "{steps}")
        builder.observe("55423-8", "Number of steps in unspecified time Pedometer", period.start, None,
                        {"effectivePeriod": times, "valueQuantity": value})  # fmt: skip
    bundle = {"resourceType": "Bundle", "type": "transaction", "entry": builder.entries}
    Bundle.model_validate(bundle)
    return bundle


class _Builder:
    def __init__(self, patient: str, device: str, source: str | None) -> None:
        self.patient, self.device, self.source = patient, device, source
        self.entries: list[dict[str, Any]] = []

    def add(self, key: str, resource: dict[str, Any]) -> None:
        """Adds a resource, which replaces the one with the same identifier on the server."""
        kind, value = resource["resourceType"], f"urn:uuid:{key}"
        found = {"system": "urn:ietf:rfc:3986", "value": value}
        query = quote(f"{found['system']}|{value}", safe=":")
        self.entries.append(
            {
                "fullUrl": value,
                "resource": {**resource, "identifier": [found]},
                "request": {"method": "PUT", "url": f"{kind}?identifier={query}"},
            }
        )

    def observe(self, code: str, name: str, start: int, profile: str | None, content: dict[str, Any]) -> None:
        person = {"reference": self.patient}
        observation = {
            "resourceType": "Observation",
            "status": "final",
            "category": CATEGORIES,
            "code": {"coding": [{"system": "http://loinc.org", "code": code}], "text": name},
            "subject": person,
            "performer": [person],
            "device": {"reference": f"urn:uuid:{self.device}"},
            **content,
        }
        if profile:
            observation["meta"] = {"profile": [f"{GUIDE}/StructureDefinition/{profile}"]}
        self.add(identifier(self.patient, self.source, code, start), observation)

    def add_day(self, day: Day, history: History) -> None:
        # A day without samples has no minutes to count.
        minutes = _minutes(day, history, self.source) if day.covered else np.zeros(0, int)
        share = {
            "code": {"coding": [{"system": ACTIVITY_CODES, "code": "DeviceActivePercentage"}]},
            "valueQuantity": _quantity(round(100 * day.covered, 1), "%", "%"),
        }
        moderate = int(np.sum((minutes >= MODERATE) & (minutes < VIGOROUS)))
        vigorous = int(np.sum(minutes >= VIGOROUS))
        steps = _quantity(day.steps, "steps/day", "/d")
        measures: list[tuple[str, str, str, dict[str, Any], dict[str, Any]]] = [
            ("41950-7", "Number of steps in 24 hour Measured", "time", steps, {"component": [share]})
        ]
        for code, name, count, least in [
            ("77592-4", "Moderate physical activity", moderate, f"{MODERATE} to {VIGOROUS - 1}"),
            ("77593-2", "Vigorous physical activity", vigorous, f"{VIGOROUS} or more"),
        ]:
            note = [{"text": f"Minutes of the clock with {least} steps."}]
            measures.append((code, name, "activity", _quantity(count, "min", "min"), {"note": note}))
        for code, name, profile, value, more in measures:
            content: dict[str, Any] = {"effectiveDateTime": day.date.isoformat(), **more}
            if day.covered and not day.is_forgotten:
                content["valueQuantity"] = value
            else:
                content["dataAbsentReason"] = _absent("unknown" if day.is_forgotten else "not-performed")
            self.observe(code, name, day.start, f"pa-observation-{profile}-measure", content)


def _minutes(day: Day, history: History, source: str | None) -> Any:
    """The steps of each minute of the clock of a day."""
    rows = history.steps(np.datetime64(day.start, "ns"), np.datetime64(day.end, "ns"), by=1, source=source)
    return rows.steps


def _quantity(value: float, unit: str, code: str) -> dict[str, Any]:
    return {"value": value, "unit": unit, "system": UNITS, "code": code}


def _absent(code: str) -> dict[str, Any]:
    return {"coding": [{"system": "http://terminology.hl7.org/CodeSystem/data-absent-reason", "code": code}]}
