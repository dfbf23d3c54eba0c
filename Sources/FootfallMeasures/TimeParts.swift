internal import Footfall

extension Sequence<Range<Timestamp>> {
    /// The ranges in ascending order, overlapping and touching ones as one, empty ones left out.
    func union() -> [Range<Timestamp>] {
        filter { !$0.isEmpty }.sorted { $0.lowerBound < $1.lowerBound }.reduce(into: []) { parts, next in
            if let last = parts.last, next.lowerBound <= last.upperBound {
                parts[parts.count - 1] = last.lowerBound..<Swift.max(last.upperBound, next.upperBound)
            } else {
                parts.append(next)
            }
        }
    }

    /// The seconds of the ranges in each minute of the UTC clock, by ``Timestamp/minute``.
    func secondsByMinute() -> [Int64: Double] {
        var seconds: [Int64: Double] = [:]
        for range in self {
            var start = range.lowerBound
            while start < range.upperBound {
                let end = Swift.min(Timestamp(startOfMinute: start.minute + 1), range.upperBound)
                seconds[start.minute, default: 0] += end.seconds(since: start)
                start = end
            }
        }
        return seconds
    }
}

extension Array where Element: Comparable {
    /// The first position in a range of positions whose value is at least this one. The values ascend.
    func position(of value: Element, in positions: Range<Int>? = nil) -> Int {
        var (low, high) = (positions?.lowerBound ?? 0, positions?.upperBound ?? count)
        while low < high {
            let middle = (low + high) / 2
            if self[middle] < value { low = middle + 1 } else { high = middle }
        }
        return low
    }
}

extension [Timestamp] {
    /// The position of the first time that follows the one before it after a longer interval, in nanoseconds, among
    /// those after a position; the end of the positions if there is none. The times ascend.
    func endOfRun(from start: Int, to end: Int? = nil, longestInterval: Int64) -> Int {
        // Where all of a stretch is short, so are its intervals.
        let stretch = 32
        let (times, end) = (span, end ?? count)
        func interval(_ first: Int, _ last: Int) -> Int64 {
            times[last].nanosecondsSince1970 - times[first].nanosecondsSince1970
        }
        var position = start
        while position + 1 < end {
            let last = Swift.min(position + stretch, end - 1)
            if interval(position, last) > longestInterval {
                for next in position + 1...last where interval(next - 1, next) > longestInterval { return next }
            }
            position = last
        }
        return end
    }
}

extension Timestamp {
    private static let minuteNanoseconds: Int64 = 60_000_000_000

    /// The number of the minute of the UTC clock: 0 for the first minute of 1970.
    package var minute: Int64 { nanosecondsSince1970.flooredQuotientAndRemainder(by: Self.minuteNanoseconds).quotient }

    /// The start of a minute; the last supported time for a minute out of range.
    fileprivate init(startOfMinute minute: Int64) {
        let (nanoseconds, overflow) = minute.multipliedReportingOverflow(by: Self.minuteNanoseconds)
        self.init(nanosecondsSince1970: overflow ? .max : nanoseconds)
    }
}
