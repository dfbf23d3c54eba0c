internal import FootfallMeasures

extension CadenceBand {
    /// The bands with steps, from slow to fast.
    static let moving = allCases.filter { $0 != .zero }

    /// `1–19`, `120 and more`
    var cadenceText: String {
        self == .faster ? "\(cadences.lowerBound) and more" : "\(cadences.lowerBound)–\(cadences.upperBound)"
    }

    /// The darker, the faster.
    var color: String { Palette.bands[Self.moving.firstIndex(of: self) ?? 0] }
}
