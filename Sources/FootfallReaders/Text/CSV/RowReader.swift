package import Footfall

/// Reads rows in order, with the state between them.
package struct RowReader: Sendable {
    /// The longest line in bytes. A longer one is no row of a table and is skipped.
    package static let longestLine = 1 << 16
    /// The most lines of such steps to keep.
    private static let mostStepsBack = 64

    private let dialect: CSVDialect
    private let layout: TableLayout
    private let parser: RowParser
    /// Reads most rows of most tables; nil for a table that has no such rows.
    private var fast: FastRowReader?
    private let firstCurrentLine: Int
    private var clock: RowClock
    private var line: Int
    /// Whether the next bytes are the rest of a line that is too long.
    private var isInsideLongLine = false
    private var previous = Timestamp.supported.lowerBound
    /// The problems of the rows.
    private(set) var tally = WarningCounts()
    /// Nil if the caller states the unit.
    package private(set) var units: UnitCheck?
    /// The lines of the first steps back that may be those of a clock.
    package private(set) var linesOfStepsBack: [Int] = []

    package init(_ sniffer: CSVSniffer) {
        layout = sniffer.layout
        dialect = sniffer.dialect
        parser = RowParser(dialect, layout)
        firstCurrentLine = sniffer.firstCurrentLine
        clock = sniffer.clock
        fast = FastRowReader(dialect, layout, clock)
        line = sniffer.firstRowLine
        let evidence = layout.unitEvidence
        let mayChange = evidence != .option && layout.coding.isPlain
        units = mayChange ? UnitCheck(layout.unit, isStated: evidence == .header) : nil
    }

    /// Reads the lines in `range` until the columns are full, and returns where it stopped. Unless the text ends with
    /// `range`, its last line may go on and is left.
    package mutating func read(
        _ text: Span<UInt8>, _ range: Range<Int>, isAtEnd: Bool, into columns: inout SampleColumns
    ) -> Int {
        let end = text.lastIndex(of: dialect.lineEnd, in: range).map { $0 + 1 } ?? range.lowerBound
        let wholeLines = text.extracting(..<end)
        var position = range.lowerBound
        while position < range.upperBound, columns.room > 0 {
            readFastRows(wholeLines, &position, into: &columns)
            guard position < range.upperBound, columns.room > 0 else { break }
            let found = text.firstIndex(of: dialect.lineEnd, in: position..<range.upperBound)
            guard found != nil || isAtEnd else { break }
            let end = found ?? range.upperBound
            if let rest = readLine(text, position..<end, into: &columns) { return rest }
            position = min(end + 1, range.upperBound)
        }
        return position
    }

    /// Reads rows up to the first that the fast reader leaves.
    private mutating func readFastRows(
        _ lines: Span<UInt8>, _ position: inout Int, into columns: inout SampleColumns
    ) {
        guard fast != nil, !isInsideLongLine, line >= firstCurrentLine else { return }
        if fast?.order != nil { fast?.follow(clock.order) }
        let count = fast?.read(lines, &position, index: clock.nextRow, after: &previous, into: &columns) ?? 0
        if let order = fast?.order { clock.order = order }
        clock.beginRows(count)
        line += count
    }

    /// Checks the unit of the samples that were read last.
    package mutating func checkUnit(of batch: SampleBatch) { units?.check(batch, through: line - 1) }

    /// The next bytes belong to a line that is too long.
    package mutating func skipLine() { isInsideLongLine = true }

    /// Ends the reading.
    package mutating func finish() {
        if isInsideLongLine { note(.lineTooLong) }
    }

    /// Counts a problem of the current row.
    private mutating func note(_ problem: TraceWarning.Kind) { tally.note(problem, .line(line)) }

    /// Reads a line. Returns where it stopped if the columns are full before its last row; else nil.
    private mutating func readLine(
        _ text: Span<UInt8>, _ range: Range<Int>, into columns: inout SampleColumns
    ) -> Int? {
        if isInsideLongLine || range.count > RowReader.longestLine {
            isInsideLongLine = false
            clock.beginRows()
            note(.lineTooLong)
        } else if dialect.rowEnd == nil {
            readRow(text, text.trimmed(range), into: &columns)
        } else {
            for row in dialect.rows(text, range) {
                guard columns.room > 0 else { return row.lowerBound }
                readRow(text, row, into: &columns)
            }
        }
        line += 1
        return nil
    }

    @inline(__always)
    private mutating func readRow(_ text: Span<UInt8>, _ row: Range<Int>, into columns: inout SampleColumns) {
        guard !row.isEmpty else { return }
        clock.order.previous = previous
        let (keptOffset, turns) = (clock.order.keptOffset, clock.turns)
        defer {
            if clock.order.keptOffset != keptOffset { note(.clockNotSet) }
            if clock.turns != turns { fast = FastRowReader(dialect, layout, clock) }
        }
        switch parser.read(text, row, &clock) {
        case .bad(let kind):
            note(kind)
        case .implausible(let vector):
            note(.implausibleAcceleration)
            units?.add(vector, line: line)
        case .sample where line < firstCurrentLine:
            note(.staleTime)
        case .sample(let sample):
            if sample.time < previous { noteStepBack(to: sample.time) }
            previous = sample.time
            columns.append(sample)
        }
    }

    private mutating func noteStepBack(to time: Timestamp) {
        note(.timeStepsBack)
        if previous.isSetBack(to: time), linesOfStepsBack.count < Self.mostStepsBack { linesOfStepsBack.append(line) }
    }
}

extension FastRowReader {
    /// A reader for a table; nil if the form of its rows or times rules it out.
    fileprivate init?(_ dialect: CSVDialect, _ layout: TableLayout, _ clock: RowClock) {
        guard dialect.rowEnd == nil, dialect.delimiter != ASCII.space, dialect.delimiter != dialect.decimalSeparator,
            layout.gravityColumns.isEmpty, layout.dateColumn == nil, layout.coding.isPlain, let time = clock.fastTime,
            let rows = RowLayout(
                time: layout.timeColumn?.index, axes: layout.axisColumns.map(\.index),
                RowLayout.Separators(
                    field: dialect.delimiter, decimal: dialect.decimalSeparator, row: dialect.lineEnd,
                    longestRow: RowReader.longestLine))
        else { return nil }
        self.init(time, rows, scale: layout.unit.inG)
    }
}

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

    init(_ dialect: CSVDialect, _ layout: TableLayout) {
        self.dialect = dialect
        let (time, date) = (layout.timeColumn?.index, layout.dateColumn?.index)
        let columns = (layout.axisColumns + layout.gravityColumns).map(\.index)
        var roles = [Role](repeating: .ignored, count: 1 + (columns + [time ?? 0, date ?? 0]).reduce(0, max))
        for (index, column) in columns.enumerated() { roles[column] = .value(index) }
        if let time { roles[time] = .time }
        if let date { roles[date] = .date }
        self.roles = roles
        hasTime = time != nil
        hasGravity = !layout.gravityColumns.isEmpty
        scale = layout.unit.inG
        (coding, isPlain) = (layout.coding, layout.coding.isPlain)
    }

    /// The result of reading a row.
    enum Outcome {
        case sample(AccelerationSample)
        /// More than 1000 g.
        case implausible(SIMD3<Float>)
        case bad(TraceWarning.Kind)
    }

    /// Reads the row in `range`.
    func read(_ text: Span<UInt8>, _ range: Range<Int>, _ clock: inout RowClock) -> Outcome {
        clock.beginRows()
        var position = range.lowerBound
        var timeField: Range<Int>?
        var values = InlineArray<6, Float>(repeating: 0)
        var problem: TraceWarning.Kind?
        for role in roles {
            guard let field = dialect.nextField(text, &position, range.upperBound) else {
                problem = problem ?? .tooFewFields
                break
            }
            switch role {
            case .ignored:
                continue
            case .date:
                clock.readDate(text, field)
            case .time:
                timeField = field
            case .value(let index):
                guard let number = DecimalNumber(text, field, separator: dialect.decimalSeparator) else {
                    problem = problem ?? .notANumber
                    continue
                }
                guard number.isFinite else {
                    problem = problem ?? .notFinite
                    continue
                }
                // The sum makes 0 of −0, as in a fast row, whose digits are an integer.
                values[index] =
                    isPlain || index > 2
                    ? Float(number.double) + 0 : Float(coding.value(number.double, axis: index))
            }
        }
        if let problem {
            clock.pass(text, timeField)
            return .bad(problem)
        }
        // A column of dates may be behind the one of times.
        let time = hasTime ? timeField.map { clock.time(text, $0) } ?? .bad(.tooFewFields) : clock.timeByRate()
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

/// Finds the row of a table from which on the accelerations have another unit.
package struct UnitCheck: Sendable {
    /// How long the values must contradict a unit that the header states, in seconds. No flight and no loose contact
    /// lasts for a minute.
    private static let contradiction = 60.0

    private let unit: AccelerationScale
    /// How long the values must have another unit, in seconds.
    private let shortest: Double
    /// Whether a window had accelerations that are usual in the unit. A unit cannot change that never fitted.
    private var hasUsual = false
    /// The first of the windows that have followed each other in another unit, and its time.
    private var suspicion: (line: Int, change: UnitChange, time: Timestamp)?
    /// The latest rows of more than 1000 g.
    private var implausible: [(line: Int, vector: SIMD3<Float>)] = []
    /// The line of the first of them that has followed each other closely.
    private var firstImplausible: Int?
    /// The change, and its line. A few rows before it may be of the new unit, if their values are usual in the old one.
    package private(set) var finding: (line: Int, change: UnitChange)?

    /// Checks the unit in which the table is read, which the header may state.
    init(_ unit: AccelerationScale, isStated: Bool) {
        self.unit = unit
        shortest = isStated ? Self.contradiction : 0
    }

    /// Checks the samples of a batch, whose last one is on `line`.
    mutating func check(_ batch: SampleBatch, through line: Int) {
        let (x, y, z) = (batch.x.span, batch.y.span, batch.z.span)
        func vector(_ index: Int) -> SIMD3<Float> { SIMD3(x[index], y[index], z[index]) }
        let length = Self.length(of: batch)
        var start = 0
        while finding == nil, start + length <= batch.count {
            let window = start..<start + length
            start = window.upperBound
            guard Self.isRarelyUsual(x, y, z, in: window) else {
                (hasUsual, suspicion) = (true, nil)
                continue
            }
            guard hasUsual, let change = UnitChange(of: window.map(vector), after: unit) else { continue }
            var first = window.first { !UnitChange.isUsual(vector($0)) } ?? window.lowerBound
            while first > 0, !UnitChange.isUsual(vector(first - 1)) { first -= 1 }
            let found = line - (batch.count - 1 - first)
            // Rows that were dropped meanwhile shift the line.
            let hasDropped = implausible.last.map { $0.line > found - UnitChange.block } ?? false
            let began =
                suspicion ?? (hasDropped ? min(found, firstImplausible ?? found) : found, change, batch.times[first])
            suspicion = began
            let lasting = batch.times[window.upperBound - 1].seconds(since: began.time)
            if lasting >= shortest { finding = (began.line, began.change) }
        }
    }

    /// The number of samples in a window: whole blocks.
    private static func length(of batch: SampleBatch) -> Int {
        guard let first = batch.times.first, let last = batch.times.last, last > first else { return UnitChange.block }
        let samples = Double(batch.count - 1) / last.seconds(since: first) * UnitChange.window
        let blocks = (min(samples, Double(batch.count)) / Double(UnitChange.block)).rounded()
        return UnitChange.block * max(1, Int(clamping: blocks))
    }

    /// Whether few accelerations of a window are usual. Mostly its first half shows that enough are.
    private static func isRarelyUsual(
        _ x: Span<Float>, _ y: Span<Float>, _ z: Span<Float>, in window: Range<Int>
    ) -> Bool {
        let middle = window.lowerBound + window.count / 2
        let usual = countUsual(x, y, z, in: window.lowerBound..<middle)
        return UnitChange.isRare(usual, of: window.count)
            && UnitChange.isRare(usual + countUsual(x, y, z, in: middle..<window.upperBound), of: window.count)
    }

    /// The number of usual accelerations, counted four at a time.
    private static func countUsual(_ x: Span<Float>, _ y: Span<Float>, _ z: Span<Float>, in half: Range<Int>) -> Int {
        var usual = SIMD4<Int32>()
        for index in stride(from: half.lowerBound, to: half.upperBound, by: 4) {
            // In bounds: half a window is a multiple of four, and all columns of a batch have the same length.
            let (fourX, fourY, fourZ) = (x.four(unchecked: index), y.four(unchecked: index), z.four(unchecked: index))
            let isUsual = UnitChange.areUsual(squares: fourX * fourX + fourY * fourY + fourZ * fourZ)
            usual = usual.replacing(with: usual &+ 1, where: isUsual)
        }
        return Int(usual.wrappedSum())
    }

    /// Checks a row of more than 1000 g, if its unit is the one of the table.
    mutating func add(_ vector: SIMD3<Float>, line: Int) {
        if let last = implausible.last, line - last.line > UnitChange.block {
            implausible.removeAll()
            firstImplausible = nil
        }
        firstImplausible = firstImplausible ?? line
        if implausible.count == UnitChange.block { implausible.removeFirst() }
        implausible.append((line, vector))
        guard finding == nil, hasUsual, let firstImplausible, implausible.count == UnitChange.block,
            let change = UnitChange(of: implausible.map(\.vector), after: unit)
        else { return }
        finding = (firstImplausible, change)
    }
}
