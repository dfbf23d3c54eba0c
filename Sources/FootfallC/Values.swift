// The header documents these functions, under their names in C.
// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation, AlwaysUseLowerCamelCase

internal import CFootfall
internal import Footfall
internal import FootfallReaders
internal import Foundation
internal import Synchronization

/// Columns of C as batches.
struct Samples {
    private let samples: footfall_samples

    /// Throws ``CallFailure`` for a missing column, a wrong type or a wrong unit.
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

    func forEachBatch(_ body: (SampleBatch) -> Void) {
        var start = 0
        while start < samples.count {
            let rows = start..<min(samples.count, start + SampleColumns.room)
            var batch = SampleBatch(
                times: times(rows), x: values(samples.x, rows), y: values(samples.y, rows), z: values(samples.z, rows))
            batch.isUnitAssumed = samples.is_unit_assumed != 0
            body(batch)
            start = rows.upperBound
        }
    }

    private func times(_ rows: Range<Int>) -> [Timestamp] {
        if Int(samples.time.type) == FOOTFALL_INT64_NANOSECONDS {
            return column(samples.time, rows) { (value: Int64) in Timestamp(nanosecondsSince1970: value) }
        }
        // The analyzer drops and counts a time that is no number or not supported.
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

/// The time zone with a name, such as Europe/Berlin, or with an offset. Throws ``CallFailure`` for an unknown name.
func zone(named name: String) throws -> TimeZone {
    guard let zone = TimeZone(named: name) else {
        throw CallFailure("there is no time zone “\(name)”", remedy: "write one such as Europe/Berlin or UTC")
    }
    return zone
}

/// A copy of a text, which C frees with `footfall_free`; NULL for nil.
func text(_ text: String?) -> UnsafeMutablePointer<CChar>? { text.flatMap { strdup($0) } }

@c @implementation public func footfall_free(_ text: UnsafeMutablePointer<CChar>?) { free(text) }

@c @implementation public func footfall_abi_version() -> UInt32 { UInt32(FOOTFALL_ABI_VERSION) }

/// The object behind an opaque pointer of the C interface. A call locks its state.
final class OpaqueHandle<State: ~Copyable & Sendable>: Sendable {
    let state: Mutex<State>

    init(_ state: consuming sending State) { self.state = Mutex(state) }
}

/// Makes C the owner of an object, until ``release(_:as:)``.
func retain(_ object: some AnyObject) -> OpaquePointer { OpaquePointer(Unmanaged.passRetained(object).toOpaque()) }

/// The object behind a pointer from C. Throws ``CallFailure`` for a null pointer.
func object<Object: AnyObject>(_ pointer: OpaquePointer?, as type: Object.Type) throws -> Object {
    guard let pointer else {
        throw CallFailure("a handle is NULL", remedy: "check the result of the call that makes it")
    }
    return Unmanaged<Object>.fromOpaque(UnsafeRawPointer(pointer)).takeUnretainedValue()
}

/// Releases an object that C owns.
func release<Object: AnyObject>(_ pointer: OpaquePointer?, as type: Object.Type) {
    guard let pointer else { return }
    Unmanaged<Object>.fromOpaque(UnsafeRawPointer(pointer)).release()
}
