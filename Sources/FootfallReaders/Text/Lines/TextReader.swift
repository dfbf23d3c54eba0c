internal import Footfall

/// Reads lines of a known layout.
package struct TextReader: Sendable {
    package enum Outcome {
        /// Acceleration in g if the unit is that of the layout, and the time of the line, in nanoseconds from a zero of
        /// its own.
        case acceleration(SIMD3<Float>, time: Int64?)
        /// The line fits the layout but completes no acceleration.
        case nothing
        /// The line does not fit the layout, or its values are not finite.
        case misfit
    }

    private var layout: TextLayout
    private var slots = AxisSlots()
    /// The time of the line with labels that is still incomplete.
    private var time: Int64?
    private var clock = LineClock()
    private var dayClock = DayClock()
    /// The time of the last line of one sample, or of the last packet before the current one.
    private var packetTime: Int64?
    private var previousPacketTime: Int64?

    /// A longer time between two packets is a pause, in nanoseconds.
    private static let longestPacket: Int64 = 4_000_000_000

    package init(_ layout: TextLayout) { self.layout = layout }

    /// The form of the numbers in the lines.
    package var form: NumberForm? { layout.form }

    /// Reads the lines that follow with another scale and another zero.
    package mutating func change(to scale: AccelerationScale, _ coding: CountCoding) {
        (layout.scale, layout.coding) = (scale, coding)
    }

    /// Clears an incomplete vector after a disconnection.
    package mutating func reset() {
        slots = AxisSlots()
        (time, packetTime, previousPacketTime) = (nil, nil, nil)
    }

    /// Reads the fields of a line, and its place among the samples that share a time.
    package mutating func read(_ line: TextLine, _ part: JSONLine.Part) -> Outcome {
        if !layout.devices.isEmpty {
            let names = line.devices(part)
            let isOther = layout.devices.contains { own in names.contains { $0.place == own.place && $0 != own } }
            if isOther { return .nothing }
        }
        let outcome = readLine(line, part.text)
        guard part.count > 1, case .acceleration(let vector, let last?) = outcome else { return outcome }
        return .acceleration(vector, time: spread(last, part))
    }

    /// The acceleration of a line; nil without one.
    mutating func vector(_ line: TextLine, _ part: JSONLine.Part) -> SIMD3<Float>? {
        if case .acceleration(let vector, _) = read(line, part) { vector } else { nil }
    }

    private mutating func readLine(_ line: TextLine, _ text: [UInt8]) -> Outcome {
        switch layout.places {
        case .row(let width, let lead, let axes, let time):
            if let lead {
                guard let word = line.word(at: lead.field, text) else { return .misfit }
                // Another word is that of another sensor.
                guard word == lead.word else { return .nothing }
            }
            guard line.fields.count == width else { return .misfit }
            return row(line, axes, time)
        case .labels(let axes, let timeLabel):
            return labeled(line, axes, timeLabel)
        case .sensorNumbers:
            let place = SensorNumbers.accelerationField(line)
            guard place.isRow else { return .misfit }
            guard let field = place.field else { return .nothing }
            return row(line, [field, field + 1, field + 2], 0)
        }
    }

    private mutating func row(_ line: TextLine, _ axes: [Int], _ time: Int?) -> Outcome {
        guard let vector = line.vector(axes) else { return .misfit }
        var deviceTime: Int64?
        if let time {
            deviceTime = nanoseconds(line.fields[time].content)
        } else if layout.isStamped {
            deviceTime = line.stamp.flatMap { nanoseconds($0) }
        }
        guard deviceTime != nil || layout.time == nil else { return .misfit }
        return outcome(vector, deviceTime)
    }

    private mutating func labeled(_ line: TextLine, _ axes: [TextLabel], _ timeLabel: TextLabel?) -> Outcome {
        guard line.isLabeled else { return .misfit }
        if let number = line.time {
            time = nanoseconds(.number(number))
        } else if let timeLabel, let field = line.fields.first(where: { $0.label == timeLabel }) {
            time = nanoseconds(field.content)
        } else if layout.isStamped, let stamp = line.stamp {
            time = nanoseconds(stamp)
        }
        if let rest = layout.rest, let whole = time,
            let number = line.fields.first(where: { $0.label == rest.label })?.number
        {
            time = number.nanoseconds(power: rest.unit.powerOfTen).map { whole &+ $0 }
        }
        if layout.needsUnit, line.hasAll(axes), line.unit(of: axes) == nil { return .nothing }
        guard let vector = slots.take(line, axes) else { return .nothing }
        defer { time = nil }
        return outcome(vector, time)
    }

    private func outcome(_ vector: SIMD3<Float>, _ time: Int64?) -> Outcome {
        let acceleration = layout.coding.vector(vector) * layout.scale.inG
        return acceleration.sum().isFinite ? .acceleration(acceleration, time: time) : .misfit
    }

    private mutating func nanoseconds(_ content: TextLine.Field.Content) -> Int64? {
        switch (layout.time, content) {
        case (.clock, .clock(let time)):
            guard layout.zero != .midnight else { return dayClock.unwrap(time) }
            return time.nanoseconds.map { $0 &- Int64(time.offsetSeconds ?? 0) &* 1_000_000_000 }
        case (.number(let unit), .number(let number)): return clock.unwrap(number, unit)
        default: return nil
        }
    }

    /// The time of one of several samples that share the time of the last of them.
    private mutating func spread(_ last: Int64, _ part: JSONLine.Part) -> Int64 {
        if packetTime != last { (previousPacketTime, packetTime) = (packetTime, last) }
        var interval = layout.packetInterval ?? 0
        if let previousPacketTime, (1...Self.longestPacket).contains(last &- previousPacketTime) {
            interval = last &- previousPacketTime
        }
        return last &- interval / Int64(part.count) &* Int64(part.count - 1 - part.index)
    }
}

/// Collects x, y and z from labels on one line or on several.
struct AxisSlots: Sendable {
    private var values = SIMD3<Float>.zero
    private var filled = SIMD3<Int32>.zero

    /// Adds the values of a line and returns the vector when it is complete.
    mutating func take(_ line: TextLine, _ axes: [TextLabel]) -> SIMD3<Float>? {
        guard line.isLabeled else { return nil }
        for field in line.fields {
            guard let label = field.label, let number = field.number else { continue }
            for axis in 0..<3 where axes[axis] == label {
                // A repeated axis begins the next vector.
                if filled[axis] == 1 { filled = .zero }
                values[axis] = Float(number.double)
                filled[axis] = 1
            }
        }
        guard filled == .one else { return nil }
        filled = .zero
        return values
    }
}

/// Unwraps the times of lines past the end of a 32-bit counter.
struct LineClock: Sendable {
    private var counter = WrappingCounter()

    /// A whole number of milliseconds or microseconds that fits 32 bits may be Arduino's `millis()` or `micros()`.
    mutating func unwrap(_ number: DecimalNumber, _ unit: TimeUnit) -> Int64? {
        if number.isWhole, unit == .milliseconds || unit == .microseconds, let count = UInt32(exactly: number.double) {
            return counter.unwrap(count) &* (unit == .milliseconds ? 1_000_000 : 1000)
        }
        return number.nanoseconds(power: unit.powerOfTen)
    }
}
