internal import Footfall

/// Finds the row of a table from which on the accelerations have another unit.
package struct UnitCheck: Sendable {
    /// Every so many samples of a block are looked at. The others are only if the unit may have changed.
    private static let stride = 4

    private let unit: AccelerationScale
    /// Whether a block had accelerations that are usual in the unit. A unit cannot change that never fitted.
    private var hasUsual = false
    /// The latest rows of more than 1000 g.
    private var implausible: [(line: Int, vector: SIMD3<Float>)] = []
    /// The line of the first of them that has followed each other closely.
    private var firstImplausible: Int?
    /// The change, and its line. A few rows before it may be of the new unit, if their values are usual in the old one.
    package private(set) var finding: (line: Int, change: UnitChange)?

    /// - Parameter unit: The unit in which the table is read.
    init(_ unit: AccelerationScale) { self.unit = unit }

    /// Checks the samples of a batch.
    ///
    /// - Parameter line: The line of the last sample.
    mutating func check(_ batch: SampleBatch, through line: Int) {
        let (x, y, z) = (batch.x.span, batch.y.span, batch.z.span)
        func vector(_ index: Int) -> SIMD3<Float> { SIMD3(x[index], y[index], z[index]) }
        var start = 0
        while finding == nil, start + UnitChange.block <= batch.count {
            let block = start..<start + UnitChange.block
            start = block.upperBound
            var usual = 0
            for index in Swift.stride(from: block.lowerBound, to: block.upperBound, by: Self.stride) {
                usual += UnitChange.isUsual(vector(index)) ? 1 : 0
            }
            guard UnitChange.isRare(usual, of: UnitChange.block / Self.stride) else {
                hasUsual = true
                continue
            }
            guard hasUsual, let change = UnitChange(of: block.map(vector), after: unit) else { continue }
            var first = block.first { !UnitChange.isUsual(vector($0)) } ?? block.lowerBound
            while first > 0, !UnitChange.isUsual(vector(first - 1)) { first -= 1 }
            let found = line - (batch.count - 1 - first)
            // Rows that were dropped meanwhile shift the line.
            let hasDropped = implausible.last.map { $0.line > found - UnitChange.block } ?? false
            finding = (hasDropped ? min(found, firstImplausible ?? found) : found, change)
        }
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
