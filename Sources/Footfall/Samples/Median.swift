extension Collection where Element: Comparable {
    /// The upper median: the middle value by size, or the larger of the two middle values. Nil for an empty collection.
    ///
    /// - Complexity: O(*n* log *n*).
    package func upperMedian() -> Element? {
        isEmpty ? nil : sorted()[count / 2]
    }
}

extension Collection where Element: BinaryFloatingPoint {
    /// The median: the middle value by size, or the mean of the two middle values. Nil for an empty collection.
    ///
    /// - Complexity: O(*n* log *n*).
    package func median() -> Element? {
        guard !isEmpty else { return nil }
        let sorted = sorted()
        let middle = sorted.count / 2
        return sorted.count.isMultiple(of: 2) ? (sorted[middle - 1] + sorted[middle]) / 2 : sorted[middle]
    }
}
