internal import CFootfall
internal import Footfall

/// Columns of C as batches.
struct Samples {
    /// The size of a batch: like that of a trace, it stays in the cache.
    private static let batchSize = 4096

    private let samples: footfall_samples

    /// - Throws: ``CallFailure`` for a missing column, a wrong type or a wrong unit.
    init(_ pointer: UnsafePointer<footfall_samples>?) throws {
        guard let samples = pointer?.pointee else { throw CallFailure("the samples are NULL") }
        self.samples = samples
        try checkCount(samples.count, "count")
        guard samples.per_g.isFinite, samples.per_g > 0 else {
            throw CallFailure("per_g is \(samples.per_g)", remedy: "give the units of one g: 1, or 9.80665 for m/s²")
        }
        try Self.check(samples.time, "time", [FOOTFALL_INT64_NANOSECONDS, FOOTFALL_FLOAT64_SECONDS], samples.count)
        for (column, name) in [(samples.x, "x"), (samples.y, "y"), (samples.z, "z")] {
            try Self.check(column, name, [FOOTFALL_FLOAT32, FOOTFALL_FLOAT64], samples.count)
        }
    }

    private static func check(_ column: footfall_column, _ name: String, _ types: [Int], _ count: Int) throws {
        guard column.first != nil || count == 0 else { throw CallFailure("the column \(name) is NULL") }
        guard types.contains(Int(column.type)) else {
            throw CallFailure("the column \(name) has type \(column.type)", remedy: "see footfall_column")
        }
    }

    /// Calls a function with all samples, batch by batch.
    func forEachBatch(_ body: (SampleBatch) -> Void) {
        var start = 0
        while start < samples.count {
            let rows = start..<min(samples.count, start + Self.batchSize)
            body(
                SampleBatch(
                    times: times(rows), x: values(samples.x, rows), y: values(samples.y, rows),
                    z: values(samples.z, rows)))
            start = rows.upperBound
        }
    }

    private func times(_ rows: Range<Int>) -> [Timestamp] {
        if Int(samples.time.type) == FOOTFALL_INT64_NANOSECONDS {
            return column(samples.time, rows) { (value: Int64) in Timestamp(nanosecondsSince1970: value) }
        }
        // A time that is no number, or outside the supported ones, is dropped and counted.
        let unusable = Timestamp(nanosecondsSince1970: .min)
        return column(samples.time, rows) { (value: Double) in Timestamp(secondsSince1970: value) ?? unusable }
    }

    private func values(_ column: footfall_column, _ rows: Range<Int>) -> [Float] {
        let perG = samples.per_g
        if Int(column.type) == FOOTFALL_FLOAT64 {
            return self.column(column, rows) { (value: Double) in Float(value / perG) }
        }
        return perG == 1
            ? self.column(column, rows) { (value: Float) in value }
            : self.column(column, rows) { (value: Float) in Float(Double(value) / perG) }
    }

    private func column<Value: BitwiseCopyable, Result>(
        _ column: footfall_column, _ rows: Range<Int>, _ convert: (Value) -> Result
    ) -> [Result] {
        guard let first = column.first else { return [] }
        return [Result](unsafeUninitializedCapacity: rows.count) { results, count in
            for row in rows {
                let value = first.loadUnaligned(fromByteOffset: row &* column.stride, as: Value.self)
                results.initializeElement(at: row - rows.lowerBound, to: convert(value))
            }
            count = rows.count
        }
    }
}
