/// One initial contact of a foot.
public struct Step: Codable, Hashable, Sendable, CustomStringConvertible {
    /// The shortest interval between two steps of an analysis, in seconds. Sprinters take up to five steps a second
    /// (Mero, Komi and Gregor, Sports Medicine 1992).
    public static let shortestInterval = 0.2
    /// The longest interval between two steps of one walk, in seconds. A walk has at least 30 steps a minute.
    public static let longestInterval = 2.0
    /// The range of usual intervals, as factors of the median. A missed step doubles an interval, a falsely added one
    /// halves it, and the legs of a person with a limp differ by less.
    private static let usual = 0.6...1.6

    /// When the foot touched the ground.
    public var time: Timestamp
    /// How much the second of the contact resembles gait, 0…1.
    ///
    /// It is the logistic of the second's score, the tempered log-odds of walking at the detected cadence. At 0.5 the
    /// second alone decides nothing and its neighbors decide. Steps of any quality count. For the clearest ones only,
    /// select a quality of at least 0.9. A history stores the times only.
    public var quality: Float

    /// Creates a step. A known one has the quality 1.
    public init(time: Timestamp, quality: Float = 1) { (self.time, self.quality) = (time, quality) }

    /// Such as `step at 2026-11-20T08:00:00.120Z`.
    public var description: String { "step at \(time)" }

    /// The mean of the usual intervals; nil without intervals.
    fileprivate static func usualInterval(_ intervals: ArraySlice<Double>) -> Double? {
        guard let median = intervals.upperMedian() else { return nil }
        let kept = intervals.sorted().filter { usual.contains($0 / median) }
        return kept.reduce(0, +) / Double(kept.count)
    }
}

/// The gaits that the step detector distinguishes.
enum GaitType: Sendable {
    case walking
    case running
}

/// The step rate at a moment.
public struct Cadence: Hashable, Sendable {
    /// The time of a step.
    public var time: Timestamp
    /// The steps of both feet per minute.
    public var stepsPerMinute: Double

    /// Creates a cadence.
    public init(time: Timestamp, stepsPerMinute: Double) { (self.time, self.stepsPerMinute) = (time, stepsPerMinute) }
}

extension Sequence<Step> {
    /// The cadence at each step, from the intervals between the steps around it.
    ///
    /// ```swift
    /// for cadence in steps.cadences() { plot(cadence.time, cadence.stepsPerMinute) }
    /// ```
    ///
    /// It is the mean of the intervals within the window, without those far from their median. So a missed or a falsely
    /// added step has no effect, while the alternating long and short steps of a limp give their mean. An interval
    /// longer than ``Step/longestInterval`` separates two walks. A step without a neighbor has no cadence.
    ///
    /// - Parameter window: The length of the window in seconds, centered on the step.
    /// - Returns: One cadence for each step that has a neighbor, in order of time.
    /// - Precondition: The steps are in order of time, as an analyzer and a history return them.
    /// - Complexity: Linear in the number of steps times the steps in a window.
    public func cadences(over window: Double = 6) -> [Cadence] {
        let times = map(\.time)
        let intervals = zip(times.dropFirst(), times).map { $0.seconds(since: $1) }
        return times.indices.compactMap { index in
            func isInBout(_ interval: Int) -> Bool {
                intervals.indices.contains(interval) && intervals[interval] > 0
                    && intervals[interval] <= Step.longestInterval
            }
            func isInWindow(_ other: Int) -> Bool { abs(times[other].seconds(since: times[index])) <= window / 2 }
            // Outwards from the step, to the end of the bout or of the window.
            var (first, end) = (index, index)
            while isInBout(first - 1), isInWindow(first - 1) { first -= 1 }
            while isInBout(end), isInWindow(end + 1) { end += 1 }
            if first == end {
                // No neighbor is in the window: the interval after the step, or the one before the last step of a bout.
                if isInBout(index) { end += 1 } else if isInBout(index - 1) { first -= 1 }
            }
            return Step.usualInterval(intervals[first..<end])
                .map { Cadence(time: times[index], stepsPerMinute: 60 / $0) }
        }
    }
}

/// The length of a step, which converts steps to a distance and a cadence to a pace.
///
/// ```swift
/// let length = StepLength(heightMetres: 1.72)
/// let metres = length.distance(ofSteps: 8_000)
/// let secondsPerKilometre = length.pace(atStepsPerMinute: 112).map { $0 * 1000 }
/// ```
///
/// An accelerometer does not measure the length of steps. A length measured over a known distance is accurate to about
/// 5 % for the same manner of walking; see ``init(metres:)``. A body height gives an estimate; see
/// ``init(heightMetres:)``. Running steps are longer by half or more: use a second length for the steps of running
/// segments.
public struct StepLength: Hashable, Sendable {
    /// The share of the body height that a step of easy walking covers.
    private static let shareOfHeight = 0.414

    /// The distance from the heel of one foot to the heel of the other, in metres.
    public var metres: Double

    /// Creates a measured step length: a known distance divided by its number of steps.
    public init(metres: Double) { self.metres = metres }

    /// Creates an estimate for easy walking from the body height: 0.414 × height.
    ///
    /// Pedometers commonly use 0.413 (women) and 0.415 (men), a rule of thumb without a known original study. People
    /// differ from it by about a tenth, so one number serves both. The steps of one person grow with the cadence: their
    /// ratio, the walk ratio, is constant above about 98 steps a minute (Murakami and Otaka, J Phys Ther Sci 2017), so
    /// a 15 % higher cadence has steps about 15 % longer. Expect the walking distance of a day within 10 to 15 %, and
    /// that of a stroll or a hurried walk within 25 %. For running the estimate is too short.
    public init(heightMetres: Double) { metres = Self.shareOfHeight * heightMetres }

    /// The distance of a number of steps, in metres.
    public func distance(ofSteps steps: Int) -> Double { Double(steps) * metres }

    /// The time per metre, in seconds; nil for a speed of 0.
    public func pace(atStepsPerMinute stepsPerMinute: Double) -> Double? {
        let metresPerSecond = stepsPerMinute / 60 * metres
        return metresPerSecond > 0 ? 1 / metresPerSecond : nil
    }
}

/// Consecutive steps without a break longer than the bout gap.
public struct Bout: Hashable, Sendable {
    /// The bout gap by default, in seconds.
    public static let defaultGap = 10.0

    /// From the first step to the last one.
    public let range: Range<Timestamp>
    /// The number of steps, including the last one.
    public let steps: Int

    /// Creates a bout.
    public init(range: Range<Timestamp>, steps: Int) { (self.range, self.steps) = (range, steps) }

    /// The time from the first step to the last one, in seconds.
    public var duration: Double { range.seconds }
    /// Steps per minute from the first step to the last one; nil for a single step.
    public var cadence: Double? { duration > 0 ? Double(steps - 1) / duration * 60 : nil }
}

extension [Bout] {
    /// Adds a step, in the order of time, to the last bout or, after more than `gap` seconds, to a new one.
    package mutating func add(_ time: Timestamp, gap: Double = Bout.defaultGap) {
        join(Bout(range: time..<time, steps: 1), gap: gap)
    }

    /// Adds a bout, in the order of time, to the last one or, after more than `gap` seconds, as a new one.
    package mutating func join(_ bout: Bout, gap: Double = Bout.defaultGap) {
        if let last, bout.range.lowerBound.seconds(since: last.range.upperBound) <= gap {
            self[count - 1] = Bout(range: last.range.lowerBound..<bout.range.upperBound, steps: last.steps + bout.steps)
        } else {
            append(bout)
        }
    }
}
