public import Footfall

/// The rule for bouts of moderate to vigorous activity.
public enum BoutRule: String, CaseIterable, Hashable, Sendable {
    /// The bout from its first to its last active epoch has the least duration and the share of active epochs. A bout
    /// of 5 min has at least 5 min.
    case whole
    /// A window of the least duration has the share of active epochs, and the bout is the union of such windows, from
    /// its first to its last active epoch: the rule of GGIR. With a share of 80 %, a bout of 5 min starts with 4 min of
    /// activity.
    case window
}

extension IntensityMeasures {
    /// The longest break of a bout, in seconds: 60, as in GGIR.
    public static let longestBreak = 60.0

    /// The bouts of moderate to vigorous activity.
    ///
    /// A bout starts and ends with an epoch of that level. Its longest break is ``longestBreak``.
    ///
    /// - Parameters:
    ///   - minutes: The least duration of a bout, or of the windows, in minutes: 1, 5 or 10 in the literature.
    ///   - share: The least share of active epochs, 0…1.
    ///   - rule: The rule.
    ///   - cutPoints: A set for the placement, the sensor and the age of the wearer.
    /// - Returns: The bouts, and the time of each in seconds: its duration by ``BoutRule/whole``, the time of its
    ///   active epochs by ``BoutRule/window``, as in GGIR.
    /// - Complexity: By ``BoutRule/whole``, quadratic in the length of a series without a longer break.
    public func activeBouts(
        minutes: Double, share: Double = 0.8, rule: BoutRule = .whole, by cutPoints: IntensityCutPoints
    ) -> [(range: Range<Timestamp>, seconds: Double)] {
        switch rule {
        case .whole: wholeBouts(minutes: minutes, share: share, by: cutPoints).map { ($0, $0.seconds) }
        case .window: windowBouts(minutes: minutes, share: share, by: cutPoints)
        }
    }

    /// The longest bout from each first epoch. No epoch is missing in it.
    private func wholeBouts(
        minutes: Double, share: Double, by cutPoints: IntensityCutPoints
    ) -> [Range<Timestamp>] {
        let epochs = values(by: cutPoints)
        let active = epochs.filter { $0.value >= cutPoints.moderate }.map(\.start)
        let adjacent = zip(epochs, epochs.dropFirst())
        let missing = Set(adjacent.filter { $1.start != $0.start.advanced(bySeconds: epochSeconds) }.map(\.0.start))
        var bouts: [Range<Timestamp>] = []
        var first = 0
        while first < active.count {
            var longest: Int?
            for last in first..<active.count {
                if last > first, !isContinuous(from: active[last - 1], to: active[last], missing) { break }
                let duration = active[last].seconds(since: active[first]) + epochSeconds
                let count = Double(last - first + 1)
                if duration >= minutes * 60, count * epochSeconds >= share * duration { longest = last }
            }
            if let longest { bouts.append(active[first]..<active[longest].advanced(bySeconds: epochSeconds)) }
            first = (longest ?? first) + 1
        }
        return bouts
    }

    /// Whether a bout continues from one active epoch to the next.
    private func isContinuous(from start: Timestamp, to end: Timestamp, _ missing: Set<Timestamp>) -> Bool {
        let seconds = end.seconds(since: start)
        guard seconds - epochSeconds <= Self.longestBreak else { return false }
        return stride(from: 0, to: seconds, by: epochSeconds)
            .allSatisfy { !missing.contains(start.advanced(bySeconds: $0)) }
    }

    /// The active epochs in windows with the share of active epochs and without a longer break, joined where windows
    /// overlap.
    private func windowBouts(
        minutes: Double, share: Double, by cutPoints: IntensityCutPoints
    ) -> [(range: Range<Timestamp>, seconds: Double)] {
        let length = Int(clamping: minutes * 60 / epochSeconds)
        let slots = slots(of: values(by: cutPoints)).map { ($0 ?? 0) >= cutPoints.moderate }
        guard length > 0, length <= slots.count else { return [] }
        let longest = Int(clamping: Self.longestBreak / epochSeconds)
        var (bouts, active, rest): ([[Int]], Int, Int) = ([], 0, 0)
        // The first slot of windows without a break that is too long.
        var open = 0
        for end in slots.indices {
            active += slots[end] ? 1 : 0
            if end >= length, slots[end - length] { active -= 1 }
            rest = slots[end] ? 0 : rest + 1
            if rest > longest { open = end + 1 - longest }
            let first = end + 1 - length
            guard first >= open, Double(active) >= share * Double(length) else { continue }
            let isNew = bouts.last?.last.map { $0 < first } ?? true
            let start = isNew ? first : (bouts.last?.last ?? first) + 1
            let added = (start..<max(start, end + 1)).filter { slots[$0] }
            if isNew { bouts.append(added) } else { bouts[bouts.count - 1] += added }
        }
        return bouts.compactMap { bout in
            guard let first = bout.first, let last = bout.last else { return nil }
            return (time(of: first)..<time(of: last + 1), Double(bout.count) * epochSeconds)
        }
    }
}

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
        let epochs = Int(clamping: 60 / epochSeconds)
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
        let count = Int(clamping: (minutes * 60 / epochSeconds).rounded())
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
