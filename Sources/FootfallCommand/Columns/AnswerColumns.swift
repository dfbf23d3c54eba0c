import FootfallAnswers

// What `history` prints.

extension TableDescription {
    /// The columns that the subcommands of `history` write.
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
                of: TableDescription.sources.columns),
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
            .flag("nonWear", "True for a span in which the sensor was not worn; it lies over the segments before it."),
            .count("reason", "Why the activity is unknown: 1 tooShort, 2 lowRate, 3 handled, 4 unclear, 5 notWorn."),
            .number("probability", nil, "The probability that the activity is right, 0 to 1."),
            Column("steps", .list, unit: "ns since 1970", "The times of the steps."),
            .count("count", "The number of the lines before; last line only."),
        ])
}
