internal import Footfall
package import FootfallAnswers

// The tables of `analyze --tables`, and the analyses themselves.

extension TableDescription {
    /// The table in the folder of results, and those in the folder of each trace.
    package static let results = [analysis, persons] + traceTables
    /// The tables in the folder of a trace.
    package static let traceTables = [steps, epochs, gait, gaitDays, bouts, activities, minutes, hours, days]

    package static let steps = TableDescription(
        "steps.csv", row: "a step",
        [
            .time("time", "The initial contact of the foot, to the microsecond."),
            .seconds("offset", "The time since the first sample of the trace."),
            .number("quality", nil, "The quality of the step's time, 0 to 1."),
        ], timeDecimals: 6)

    package static let epochs = TableDescription(
        "epochs.csv", row: "an epoch of 5 s of which samples cover at least 2.5 s",
        [
            .time("start", "The start of the epoch, a multiple of 5 s."),
            .number("enmoMg", "mg", "The mean of the vector magnitude minus 1 g, negative values set to 0 (ENMO)."),
            .number("madMg", "mg", "The mean amplitude deviation of the vector magnitude (MAD)."),
            .number("angleZDeg", "degrees", "The angle of the z axis above the horizontal plane, -90 to 90."),
            .number("clipped", nil, "The share of samples at the end of the sensor's range, 0 to 1."),
            .flag("worn", "Whether the sensor was worn."),
        ] + Column.counts("epoch"))

    package static let bouts = TableDescription(
        "bouts.csv", row: "a bout: steps without a break over 10 s", Column.bout)

    package static let activities = TableDescription(
        "activities.csv", row: "a segment with one activity; start and end are to the microsecond", Column.segment,
        timeDecimals: 6)

    package static let minutes = TableDescription(
        "minutes.csv", row: "a minute of a day with samples", Column.bucket + Column.epochMeans)

    package static let hours = TableDescription("hours.csv", row: "an hour of a day with samples", Column.bucket)

    package static let days = TableDescription(
        "days.csv",
        row:
            "a day with samples, of a trace, or of all persons in the folder of results; it follows from steps.csv, epochs.csv "
            + "and activities.csv", Column.day)

    package static let analysis = TableDescription(
        "traces.ndjson", row: "a trace, as analyze prints it in CSV, JSON and ndjson",
        [
            .text("trace", "The name of the trace."),
            .time("start", "The first sample."), .time("end", "The last sample."),
            .seconds("duration", "The time from the first sample to the last one."),
            .count("samples", "The samples, with those that were dropped."),
            .count("impulses", "Isolated samples that no motion of a body can make. They were dropped."),
            .number("sampleRate", "Hz", "The median rate of the samples."),
            .seconds("coverage", "The time that samples cover."),
            .spans("gaps", "The spans without samples."),
            .count("steps", "The steps."),
            .list("activities", "The segments.", of: Column.segment),
            .spans("nonWear", "The spans in which the sensor was not worn."),
            .text("layout", "How the log was read: format, columns, units."),
            .list("notes", "Assumptions and repairs made while reading, as texts."),
            .list("warnings", "What was dropped, and what limits the results, as texts."),
        ],
        derived: [
            Column(
                "calibration", .object, "The correction of the samples. In JSON, with --calibrate.",
                parts: [
                    .number("errorBefore", "g", "The mean distance from 1 g at rest before the correction."),
                    .number("errorAfter", "g", "The mean distance from 1 g at rest after the correction."),
                    .axes("scale", nil, "The factors of the axes."),
                    .axes("offset", "g", "The offsets of the axes."),
                    .axes("offsetPerDegree", "g/degC", "The changes of the offsets with temperature; 0 without one."),
                    .number("meanTemperature", "degC", "The temperature at which the offsets hold; empty without one."),
                    .count("windows", "The windows at rest that the correction rests on."),
                ]),
            Column(
                "stepTimes", .list, unit: "s",
                "The time of each step since the first sample. In JSON, with --step-times."),
            Column(
                "log", .object, "The file, by which --resume knows it. In traces.ndjson only.",
                parts: [
                    .text("path", "The absolute path."),
                    Column("size", .count, unit: "bytes", "The size."),
                    Column("modified", .count, unit: "ns since 1970", "The time of the last change."),
                    .text("hash", "The hash FNV-1a of the first and the last 64 KiB."),
                ]),
        ],
        pattern:
            "In JSON also calibration (with --calibrate) and stepTimes (with --step-times); in traces.ndjson also log, the "
            + "path, the size, the time and the hash of the file.")
}

extension Column {
    /// The columns of minutes, hours and days.
    static let bucket: [Column] =
        [
            .time("start", "The start; that of the first row is the first sample."),
            .time("end", "The end, not included; that of the last row is the last sample."),
            .count("steps", "The steps."),
            .seconds("coverage", "The time that samples cover."),
        ] + durations + [.seconds("nonWear", "The time in which the sensor was not worn, a part of unknown.")]

    /// The means of the epochs of a minute.
    static let epochMeans: [Column] =
        [
            .number("enmoMg", "mg", "The mean ENMO of the epochs that start in the minute."),
            .number("madMg", "mg", "The mean MAD of these epochs."),
            .number("angleZDeg", "degrees", "The mean angle of the z axis of these epochs."),
        ] + counts("minute")

    /// The ActiGraph counts of a time.
    static func counts(_ time: String) -> [Column] {
        [("X", "x axis"), ("Y", "y axis, axis 1 of ActiGraph"), ("Z", "z axis")].map { name, axis in
            .count(
                "counts\(name)", "The ActiGraph counts of the \(axis); empty unless samples cover the whole \(time).")
        }
    }

    /// The columns of a day. Its measures follow the columns that hours have too.
    static let day: [Column] =
        bucket + [
            .text("person", "The person: the name of the trace, or that of summarize --persons."),
            .count("logs", "The traces with samples of the day."),
            Column("date", .date, "The date of the day in the wearer's zone; empty for a log without a date."),
            .text("weekday", "Monday to Sunday; empty for a log without a date."),
            .flag("valid", "Whether wearHours reaches --valid-day."),
            .text(
                "timeZone",
                "The wearer's zone, such as Europe/Berlin, or an offset such as -04:00; start and end have its offset."),
            .text("cutPoints", "The cut points of intensity; empty without --cut-points."),
            .text(
                "calibration",
                "applied, notAsked (without --calibrate), or why there is none: tooLittleStillness, tooFewOrientations or noGain."
            ),
        ] + MeasureColumn.summarized.dropFirst().map(\.column)
}
