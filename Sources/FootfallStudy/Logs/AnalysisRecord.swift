package import Footfall
internal import FootfallHistory
package import FootfallTables

// Analyses as rows. Scripts rely on the names of the columns.

extension TraceAnalysis {
    /// The analysis as a JSON object.
    ///
    /// - Parameters:
    ///   - stepTimes: The time of each step; nil to omit them.
    ///   - log: The file; nil to omit it.
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
