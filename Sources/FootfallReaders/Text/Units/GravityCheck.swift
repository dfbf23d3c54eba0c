internal import Footfall

/// Finds the unit of acceleration from the magnitude of gravity, and detects acceleration without gravity. The bounds
/// come from 478 recordings of walking, running, riding and handling, at the wrist and in pockets. There the median of
/// |a| over the first 2000 rows is 0.88…2.0 g, and the mean vector of 64 rows is at least 0.35 times as long as the
/// mean of |a|. Walking without gravity gives 0.2 for the latter.
package struct GravityCheck {
    package enum Finding: Equatable {
        case scale(AccelerationScale)
        /// The vectors are too few, or too much in motion.
        case unclear
        case refused(Objection)
    }

    /// A reason to refuse acceleration.
    package enum Objection: Equatable {
        /// Gravity is missing, according to this sign.
        case noGravity(String)
        /// The median of |a| is gravity in no known unit.
        case unknownUnit(median: Float)
        /// The numbers are probably counts, but show too little rest to be certain.
        case tooMuchMotion(AccelerationScale, median: Float)
    }

    /// The vectors of one mean direction, and the fewest that show the unit during motion.
    package static let block = 64
    /// The fewest vectors that show anything, unless the input ends.
    private static let fewest = 8
    /// The median of |a| of a wearer, in g.
    package static let usualMedian: ClosedRange<Float> = 0.5...2.4
    /// |a| at rest in g: the sensor's error, and a hand that is not quite still.
    private static let rest: ClosedRange<Float> = 0.7...1.3
    /// |a| at rest in g by the scale of counts. These scales are close together, so the fit must be better.
    private static let restOfCounts: ClosedRange<Float> = 0.79...1.22
    private static let units = AccelerationUnit.allCases.map(AccelerationScale.unit)
    /// The counts per g of common sensors at their usual ranges: ADXL345 256, MMA8451 4096, MPU-6050, LSM6DS3 and
    /// LIS3DH 16384 at ±2 g, and their wider ranges. 1024 counts per g read as mg.
    private static let usualCounts = [256, 4096, 16384, 2048, 8192, 512].map { AccelerationScale.counts(perG: $0) }

    /// The scales in which the vectors may be written.
    package var scales: [AccelerationScale] { Self.units + (areWhole ? Self.usualCounts : []) }

    /// Sorted.
    private let magnitudes: [Float]
    /// The length of the mean vector over the mean of |a|, as the median over blocks: 1 at rest, near 0 without
    /// gravity. Nil for too few vectors.
    private let alignment: Float?
    /// Whether the numbers may be raw counts, which have no decimals.
    private let areWhole: Bool

    package init(_ vectors: [SIMD3<Float>]) {
        magnitudes = vectors.map(\.length).sorted()
        areWhole = vectors.allSatisfy { $0 == $0.rounded(.towardZero) }
        let length = min(Self.block, max(Self.fewest, vectors.count))
        let alignments = stride(from: 0, to: vectors.count - length + 1, by: length).map { start in
            let block = vectors[start..<start + length]
            let length = block.reduce(Float.zero) { $0 + $1.length }
            return block.reduce(SIMD3<Float>.zero, +).length / max(length, .leastNormalMagnitude)
        }
        alignment = alignments.upperMedian()
    }

    /// The unit in which the vectors are accelerations of a wearer with gravity. The last ones end the input.
    package func find(isLast: Bool) -> Finding {
        guard magnitudes.count >= Self.fewest || (isLast && !magnitudes.isEmpty) else { return .unclear }
        let unit = likeliest(Self.units)
        // Counts have no decimals.
        let counts = areWhole ? likeliest(Self.usualCounts) : nil
        guard magnitudes.count >= Self.block || isLast else {
            // A sensor at rest shows its unit at once.
            guard let alignment, alignment >= 0.9 else { return .unclear }
            return [unit, counts].compactMap { $0 }.first { restShare($0) >= 0.9 }.map(Finding.scale) ?? .unclear
        }
        if let unit, restShare(unit) >= 0.3 { return aligned(.scale(unit)) }
        if let counts, restShare(counts) >= 0.3 {
            // The scales are close together: a walk in one may look like rest in another.
            return aligned(
                restShare(counts) >= 0.6 ? .scale(counts) : .refused(.tooMuchMotion(counts, median: median)))
        }
        if let unit = Self.units.first(where: { Self.usualMedian.contains(median * $0.inG) }) {
            return aligned(.scale(unit))
        }
        if median < Self.usualMedian.lowerBound { return .refused(.noGravity(medianText)) }
        return aligned(.refused(.unknownUnit(median: median)))
    }

    /// The unit in which all of the vectors are accelerations of a wearer with gravity; nil if they are in none.
    var scale: AccelerationScale? { if case .scale(let scale) = find(isLast: true) { scale } else { nil } }

    /// Whether these are a few seconds of a steady vector that is not gravity. Some loggers begin with seconds in which
    /// the axes hold another sensor. Acceleration without gravity is not steady: at rest, noise remains.
    package var isInconclusive: Bool {
        (Self.block..<512).contains(magnitudes.count) && (alignment ?? 0) > 0.9 && (0.01..<0.5).contains(median)
    }

    /// The reason why the vectors are not acceleration with gravity in a given unit; nil when there is none. Of a
    /// certain unit, which the caller gives, only the absence of any gravity is a reason.
    package func objection(to unit: AccelerationScale, isCertain: Bool) -> Objection? {
        guard restShare(unit) < 0.3, !isInconclusive else { return nil }
        if median * unit.inG < 0.35 { return .noGravity("\(medianText) \(unit)") }
        return isCertain || isAligned ? nil : .noGravity(noDirection)
    }

    /// The scale in which the vectors are nearest to gravity, as a ratio; for numbers that are gravity in no unit,
    /// counts of which the median of |a| is 1 g.
    package var nearestScale: AccelerationScale {
        switch find(isLast: true) {
        case .scale(let scale): return scale
        case .refused(.unknownUnit(let median)):
            return .counts(perG: areWhole ? median.rounded() : CountSearch.rounded(median))
        case .refused(.tooMuchMotion(let counts, _)): return counts
        case .refused, .unclear: break
        }
        func distance(_ scale: AccelerationScale) -> Float {
            let size = max(median * scale.inG, .leastNormalMagnitude)
            return max(size, 1 / size)
        }
        return scales.min { distance($0) < distance($1) } ?? .g
    }

    /// Whether the median of |a| is that of a wearer, if the vectors are written in `scale`; whether it may be.
    package func isUsual(in scale: AccelerationScale) -> Bool { Self.usualMedian.contains(median * scale.inG) }
    package func isPossible(in scale: AccelerationScale) -> Bool { UnitChange.usual.contains(median * scale.inG) }

    /// The unit that the vectors fit at rest, where they do not fit `unit` at all.
    package func scale(insteadOf unit: AccelerationScale) -> AccelerationScale? {
        restShare(unit) < 0.1 ? Self.units.first { restShare($0) >= 0.5 } : nil
    }

    // MARK: Measures

    /// The median of |a| in g, as text.
    package func median(in scale: AccelerationScale) -> String { Self.text(median * scale.inG) }
    private var median: Float { magnitudes.isEmpty ? 0 : magnitudes[magnitudes.count / 2] }
    private var medianText: String { "the median |a| is \(Self.text(median))" }
    private var isAligned: Bool { (alignment ?? 1) >= Self.leastAlignment }
    /// The least ``alignment`` of acceleration with gravity.
    private static let leastAlignment: Float = 0.3
    private var noDirection: String {
        "the mean vector of \(Self.block) samples is \(Self.text(alignment ?? 0)) of the mean |a|; with gravity it is "
            + "\(Self.leastAlignment) or more"
    }

    private func aligned(_ finding: Finding) -> Finding {
        isAligned ? finding : .refused(.noGravity(noDirection))
    }

    /// The share of vectors whose magnitude is that of gravity in `scale`.
    private func restShare(_ scale: AccelerationScale) -> Float {
        var rest = Self.rest
        if case .counts = scale { rest = Self.restOfCounts }
        return Float(magnitudes.count { rest.contains($0 * scale.inG) }) / Float(max(1, magnitudes.count))
    }

    private func likeliest(_ scales: [AccelerationScale]) -> AccelerationScale? {
        scales.max { restShare($0) < restShare($1) }
    }

    package static func text(_ value: Float) -> String {
        abs(value) < 1e9 ? "\((value * 100).rounded() / 100)" : "\(value)"
    }
}

extension GravityCheck.Objection {
    /// Gravity is missing, because the means of all axes stay at a number that is the zero of converters.
    static func noGravity(about zero: Float) -> Self {
        .noGravity("the means over seconds stay at \(GravityCheck.text(zero)) on all axes, the zero of a converter")
    }

    /// The problem in one clause.
    package var problem: String {
        switch self {
        case .noGravity(let sign): "acceleration without gravity (\(sign))"
        case .unknownUnit(let median):
            "the median |a| is \(GravityCheck.text(median)), which is gravity in no known unit (g, mg, m/s²)"
        case .tooMuchMotion(let scale, let median):
            "the median |a| is \(GravityCheck.text(median)); these may be \(scale), but too few of them are at rest"
        }
    }
}

/// A unit that changes in a series: a device is set up again, or two logs were joined. Gravity is in every acceleration
/// of a wearer, so its size shows the unit. For most of any second, |a| is within ``usual``. The next unit of
/// ``AccelerationUnit`` is 9.8 times as large or as small, and then nearly nothing is.
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

    /// Finds the unit of a block of accelerations, in g if their unit is still `old`; nil if they are not certainly in
    /// another one.
    package init?(of block: some Collection<SIMD3<Float>>, after old: AccelerationScale) {
        guard Self.isRare(block.count { Self.isUsual($0) }, of: block.count) else { return nil }
        let values = block.map { vector -> SIMD3<Float> in
            let value = vector / old.inG
            let whole = value.rounded(.toNearestOrEven)
            // Counts are whole again.
            return value.replacing(with: whole, where: (value - whole).absolute .<= 1e-6 * value.absolute)
        }
        guard let new = GravityCheck(values).scale, !(0.5...2).contains(new.inG / old.inG)
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
