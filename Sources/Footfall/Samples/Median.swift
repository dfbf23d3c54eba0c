extension Collection where Element: Comparable {
    /// The upper median: the middle value by size, or the larger of the two middle values. Nil for an empty collection.
    ///
    /// - Complexity: O(*n* log *n*).
    package func upperMedian() -> Element? {
        isEmpty ? nil : sorted()[count / 2]
    }
}

extension [Float] {
    /// The median: the middle value by size, or the mean of the two middle values. Nil for an empty array.
    ///
    /// - Complexity: O(*n* log *n*).
    var median: Float? {
        let ordered = sorted()
        return isEmpty ? nil : (ordered[(count - 1) / 2] + ordered[count / 2]) / 2
    }
}
