package import Footfall
package import FootfallAnswers

// Analyses as records. Scripts rely on the keys.

extension TraceAnalysis {
    /// The analysis as a JSON object.
    ///
    /// - Parameter stepTimes: The time of each step; nil to omit them.
    package func record(stepTimes: [Timestamp]? = nil) -> Record {
        let start = quality.start
        var record: Record = [
            ("trace", .string(name)),
            ("start", .time(start)), ("end", .time(quality.end)), ("duration", .seconds(quality.duration)),
            ("samples", .integer(quality.samples)), ("impulses", .integer(quality.impulses)),
            ("sampleRate", .number(quality.sampleRate, decimals: 2)),
            ("coverage", .seconds(quality.coverage)), ("gaps", .spans(gaps)),
            ("steps", .integer(steps)),
            ("activities", .array(segments.lazy.map { .object(PlacedSegment.record(of: $0, from: start)) })),
            ("nonWear", .spans(nonWear)),
        ]
        if case .success(let calibration) = calibration { record.append(("calibration", calibration.value)) }
        if let stepTimes, let start {
            record.append(("stepTimes", .array(stepTimes.lazy.map { .seconds($0.seconds(since: start)) })))
        }
        return record + [("layout", .string(layout)), ("notes", .texts(notes)), ("warnings", .texts(warnings))]
    }
}

extension SensorCalibration {
    /// The calibration as a JSON object, errors and offsets in g.
    fileprivate var value: JSONValue {
        func axes(_ vector: SIMD3<Float>) -> JSONValue {
            .array((0..<3).map { .number(Double(vector[$0]), decimals: 5) })
        }
        return .object([
            ("errorBefore", .number(Double(errorBefore), decimals: 5)),
            ("errorAfter", .number(Double(errorAfter), decimals: 5)),
            ("scale", axes(scale)), ("offset", axes(offset)), ("offsetPerDegree", axes(offsetPerDegree)),
            ("meanTemperature", .number(meanTemperature.map(Double.init), decimals: 2)), ("windows", .integer(windows)),
        ])
    }
}
