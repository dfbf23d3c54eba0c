"""The forms in which samples and logs come."""

import array
import gzip
import io
import zipfile
from datetime import datetime, timedelta, timezone

import footfall
import numpy as np
import pytest

START = np.datetime64("2026-07-01T08:00", "ns")


@pytest.fixture(scope="session")
def steps(samples):
    return footfall.analyze(*samples).steps


@pytest.fixture(scope="session")
def dates(samples):
    return START + np.round(samples[0] * 1e9).astype("timedelta64[ns]")


@pytest.mark.parametrize(
    ("scale", "words"),
    [(9.80665, "in m/s² (from the values)"), (1000, "in mg (from the values)"), (16384, "in counts of 1/16384 g")],
)
def test_the_unit_of_arrays_is_found_and_told(samples, steps, scale, words):
    values = samples[1] * scale if scale < 100 else np.round(samples[1] * scale).astype(np.int32)
    result = footfall.analyze(samples[0], values)
    assert abs(len(result.steps) - len(steps)) <= 1 and words in result.layout
    assert footfall.seconds(samples[0], values).steps.sum() == len(result.steps)


def test_counts_without_a_sign_get_theirs(samples, steps):
    counts = np.clip(np.round(samples[1] * 8192), -32768, 32767).astype(np.int16)
    result = footfall.analyze(samples[0], counts.view(np.uint16))
    assert "two's complement of 16 bits" in result.layout
    assert np.array_equal(result.steps, footfall.analyze(samples[0], counts).steps) and abs(len(result.steps) - len(steps)) <= 1


@pytest.mark.parametrize(("unit", "scale"), [("ms", 1e3), ("us", 1e6), ("ns", 1e9)])
def test_the_clock_of_arrays_is_found_and_told(samples, dates, steps, unit, scale):
    result = footfall.analyze(samples[0] * scale, samples[1])
    assert len(result.steps) == len(steps) and f"time in {unit} since start".replace("us", "µs") in result.layout
    # Times have the unit of the input.
    assert np.allclose(result.steps / scale, steps, atol=1e-6)
    since_1970 = dates.astype(np.int64) // (10**9 // int(scale))
    found = footfall.analyze(since_1970, samples[1])
    assert abs(len(found.steps) - len(steps)) <= 1 and "since 1970" in found.layout
    assert samples[0][0] <= (found.steps[0] - since_1970[0]) / scale <= samples[0][-1]


def test_nanoseconds_keep_their_digits(dates, samples):
    result = footfall.analyze(dates.astype(np.int64), samples[1])
    assert result.steps.dtype == np.int64
    assert np.array_equal(result.steps, footfall.analyze(dates, samples[1]).steps.astype(np.int64))


def test_times_that_run_backwards_are_read_in_reverse(samples, dates, steps):
    for time in (samples[0], dates):
        result = footfall.analyze(time[::-1], samples[1][::-1])
        assert len(result.steps) == len(steps) and "in reverse" in result.notes[0]


def test_the_rows_of_a_frame_are_sorted_by_time(samples, dates, steps):
    def frame(rows, time=samples[0]):
        return {"time": time[rows], **{axis: samples[1][rows, index] for index, axis in enumerate("xyz")}}

    rows = np.arange(len(dates))
    for order in (np.random.default_rng(1).permutation(rows), np.roll(rows, 10_000), np.argsort(samples[1][:, 0])):
        for time in (samples[0], dates):
            result = footfall.analyze(frame(order, time))
            assert len(result.steps) == len(steps) and result.quality.backward == 0
            assert result.notes == ("the rows were sorted by time",)
    # Two series of the same time would be mixed, and the repair of a clock that was set back by a little is that of a log.
    assert footfall.analyze(frame(np.tile(rows, 2))).quality.backward == len(rows) - 1
    assert footfall.analyze(frame(rows, samples[0] - (rows > 20_000))).notes == ()


def test_what_is_no_acceleration_is_refused_and_can_be_insisted_on(samples):
    time, xyz = samples
    linear, turning = xyz - xyz.mean(axis=0), np.random.default_rng(58).normal(0, 50, xyz.shape)
    for values, words in [(linear, "without gravity"), (turning, "gravity"), (xyz * 0, "without gravity"), (xyz * 257, "unit")]:
        with pytest.raises(footfall.DataError, match=words) as refused:
            footfall.analyze(time, values)
        assert "unit" in refused.value.remedy and "columns" not in str(refused.value)
        assert footfall.analyze(time, values, unit="g").quality.samples == len(time)
    with pytest.raises(footfall.DataError, match="counts the rows.*in the place of the times"):
        footfall.analyze(np.arange(len(time)), xyz)
    assert footfall.analyze(np.arange(len(time)), xyz, time_unit="ms").quality.rate == pytest.approx(1000)
    with pytest.raises(footfall.UsageError, match="time_unit"):
        footfall.analyze(time, xyz, time_unit="weeks")


def test_few_samples_are_read_in_g_with_a_note(samples):
    time, xyz = samples
    for values in (xyz[:200] * 0, xyz[:200] * 3.63):
        result = footfall.analyze(time[:200], values)
        assert "too few samples to judge" in result.notes[0] and "in g (assumed)" in result.layout
    # What the values of few samples show is used.
    assert "in m/s² (from the values)" in footfall.analyze(time[:200], xyz[:200] * 9.80665).layout
    with pytest.raises(footfall.DataError, match="counts the rows"):
        footfall.analyze(np.arange(200), xyz[:200])


def test_the_numbers_of_an_analog_sensor_have_their_zero(samples, steps):
    counts = np.round(samples[1] * 68 + 338).astype(np.int16)
    found = footfall.analyze(samples[0], counts)
    assert abs(len(found.steps) - len(steps)) <= 3 and "zero=338" in found.notes[0]
    # Their scale is assumed, so no activity is certain.
    assert "(assumed)" in found.layout and "high" not in found.activities.confidence
    insisting = footfall.analyze(samples[0], counts, zero=(338, 338, 338), unit=68, time_unit="s")
    assert abs(len(insisting.steps) - len(steps)) <= 3 and insisting.layout == ""


def test_dropped_samples_are_told(samples):
    time, xyz = samples[0].copy(), samples[1].copy()
    xyz[100:110] = np.nan
    time[500:600] = time[400:500]
    result = footfall.analyze(time, xyz)
    assert any("10 of 33000 samples dropped" in text and "missing" in text for text in result.warnings)
    assert any("step back" in text for text in result.warnings)


def test_a_loss_of_more_than_a_tenth_is_a_warning(walk, samples, dates, tmp_path):
    time, xyz = samples
    rows = walk.read_bytes().splitlines()
    twice = [b"user," + rows[0], *(b"%d,%s" % (user, row) for user in (1, 2) for row in rows[1:6001])]
    (tmp_path / "two.csv").write_bytes(b"\n".join(twice))
    with pytest.warns(footfall.LossWarning, match=r"two.csv: 5999 of 11999 rows are dropped: .*one place: .*rows='user=1'") as told:
        footfall.analyze(tmp_path / "two.csv")
    assert told[0].filename == __file__
    lines = [row if index % 5 else b"0.0,none,0,1" for index, row in enumerate(rows[1:3001])]
    with pytest.warns(footfall.LossWarning, match="600 of 3000 rows are dropped: not a number"):
        footfall.analyze(b"\n".join([rows[0], *lines]))
    with pytest.warns(footfall.LossWarning, match="5999 of 11999 rows .*one place: analyze each series alone$"):
        footfall.analyze({"user": np.repeat([1, 2], 6000), "t": np.tile(time[:6000], 2), **dict(zip("xyz", np.tile(xyz[:6000].T, 2)))})
    holes = np.where(np.arange(len(xyz))[:, None] % 5 == 0, np.nan, xyz)
    with pytest.warns(footfall.LossWarning, match="6600 of 33000 rows are dropped: not usable$"):
        footfall.analyze(time, holes)
    # Without the order of time, no unit of time helps.
    order = np.random.default_rng(1).permutation(6000)
    with pytest.raises(footfall.DataError, match="times step back, so the rows are unsorted; sort them by time"):
        footfall.analyze(time[order], xyz[order])
    with pytest.warns(footfall.LossWarning, match="times step back; the rows are unsorted: sort them by time"):
        footfall.analyze(dates[order], xyz[order], unit="g")


def test_times_that_are_no_signal_are_told(walk, samples):
    """Without a step, and without a word, a wrong clock looks like rest."""
    time, xyz = samples
    few_digits = (time + 1.78e9).astype(np.float32)
    for times, given, words in [
        (few_digits, xyz, "1000000000.0 Hz is too fast"), (time * 1000, xyz, "too far apart"),
        (time[::10], xyz[::10], "5.0 Hz is too slow"), (time / 60, xyz, "not minutes"), (np.full(len(time), 3.0), xyz, "one time"),
    ]:  # fmt: skip
        result = footfall.analyze(times, given, time_unit="s")
        assert any(words in text for text in result.warnings), (words, result)
    # A log tells what the analyzer drops of it, too.
    lines = walk.read_bytes().splitlines(keepends=True)
    assert any("5.0 Hz" in text for text in footfall.analyze(b"".join(lines[:1] + lines[1::10])).warnings)
    again = footfall.analyze(b"".join(lines[:600] + lines[400:]))
    assert any(f"{again.quality.backward} of" in text and "step back" in text for text in again.warnings)
    assert footfall.analyze(walk).warnings == footfall.analyze(time, xyz).warnings == ()


def test_a_masked_value_is_missing(samples, dates):
    time, xyz = samples
    off = np.zeros(len(time), dtype=bool)
    off[5000:8000] = True
    expected = footfall.analyze(time, np.where(off[:, None], np.nan, xyz))
    assert expected.quality.unusable == 3000
    garbage = np.where(off[:, None], -999, xyz)
    mask = np.repeat(off[:, None], 3, axis=1)
    for values in (np.ma.array(garbage, mask=mask), np.ma.array(np.round(garbage * 1e3).astype(np.int64), mask=mask)):
        result = footfall.analyze(time, values)
        assert result.quality.unusable == 3000 and np.allclose(result.steps, expected.steps, atol=1e-3)
    for times in (np.ma.array(np.where(off, 1e5, time), mask=off), np.ma.array(dates, mask=off)):
        assert footfall.analyze(times, xyz).quality.unusable == 3000
    assert len(footfall.analyze(np.ma.array(time), np.ma.array(xyz)).steps) == 568


def test_durations_come_back_as_durations(samples, steps, dates):
    result = footfall.analyze(dates - START, samples[1])
    assert result.steps.dtype == np.dtype("timedelta64[ns]")
    assert np.allclose(result.steps / np.timedelta64(1, "s"), steps)


def test_python_numbers_and_moments_are_read(samples, steps):
    time, xyz = samples
    zone = timezone(timedelta(hours=2))
    moments = [datetime(2026, 7, 1, 10, tzinfo=zone) + timedelta(seconds=second) for second in time.tolist()]
    assert footfall.analyze(moments, xyz).activities.start[0] == START
    for times in (time.tolist(), array.array("d", time), time.astype(np.longdouble)):
        assert np.array_equal(footfall.analyze(times, xyz.tolist()).steps, steps)


def test_durations_and_missing_moments_of_python_are_read(samples, steps):
    time, xyz = samples
    durations = footfall.analyze([timedelta(seconds=second) for second in time.tolist()], xyz)
    assert durations.steps.dtype == np.dtype("timedelta64[ns]") and len(durations.steps) == len(steps)
    moments = [datetime(2026, 7, 1, 8) + timedelta(seconds=second) for second in time.tolist()]
    result = footfall.analyze([None, *moments[1:]], xyz)
    assert result.quality.unusable == 1 and result.activities.start[0] == START + np.timedelta64(20_100, "us")


def test_columns_by_name_are_read(samples, steps):
    time, xyz = samples
    columns = {"time": time, **{axis: xyz[:, index] for index, axis in enumerate("xyz")}}
    structure = np.rec.fromarrays(list(columns.values()), names=list(columns))
    for given in (columns, footfall.Table(columns), structure):
        assert np.array_equal(footfall.analyze(given).steps, steps)
    with pytest.raises(footfall.UsageError, match="several lengths"):
        footfall.analyze({**columns, "z": xyz[:10, 2]})
    # What is no acceleration is refused as arrays are.
    for nothing in ({}, footfall.Table()):
        with pytest.raises(footfall.UsageError, match="no columns"):
            footfall.analyze(nothing)
    commas = {name: np.array([str(value).replace(".", ",") for value in column.tolist()]) for name, column in columns.items()}
    with pytest.raises(footfall.DataError, match="decimal commas"):
        footfall.analyze(commas)
    titled = dict(zip(("Zeit", "Beschl. X", "Beschl. Y", "Beschl. Z"), columns.values()))
    with pytest.raises(footfall.DataError) as refused:
        footfall.analyze(titled)
    # The remedy names the columns, and works.
    assert "columns='Zeit,Beschl. X,Beschl. Y,Beschl. Z', unit='g'" in refused.value.remedy
    assert np.array_equal(footfall.analyze(titled, columns="Zeit,Beschl. X,Beschl. Y,Beschl. Z", unit="g").steps, steps)
    linear = xyz - xyz.mean(axis=0)
    without = {"time": time, **{axis: linear[:, index] for index, axis in enumerate("xyz")}}
    with pytest.raises(footfall.DataError, match="without gravity"):
        footfall.analyze(without)
    assert footfall.analyze(without, unit="g").quality.samples == len(time)


def test_an_option_of_another_type_is_named(walk):
    for option in ({"rate": "50"}, {"rate": 0}, {"tz": 1}, {"zero": "a"}, {"zero": (1, 2)}, {"rows": 5}, {"columns": 5}, {"unit": 0},
                   {"unit": [1]}, {"unit": True}, {"time_unit": 3}):  # fmt: skip
        with pytest.raises(footfall.UsageError, match=f"^{next(iter(option))} is"):
            footfall.read(walk, **option)
    assert len(footfall.analyze(walk, columns=["time", "x", "y", "z"]).steps) == 568
    with pytest.raises(footfall.UsageError, match="time_unit"):
        footfall.Analyzer(time_unit="weeks")


def test_data_of_pandas_is_read(samples, steps, dates):
    pd = pytest.importorskip("pandas")
    time, xyz = samples
    frame = pd.DataFrame({"time": time, "x": xyz[:, 0], "y": xyz[:, 1], "z": xyz[:, 2]})
    axes = frame[["x", "y", "z"]]
    assert np.array_equal(footfall.analyze(frame.time, axes).steps, steps)
    local = pd.Series(dates).dt.tz_localize("UTC").dt.tz_convert("Europe/Berlin")
    for times in (local, pd.DatetimeIndex(local), local.astype(object)):
        assert footfall.analyze(times, axes).activities.start[0] == START
    assert footfall.analyze(pd.to_timedelta(time, unit="s"), axes).steps.dtype.kind == "m"
    missing = np.zeros((len(time), 3), dtype=bool)
    missing[5000:8000] = True
    for kind in ("Float64", "Float32"):
        assert footfall.analyze(frame.time.astype("Float64"), axes.astype(kind).mask(missing)).quality.unusable == 3000
    # A data frame alone: its columns are found by name and value.
    assert np.array_equal(footfall.analyze(frame).steps, steps)
    indexed = axes.set_axis(pd.DatetimeIndex(local), axis=0)
    assert footfall.analyze(indexed).activities.start[0] == START
    named = frame.rename(columns={"time": "t (ms)", "x": "acc_x", "y": "acc_y", "z": "acc_z"}).assign(note="a, b", pulse=70)
    named["t (ms)"] *= 1000
    found = footfall.analyze(named)
    assert len(found.steps) == len(steps) and "time in ms since start (from the header)" in found.layout
    renamed = frame.set_axis(["a", "b", "c", "d"], axis=1)
    for columns in ("a,b,c,d", ["a", "b", "c", "d"]):
        assert len(footfall.analyze(renamed, columns=columns).steps) == len(steps)
    assert np.array_equal(footfall.analyze(frame.set_index("time")).steps, steps)
    late = frame.assign(x=frame.x.mask(np.arange(len(frame)) < 5000), pulse=np.where(np.arange(len(frame)) % 50, np.nan, 70))
    assert footfall.analyze(late).quality.unusable == 5000
    with pytest.raises(footfall.UsageError, match="several columns have the name x"):
        footfall.analyze(pd.concat([frame, frame[["x"]]], axis=1))
    with pytest.raises(footfall.UsageError, match="several levels"):
        footfall.analyze(pd.concat({"ann": frame}))
    with pytest.raises(footfall.UsageError, match="several lengths"):
        footfall.analyze({"time": time, "x": 0.1, "y": 0.2, "z": 0.9})
    assert footfall.analyze(axes, rate=50).quality.rate == pytest.approx(50)
    with pytest.raises(footfall.DataError, match="times"):
        footfall.analyze(axes)
    # Gravity in columns of its own, as in exports of iOS.
    apart = pd.DataFrame({"time": time, **{f"gravity{axis}": xyz.mean(axis=0)[index] for index, axis in enumerate("XYZ")}})
    apart = apart.assign(**{f"userAcceleration{axis}": xyz[:, index] - xyz.mean(axis=0)[index] for index, axis in enumerate("XYZ")})
    assert abs(len(footfall.analyze(apart).steps) - len(steps)) <= 1
    with pytest.raises(footfall.UsageError, match="start"):
        footfall.analyze(frame, start="2026-07-01")


def test_data_of_polars_and_arrow_is_read(samples, steps, dates):
    pl = pytest.importorskip("polars")
    time, xyz = samples
    frame = pl.DataFrame({"time": time, **{axis: xyz[:, index] for index, axis in enumerate("xyz")}})
    local = pl.Series(dates).dt.replace_time_zone("UTC").dt.convert_time_zone("Europe/Berlin")
    for form in (frame, frame.lazy()):
        assert np.array_equal(footfall.analyze(form).steps, steps)
    assert np.array_equal(footfall.analyze(frame["time"], frame[["x", "y", "z"]]).steps, steps)
    assert footfall.analyze(local, xyz).activities.start[0] == START
    assert footfall.analyze(frame.with_columns(time=local)).activities.start[0] == START
    assert footfall.analyze(pl.Series(dates - START), xyz).steps.dtype.kind == "m"
    arrow = pytest.importorskip("pyarrow")
    assert np.array_equal(footfall.analyze(frame.to_arrow()).steps, steps)
    off = np.arange(len(time)) < 3000
    assert footfall.analyze(arrow.array(time, mask=off), xyz).quality.unusable == 3000


def test_a_log_may_be_bytes_or_an_open_file(walk, tmp_path):
    content = walk.read_bytes()
    archive = tmp_path / "study.zip"
    with zipfile.ZipFile(archive, "w") as written:
        written.writestr("data/walk.csv", content)
    with walk.open("rb") as binary, walk.open() as text, zipfile.ZipFile(archive).open("data/walk.csv") as member:
        after = walk.open("rb")
        header = after.readline()
        for source in (content, memoryview(content), io.BytesIO(content), io.StringIO(content.decode()), binary, text, member,
                       zipfile.Path(archive, "data/walk.csv"), gzip.compress(content), after):  # fmt: skip
            assert len(footfall.analyze(source, columns="1,2,3,4").steps) == 568
        after.close()
    assert header == b"time,x,y,z\n"
    assert footfall.explain(content).options["columns"] == "time,x,y,z"
    for nothing, name in [(b"", "bytes"), (io.BytesIO(), "stream")]:
        with pytest.raises(footfall.DataError, match=f"^{name}: the file is empty"):
            footfall.read(nothing)
    with pytest.raises(footfall.UsageError, match="xyz is missing"):
        footfall.analyze(object())


def test_the_start_of_a_log_is_in_its_zone(walk):
    def start(**options):
        return footfall.analyze(walk, **options).activities.start[0]

    assert start(start="2026-07-01T10:00", tz="Europe/Berlin") == START
    assert start(start=datetime(2026, 7, 1, 10), tz="+02:00") == START
    assert start(start="2026-07-01T10:00") == START + np.timedelta64(2, "h")
    # What states its zone, and datetime64, which is UTC everywhere.
    for moment in ("2026-07-01T08:00Z", "2026-07-01T09:00+01:00", np.datetime64("2026-07-01T08:00")):
        assert start(start=moment, tz="Europe/Berlin") == START
    for moment in ("tomorrow", np.datetime64("NaT"), object()):
        with pytest.raises(footfall.UsageError, match="the time is"):
            footfall.read(walk, start=moment)


def test_the_start_is_that_of_the_command(command, walk):
    import json
    import subprocess

    berlin = ["2026-07-01T10:00", "2026-10-25T02:30", "2026-03-29T02:30"]
    others = [("2026-03-29T02:30", "+02:00"), ("2026-07-01T10:00", "America/St_Johns")]
    for moment, zone in [*((moment, "Europe/Berlin") for moment in berlin), *others]:
        arguments = [command, "analyze", walk, "--start", moment, "--tz", zone, "--output", "json"]
        printed = json.loads(subprocess.run(arguments, capture_output=True, check=True).stdout)[0]["start"]
        found = footfall.analyze(walk, start=moment, tz=zone).activities.start[0]
        assert found == np.datetime64(printed.rstrip("Z"), "ns"), (moment, zone)


def test_a_rate_that_changes_in_a_stream_goes_on(samples):
    xyz = samples[1]
    live = footfall.Analyzer()
    live.add(50, xyz[:5000])
    live.add(100, np.repeat(xyz[5000:10_000], 2, axis=0))
    live.add(100, np.repeat(xyz[10_000:11_000], 2, axis=0))
    result = live.finish()
    assert result.quality.backward == 0 and result.quality.coverage == pytest.approx(220, abs=0.1)
    with pytest.raises(footfall.UsageError, match="finished"):
        live.add(50, xyz[:10])
    mixed = footfall.Analyzer()
    mixed.add(50, xyz[:100])
    with pytest.raises(footfall.UsageError, match="one form"):
        mixed.add(samples[0][:100], xyz[:100])


def test_a_stream_in_another_unit_is_noted(samples):
    time, xyz = samples
    for unit, scale, is_right in [("g", 1, True), ("m/s²", 9.80665, True), ("g", 9.80665, False), ("mg", 1, False)]:
        live = footfall.Analyzer(unit)
        for start in range(0, 3000, 250):
            live.add(time[start : start + 250], xyz[start : start + 250] * scale)
        notes = live.finish().notes
        assert not notes if is_right else "the values look like" in notes[0], (unit, scale, notes)


def test_seconds_become_the_nanoseconds_of_the_library():
    from footfall import _library
    from footfall._samples import nanoseconds

    seed = np.random.default_rng(58)
    times = np.sort(np.concatenate([seed.uniform(0, 1e3, 20_000), seed.uniform(1.7e9, 1.7e9 + 600, 20_000)]))
    xyz = np.tile([0.0, 0.0, 1.0], (len(times), 1))
    ours, theirs = footfall.Analyzer(), footfall.Analyzer()
    ours.add(times, xyz)
    samples = _library.CSamples(len(times), per_g=1.0)
    samples.time = _library.CColumn(times.ctypes.data, 8, _library.SECONDS)
    for axis in range(3):
        samples.axes[axis] = _library.CColumn(xyz[:, axis].ctypes.data, 24, _library.FLOAT64)
    error = _library.CError()
    status = _library.library.analyzer_add(theirs._handle.pointer, samples, error)
    assert status == _library.OK
    theirs._clock = ours._clock
    assert ours.finish() == theirs.finish()
    assert nanoseconds(np.array([-0.5, 1e300, np.inf])).tolist() == [-500_000_000, *[np.iinfo(np.int64).min] * 2]
