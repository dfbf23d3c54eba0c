internal import Footfall

/// A unit that changes in a series: a device is set up again, or two logs were joined.
///
/// Gravity is in every acceleration of a wearer, so its size shows the unit. For most of any second, |a| is within
/// ``usual``. The next unit of ``AccelerationUnit`` is 9.8 times as large or as small, and then nearly nothing is.
package struct UnitChange: Hashable, Sendable {
    /// The fewest accelerations that show a change.
    package static let block = GravityCheck.block
    /// The shortest time in which a change shows, in seconds: that of a block at 50 Hz. A jumper is in flight for less.
    package static let window = Double(block) / 50
    /// |a| in g, for most of any second of a wearer.
    package static let usual: ClosedRange<Float> = 0.2...6
    /// A block in which at most one in this many is ``usual`` has probably another unit. In running, some are by
    /// chance.
    private static let rarity = 4

    /// The unit before the change.
    package let old: AccelerationScale
    /// The unit from the change on.
    package let new: AccelerationScale

    /// The factor between the values before and after the change.
    package var factor: Float { old.inG / new.inG }

    /// Finds the unit of a block.
    ///
    /// - Parameters:
    ///   - block: Accelerations in g, if their unit is `old`.
    ///   - old: The unit in which they were read.
    /// - Returns: Nil if they are not certainly in another unit.
    package init?(of block: some Collection<SIMD3<Float>>, after old: AccelerationScale) {
        guard Self.isRare(block.count { Self.isUsual($0) }, of: block.count) else { return nil }
        let values = block.map { vector -> SIMD3<Float> in
            let value = vector / old.inG
            let whole = value.rounded(.toNearestOrEven)
            // Counts are whole again.
            return value.replacing(with: whole, where: abs(value - whole) .<= 1e-6 * abs(value))
        }
        guard case .scale(let new) = GravityCheck(values).find(isLast: true), !(0.5...2).contains(new.inG / old.inG)
        else { return nil }
        (self.old, self.new) = (old, new)
    }

    /// Whether so few accelerations are ``usual`` that the unit may have changed.
    package static func isRare(_ usual: Int, of count: Int) -> Bool { usual * rarity <= count }

    @inline(__always)
    package static func isUsual(_ vector: SIMD3<Float>) -> Bool {
        let square = (vector * vector).sum()
        return square >= usual.lowerBound * usual.lowerBound && square <= usual.upperBound * usual.upperBound
    }

    /// Whether the accelerations with these squares of their sizes are usual.
    @inline(__always)
    static func areUsual(squares: SIMD4<Float>) -> SIMDMask<SIMD4<Int32>> {
        squares .>= usual.lowerBound * usual.lowerBound .& squares .<= usual.upperBound * usual.upperBound
    }
}

extension UnitChange: CustomStringConvertible {
    /// The change in a clause, for a stream.
    package var description: String { "\(size), so they are read in \(new) from then on" }

    /// The change in a clause, for a log.
    package var problem: String { "the unit changes from \(old) to \(new): \(size)" }

    private var size: String {
        let (size, word) = factor >= 1 ? (factor, "large") : (1 / factor, "small")
        let digits = size < 100 ? "\((size * 10).rounded() / 10)" : "\(Int(clamping: size.rounded()))"
        return "the values became \(digits) times as \(word)"
    }
}

private func abs(_ vector: SIMD3<Float>) -> SIMD3<Float> { vector.replacing(with: -vector, where: vector .< 0) }
