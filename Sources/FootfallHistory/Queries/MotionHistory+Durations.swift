public import Footfall
public import Foundation

extension MotionHistory {
    /// How long each activity lasted in each of many ranges, in seconds.
    ///
    /// ```swift
    /// let hours = try history.steps(in: day, by: .hour)
    /// let durations = try history.durations(in: hours.map(\.range))
    /// ```
    ///
    /// - Parameters:
    ///   - ranges: Ranges in the order of time that do not overlap, such as those of buckets.
    ///   - source: Whose activities; may be left out when there is only one source.
    /// - Returns: For each range the seconds of the activities that occurred in it; they add up to its coverage.
    /// - Throws: ``HistoryError``.
    /// - Complexity: Linear in the ranges, and in the steps and segments in them.
    public func durations(
        in ranges: [Range<Timestamp>], from source: String? = nil
    ) throws -> [[Activity: TimeInterval]] {
        guard let first = ranges.first, let last = ranges.last else { return [] }
        var segments = try activities(
            in: first.lowerBound..<max(first.lowerBound, last.upperBound), from: source)[...]
        return ranges.map { range in
            var nanoseconds: [Activity: Int64] = [:]
            while let segment = segments.first, segment.clippedRange.upperBound <= range.lowerBound {
                segments.removeFirst()
            }
            for segment in segments {
                guard segment.clippedRange.lowerBound < range.upperBound else { break }
                nanoseconds[segment.activity, default: 0] += segment.clippedRange.clamped(to: range).nanoseconds
            }
            return nanoseconds.mapValues { Double($0) / 1e9 }
        }
    }
}
