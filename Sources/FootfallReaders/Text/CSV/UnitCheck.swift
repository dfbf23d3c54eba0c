internal import Footfall

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

    /// - Parameters:
    ///   - unit: The unit in which the table is read.
    ///   - isStated: Whether the header states it.
    init(_ unit: AccelerationScale, isStated: Bool) {
        self.unit = unit
        shortest = isStated ? Self.contradiction : 0
    }

    /// Checks the samples of a batch.
    ///
    /// - Parameter line: The line of the last sample.
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
