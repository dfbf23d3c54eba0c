extension Collection where Element: Comparable {
    /// The upper median: the middle value by size, or the larger of the two middle values. Nil for an empty collection.
    ///
    /// - Complexity: O(*n* log *n*).
    package func upperMedian() -> Element? {
        isEmpty ? nil : sorted()[count / 2]
    }
}

/// At most 32 numbers. The median takes about half the time of sorting, whose branches the processor cannot predict.
struct FewNumbers {
    private var numbers = InlineArray<32, Float>(repeating: 0)
    private var count = 0

    mutating func append(_ number: Float) {
        numbers[count] = number
        count += 1
    }

    /// The median of at least one number.
    func median() -> Float {
        let numbers = numbers.span.extracting(first: count)
        var counts = InlineArray<32, Int32>(repeating: 0)
        // For each number, the count of smaller ones.
        var below = counts.mutableSpan
        for other in numbers.indices {
            let number = numbers[other]
            // In bounds: room for all numbers.
            for index in numbers.indices { below[unchecked: index] &+= number < numbers[index] ? 1 : 0 }
        }
        // The largest number that at most n numbers are below follows n others in order of size.
        var (lower, upper) = (-Float.infinity, -Float.infinity)
        for index in numbers.indices {
            let (number, place) = (numbers[index], Int(below[unchecked: index]))
            lower = place <= (count - 1) / 2 && number > lower ? number : lower
            upper = place <= count / 2 && number > upper ? number : upper
        }
        return count.isMultiple(of: 2) ? (lower + upper) / 2 : upper
    }
}
