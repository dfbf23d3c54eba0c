internal import Footfall

/// Reads a row of any table: the general way, beside `FastRowReader`.
struct RowParser: Sendable {
    /// The meaning of a column.
    enum Role: Sendable {
        case ignored
        case time
        case date
        /// One of the six numbers: acceleration along x, y and z, then gravity along x, y and z.
        case value(Int)
    }

    private let dialect: CSVDialect
    /// The roles of the columns up to the last one to read.
    private let roles: [Role]
    private let hasTime: Bool
    private let hasGravity: Bool
    private let scale: Float
    private let coding: CountCoding
    private let isPlain: Bool

    init(
        _ dialect: CSVDialect, time: Int?, date: Int?, axes: [Int], gravity: [Int], unit: AccelerationScale,
        coding: CountCoding
    ) {
        self.dialect = dialect
        let columns = axes + gravity
        var roles = [Role](repeating: .ignored, count: 1 + (columns + [time ?? 0]).reduce(0, max))
        for (index, column) in columns.enumerated() { roles[column] = .value(index) }
        if let time { roles[time] = .time }
        // The date is before the time.
        if let date { roles[date] = .date }
        self.roles = roles
        hasTime = time != nil
        hasGravity = !gravity.isEmpty
        scale = unit.inG
        (self.coding, isPlain) = (coding, coding.isPlain)
    }

    /// The result of reading a row.
    enum Outcome {
        case sample(AccelerationSample)
        /// More than 1000 g.
        case implausible(SIMD3<Float>)
        case bad(RowProblem)
    }

    /// Reads the row in `range`.
    func read(_ text: Span<UInt8>, _ range: Range<Int>, _ clock: inout RowClock) -> Outcome {
        clock.beginRows()
        var position = range.lowerBound
        var time = hasTime ? RowClock.Reading.bad(.tooFewFields) : clock.timeByRate()
        var values = InlineArray<6, Float>(repeating: 0)
        for role in roles {
            guard let field = dialect.nextField(text, &position, range.upperBound) else { return .bad(.tooFewFields) }
            switch role {
            case .ignored:
                continue
            case .date:
                clock.readDate(text, field)
            case .time:
                time = clock.time(text, field)
            case .value(let index):
                guard let number = DecimalNumber(text, field, separator: dialect.decimalSeparator) else {
                    return .bad(.notANumber)
                }
                guard number.isFinite else { return .bad(.notFinite) }
                // The sum makes 0 of −0, as in a fast row, whose digits are an integer.
                values[index] =
                    isPlain || index > 2
                    ? Float(number.double) + 0 : Float(coding.value(number.double, axis: index))
            }
        }
        switch time {
        case .time(let time): return outcome(time, values)
        case .bad(let kind): return .bad(kind)
        }
    }

    private func outcome(_ time: Timestamp, _ values: InlineArray<6, Float>) -> Outcome {
        var vector = SIMD3(values[0], values[1], values[2])
        if hasGravity { vector += SIMD3(values[3], values[4], values[5]) }
        vector *= scale
        guard PlausibleAcceleration.contains(vector) else { return .implausible(vector) }
        return .sample(AccelerationSample(time: time, x: vector.x, y: vector.y, z: vector.z))
    }
}
