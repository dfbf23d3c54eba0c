internal import Footfall

/// How sedentary and active time alternate, by minutes.
///
/// A minute is sedentary if the mean of its worn epochs is below the light cut point, else active. It needs 30 s of
/// worn epochs; a bout does not continue over a minute without them. The measures are those of J. Di et al., Patterns
/// of sedentary and active time accumulation are associated with mortality in US adults: the NHANES study, bioRxiv
/// 182337, 2017.
public struct Fragmentation: Hashable, Sendable {
    /// The lengths of the sedentary bouts, in minutes.
    public private(set) var sedentaryBouts: [Int] = []
    /// The lengths of the active bouts, in minutes.
    public private(set) var activeBouts: [Int] = []
    /// The breaks: a sedentary minute followed by an active one.
    public private(set) var sedentaryBreaks = 0
    /// The probability that an active minute follows a sedentary one, 0…1; nil without a sedentary minute that is
    /// followed by another.
    public var sedentaryToActive: Double? { followedSedentary > 0 ? Double(sedentaryBreaks) / followedSedentary : nil }
    /// The probability that a sedentary minute follows an active one, 0…1.
    public var activeToSedentary: Double? { followedActive > 0 ? Double(activeEnds) / followedActive : nil }
    /// The Gini index of the lengths of the sedentary bouts, 0…1: 0 for equal lengths; nil for fewer than two bouts.
    public var sedentaryGini: Double? { Self.gini(sedentaryBouts) }
    /// The Gini index of the lengths of the active bouts.
    public var activeGini: Double? { Self.gini(activeBouts) }

    private var activeEnds = 0
    private var followedSedentary = 0.0
    private var followedActive = 0.0

    /// Computes the bouts of a range.
    ///
    /// - Parameters:
    ///   - measures: The worn epochs.
    ///   - cutPoints: A set for the placement, the sensor and the age of the wearer.
    /// - Returns: Nil without a worn minute, or where the set does not separate sedentary and light.
    public init?(_ measures: IntensityMeasures, by cutPoints: IntensityCutPoints) {
        guard let light = cutPoints.light else { return nil }
        let minutes = measures.minuteMeans(by: cutPoints).map { $0.map { $0 < light } }
        guard minutes.contains(where: { $0 != nil }) else { return nil }
        var length = 0
        for (index, isSedentary) in minutes.enumerated() {
            guard let isSedentary else { continue }
            length += 1
            let next = index + 1 < minutes.count ? minutes[index + 1] : nil
            if let next { count(isSedentary, before: next) }
            guard next != isSedentary else { continue }
            if isSedentary { sedentaryBouts.append(length) } else { activeBouts.append(length) }
            length = 0
        }
    }

    private mutating func count(_ isSedentary: Bool, before next: Bool) {
        if isSedentary {
            followedSedentary += 1
            sedentaryBreaks += next ? 0 : 1
        } else {
            followedActive += 1
            activeEnds += next ? 1 : 0
        }
    }

    /// The unbiased Gini index, as in skdh.
    private static func gini(_ lengths: [Int]) -> Double? {
        guard lengths.count > 1 else { return nil }
        let (count, total) = (Double(lengths.count), Double(lengths.reduce(0, +)))
        let sum = lengths.sorted().enumerated().reduce(0.0) {
            $0 + (2 * Double($1.offset) + 1 - count) * Double($1.element)
        }
        return sum / (count * total) * count / (count - 1)
    }
}

extension IntensityMeasures {
    /// The mean of each minute of the range; nil below 30 s of worn epochs.
    fileprivate func minuteMeans(by cutPoints: IntensityCutPoints) -> [Double?] {
        let slots = slots(of: values(by: cutPoints))
        let epochs = Int(clamping: 60 / EpochMeasures.seconds)
        return stride(from: 0, to: slots.count, by: epochs).map { first in
            let values = slots[first..<min(first + epochs, slots.count)].compactMap(\.self)
            return 2 * values.count >= epochs ? values.mean : nil
        }
    }

    /// The least ENMO of the most active minutes of the range, not in a row, in mg: MX, such as M30 with 30 minutes.
    ///
    /// A. V. Rowlands et al., Beyond cut points: accelerometer metrics that capture the physical activity profile,
    /// Medicine & Science in Sports & Exercise 50(6), 2018.
    ///
    /// - Returns: Nil with less worn time.
    public func mostActiveMinutes(_ minutes: Double) -> Double? {
        let count = Int(clamping: (minutes * 60 / EpochMeasures.seconds).rounded())
        guard count > 0, count <= epochs.count else { return nil }
        return epochs.map(\.enmoMg).sorted(by: >)[count - 1]
    }

    /// The relative amplitude, 0…1: (M10 − L5) / (M10 + L5).
    ///
    /// W. Witting et al., Alterations in the circadian rest-activity rhythm in aging and Alzheimer's disease,
    /// Biological Psychiatry 27(6), 1990. Nil without M10 or L5.
    public var relativeAmplitude: Double? {
        guard let most = mostActive()?.meanEnmoMg, let least = leastActive()?.meanEnmoMg, most + least > 0 else {
            return nil
        }
        return (most - least) / (most + least)
    }
}
