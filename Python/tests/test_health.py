"""Health records of a history, and the steps that phones and watches export."""

import csv
import json
import re
import subprocess
import sys
import zipfile
from datetime import datetime, timedelta, timezone
from urllib.parse import unquote

import footfall
import numpy as np
import pytest
from conftest import ROOT
from footfall import health

BERLIN = {"tz": "Europe/Berlin"}
NIGHT = ("2026-03-28T00:00+01:00", "2026-03-31T00:00+02:00")


@pytest.fixture(scope="module")
def history(tmp_path_factory):
    """A walk on the evening before the clocks go forward, none on that day of 23 hours, and another walk on the day after."""
    path = tmp_path_factory.mktemp("health") / "steps.sqlite"
    with footfall.History(path) as history:
        for start in ("2026-03-28T22:55:00", "2026-03-30T06:00:20"):
            result = footfall.analyze(ROOT / "SensorTraces" / "commute.csv", start=start)
            history.record(result, source="wrist", **BERLIN)
        yield history


def observations(bundle, code):
    resources = [entry["resource"] for entry in bundle["entry"]]
    return [one for one in resources if one["resourceType"] == "Observation" and one["code"]["coding"][0]["code"] == code]


def test_days_are_observations_with_their_coverage(history):
    pytest.importorskip("fhir.resources")
    bundle = health.fhir(history, *NIGHT, patient="Patient/ann", **BERLIN)
    days = {one["effectiveDateTime"]: one for one in observations(bundle, "41950-7")}
    assert list(days) == ["2026-03-28", "2026-03-29", "2026-03-30"]
    counts = [day.get("valueQuantity", {}).get("value") for day in days.values()]
    rows = history.steps(*NIGHT, by="day").steps.tolist()
    assert counts == [rows[0], rows[1], 568] and sum(counts) == 2 * 568
    # 300 s are before midnight, and 360 s after, in a day of 23 hours.
    shares = [day["component"][0]["valueQuantity"]["value"] for day in days.values()]
    assert shares == [pytest.approx(value, abs=0.05) for value in (300 / 864, 360 / 828, 660 / 864)]
    assert days["2026-03-28"]["valueQuantity"]["code"] == "/d"
    assert days["2026-03-28"]["valueQuantity"]["system"] == "http://unitsofmeasure.org"
    codes = [category["coding"][0]["code"] for category in days["2026-03-28"]["category"]]
    assert codes == ["activity", "PhysicalActivity"]
    assert days["2026-03-28"]["meta"]["profile"][0].endswith("/pa-observation-time-measure")
    devices = [entry for entry in bundle["entry"] if entry["resource"]["resourceType"] == "Device"]
    assert [entry["fullUrl"] for entry in devices] == [days["2026-03-28"]["device"]["reference"]]


def test_a_day_without_samples_has_a_reason_and_no_zero(tmp_path, walk):
    pytest.importorskip("fhir.resources")
    with footfall.History(tmp_path / "steps.sqlite") as history:
        for start in ("2026-03-02T08:00:00", "2026-03-04T08:00:00"):
            history.record(footfall.analyze(walk, start=start), source="wrist")
        bundle = health.fhir(history, patient="Patient/ann")
    for code in ("41950-7", "77592-4", "77593-2"):
        first, none, _ = observations(bundle, code)
        assert "valueQuantity" in first and "dataAbsentReason" not in first
        assert none["dataAbsentReason"]["coding"][0]["code"] == "not-performed" and "valueQuantity" not in none
    assert observations(bundle, "41950-7")[1]["component"][0]["valueQuantity"]["value"] == 0


def test_a_day_that_the_history_no_longer_keeps_is_unknown(tmp_path, walk):
    pytest.importorskip("fhir.resources")
    with footfall.History(tmp_path / "steps.sqlite") as history:
        assert len(health.fhir(history, patient="Patient/ann")["entry"]) == 1 and health.healthkit(history) == []
        for start in ("2026-03-01T08:00:00", "2026-03-10T08:00:00"):
            history.record(footfall.analyze(walk, start=start), source="wrist")
        bundle = health.fhir(history, "2026-03-01", "2026-03-11", patient="Patient/ann")
    days = {one["effectiveDateTime"]: one for one in observations(bundle, "41950-7")}
    reasons = [day["dataAbsentReason"]["coding"][0]["code"] for day in days.values() if "dataAbsentReason" in day]
    assert reasons == ["unknown"] * 3 + ["not-performed"] * 6 and days["2026-03-10"]["valueQuantity"]["value"] == 568


def test_minutes_of_intensity_are_those_of_the_command(history, command, tmp_path):
    pytest.importorskip("fhir.resources")
    with footfall.History(tmp_path / "steps.sqlite") as one:
        one.record(footfall.analyze(ROOT / "SensorTraces" / "commute.csv", start="2026-03-30T06:00:20"), source="wrist")
        bundle = health.fhir(one, patient="Patient/ann")
    run = [command, "query", "measures", "--by", "day", "--history", tmp_path / "steps.sqlite", "--output", "json"]
    row = json.loads(subprocess.run(run, check=True, capture_output=True).stdout)[0]
    moderate, vigorous = (observations(bundle, code)[0]["valueQuantity"]["value"] for code in ("77592-4", "77593-2"))
    assert (moderate + vigorous, vigorous) == (row["cadence100PlusMinutes"], row["cadence130PlusMinutes"])
    assert vigorous > 0


def test_periods_and_minutes_have_all_steps_and_do_not_overlap(history):
    pytest.importorskip("fhir.resources")
    bundle = health.fhir(history, patient="Patient/ann", **BERLIN)
    periods = [(one["effectivePeriod"], one["valueQuantity"]["value"]) for one in observations(bundle, "55423-8")]
    points = [
        ({"start": point["body"]["effective_time_frame"]["time_interval"]["start_date_time"],
          "end": point["body"]["effective_time_frame"]["time_interval"]["end_date_time"]},
         point["body"]["base_movement_quantity"]["value"])
        for point in health.ieee1752(history, **BERLIN)
    ]  # fmt: skip
    minutes = [({"start": one["startTime"], "end": one["endTime"]}, one["count"]) for one in health.health_connect(history, **BERLIN)]
    samples = [({"start": one["startDate"], "end": one["endDate"]}, one["quantity"]) for one in health.healthkit(history, **BERLIN)]
    assert periods == points and minutes == samples
    for records in (periods, minutes):
        times = [datetime.fromisoformat(span[key]) for span, _ in records for key in ("start", "end")]
        assert times == sorted(times) and sum(steps for _, steps in records) == 2 * 568
        assert all(0 < steps <= 1_000_000 for _, steps in records)


def test_adjacent_ranges_add_up(history):
    cut = "2026-03-28T22:56:30Z"
    for records in (health.ieee1752, health.health_connect):
        both = records(history, None, cut) + records(history, cut, None)
        values = [one.get("count") or one["body"]["base_movement_quantity"]["value"] for one in both]
        assert sum(values) == 2 * 568
    ends = [one["endTime"] for one in health.health_connect(history, None, cut)]
    assert ends[-1] == "2026-03-28T22:56:30.000+00:00"


def test_a_record_has_the_offset_of_its_time(history):
    offsets = [one["startZoneOffset"] for one in health.health_connect(history, **BERLIN)]
    assert offsets[0] == "+01:00" and offsets[-1] == "+02:00" and offsets == sorted(offsets)
    assert {one["metadata"]["HKTimeZone"] for one in health.healthkit(history, **BERLIN)} == {"Europe/Berlin"}


def test_records_that_are_written_again_replace_themselves(history):
    def keys():
        metadata = [one["metadata"] for one in health.health_connect(history)]
        return [one["clientRecordId"] for one in metadata], metadata[0]["clientRecordVersion"]

    (first, version), (again, later) = keys(), keys()
    assert first == again and len(set(first)) == len(first) and later >= version
    pytest.importorskip("fhir.resources")
    bundle = health.fhir(history, patient="Patient/ann", **BERLIN)
    assert bundle == health.fhir(history, patient="Patient/ann", **BERLIN)
    for entry in bundle["entry"]:
        found = entry["resource"]["identifier"][0]
        kind = entry["resource"]["resourceType"]
        assert unquote(entry["request"]["url"]) == f"{kind}?identifier={found['system']}|{found['value']}"
    other = health.fhir(history, patient="Patient/ben", **BERLIN)
    assert not {entry["fullUrl"] for entry in other["entry"][1:]} & {entry["fullUrl"] for entry in bundle["entry"]}


@pytest.mark.parametrize(
    ("records", "part", "key"),
    [
        (health.ieee1752, "header", "uuid"), (health.health_connect, "metadata", "clientRecordId"),
        (health.healthkit, "metadata", "HKMetadataKeySyncIdentifier"),
    ],
)  # fmt: skip
def test_the_only_source_has_the_same_identifiers_with_and_without_its_name(history, records, part, key):
    unnamed, named = ([one[part][key] for one in records(history, source=source)] for source in (None, "wrist"))
    assert named and named == unnamed


def test_the_only_source_has_the_same_resources_with_and_without_its_name(history):
    pytest.importorskip("fhir.resources")
    unnamed, named = (health.fhir(history, patient="Patient/ann", source=source, **BERLIN) for source in (None, "wrist"))
    assert named == unnamed


DATA_POINT = {
    "type": "object",
    "required": ["header", "body"],
    "properties": {
        "header": {
            "type": "object",
            "required": ["uuid", "schema_id", "source_creation_date_time", "modality"],
            "properties": {
                "uuid": {"pattern": "^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$"},
                "schema_id": {"const": {"namespace": "ieee", "name": "physical-activity", "version": "1.0"}},
                "source_creation_date_time": {"$ref": "#/$defs/time"},
                "modality": {"enum": ["sensed", "self-reported"]},
                "external_datasheets": {
                    "type": "array", "minItems": 1,
                    "items": {"required": ["datasheet_type", "datasheet_reference"]},
                },
            },
        },
        "body": {
            "type": "object",
            "required": ["activity_name", "effective_time_frame"],
            "additionalProperties": False,
            "properties": {
                "activity_name": {"type": "string", "minLength": 1},
                "effective_time_frame": {
                    "type": "object", "required": ["time_interval"], "additionalProperties": False,
                    "properties": {
                        "time_interval": {
                            "type": "object", "required": ["start_date_time", "end_date_time"], "additionalProperties": False,
                            "properties": {"start_date_time": {"$ref": "#/$defs/time"}, "end_date_time": {"$ref": "#/$defs/time"}},
                        }
                    },
                },
                "base_movement_quantity": {"$ref": "#/$defs/quantity", "properties": {"unit": {"const": "steps"}}},
                "duration": {"$ref": "#/$defs/quantity", "properties": {"unit": {"enum": ["sec", "min", "h"]}}},
                "average_cadence": {"$ref": "#/$defs/quantity", "properties": {"unit": {"const": "steps/min"}}},
            },
        },
    },
    "$defs": {
        "time": {"pattern": r"^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?(Z|[+-]\d\d:\d\d)$"},
        "quantity": {"type": "object", "required": ["value", "unit"], "properties": {"value": {"type": "number"}}},
    },
}  # fmt: skip
"""What the schemas physical-activity 1.0 and header of IEEE 1752.1 ask for, as far as Footfall writes it."""


def test_data_points_are_valid_by_the_schema(history):
    jsonschema = pytest.importorskip("jsonschema")
    points = json.loads(json.dumps(health.ieee1752(history, **BERLIN)))
    assert points
    for point in points:
        jsonschema.Draft202012Validator(DATA_POINT).validate(point)
    assert {point["body"]["activity_name"] for point in points} == {"walking", "running"}


@pytest.mark.parametrize(
    ("options", "message"),
    [({"tz": "Mars/Olympus"}, "Europe/Berlin"), ({"tz": "UTC"}, "midnight"), ({"patient": "ann", **BERLIN}, "Patient/ann")],
)
def test_what_is_no_zone_and_no_patient_is_refused(history, options, message):
    pytest.importorskip("fhir.resources")
    with pytest.raises(footfall.UsageError, match=message):
        health.fhir(history, **{"patient": "Patient/ann", **options})


HEAD = """<?xml version="1.0" encoding="UTF-8"?>
<!DOCTYPE HealthData [
<!ELEMENT HealthData (ExportDate,Me,(Record|Workout)*)>
<!ATTLIST Record
  type CDATA #REQUIRED
>
<!ATTLIST Broken bpm CDATA #REQUIRED time CDATA
]>
<HealthData locale="de_DE">
 <ExportDate value="2026-11-21 09:00:00 +0100"/>
"""


def record(start, end, steps, counter="Watch", kind="StepCount"):
    """A record as Apple writes it, in the zone of Berlin in winter."""
    times = " ".join(
        f'{name}Date="{datetime.fromtimestamp(time, timezone(timedelta(hours=1))):%Y-%m-%d %H:%M:%S %z}"'
        for name, time in (("creation", end), ("start", start), ("end", end))
    )
    return (
        f' <Record type="HKQuantityTypeIdentifier{kind}" sourceName="{counter}" sourceVersion="11.2" unit="count" '
        f'device="&lt;&lt;HKDevice: 0x30&gt;, name:Apple Watch&gt;" {times} value="{steps}">\n'
        '  <MetadataEntry key="HKMetadataKeySyncVersion" value="1"/>\n </Record>\n'
    )


T0 = int(datetime(2026, 11, 20, 8, tzinfo=timezone.utc).timestamp())


def export(path, records):
    path.write_text(HEAD + "".join(records) + "</HealthData>\n", encoding="utf-8")
    return path


def test_an_export_of_apple_health_has_counters(tmp_path):
    records = [record(T0, T0 + 60, 110), record(T0, T0 + 300, 400, "Anns iPhone"), record(T0, T0, 70, kind="HeartRate"),
               record(T0 + 120, T0 + 180, 90)]  # fmt: skip
    file = export(tmp_path / "export.xml", records)
    assert next(health.apple(file)) == health.Counted(T0, T0 + 60, 110, "Watch")
    table = health.counters(health.apple(file))
    assert (table.counter.tolist(), table.steps.tolist(), table.records.tolist()) == (["Watch", "Anns iPhone"], [200, 400], [2, 1])
    assert table.start[0] == np.datetime64("2026-11-20T08:00:00") and table.end[0] == np.datetime64("2026-11-20T08:03:00")
    with zipfile.ZipFile(tmp_path / "export.zip", "w") as archive:
        archive.writestr("apple_health_export/export_cda.xml", "<ClinicalDocument/>")
        archive.write(file, "apple_health_export/export.xml")
    assert list(health.apple(tmp_path / "export.zip")) == list(health.apple(file))


def test_what_is_no_export_is_refused_with_its_place(tmp_path):
    cut = tmp_path / "cut.xml"
    cut.write_text((HEAD + record(T0, T0 + 60, 110) * 3)[:-20])
    with pytest.raises(footfall.DataError, match=r"cut.xml:\d+: damaged"):
        list(health.apple(cut))
    odd = export(tmp_path / "odd.xml", [record(T0, T0 + 60, 110), record(T0, T0 + 60, "many")])
    with pytest.raises(footfall.DataError, match=r"odd.xml:1\d: damaged: .*many"):
        list(health.apple(odd))
    (tmp_path / "letter").write_text("Dear Sir or Madam,\n" * 100)
    with pytest.raises(footfall.DataError, match="export of Apple Health"):
        list(health.apple(tmp_path / "letter"))
    with pytest.raises(footfall.DataError, match="Google Fit"):
        list(health.takeout(tmp_path / "letter"))
    with pytest.raises(footfall.FileError, match="none.zip"):
        list(health.apple(tmp_path / "none.zip"))
    with pytest.raises(footfall.DataError, match="step_count"):
        list(health.takeout(tmp_path))


def points(count, name="derived:com.google.step_count.delta:merged"):
    every = [
        {"fitValue": [{"value": {"intVal": 100 + index % 20}}], "originDataSourceId": "raw:\"phone\"",
         "endTimeNanos": (T0 + 60 * index + 60) * 10**9, "dataTypeName": "com.google.step_count.delta",
         "startTimeNanos": str((T0 + 60 * index) * 10**9), "modifiedTimeMillis": 1, "rawTimestampNanos": 0}
        for index in range(count)
    ]  # fmt: skip
    return json.dumps({"Data Source": name, "Data Points": every}, indent=1)


def test_a_takeout_of_google_fit_has_counters(tmp_path):
    folder = tmp_path / "Takeout/Fit/All Data"
    folder.mkdir(parents=True)
    names = ["derived_com.google.step_count.delta_merged.json", "raw_com.google.step_count.delta_phone.json"]
    # More points than one chunk has.
    (folder / names[0]).write_text(points(10_000))
    (folder / names[1]).write_text(points(3, "raw:phone"))
    (folder / "raw_com.google.heart_rate.bpm.json").write_text("{}")
    table = health.counters(health.takeout(tmp_path / "Takeout"))
    assert table.counter.tolist() == ["derived:com.google.step_count.delta:merged", "raw:phone"]
    assert table.records.tolist() == [10_000, 3] and table.steps.tolist() == [sum(100 + index % 20 for index in range(10_000)), 303]
    with zipfile.ZipFile(tmp_path / "takeout.zip", "w") as archive:
        for name in names:
            archive.write(folder / name, f"Takeout/Fit/All Data/{name}")
    assert list(health.takeout(tmp_path / "takeout.zip")) == list(health.takeout(folder))
    (folder / names[1]).write_text(points(10)[:-300])
    with pytest.raises(footfall.DataError, match="cut"):
        list(health.takeout(folder / names[1]))


def test_a_large_export_is_read_in_bounded_memory(tmp_path):
    """36 MB."""
    count = 100_000
    block = "".join(record(T0 + 60 * index, T0 + 60 * index + 60, 100) for index in range(1000))
    with open(tmp_path / "export.xml", "w", encoding="utf-8") as file:
        file.write(HEAD)
        for _ in range(count // 1000):
            file.write(block)
        file.write("</HealthData>\n")
    code = (
        "import resource, sys\n"
        "from footfall import health\n"
        "def most(): return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss  # kB\n"
        "before = most()\n"
        "print(sum(one.steps for one in health.apple(sys.argv[1])), most() - before)"
    )
    run = subprocess.run([sys.executable, "-c", code, tmp_path / "export.xml"], check=True, capture_output=True, text=True)
    steps, growth = map(int, run.stdout.split())
    assert steps == 100 * count and growth < 20_000


def test_another_counter_is_evaluated_by_the_command(command, tmp_path):
    # Ann's walk has half of the second record; ben's has none between others; cleo's is after the last record.
    records = [record(T0, T0 + 60, 110), record(T0 + 60, T0 + 120, 100), record(T0 + 3600, T0 + 3660, 50)]
    export(tmp_path / "export.xml", [*records, record(T0, T0 + 300, 400, "Anns iPhone")])
    walks = {"made/ann": (T0, T0 + 90), "made/ben": (T0 + 1000, T0 + 1100), "made/cleo": ("2026-11-20T10:00", "2026-11-20T11:00Z")}
    with pytest.raises(footfall.UsageError, match="Watch.*iPhone"):
        health.write_results(tmp_path / "watch.csv", health.apple(tmp_path / "export.xml"), walks)
    health.write_results(tmp_path / "watch.csv", health.apple(tmp_path / "export.xml"), walks, counter="Watch")
    rows = list(csv.reader((tmp_path / "watch.csv").open()))
    assert rows == [["recording", "steps"], ["made/ann", "160"], ["made/ben", "0"]]
    (tmp_path / "manifest.csv").write_text(
        "dataset,recording,true_steps\nmade,ann,200\nmade,ben,100\nmade,cleo,100\n"
    )
    run = [command, "evaluate", "manifest.csv", "--results", "watch.csv", "--only-results", "--output", "json"]
    found = json.loads(subprocess.run(run, cwd=tmp_path, check=True, capture_output=True).stdout)
    groups = {group["group"]: group for group in found}
    assert groups["recording made/ann"]["countedSteps"] == 160 and groups["all"]["mape"] == 60


def test_a_history_is_compared_with_another_counter(history):
    start = datetime(2026, 3, 30, 6, tzinfo=timezone.utc).timestamp()
    watch = [health.Counted(start, start + 120, 200, "Watch"), health.Counted(start + 630, start + 690, 60, "Watch")]
    table = health.compare(history, watch, "2026-03-30T06:00Z", "2026-03-30T06:12Z", by=1)
    assert table.counted.tolist() == [100, 100, *[0] * 8, 30, 30] and table.steps.sum() == 568
    moment = health.Counted(start + 600, start + 600, 5, "Watch")
    assert health.compare(history, [watch[0], moment], "2026-03-30T06:00Z", "2026-03-30T06:12Z", by=1).counted[10] == 5
    days = health.compare(history, [*watch, health.Counted(start, start, 7, "Watch")], *NIGHT, by="day")
    assert np.array_equal(days.counted, [np.nan, np.nan, 267], equal_nan=True) and days.steps[2] == 568 and days.coverage[2] == pytest.approx(660, abs=1)


def test_a_counter_without_a_record_is_refused_and_unknown_time_is_no_zero(tmp_path, history):
    watch = [health.Counted(T0, T0 + 60, 90, "Ann’s watch"), health.Counted(T0, T0 + 60, 95, "Phone")]
    for counted, words in [(watch, "one of 'Ann’s watch', 'Phone'"), ([], "the export has no steps")]:
        with pytest.raises(footfall.UsageError, match=f"there is no counter \"Ann's watch\"; .*{words}"):
            health.compare(history, counted, *NIGHT, by="day", counter="Ann's watch")
        with pytest.raises(footfall.UsageError, match=words):
            health.write_results(tmp_path / "watch.csv", counted, {"made/ann": (T0, T0 + 60)}, counter="Ann's watch")
    assert not (tmp_path / "watch.csv").exists()
    assert np.isnan(health.compare(history, [], *NIGHT, by="day").counted).all()


def test_records_need_no_other_package(tmp_path, history):
    """Only fhir needs fhir.resources, and says so."""
    code = (
        "import sys; sys.modules['fhir'] = None\n"
        "import footfall; from footfall import health\n"
        "try: health.fhir(None, patient='Patient/ann')\n"
        "except ImportError as error: print(error)"
    )
    run = subprocess.run([sys.executable, "-c", code], check=True, capture_output=True, text=True)
    assert "pip install fhir.resources" in run.stdout


def test_the_code_of_the_page_runs(tmp_path, monkeypatch):
    pytest.importorskip("fhir.resources")
    monkeypatch.chdir(tmp_path)
    with footfall.History("steps.sqlite") as history:
        result = footfall.analyze(ROOT / "SensorTraces" / "commute.csv", start="2026-11-20T08:00:00")
        history.record(result, source="wrist", **BERLIN)
    export(tmp_path / "export.xml", [record(T0, T0 + 300, 400, "Ann’s watch"), record(T0, T0 + 60, 90, "Phone")])
    with zipfile.ZipFile("export.zip", "w") as archive:
        archive.write("export.xml", "apple_health_export/export.xml")
    page = (ROOT / "Sources/FootfallHistory/FootfallHistory.docc/HealthRecords.md").read_text()
    names = {}
    for block in re.findall(r"^```python\n(.*?)^```$", page, re.M | re.S):
        exec(block, names)
    assert names["table"].rows == 2 and names["days"].counted.tolist() == [400]
    assert len(names["records"]) == len(names["samples"]) > 0 and names["points"] and names["bundle"]["entry"]
    assert (tmp_path / "watch.csv").read_text().splitlines() == ["recording,steps", "study/ann,400"]
