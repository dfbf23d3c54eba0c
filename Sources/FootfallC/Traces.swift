// The header documents these functions, under their names in C.
// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation, AlwaysUseLowerCamelCase

public import CFootfall
internal import Footfall
internal import FootfallHistory
internal import FootfallReaders
internal import Foundation
internal import Synchronization

/// A sensor log that a separate thread reads, with the columns of the latest batch for C.
struct OpenTrace: ~Copyable, Sendable {
    let layout: String
    private var trace: ReadAheadTrace
    private var columns = Columns()

    /// The columns of a batch in memory that does not move, because C has pointers to them until the next call.
    private struct Columns: ~Copyable, @unchecked Sendable {
        private var times = UnsafeMutableBufferPointer<Int64>.allocate(capacity: 0)
        private var axes = UnsafeMutableBufferPointer<Float>.allocate(capacity: 0)

        mutating func hold(_ batch: SampleBatch) -> footfall_batch {
            let count = batch.count
            if times.count < count {
                times.deallocate()
                axes.deallocate()
                times = .allocate(capacity: count)
                axes = .allocate(capacity: 3 * count)
            }
            _ = times.update(fromContentsOf: batch.times.map(\.nanosecondsSince1970))
            for (index, axis) in [batch.x, batch.y, batch.z].enumerated() {
                _ = axes.extracting(index * count..<(index + 1) * count).update(fromContentsOf: axis)
            }
            let x = UnsafePointer(axes.baseAddress)
            return footfall_batch(
                count: count, time: UnsafePointer(times.baseAddress), x: x, y: x.map { $0 + count },
                z: x.map { $0 + 2 * count })
        }

        deinit {
            times.deallocate()
            axes.deallocate()
        }
    }

    init(_ path: String, _ options: TraceOptions) throws {
        let log = try Trace(contentsOf: URL(filePath: path), options: options)
        layout = log.layout.description
        trace = ReadAheadTrace(log)
    }

    var progress: Double { trace.progress }
    var notes: [String] { trace.summary?.notes.map(\.inC) ?? [] }
    var warnings: [String] { trace.summary?.warnings.map(\.description) ?? [] }

    /// The next samples; nil at the end.
    mutating func next() throws -> SampleBatch? { try trace.nextBatch() }

    /// The next samples as a structure of C, valid until the next call; nil at the end.
    mutating func nextColumns() throws -> footfall_batch? { try trace.nextBatch().map { columns.hold($0) } }
}

typealias TraceHandle = OpaqueHandle<OpenTrace>

extension TraceOptions {
    /// Converts the options of C. NULL, and fields of zeros, mean the defaults; an invalid value is a ``CallFailure``.
    init(_ pointer: UnsafePointer<footfall_trace_options>?) throws {
        self.init()
        guard let options = pointer?.pointee else { return }
        if let text = options.columns.map({ String(cString: $0) }) {
            columns = try Self.require(SensorColumns(text), "columns", text, "write time,x,y,z or x,y,z")
        }
        if let text = options.rows.map({ String(cString: $0) }) {
            rows = try text.split(separator: "\n").map { line in
                try Self.require(RowCondition(String(line)), "rows", text, "write column=value, one in a line")
            }
        }
        if let text = options.time_unit.map({ String(cString: $0) }) {
            let unit = TimeUnit(rawValue: text == "us" ? "µs" : text)
            timeUnit = try Self.require(unit, "time_unit", text, "write s, ms, us or ns")
        }
        if let text = options.time_zone.map({ String(cString: $0) }) { timeZone = try zone(named: text) }
        if options.per_g != 0 {
            let scale = AccelerationScale(perG: options.per_g)
            unit = try Self.require(scale, "per_g", "\(options.per_g)", "it lies between 0.001 and 1,000,000")
        }
        if options.rate != 0 {
            let rate = (0..<10_000).contains(options.rate) ? options.rate : nil
            sampleRate = try Self.require(rate, "rate", "\(options.rate)", "a rate lies between 0 and 10000 Hz")
        }
        if options.has_zero != 0 {
            let counts = SIMD3(options.zero.0, options.zero.1, options.zero.2)
            let text = "\(counts.x), \(counts.y), \(counts.z)"
            zero = try Self.require(counts.sum().isFinite ? counts : nil, "zero", text, "write finite counts")
        }
        if options.has_start != 0 {
            let time = Timestamp(nanosecondsSince1970: options.start)
            let start = Timestamp.supported.contains(time) ? time : nil
            self.start = try Self.require(start, "start", "\(options.start)", "write a time from 1900 to 2150")
        }
    }

    private static func require<Value>(
        _ value: Value?, _ name: String, _ given: String, _ remedy: String
    ) throws -> Value {
        guard let value else { throw CallFailure("\(name) is “\(given)”", remedy: remedy) }
        return value
    }
}

extension AccelerationScale {
    /// The scale for a number of units in one g; nil unless the number is between 0.001 and 1,000,000.
    fileprivate init?(perG: Double) {
        switch perG {
        case 1: self = .g
        case 1000: self = .mg
        case 9.80665: self = .metresPerSecondSquared
        case 0.001...1e6: self = .counts(perG: Float(perG))
        default: return nil
        }
    }
}

// MARK: The functions of C

@c @implementation public func footfall_trace_open(
    _ path: UnsafePointer<CChar>?, _ options: UnsafePointer<footfall_trace_options>?,
    _ error: UnsafeMutablePointer<footfall_error>?
) -> OpaquePointer? {
    pointer(error) {
        guard let path else { throw CallFailure("the path is NULL") }
        return retain(TraceHandle(try OpenTrace(String(cString: path), TraceOptions(options))))
    }
}

@c @implementation public func footfall_trace_destroy(_ trace: OpaquePointer?) {
    release(trace, as: TraceHandle.self)
}

@c @implementation public func footfall_trace_next(
    _ trace: OpaquePointer?, _ batch: UnsafeMutablePointer<footfall_batch>?,
    _ error: UnsafeMutablePointer<footfall_error>?
) -> Int32 {
    batch?.pointee = footfall_batch()
    return status(error) {
        guard let batch else { throw CallFailure("the batch is NULL") }
        let next = try object(trace, as: TraceHandle.self).state.withLock { try $0.nextColumns() }
        guard let next else { return FOOTFALL_END }
        batch.pointee = next
        return FOOTFALL_OK
    }
}

@c @implementation public func footfall_trace_progress(_ trace: OpaquePointer?) -> Double {
    (try? object(trace, as: TraceHandle.self))?.state.withLock { $0.progress } ?? 0
}

@c @implementation public func footfall_trace_layout(_ trace: OpaquePointer?) -> UnsafeMutablePointer<CChar>? {
    text((try? object(trace, as: TraceHandle.self))?.state.withLock { $0.layout })
}

@c @implementation public func footfall_trace_notes(_ trace: OpaquePointer?) -> UnsafeMutablePointer<CChar>? {
    text((try? object(trace, as: TraceHandle.self))?.state.withLock { $0.notes.joined(separator: "\n") })
}

@c @implementation public func footfall_trace_warnings(_ trace: OpaquePointer?) -> UnsafeMutablePointer<CChar>? {
    text((try? object(trace, as: TraceHandle.self))?.state.withLock { $0.warnings.joined(separator: "\n") })
}

/// How a log is read and why, as the object of `footfall_trace_explain`.
private struct Explanation: Encodable {
    struct Option: Encodable {
        var name: String
        var value: String?
    }

    struct Column: Encodable {
        var number: Int
        var title: String?
        var values: [String]
        var role: String?
        var reason: String
    }

    var layout, refusal, remedy: String?
    var line: Int?
    var delimiter, decimalSeparator: String?
    var headerLine: Int?
    var sampleRate, magnitude: Double?
    var notes: [String]
    var columns: [Column]
    var options: [Option]

    init(_ found: TraceExplanation) {
        layout = found.layout?.description
        (refusal, remedy) = (found.refusal?.problem.inC, found.refusal?.remedy?.inC)
        line = found.refusal?.line
        let table = found.table
        (delimiter, decimalSeparator, headerLine) = (table?.delimiter, table?.decimalSeparator, table?.headerLine)
        (sampleRate, magnitude) = (found.sampleRate, found.magnitude)
        notes = found.notes.map(\.inC)
        options = found.options.map { Option(name: $0.nameInC, value: $0.value) }
        columns = (table?.columns ?? []).map {
            Column(number: $0.number, title: $0.name, values: $0.values, role: $0.role, reason: $0.reason.inC)
        }
    }
}

@c @implementation public func footfall_trace_explain(
    _ path: UnsafePointer<CChar>?, _ options: UnsafePointer<footfall_trace_options>?,
    _ error: UnsafeMutablePointer<footfall_error>?
) -> UnsafeMutablePointer<CChar>? {
    pointer(error) {
        guard let path else { throw CallFailure("the path is NULL") }
        let url = URL(filePath: String(cString: path))
        let found = TraceExplanation(contentsOf: url, options: try TraceOptions(options))
        if let refusal = found.refusal, refusal.kind != .badData { throw refusal }
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        return text(String(decoding: try encoder.encode(Explanation(found)), as: UTF8.self))
    }
}

extension ParameterText {
    /// The text with the options of `footfall_trace_options`, which are the arguments of `footfall.read` in Python.
    var inC: String { text { $0.text(named: $0.nameInC) } }
}

extension ParameterText.Parameter {
    /// The name of the option in Python and C. The unit is `per_g` in C, the zone `time_zone`.
    var nameInC: String {
        switch self {
        case .timeUnit: "time_unit"
        case .sampleRate: "rate"
        case .timeZone: "tz"
        case .columns, .unit, .zero, .start, .rows, .each, .baud: name
        }
    }
}
