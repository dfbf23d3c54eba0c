internal import Footfall
public import Foundation

/// The form of a trace as CSV: a header `time,x,y,z`, then one row per sample.
public struct CSVFormat: Hashable, Sendable {
    /// The form of times.
    public enum Times: String, CaseIterable, Sendable {
        /// Seconds since the trace's start, with 4 decimals.
        case seconds
        /// Seconds since 1970-01-01T00:00:00Z, with 4 decimals.
        case epoch
        /// ISO 8601 in UTC with milliseconds.
        case iso8601
    }

    /// The form of times.
    public let times: Times
    /// The number of decimals of an acceleration in g, 1 to 6.
    public let decimals: Int

    /// Creates a format. `decimals` is limited to 1…6.
    public init(times: Times = .seconds, decimals: Int = 4) {
        self.times = times
        self.decimals = min(max(decimals, 1), 6)
    }
}

/// Writes the samples of simulations as text.
public struct TraceWriter: Sendable {
    /// The form of the rows.
    public var format: CSVFormat

    /// Creates a writer.
    public init(format: CSVFormat = CSVFormat()) { self.format = format }

    /// The size of a piece of text in bytes.
    private static let chunkSize = 1 << 18

    /// Passes the trace as text to `write`, in pieces of about 256 KB. The memory does not depend on the length of the
    /// trace.
    ///
    /// - Throws: The error that `write` throws.
    public func write(_ simulation: Simulation, to write: ([UInt8]) throws -> Void) throws {
        var text = RowWriter.header
        text.reserveCapacity(TraceWriter.chunkSize + 64 * simulation.samplesPerBatch)
        var rows = RowWriter(format: format, start: simulation.sensor.start)
        for batch in simulation {
            text += rows.rows(of: batch)
            if text.count >= TraceWriter.chunkSize {
                try write(text)
                text.removeAll(keepingCapacity: true)
            }
        }
        if !text.isEmpty { try write(text) }
    }

    /// The file for the ground truth of a trace: `walk.truth.json` beside `walk.csv`.
    public static func truthFile(for trace: URL) -> URL {
        trace.deletingPathExtension().appendingPathExtension("truth.json")
    }
}

/// Writes batches as rows of CSV. Numbers are scaled to integers first, because that is fast: a week at 100 Hz has 180
/// million accelerations.
struct RowWriter {
    private let format: CSVFormat
    private let start: Timestamp
    private let unitsPerG: Float
    private var isoPrefix: [UInt8] = []
    private var isoSecond = Int64.min

    static let header = Array("time,x,y,z\n".utf8)
    /// At most 24 characters for the time, 21 for each axis (a sign, 19 digits and a point), and four separators.
    private static let longestRow = 24 + 3 * 21 + 4
    private static let nanosecondsPerTenthMillisecond: Int64 = 100_000

    init(format: CSVFormat, start: Timestamp) {
        self.format = format
        self.start = start
        var units: Float = 1
        for _ in 0..<format.decimals { units *= 10 }
        unitsPerG = units
    }

    mutating func rows(of batch: SampleBatch) -> [UInt8] {
        Array(unsafeUninitializedCapacity: batch.count * RowWriter.longestRow) { buffer, count in
            var text = TextBuffer(buffer: buffer)
            for index in batch.indices {
                write(batch.times[index], to: &text)
                write(batch.x[index], to: &text)
                write(batch.y[index], to: &text)
                write(batch.z[index], to: &text)
                text.append(UInt8(ascii: "\n"))
            }
            count = text.count
        }
    }

    @inline(__always)
    private func write(_ acceleration: Float, to text: inout TextBuffer) {
        text.append(UInt8(ascii: ","))
        text.append(Int64(clamping: (acceleration * unitsPerG).rounded()), decimals: format.decimals)
    }

    @inline(__always)
    private mutating func write(_ time: Timestamp, to text: inout TextBuffer) {
        let nanoseconds = time.nanosecondsSince1970
        switch format.times {
        case .seconds: text.append(tenthsOfMilliseconds(nanoseconds - start.nanosecondsSince1970), decimals: 4)
        case .epoch: text.append(tenthsOfMilliseconds(nanoseconds), decimals: 4)
        case .iso8601: writeDate(time, to: &text)
        }
    }

    /// Writes a date such as `2026-11-20T08:00:00.123Z`. All but the milliseconds is formatted once per second.
    private mutating func writeDate(_ time: Timestamp, to text: inout TextBuffer) {
        let (second, nanosecond) = time.nanosecondsSince1970.flooredQuotientAndRemainder(by: 1_000_000_000)
        if second != isoSecond {
            isoPrefix = Array(time.description.utf8.dropLast(4))
            isoSecond = second
        }
        for byte in isoPrefix { text.append(byte) }
        for divisor: Int64 in [100, 10, 1] {
            text.append(UInt8(ascii: "0") + UInt8(nanosecond / 1_000_000 / divisor % 10))
        }
        text.append(UInt8(ascii: "Z"))
    }

    private func tenthsOfMilliseconds(_ nanoseconds: Int64) -> Int64 {
        let unit = RowWriter.nanosecondsPerTenthMillisecond
        return (nanoseconds + (nanoseconds < 0 ? -unit / 2 : unit / 2)) / unit
    }
}

/// Appends characters to memory, which must be large enough.
private struct TextBuffer {
    private let buffer: UnsafeMutableBufferPointer<UInt8>
    private(set) var count = 0

    init(buffer: UnsafeMutableBufferPointer<UInt8>) { self.buffer = buffer }

    @inline(__always)
    mutating func append(_ byte: UInt8) {
        buffer[count] = byte
        count += 1
    }

    /// Appends `value` · 10^−`decimals` in decimal, with at least one digit before the point.
    @inline(__always)
    mutating func append(_ value: Int64, decimals: Int) {
        if value < 0 { append(UInt8(ascii: "-")) }
        var rest = value.magnitude
        var power: UInt64 = 10
        var digits = 1
        while digits <= decimals || (rest >= power && digits < 19) {
            power &*= 10
            digits += 1
        }
        let end = count + digits + 1
        let point = end - 1 - decimals
        for position in stride(from: end - 1, through: count, by: -1) {
            if position == point {
                buffer[position] = UInt8(ascii: ".")
            } else {
                let (quotient, digit) = rest.quotientAndRemainder(dividingBy: 10)
                buffer[position] = UInt8(ascii: "0") + UInt8(truncatingIfNeeded: digit)
                rest = quotient
            }
        }
        count = end
    }
}

/// A simulated trace of the folder `SensorTraces`, which ships with the package.
///
/// ``simulation()`` in the form of ``format`` reproduces the file byte for byte.
public struct ShippedTrace: Hashable, Sendable {
    /// The name of the file without `.csv`.
    public var name: String
    /// The motion of the wearer and the placement of the sensor.
    public var scenario: Scenario
    /// The seed of the simulation.
    public var seed: UInt64
    /// The sensor.
    public var sensor = SensorModel(sampleRate: 50)

    /// The form of shipped traces. Three decimals, one milligravity, are finer than the noise of their sensors.
    public static let format = CSVFormat(times: .seconds, decimals: 3)

    /// The trace as a simulation.
    ///
    /// - Throws: ``SimulationError`` for a property out of range, which no trace in ``all`` has.
    public func simulation() throws(SimulationError) -> Simulation {
        try Simulation(scenario, seed: seed, sensor: sensor)
    }

    /// All shipped traces, in the order of the README of the folder.
    public static let all: [ShippedTrace] = [
        ShippedTrace(name: "commute", scenario: .commute, seed: 1),
        ShippedTrace(name: "walk-wrist", scenario: .walk.worn(.wrist).lasting(120), seed: 2),
        ShippedTrace(name: "stroll-hip", scenario: stroll, seed: 3),
        ShippedTrace(name: "run-pocket", scenario: .run.lasting(120), seed: 4),
        ShippedTrace(name: "errands-wrist", scenario: .errands, seed: 5),
        ShippedTrace(name: "drive-pocket", scenario: .drive.lasting(360), seed: 6),
        ShippedTrace(name: "desk-wrist", scenario: .desk.lasting(240), seed: 7),
        ShippedTrace(name: "handling", scenario: .handling.lasting(120), seed: 8),
        ShippedTrace(name: "gaps", scenario: .walk.worn(.wrist).lasting(300), seed: 9, sensor: lossy),
        ShippedTrace(name: "poor-sensor", scenario: .errands.worn(.hip).lasting(180), seed: 10, sensor: poor),
    ]

    /// A slow walk with pauses.
    private static let stroll = Scenario(
        name: "stroll", placement: .hip,
        scenes: [
            Scene(.walking(.stroll), for: 60), Scene(.standing, for: 20), Scene(.walking(.stroll), for: 45),
            Scene(.standing, for: 10),
        ])

    /// A slow radio link: jitter, 5 % of the samples lost, two gaps.
    private static let lossy = SensorModel(
        sampleRate: 12.5, jitter: 0.012, lostShare: 0.05, gaps: [60..<75, 180..<183.5])

    /// A cheap sensor in an odd orientation: noise, bias, scale errors, coarse resolution, ±2 g.
    private static let poor = SensorModel(
        sampleRate: 50, jitter: 0.002, noise: 0.02, bias: SIMD3(0.04, -0.06, 0.03), scale: SIMD3(1.03, 0.97, 1.04),
        range: 2, resolution: 1 / 64, orientation: Orientation(roll: 130, pitch: -40, yaw: 75), wander: 6)
}
