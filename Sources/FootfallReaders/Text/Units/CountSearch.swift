internal import Footfall

#if canImport(Darwin)
    internal import Darwin
#else
    internal import Glibc
#endif

/// Finds how numbers stand for accelerations, from the numbers: those of an analog sensor, and two's complement without
/// a sign. Gravity is about 1 g in the mean of a second. So the means lie on a sphere, whose center is the number at 0
/// g and whose radius is 1 g. One posture shows only a part of it. The rest follows from the sensors in use: 0 g is
/// half of their supply, which is a fixed multiple of 1 g, whatever the converter.
package struct CountSearch {
    /// A coding, with its scale.
    package struct Finding: Hashable, Sendable {
        package var coding: CountCoding
        package var scale: AccelerationScale
        /// ``TableLayout/Evidence/assumption`` if another sensor could give the same numbers.
        package var evidence: TableLayout.Evidence
        /// The sensor whose numbers these may be; nil if none was assumed.
        var sensor: String?

        /// What was found, in a clause, and the options that change it.
        package var note: ParameterText {
            let perG = ParameterText.Parameter.unit(scale).value ?? "\(scale)"
            if coding.span != nil {
                if case .unit = scale { return "the numbers are \(coding), in \(scale)" }
                return "the numbers are \(coding), \(perG) a g; to change the scale, give \(.unit(scale))"
            }
            let sensor = sensor.map { ", as of \($0)" } ?? ""
            let options: [ParameterText.Parameter] = [.zero(coding), .unit(scale)]
            return "counts with their zero at \(coding.zeroText), \(perG) a g\(sensor); to change it, give \(options)"
        }
    }

    /// The numbers of successive samples, and how many of them take about a second.
    private let vectors: [SIMD3<Float>]
    private let second: Int
    /// The number at 0 g and the scale that the caller gives.
    private let zero: SIMD3<Float>?
    private let scale: AccelerationScale?
    /// Whether the titles state volts or millivolts.
    private let isVoltage: Bool

    /// Searches the numbers of successive samples, about `second` of which take a second. The zero and the scale may be
    /// given. If `isVoltage`, the titles state volts or millivolts.
    package init(
        _ vectors: [SIMD3<Float>], second: Int = GravityCheck.block, zero: SIMD3<Float>? = nil,
        scale: AccelerationScale? = nil, isVoltage: Bool = false
    ) {
        (self.vectors, self.zero, self.scale, self.isVoltage) = (vectors, zero, scale, isVoltage)
        self.second = max(1, min(second, vectors.count / 4))
    }

    /// The coding of the numbers; nil for signed numbers of which 0 is 0 g.
    package func find() -> Finding? {
        guard vectors.count >= Self.fewest else { return nil }
        if let zero { return zero == .zero ? nil : scaled(CountCoding(zero: zero)) }
        if case .unit = scale { return unsigned(steps: true) }
        return unsigned(steps: true) ?? centered() ?? unsigned(steps: false)
    }

    /// The fewest vectors that show anything.
    private static let fewest = 8

    /// The vectors of each second.
    private var seconds: [ArraySlice<SIMD3<Float>>] {
        stride(from: 0, to: vectors.count - second + 1, by: second).map { vectors[$0..<$0 + second] }
    }

    /// The means of seconds.
    private func means(_ coding: CountCoding = CountCoding()) -> [SIMD3<Float>] {
        seconds.map { $0.reduce(.zero) { $0 + coding.vector($1) } / Float(second) }
    }

    // MARK: No gravity

    /// The farthest that the means of seconds are from the number at 0 g where gravity is missing: as a share of the
    /// standard deviation within a second, and of that number. Of 492 cuts of people as five sensors and boards write
    /// them, none is nearer; 1 g of an ADXL326 is 0.038 of its zero.
    private static let (nearOfSpread, nearOfZero): (Float, Float) = (0.35, 0.02)

    /// The number at 0 g of a board about which the means of seconds stay, so that gravity is missing; nil if they are
    /// farther from any, and for numbers with a sign.
    package var numberWithoutGravity: Float? {
        guard zero == nil, scale == nil, vectors.count >= Self.fewest, vectors.allSatisfy({ $0.min() >= 0 }) else {
            return nil
        }
        let means = means()
        let spreads = zip(seconds, means).map { vectors, mean in
            (vectors.reduce(0) { $0 + ($1 - mean).lengthSquared } / Float(vectors.count)).squareRoot()
        }
        guard let spread = spreads.upperMedian() else { return nil }
        return (isVoltage ? Self.voltages : Self.zeros).lazy.map(\.zero).first { zero in
            let far = means.map { ($0 - SIMD3(repeating: zero)).length }.upperMedian() ?? .infinity
            return far <= max(Self.nearOfSpread * spread, Self.nearOfZero * zero)
        }
    }

    /// The largest angle between a mean and the line of equal numbers on all axes, as a sine: 10°. One posture in 130
    /// lies within it.
    private static let nearDiagonal: Float = 0.17

    /// Whether the numbers may be counts with an unknown zero, although they fit gravity without one: they are whole
    /// and positive, and the means of seconds are about equal on all axes.
    package var mayHaveZero: Bool {
        guard zero == nil, scale == nil, vectors.count >= Self.fewest,
            vectors.allSatisfy({ $0.min() > 0 && $0 == $0.rounded(.towardZero) })
        else { return false }
        let shares = means().map { ($0 - SIMD3(repeating: $0.sum() / 3)).length / $0.length }
        return shares.upperMedian() ?? 1 <= Self.nearDiagonal
    }

    /// The reading of such numbers by a caller who insists, as those of the most common sensor.
    static func insisting(onZero zero: Float) -> Finding {
        Finding(
            coding: CountCoding(zero: SIMD3(repeating: zero)), scale: .counts(perG: rounded(zero / sensors[0].ratio)),
            evidence: .assumption)
    }

    // MARK: Scale

    /// Counts per g of digital sensors: MMA7660 21.33, 8 bits at ±2 g 64, and those of ``GravityCheck``.
    private static let usualCounts: [Float] = [21.33, 64, 128, 256, 512, 1024, 2048, 4096, 8192, 16384]
    /// The most by which gravity in the means differs from that of a known sensor, as a share of it.
    private static let nearScale: Float = 0.12

    /// The scale that the size of gravity shows, given a coding.
    private func scaled(_ coding: CountCoding) -> Finding? {
        if let scale { return Finding(coding: coding, scale: scale, evidence: .option) }
        let sizes = means(coding).map(\.length)
        guard let size = sizes.upperMedian(), size > 0, size.isFinite else { return nil }
        let known: [(perG: Float, sensor: String?)] =
            coding.span == nil
            ? Self.sensors.map { (coding.zero.sum() / 3 / $0.ratio, $0.name) } : Self.usualCounts.map { ($0, nil) }
        let nearest = known.min { abs(log($0.perG / size)) < abs(log($1.perG / size)) }
        if let nearest, abs(log(nearest.perG / size)) <= Self.nearScale {
            return Finding(
                coding: coding, scale: .counts(perG: Self.rounded(nearest.perG)), evidence: .values,
                sensor: nearest.sensor)
        }
        return Finding(coding: coding, scale: .counts(perG: Self.rounded(size)), evidence: .assumption)
    }

    /// A scale with four digits: more would claim an accuracy that it does not have.
    static func rounded(_ perG: Float) -> Float {
        var unit: Float = 1
        while perG * unit < 1000, unit < 1e6 { unit *= 10 }
        return (perG * unit).rounded() / unit
    }

    // MARK: Two's complement

    /// The widths of sensors: MMA7660 6 bits, MMA7455 8, ADXL345 10 and 13, MMA8452 12, MMA8451 14, most others 16;
    /// and the word of a processor.
    private static let widths = [6, 8, 10, 12, 13, 14, 16, 32]

    /// Numbers from half of 2^bits on are negative. Either numbers step across 0, where no sensor makes such steps in
    /// the other reading, or they have to be those of a sensor at rest.
    private func unsigned(steps: Bool) -> Finding? {
        guard vectors.allSatisfy({ $0.min() >= 0 }), let most = vectors.lazy.map({ $0.max() }).max() else { return nil }
        guard vectors.allSatisfy({ $0 == $0.rounded(.towardZero) }) else { return steps ? unsignedInUnit(most) : nil }
        guard let span = Self.widths.map({ exp2(Double($0)) }).first(where: { Double(most) <= $0 }) else { return nil }
        let coding = CountCoding(span: span)
        let (signed, half) = (vectors.map(coding.vector), Float(span / 2))
        if steps { return stepsAcrossZero(signed, half) ? scaled(coding) : nil }
        guard wide(vectors, half) == 0, vectors[0].max() >= half, vectors[0].min() < half,
            case .counts? = GravityCheck(signed).scale
        else { return nil }
        return scaled(coding)
    }

    /// The number of steps of more than half of the range.
    private func wide(_ vectors: [SIMD3<Float>], _ half: Float) -> Int {
        zip(vectors.dropFirst(), vectors).count { now, before in
            let step = now - before
            return max(step.max(), -step.min()) > half
        }
    }

    private func stepsAcrossZero(_ signed: [SIMD3<Float>], _ half: Float) -> Bool {
        let (before, after) = (wide(vectors, half), wide(signed, half))
        return before >= 2 && after * 4 <= before
    }

    /// The ranges of sensors in g, from end to end: ±2, ±4, ±8 and ±16 g.
    private static let ranges: [Double] = [4, 8, 16, 32]

    /// The coding of numbers in a unit that a program computed from words without a sign: −0.1 g is 3.9 at ±2 g.
    private func unsignedInUnit(_ most: Float) -> Finding? {
        for unit in AccelerationUnit.allCases.map(AccelerationScale.unit) where scale == nil || scale == unit {
            for range in Self.ranges {
                let span = range / Double(unit.inG)
                let coding = CountCoding(span: span)
                // Numbers a little below 0 are near the end of the range, and few are in its middle.
                guard (0.9 * span...span).contains(Double(most)),
                    stepsAcrossZero(vectors.map(coding.vector), Float(span / 2))
                else { continue }
                func count(_ shares: ClosedRange<Double>) -> Int {
                    vectors.count { vector in (0..<3).contains { shares.contains(Double(vector[$0]) / span) } }
                }
                guard count(0.75...1) > count(0.375...0.625) else { continue }
                return Finding(coding: coding, scale: unit, evidence: scale == nil ? .values : .option)
            }
        }
        return nil
    }

    // MARK: Analog sensors

    /// Analog sensors: half of the supply over the output for 1 g, by their data sheets, the most common first.
    private static let sensors: [(name: String, ratio: Float, rarity: Float)] = [
        ("an ADXL335", 5, 0), ("an MMA7361 at ±1.5 g", 2.0625, 1), ("an ADXL327", 3.57, 3),
        ("an MMA7361 at ±6 g", 8.01, 3), ("an ADXL326", 26.3, 3),
    ]
    /// The zeros of boards: half of 3.3 V or 3 V at converters with 5 V or 3.3 V, as a share of the full scale, and in
    /// volts and millivolts.
    private static let zeros: [(zero: Float, rarity: Float)] = {
        let shares: [(Float, Float)] = [(0.33, 0), (0.5, 0), (0.4545, 1), (0.3, 2)]
        return [8, 10, 12, 14, 16].flatMap { bits in
            shares.map { ($0.0 * Float(exp2(Double(bits))), $0.1) }
        } + [(1.65, 0), (1.5, 1), (1650, 2.5), (1500, 3)]
    }()
    /// The zeros of boards whose titles state volts or millivolts.
    private static let voltages: [(zero: Float, rarity: Float)] = [(1.65, 0), (1.5, 1), (1650, 0), (1500, 1)]
    /// The spread of the means of seconds about 1 g, in g, and how far a sensor's zero differs from that of its data
    /// sheet, in g; how far its scale does, as a share.
    private static let (meanSpread, zeroSpread, scaleSpread): (Float, Float, Float) = (0.15, 0.15, 0.05)
    /// The zeros beside those of boards, as multiples of the mean of the numbers, and the cost of one of them.
    private static let (otherZeros, rarityOfOthers): ([Float], Float) = ([0.85, 0.9, 0.95, 1, 1.05, 1.1, 1.15], 5)
    /// The most means that count as independent, and the cost beyond which no sensor gives these numbers.
    private static let (mostMeans, mostCost): (Float, Float) = (10, 12)

    /// The center and the radius of a sphere.
    private typealias Sphere = (zero: SIMD3<Float>, perG: Float)

    /// The sensor of which these are the numbers; nil if they are not all on one side of 0, about one number.
    private func centered() -> Finding? {
        let means = means()
        guard let first = means.first, vectors.allSatisfy({ $0.min() >= 0 }),
            vectors.count(where: { $0.min() == 0 }) * 4 <= vectors.count
        else { return nil }
        let middle = means.reduce(.zero, +) / Float(means.count)
        let level = middle.sum() / 3
        guard (middle - SIMD3(repeating: level)).absolute.max() <= 0.75 * level else { return nil }
        let known = (isVoltage ? Self.voltages : Self.zeros).filter { (0.6...1.6).contains($0.zero / level) }
        let zeros = known + Self.otherZeros.map { ($0 * level, Self.rarityOfOthers) }
        var best: (cost: Float, fit: Sphere, guess: Sphere, sensor: String)?
        for (name, ratio, rarity) in Self.sensors {
            for (zero, rarityOfZero) in zeros {
                let guess = (zero: SIMD3(repeating: zero), perG: scale.map { 1 / $0.inG } ?? zero / ratio)
                let fit = refined(means, guess)
                let cost = rarity + rarityOfZero + cost(of: fit, means, guess) + 4 * log(guess.perG / level * 5)
                if cost < best?.cost ?? .infinity { best = (cost, fit, guess, name) }
            }
        }
        guard let (cost, fit, guess, sensor) = best else { return nil }
        let range = means.reduce(first) { pointwiseMax($0, $1) } - means.reduce(first) { pointwiseMin($0, $1) }
        let isShown = range.min() >= fit.perG
        guard cost <= Self.mostCost else { return nil }
        let isAsGuessed = (fit.zero - guess.zero).absolute.max() < 0.1 * guess.perG
        let found = isAsGuessed && !isShown ? guess : fit
        let isWhole = vectors.allSatisfy { $0 == $0.rounded(.towardZero) }
        let zero = found.zero.rounded(.toNearestOrEven)
        return Finding(
            coding: CountCoding(zero: isWhole ? zero : (found.zero * 1000).rounded(.toNearestOrEven) / 1000),
            scale: scale ?? .counts(perG: Self.rounded(found.perG)), evidence: isShown ? .values : .assumption,
            sensor: isShown || scale != nil ? nil : sensor)
    }

    /// How badly the means fit a sphere, and the sphere a guess.
    private func cost(of fit: Sphere, _ means: [SIMD3<Float>], _ guess: Sphere) -> Float {
        let sum = means.reduce(Float.zero) { sum, mean in
            let error = ((mean - fit.zero).length / fit.perG - 1) / Self.meanSpread
            return sum + min(error * error, 9)
        }
        let misfit = sum / Float(means.count) * min(Float(means.count), Self.mostMeans)
        let offset = (fit.zero - guess.zero) / (Self.zeroSpread * guess.perG)
        let factor = (fit.perG / guess.perG - 1) / Self.scaleSpread
        return misfit + offset.lengthSquared + factor * factor
    }

    /// The sphere nearest to the means, and to a guess: four steps of the method of Gauss and Newton.
    private func refined(_ means: [SIMD3<Float>], _ guess: Sphere) -> Sphere {
        var (zero, perG) = guess
        let weight = min(Float(means.count), Self.mostMeans) / Float(means.count)
        let slack = SIMD4(SIMD3(repeating: Self.zeroSpread), scale == nil ? Self.scaleSpread : 1e-4) * guess.perG
        let spread = Self.meanSpread * guess.perG
        for _ in 0..<4 {
            var rows = (0..<4).map { row in
                var unit = SIMD4<Float>.zero
                unit[row] = 1 / (slack[row] * slack[row])
                return unit
            }
            var right = (SIMD4(guess.zero, guess.perG) - SIMD4(zero, perG)) / (slack * slack)
            for mean in means {
                let arm = mean - zero
                let size = max(arm.length, .leastNormalMagnitude)
                let error = size - perG
                guard abs(error) < 3 * spread else { continue }
                let slope = SIMD4(arm / size, 1)
                for row in 0..<4 { rows[row] += slope * (slope[row] * weight / (spread * spread)) }
                right += slope * (error * weight / (spread * spread))
            }
            let step = Self.solution(rows, right)
            zero += SIMD3(step.x, step.y, step.z)
            perG += step.w
        }
        return (zero, perG)
    }

    /// The solution of four linear equations with a positive definite matrix.
    private static func solution(_ rows: [SIMD4<Float>], _ right: SIMD4<Float>) -> SIMD4<Float> {
        var (rows, right) = (rows, right)
        for pivot in 0..<4 {
            for row in 0..<4 where row != pivot {
                let factor = rows[row][pivot] / rows[pivot][pivot]
                rows[row] -= rows[pivot] * factor
                right[row] -= right[pivot] * factor
            }
        }
        return SIMD4(right.x / rows[0].x, right.y / rows[1].y, right.z / rows[2].z, right.w / rows[3].w)
    }
}

/// How numbers stand for accelerations: the number at 0 g on each axis, and how negative numbers are written.
///
/// The numbers of an analog sensor lie around half of its supply. Other numbers are two's complement, printed without
/// a sign: of 16 bits, 65535 is −1.
public struct CountCoding: Hashable, Sendable {
    /// The numbers at 0 g.
    public var zero: SIMD3<Float>
    /// The range of numbers without a sign, of which the upper half is negative: 65536 for two's complement of 16 bits.
    /// Nil for numbers with a sign.
    public var span: Double?

    /// Creates a coding; without arguments, numbers have a sign, and 0 is 0 g.
    public init(zero: SIMD3<Float> = .zero, span: Double? = nil) { (self.zero, self.span) = (zero, span) }

    /// Whether numbers have a sign, and 0 is 0 g.
    public var isPlain: Bool { zero == .zero && span == nil }

    /// A number of an axis as a signed number of which 0 is 0 g.
    @inline(__always)
    package func value(_ number: Double, axis: Int) -> Double {
        guard let span else { return number - Double(zero[axis]) }
        return number >= span / 2 ? number - span : number
    }

    /// The numbers of three axes as signed numbers of which 0 is 0 g.
    package func vector(_ numbers: SIMD3<Float>) -> SIMD3<Float> {
        guard !isPlain else { return numbers }
        var vector = numbers
        for axis in 0..<3 { vector[axis] = Float(value(Double(numbers[axis]), axis: axis)) }
        return vector
    }
}

extension CountCoding: CustomStringConvertible {
    /// The coding in words, such as `with zero at 338`; empty for numbers with a sign.
    public var description: String {
        if let span {
            let bits = log2(span)
            return bits >= 6 && bits == bits.rounded()
                ? "two's complement of \(Int(clamping: bits)) bits without a sign"
                : "without a sign, from 0 to \(GravityCheck.text(Float(span)))"
        }
        return zero == .zero ? "" : "with zero at \(zeroText)"
    }

    /// One number where all axes have the same, else three with commas between them, as the option takes them.
    package var zeroText: String {
        let numbers = (0..<3).map { axis in
            Int(exactly: zero[axis]).map(String.init) ?? GravityCheck.text(zero[axis])
        }
        return Set(numbers).count == 1 ? numbers[0] : numbers.joined(separator: ",")
    }
}

extension CountCoding {
    /// Reads the number at 0 g of all axes, such as `338`, or of each, such as `338,331,345`; nil for other text.
    public init?(zero text: String) {
        let numbers = text.split(separator: ",", omittingEmptySubsequences: false).map { Float($0.trimmed) }
        let known = numbers.compactMap(\.self)
        guard known.count == numbers.count, known.count == 1 || known.count == 3, known.allSatisfy(\.isFinite)
        else { return nil }
        self.init(zero: known.count == 1 ? SIMD3(repeating: known[0]) : SIMD3(known))
    }
}
