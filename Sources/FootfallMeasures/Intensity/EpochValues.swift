internal import Footfall

/// The start of an epoch of 5 s, and its value of a measure.
typealias EpochValue = (start: Timestamp, value: Double)

extension IntensityMeasures {
    /// The epochs with the values that cut points apply to, in ascending order.
    ///
    /// The cut points of a study of counts apply to longer epochs. Each epoch of 5 s has the value of the longer one
    /// around it, if that is worn as a whole.
    func values(by cutPoints: IntensityCutPoints) -> [EpochValue] {
        switch cutPoints.metric {
        case .enmo: epochs.map { ($0.start, $0.enmoMg) }
        case .mad: epochs.map { ($0.start, $0.madMg) }
        case .countsY: values(of: counts(seconds: cutPoints.epochSeconds)) { Double($0.y) }
        case .countsVectorMagnitude: values(of: counts(seconds: cutPoints.epochSeconds), \.vectorMagnitude)
        }
    }

    /// The counts of the longer epochs, aligned to the UTC clock, that worn epochs with counts fill.
    private func counts(seconds: Double) -> [(epochs: ArraySlice<EpochMeasures>, counts: ActivityCounts)] {
        let length = Int64(clamping: seconds * 1e9)
        let size = Int(clamping: seconds / EpochMeasures.seconds)
        var (found, first): ([(ArraySlice<EpochMeasures>, ActivityCounts)], Int) = ([], 0)
        while first < epochs.count {
            let number = epochs[first].start.nanosecondsSince1970.flooredQuotientAndRemainder(by: length).quotient
            let end = Timestamp(nanosecondsSince1970: (number + 1) * length)
            let part = epochs[first...].prefix { $0.start < end }
            let counts = part.compactMap(\.counts)
            if counts.count == size { found.append((part, counts.reduce(.zero, +))) }
            first = part.endIndex
        }
        return found
    }

    private func values(
        of longer: [(epochs: ArraySlice<EpochMeasures>, counts: ActivityCounts)], _ value: (ActivityCounts) -> Double
    ) -> [EpochValue] {
        longer.flatMap { part, counts in part.map { ($0.start, value(counts)) } }
    }

    /// The mean counts per minute of the y axis and of the vector magnitude, over the worn minutes of the UTC clock
    /// that have counts; nil without one.
    public var countsPerMinute: (y: Double, vectorMagnitude: Double)? {
        let minutes = counts(seconds: 60)
        guard !minutes.isEmpty else { return nil }
        let count = Double(minutes.count)
        return (
            Double(minutes.reduce(0) { $0 + $1.counts.y }) / count,
            minutes.reduce(0) { $0 + $1.counts.vectorMagnitude } / count
        )
    }

    /// The value of each 5 s from the start of the range; nil without a value.
    func slots(of values: [EpochValue]) -> [Double?] {
        var slots = [Double?](repeating: nil, count: Int(clamping: range.seconds / EpochMeasures.seconds))
        for (start, value) in values {
            let slot = Int(clamping: start.seconds(since: range.lowerBound) / EpochMeasures.seconds)
            if slot < slots.count { slots[slot] = value }
        }
        return slots
    }

    /// The start of a slot of 5 s of the range.
    func time(of slot: Int) -> Timestamp {
        range.lowerBound.advanced(bySeconds: Double(slot) * EpochMeasures.seconds)
    }
}
