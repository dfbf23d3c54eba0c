internal import Footfall

/// Finds the row of a table from which on the accelerations have another unit.
package struct UnitCheck: Sendable {
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
            guard Self.isRarelyUsual(x, y, z, in: block) else {
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

    /// Whether few accelerations of a block are usual. Mostly its first half shows that enough are.
    private static func isRarelyUsual(
        _ x: Span<Float>, _ y: Span<Float>, _ z: Span<Float>, in block: Range<Int>
    ) -> Bool {
        let middle = block.lowerBound + block.count / 2
        let usual = countUsual(x, y, z, in: block.lowerBound..<middle)
        return UnitChange.isRare(usual, of: block.count)
            && UnitChange.isRare(usual + countUsual(x, y, z, in: middle..<block.upperBound), of: block.count)
    }

    /// The number of usual accelerations, counted four at a time.
    private static func countUsual(_ x: Span<Float>, _ y: Span<Float>, _ z: Span<Float>, in half: Range<Int>) -> Int {
        var usual = SIMD4<Int32>()
        for index in stride(from: half.lowerBound, to: half.upperBound, by: 4) {
            // In bounds: half a block is a multiple of four, and all columns of a batch have the same length.
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
