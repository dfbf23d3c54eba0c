internal import FootfallMeasures

/// Two counters on the same recordings: the mean difference of their absolute percentage errors.
public struct PairedDifference: Hashable, Sendable {
    /// The recordings that both have counted.
    public let recordings: Int
    /// The absolute percentage error of the first counter less that of the second, as a mean over recordings, in
    /// points.
    public let mean: Double
    /// Its 95 % interval over people like these, by a seeded bootstrap; nil with fewer than two people. Without 0 in
    /// it, one counter has the smaller error.
    public let interval: ClosedRange<Double>?

    /// Pairs the recordings of two agreements; nil if they have none in common.
    public init?(_ first: CountAgreement, from second: CountAgreement) {
        let errors = second.pairs.reduce(into: [String: Double]()) { errors, pair in
            errors[pair.recording] = pair.percentageError.map(abs)
        }
        let differences = first.pairs.compactMap { pair -> (person: String, value: Double)? in
            guard let own = pair.percentageError, let other = errors[pair.recording] else { return nil }
            return (pair.person, abs(own) - other)
        }
        guard let mean = differences.map(\.value).mean else { return nil }
        self.mean = mean
        recordings = differences.count
        let people = Dictionary(grouping: differences, by: \.person).sorted { $0.key < $1.key }
            .map { $0.value.map(\.value) }
        interval = Bootstrap.interval(over: people) { $0.flatMap(\.self).mean }
    }
}
