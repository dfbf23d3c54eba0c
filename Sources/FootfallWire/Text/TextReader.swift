/// Reads lines by a layout.
struct TextReader: Sendable {
    enum Outcome {
        case reading(WireReading)
        /// The line belongs to the stream, and holds no acceleration, or not yet all of it.
        case nothing
        /// The line does not fit the layout, or a value is no acceleration.
        case stranger
    }

    private let layout: TextLayout
    private var slots = AxisSlots()
    private var time: Int64?
    private var clock = TextTime()

    init(_ layout: TextLayout) {
        self.layout = layout
    }

    mutating func reset() {
        slots.clear()
        time = nil
    }

    /// Reads a line, given as it is taken apart and as it is written.
    mutating func read(_ line: TextLine, _ text: [UInt8]) -> Outcome {
        switch layout.places {
        case .row(let width, let lead, let axes, let time):
            if let lead, let other = otherSensor(line, text, lead) { return other }
            guard line.fields.count == width else { return .stranger }
            return row(line, axes[0], axes[1], axes[2], time)
        case .labels(let axes, let timeLabel):
            return labelled(line, axes, timeLabel)
        case .sensorNumbers:
            let place = SensorNumbers.accelerationField(line)
            guard place.isRow else { return .stranger }
            guard let field = place.field else { return .nothing }
            return row(line, field, field + 1, field + 2, 0)
        }
    }

    /// A row that begins with another word is another sensor's.
    private func otherSensor(_ line: TextLine, _ text: [UInt8], _ lead: TextLabel) -> Outcome? {
        guard let first = line.fields.first, case .word = first.content else { return .stranger }
        return TextLabel(text.span, first.range, context: 0..<0) == lead ? nil : .nothing
    }

    private mutating func row(_ line: TextLine, _ x: Int, _ y: Int, _ z: Int, _ time: Int?) -> Outcome {
        guard let x = line.fields[x].number?.double, let y = line.fields[y].number?.double,
            let z = line.fields[z].number?.double
        else { return .stranger }
        var deviceTime: Int64?
        if let time {
            deviceTime = nanoseconds(line.fields[time])
            guard deviceTime != nil else { return .stranger }
        }
        let vector = SIMD3(Float(x), Float(y), Float(z)) * layout.scale.inG
        return WireReading(vector, at: deviceTime).map(Outcome.reading) ?? .stranger
    }

    private mutating func labelled(_ line: TextLine, _ axes: [TextLabel], _ timeLabel: TextLabel?) -> Outcome {
        guard line.isLabelled else { return .stranger }
        if let number = line.time {
            time = nanoseconds(TextLine.Field(content: .number(number), range: 0..<0))
        } else if let timeLabel, let field = line.fields.first(where: { $0.label == timeLabel }) {
            time = nanoseconds(field)
        }
        guard let vector = slots.take(line, axes) else { return .nothing }
        defer { time = nil }
        return WireReading(vector * layout.scale.inG, at: time).map(Outcome.reading) ?? .stranger
    }

    private mutating func nanoseconds(_ field: TextLine.Field) -> Int64? {
        switch (layout.time, field.content) {
        case (.clock, .clock(let time)): clock.unwrap(timeOfDay: time)
        case (.number(let unit), .number(let number)): clock.unwrap(number, unit)
        default: nil
        }
    }
}

/// Makes a time that keeps growing out of what a line says: past midnight, and past the end of a counter of 32 bits.
struct TextTime: Sendable {
    private var counter = WrappingCounter()
    private var previous: Int64?
    private var days: Int64 = 0

    private static let day: Int64 = 86_400_000_000_000

    /// A clock that goes back by more than half a day has passed midnight.
    mutating func unwrap(timeOfDay time: Int64) -> Int64 {
        if let previous, previous - time > TextTime.day / 2 { days &+= 1 }
        previous = time
        return days &* TextTime.day &+ time
    }

    /// A number that fits 32 bits may be Arduino's `millis()` or `micros()`.
    mutating func unwrap(_ number: DecimalNumber, _ unit: TimeUnit) -> Int64? {
        if number.isWhole, unit == .milliseconds || unit == .microseconds, let count = UInt32(exactly: number.double) {
            return counter.unwrap(count) &* Int64(unit.inNanoseconds)
        }
        return number.nanoseconds(power: unit.powerOfTen)
    }
}
