import Footfall
import FootfallMeasures

// What `query`, `live` and `history` print.

extension TableDescription {
    /// The rows of queries and of live motion.
    static let answers = [stepCounts, recordedSegments, coverage, summary, measures, live]

    static let stepCounts = TableDescription("query steps", row: "the range, or a bucket of it", Column.stepCount)

    static let recordedSegments = TableDescription(
        "query activities", row: "a segment",
        Column.segment.filter { $0.name != "offset" } + [
            .time("clippedStart", "The start of the part in the queried range."),
            .time("clippedEnd", "The end of the part in the queried range; the steps are those of the part."),
            .flag("open", "Whether this is the newest segment, which may still grow."),
            .text("source", "The wearer or the device."),
        ])

    static let coverage = TableDescription(
        "query coverage", row: "the range",
        Column.stepCount.filter { $0.name != "steps" } + [
            .spans("covered", "The spans with samples."), .spans("gaps", "The spans without samples."),
        ])

    static let summary = TableDescription(
        "query summary", row: "a day",
        Column.stepCount + Column.durations + [
            .number("walkingCadence", "steps/min", "The steps per minute of walking; empty without walking."),
            Column(
                "longestBout", .object, "The longest bout; empty without steps.",
                parts: [
                    .time("start", "The first step."), .time("end", "The last step."),
                    .count("steps", "The steps of the bout."),
                ]),
            .seconds("nonWear", "The time in which the sensor was not worn, a part of unknown."),
        ])

    static let measures = TableDescription(
        "query measures", row: "a day",
        Column.stepCount + [.flag("valid", "Whether wearHours reaches --valid-day.")]
            + Measure<DayMeasures>.ofDay.map(\.column))

    static let live = TableDescription(
        "live", row: "a settled event, or a change of the live state",
        [.text("event", "step, segment, gap or state.")]
            + Column.segment.filter { $0.name != "offset" } + [
                .number("quality", nil, "The quality of a step's time, 0 to 1."),
                .number("cadence", "steps/min", "The cadence at this moment."),
                .number("sampleRate", "Hz", "The rate of the samples."),
                .count("dropped", "The samples that were dropped so far."),
                .flag("provisional", "Whether a later record may correct this one: true for states."),
            ])
}

extension TableDescription {
    /// What the subcommands of `history` write.
    static let histories = [historyInfo, historyCheck, historyImport, historyDelete, historyExport]

    static let historyInfo = TableDescription(
        "history info", row: "the history",
        [
            .text("path", "The file."),
            Column("size", .count, unit: "bytes", "The size on disk, with the log of SQLite."),
            .count("schema", "The version of the format."),
            .seconds("retention", "How long events are kept; empty without limit."),
            .list(
                "sources", "The sources.",
                of: [
                    .text("source", "The wearer or the device."), .text("timeZone", "The wearer's time zone."),
                    .time("start", "The oldest kept time."), .time("end", "The newest time."),
                    .count("steps", "The kept steps."), .seconds("coverage", "The kept time with samples."),
                    .time("forgottenBefore", "Events before this time have expired; empty if none has."),
                ]),
        ])

    static let historyCheck = TableDescription(
        "history check", row: "the history",
        [
            .text("path", "The file."), .flag("sound", "Whether no damage was found."),
            .text("problem", "The first damage; empty without one."),
            .count("sources", "The sources."), .count("steps", "The steps."),
        ])

    static let historyImport = TableDescription(
        "history import", row: "the import",
        [
            .count("recorded", "The steps and segments that were recorded."),
            .count("expired", "Those older than the history keeps."),
            .count("refused", "Those with times that are not supported."),
            .count("setAside", "Those more than ten minutes ahead of the clock."),
        ])

    static let historyDelete = TableDescription(
        "history delete", row: "the deletion",
        [
            .text("source", "The wearer or the device; empty if nothing was removed."),
            .time("start", "The start of what was removed."), .time("end", "The end of what was removed."),
            .count("steps", "The removed steps."), .seconds("coverage", "The removed time with samples."),
        ])

    static let historyExport = TableDescription(
        "history export", row: "the history, a source, a span, or steps outside segments, as a line of JSON",
        [
            .count("version", "The version of the format; first line only."),
            Column("retention", .count, unit: "ns", "How long events are kept; first line only, none without limit."),
            .text("source", "The wearer or the device, whose events follow."),
            .list(
                "zones", "The time zones of a source.",
                of: [
                    Column("since", .count, unit: "ns since 1970", "The start of the zone."),
                    .text("name", "The zone, such as Europe/Berlin."),
                ]),
            Column("forgottenBefore", .count, unit: "ns since 1970", "Earlier events of the source have expired."),
            Column("start", .count, unit: "ns since 1970", "The start of a span."),
            Column("end", .count, unit: "ns since 1970", "The end of a span, not included."),
            .count(
                "flags",
                "The activities of the span, as a sum of 1 stationary, 2 walking, 4 running, "
                    + "8 automotive, 16 cycling and 32 unknown."),
            .count("reason", "Why the activity is unknown: 1 tooShort, 2 lowRate, 3 handled, 4 unclear, 5 notWorn."),
            .number("probability", nil, "The probability that the activity is right, 0 to 1."),
            Column("steps", .list, unit: "ns since 1970", "The times of the steps."),
        ])
}

extension Column {
    /// The columns of a count of steps.
    static let stepCount: [Column] = [
        .time("start", "The start of the range."), .time("end", "The end of the range, not included."),
        .count("steps", "The steps."), .seconds("coverage", "The time that samples cover."),
        .flag("truncated", "Whether the range starts before the time that the history keeps."),
    ]
}
