package import Footfall
internal import FootfallHistory
internal import FootfallMeasures
internal import FootfallReaders
package import FootfallTables

// The tables of `analyze --tables`, and the analyses themselves.

extension TableDescription {
    /// The table in the folder of results, and those in the folder of each trace.
    package static let results = [analysis, persons, dayParts] + traceTables
    /// The tables in the folder of a trace.
    package static let traceTables = [steps, epochs, gait, gaitDays, bouts, activities, minutes, hours, days]

    static let steps = PlacedStep.table.description.withLocalTimes
    static let epochs = EpochMeasures.table.description.withLocalTimes
    static let bouts = TableDescription(
        "bouts.csv", row: "a bout: steps without a break over 10 s", MeasuredBout.table.description.columns,
        timeDecimals: 6
    ).withLocalTimes
    static let activities = PlacedSegment.table.description.withLocalTimes
    static let minutes = BucketRow.minutes.description.withLocalTimes
    static let hours = BucketRow.hours.description.withLocalTimes
    static let days = DayRow.table.description

    package static let analysis = AnalysisRow.table.description
}

struct PlacedStep {
    let step: Step
    /// The first sample of the trace.
    let start: Timestamp

    static let table = Table<PlacedStep>(
        "steps.csv", row: "a step",
        [
            .time("time", "The initial contact of the foot, to the microsecond.") { $0.step.time },
            .seconds("offset", "The time since the first sample of the trace.") { row in
                row.step.time.seconds(since: row.start)
            },
            .number("quality", nil, decimals: 3, "The quality of the step's time, 0 to 1.") {
                Double($0.step.quality)
            },
        ], timeDecimals: 6)
}

struct PlacedSegment: Sendable {
    let segment: Segment
    /// The first sample of the trace.
    let start: Timestamp?

    /// The columns of a segment, with its time since the start of the trace after its start and its end.
    static let table = Table<PlacedSegment>(
        "activities.csv", row: "a segment with one activity; start and end are to the microsecond",
        [
            Array(TableField<Segment>.ofSegment.prefix(2)).of { $0.segment },
            .seconds("offset", "The time of the start since the first sample of the trace.") { row in
                row.start.map { row.segment.range.lowerBound.seconds(since: $0) } ?? 0
            },
            Array(TableField<Segment>.ofSegment.dropFirst(2)).of { $0.segment },
        ], timeDecimals: 6)

    /// The segment as a record; `offset` is in seconds from `start`.
    static func record(of segment: Segment, from start: Timestamp?) -> Record {
        table.record(of: PlacedSegment(segment: segment, start: start))
    }
}

extension EpochMeasures {
    static let table = Table<EpochMeasures>(
        "epochs.csv", row: "an epoch of 5 s, or of the length of --epoch, of which samples cover at least half",
        [
            .time("start", "The start of the epoch, a multiple of its length.") { $0.start },
            .number(
                "enmoMg", "mg", decimals: 2,
                "The mean of the vector magnitude minus 1 g, negative values set to 0 (ENMO)."
            ) { $0.enmoMg },
            .number("madMg", "mg", decimals: 2, "The mean amplitude deviation of the vector magnitude (MAD).") {
                $0.madMg
            },
            .number(
                "angleZDeg", "degrees", decimals: 2,
                "The angle of the z axis above the horizontal plane, -90 to 90."
            ) { $0.angleZDegrees },
            .number("clipped", nil, decimals: 4, "The share of samples at the end of the sensor's range, 0 to 1.") {
                $0.clipped
            },
            .flag("worn", "Whether the sensor was worn.") { $0.isWorn },
        ] + TableField.counts("epoch") { $0.counts })
}

/// A minute or an hour of a trace.
struct BucketRow {
    let range: Range<Timestamp>
    let steps: Int
    /// The time that samples cover, in seconds.
    let coverage: Double
    let durations: [Activity: Double]
    /// The time in which the sensor was not worn, in seconds.
    let nonWear: Double
    /// The means of the epochs of a minute; nil without epochs.
    let means: MinuteMeans?

    static let minutes = Table("minutes.csv", row: "a minute of a day with samples", bucket + ofMeans)
    static let hours = Table("hours.csv", row: "an hour of a day with samples", bucket)

    private static let bucket = TableField<BucketRow>.bucket(
        { $0.range }, steps: { $0.steps }, coverage: { $0.coverage }, durations: { $0.durations },
        nonWear: { $0.nonWear })

    private static let ofMeans: [TableField<BucketRow>] =
        [
            .number("enmoMg", "mg", decimals: 2, "The mean ENMO of the epochs that start in the minute.") {
                $0.means?.enmoMg
            },
            .number("madMg", "mg", decimals: 2, "The mean MAD of these epochs.") { $0.means?.madMg },
            .number("angleZDeg", "degrees", decimals: 2, "The mean angle of the z axis of these epochs.") {
                $0.means?.angleZDegrees
            },
        ] + TableField.counts("minute") { $0.means?.wholeCounts }
}

extension TableField {
    /// The columns that minutes, hours and days have.
    static func bucket(
        _ range: @escaping @Sendable (Row) -> Range<Timestamp>,
        steps: @escaping @Sendable (Row) -> Int, coverage: @escaping @Sendable (Row) -> Double,
        durations: @escaping @Sendable (Row) -> [Activity: Double], nonWear: @escaping @Sendable (Row) -> Double
    ) -> [TableField] {
        [
            .time("start", "The start; that of the first row is the first sample.") { range($0).lowerBound },
            .time("end", "The end, not included; that of the last row is the last sample.") {
                range($0).upperBound
            },
            .count("steps", "The steps.", steps), .seconds("coverage", "The time that samples cover.", coverage),
        ] + TableField.durations(durations) + [.nonWear(nonWear)]
    }

    /// The ActiGraph counts of a time; nil unless samples cover all of it.
    static func counts(_ time: String, _ counts: @escaping @Sendable (Row) -> ActivityCounts?) -> [TableField] {
        func field(_ name: String, _ axis: String, _ value: @escaping @Sendable (ActivityCounts) -> Int) -> TableField {
            .count(
                "counts\(name)", "The ActiGraph counts of the \(axis); empty unless samples cover the whole \(time)."
            ) { counts($0).map(value) }
        }
        return [
            field("X", "x axis") { $0.x }, field("Y", "y axis, axis 1 of ActiGraph") { $0.y },
            field("Z", "z axis") { $0.z },
        ]
    }
}

// Analyses as rows. Scripts rely on the names of the columns.

extension TraceAnalysis {
    /// The analysis as a JSON object. `stepTimes` is the time of each step; nil to omit them. `log` is the file; nil to
    /// omit it.
    package func record(stepTimes: [Timestamp]? = nil, log: LogIdentity? = nil) -> Record {
        AnalysisRow.table.record(of: AnalysisRow(analysis: self, stepTimes: stepTimes, log: log))
    }
}

/// An analysis with what only some outputs have.
struct AnalysisRow: Sendable {
    let analysis: TraceAnalysis
    let stepTimes: [Timestamp]?
    let log: LogIdentity?

    static let table = Table<AnalysisRow>(
        "traces.ndjson", row: "a trace, as analyze prints it in CSV, JSON and ndjson", samples + results + remarks,
        derived: [calibration, times, file],
        pattern:
            "In JSON also calibration (with --calibrate) and stepTimes (with --step-times); in traces.ndjson also log, the "
            + "path, the size, the time and the hash of the file.")

    private static let samples: [TableField<AnalysisRow>] = [
        .text("trace", "The name of the trace.") { $0.analysis.name },
        .time("start", "The first sample.") { $0.analysis.quality.start },
        .time("end", "The last sample.") { $0.analysis.quality.end },
        .seconds("duration", "The time from the first sample to the last one.") { $0.analysis.quality.duration },
        .count("samples", "The samples, with those that were dropped.") { $0.analysis.quality.samples },
        .count("impulses", "Isolated samples that no motion of a body can make. They were dropped.") {
            $0.analysis.quality.impulses
        },
        .number("sampleRate", "Hz", decimals: 2, "The median rate of the samples.") {
            $0.analysis.quality.sampleRate
        },
        .seconds("coverage", "The time that samples cover.") { $0.analysis.quality.coverage },
        TableField(.spans("gaps", "The spans without samples.")) { .spans($0.analysis.gaps) },
    ]

    private static let results: [TableField<AnalysisRow>] = [
        .count("steps", "The steps.") { $0.analysis.steps },
        TableField(.list("activities", "The segments.", of: PlacedSegment.table.description.columns)) { row in
            let start = row.analysis.quality.start
            return .array(row.analysis.segments.lazy.map { .object(PlacedSegment.record(of: $0, from: start)) })
        },
        .spans("nonWear", "The spans in which the sensor was not worn.") { $0.analysis.nonWear },
    ]

    private static let remarks: [TableField<AnalysisRow>] = [
        .text("layout", "How the log was read: format, columns, units.") { $0.analysis.layout },
        .text(
            "unit",
            "The source of the unit: option, header, values, or assumed, which allows no activity of high confidence."
        ) {
            $0.analysis.unitEvidence
        },
        .text("device", "The model and the serial number of the logger; empty if the log does not state them.") {
            $0.analysis.device
        },
        .number(
            "temperature", "degC", decimals: 1, "The mean temperature of the sensor; empty for a format without one."
        ) { $0.analysis.logger.temperature },
        .number("battery", "V", decimals: 2, "The voltage of the battery at the end; empty for a format without one.") {
            $0.analysis.logger.battery
        },
        .texts("notes", "Assumptions and repairs made while reading, as texts.") { $0.analysis.notes },
        .texts("warnings", "What was dropped, and what limits the results, as texts.") { $0.analysis.warnings },
    ]

    private static let calibration = TableField<SensorCalibration>.object(
        "calibration", "The correction of the samples. In JSON, with --calibrate.",
        [
            .number("errorBefore", "g", decimals: 5, "The mean distance from 1 g at rest before the correction.") {
                Double($0.errorBefore)
            },
            .number("errorAfter", "g", decimals: 5, "The mean distance from 1 g at rest after the correction.") {
                Double($0.errorAfter)
            },
            .axes("scale", nil, "The factors of the axes.") { $0.scale },
            .axes("offset", "g", "The offsets of the axes.") { $0.offset },
            .axes("offsetPerDegree", "g/degC", "The changes of the offsets with temperature; 0 without one.") {
                $0.offsetPerDegree
            },
            .number(
                "meanTemperature", "degC", decimals: 2, "The temperature at which the offsets hold; empty without one."
            ) { $0.meanTemperature.map(Double.init) },
            .count("windows", "The windows at rest that the correction rests on.") { $0.windows },
        ] as [TableField<SensorCalibration>]
    ) { $0 }.only { (row: AnalysisRow) in try? row.analysis.calibration?.get() }

    private static let times = TableField<AnalysisRow>(
        Column(
            "stepTimes", .list, unit: "s", "The time of each step since the first sample. In JSON, with --step-times.")
    ) { row in
        guard let times = row.stepTimes, let start = row.analysis.quality.start else { return nil }
        return .array(times.lazy.map { .seconds($0.seconds(since: start)) })
    }

    private static let file = TableField<LogIdentity>.object(
        "log", "The file, by which --resume knows it. In traces.ndjson only.", LogIdentity.fields
    ) { $0 }.only { (row: AnalysisRow) in row.log }
}

extension TableField {
    /// A vector of the three axes.
    fileprivate static func axes(
        _ name: String, _ unit: String?, _ meaning: String, _ value: @escaping @Sendable (Row) -> SIMD3<Float>
    ) -> TableField {
        TableField(.axes(name, unit, meaning)) { row in
            let vector = value(row)
            return .array((0..<3).map { .number(Double(vector[$0]), decimals: 5) })
        }
    }
}
