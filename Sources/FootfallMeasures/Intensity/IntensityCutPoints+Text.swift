extension IntensityCutPoints {
    /// A published set by its name, or own cut points: a measure and two or three values, such as `enmo:45,100,430`,
    /// `mad:91,414` or `counts-y:100,1952,5725`. Counts are per minute. The text is then the name of the set.
    ///
    /// Nil for another text.
    ///
    /// - Throws: ``OrderError`` for values that are not in ascending order above 0.
    public init?(text: String) throws(OrderError) {
        if let set = Self.published(named: text) {
            self = set
            return
        }
        let parts = text.split(separator: ":", maxSplits: 1)
        let values = parts.dropFirst().first?.split(separator: ",", omittingEmptySubsequences: false).map { Double($0) }
        let numbers = values.map { $0.compactMap(\.self) } ?? []
        guard let metric = parts.first.flatMap({ Metric(rawValue: $0.lowercased()) }), (2...3).contains(numbers.count),
            numbers.count == values?.count
        else { return nil }
        try self.init(
            name: text, metric: metric, placement: "", age: "", source: "",
            light: numbers.count == 3 ? numbers[0] : nil, moderate: numbers[numbers.count - 2],
            vigorous: numbers[numbers.count - 1])
    }
}
