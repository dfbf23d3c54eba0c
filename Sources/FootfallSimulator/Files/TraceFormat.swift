import Footfall

/// How a trace is written as text: a header `time,x,y,z`, then one row per sample.
public struct TraceFormat: Hashable, Sendable {
    /// How times are written.
    public enum Times: String, CaseIterable, Sendable {
        /// Seconds since the trace's start, with 4 decimals.
        case seconds
        /// Seconds since 1970-01-01T00:00:00Z, with 4 decimals.
        case epoch
        /// ISO 8601 in UTC with milliseconds.
        case iso8601
    }

    /// How times are written.
    public var times: Times
    /// The number of decimals of an acceleration in g, 1 to 6.
    public var decimals: Int

    /// Creates a format.
    public init(times: Times = .seconds, decimals: Int = 4) {
        self.times = times
        self.decimals = min(max(decimals, 1), 6)
    }
}

/// Writes batches as rows of text.
///
/// Digits are made from whole numbers: a number of fixed decimals needs no more, and rows come ten times as fast as by
/// way of `String`.
struct RowWriter {
    private let format: TraceFormat
    private let start: Timestamp
    private let unitsPerG: Float
    private var isoPrefix: [UInt8] = []
    private var isoSecond = Int64.min

    private static let nanosecondsPerTenthMillisecond: Int64 = 100_000

    /// The first line.
    static let header = Array("time,x,y,z\n".utf8)

    init(format: TraceFormat, start: Timestamp) {
        self.format = format
        self.start = start
        var units: Float = 1
        for _ in 0..<format.decimals { units *= 10 }
        unitsPerG = units
    }

    /// Appends the rows of `batch` to `text`.
    mutating func write(_ batch: SampleBatch, to text: inout [UInt8]) {
        for index in batch.indices {
            write(batch.times[index], to: &text)
            for axis in [batch.x[index], batch.y[index], batch.z[index]] {
                text.append(UInt8(ascii: ","))
                append(Int64((axis * unitsPerG).rounded()), decimals: format.decimals, to: &text)
            }
            text.append(UInt8(ascii: "\n"))
        }
    }

    private mutating func write(_ time: Timestamp, to text: inout [UInt8]) {
        switch format.times {
        case .seconds:
            let nanoseconds = time.nanosecondsSince1970 - start.nanosecondsSince1970
            append(tenthsOfMilliseconds(nanoseconds), decimals: 4, to: &text)
        case .epoch:
            append(tenthsOfMilliseconds(time.nanosecondsSince1970), decimals: 4, to: &text)
        case .iso8601:
            let second = time.nanosecondsSince1970 / 1_000_000_000
            // All but the last five characters, such as “123Z”, stay the same for a second.
            if second != isoSecond || time.nanosecondsSince1970 < 0 {
                isoPrefix = Array(time.description.utf8.dropLast(4))
                isoSecond = second
            }
            let milliseconds = time.nanosecondsSince1970 / 1_000_000 % 1000
            text.append(contentsOf: time.nanosecondsSince1970 < 0 ? Array(time.description.utf8) : isoPrefix)
            guard time.nanosecondsSince1970 >= 0 else { return }
            for divisor: Int64 in [100, 10, 1] { text.append(UInt8(48 + milliseconds / divisor % 10)) }
            text.append(UInt8(ascii: "Z"))
        }
    }

    private func tenthsOfMilliseconds(_ nanoseconds: Int64) -> Int64 {
        let unit = RowWriter.nanosecondsPerTenthMillisecond
        return (nanoseconds + (nanoseconds < 0 ? -unit / 2 : unit / 2)) / unit
    }
}

/// Appends `value` · 10^−`decimals` in decimal.
private func append(_ value: Int64, decimals: Int, to text: inout [UInt8]) {
    if value < 0 { text.append(UInt8(ascii: "-")) }
    var rest = value.magnitude
    let first = text.count
    var digits = 0
    // Backwards, then turned round: at least one digit stands before the point.
    while rest > 0 || digits <= decimals {
        if digits == decimals { text.append(UInt8(ascii: ".")) }
        text.append(UInt8(48 + rest % 10))
        rest /= 10
        digits += 1
    }
    text[first...].reverse()
}
