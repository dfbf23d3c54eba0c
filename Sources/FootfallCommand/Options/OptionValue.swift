import ArgumentParser
import Footfall
import FootfallHistory

/// Values of options.
enum OptionValue {
    /// An activity by its name.
    static func activity(_ text: String) throws -> Activity {
        guard let activity = Activity(rawValue: text) else {
            let names = Activity.allCases.map(\.rawValue).joined(separator: ", ")
            throw ValidationError("“\(text)” is not an activity. Write one of \(names).")
        }
        return activity
    }

    /// `low`, `medium` or `high`.
    static func confidence(_ text: String) throws -> Confidence {
        guard let confidence = Confidence.allCases.first(where: { $0.description == text }) else {
            throw ValidationError("“\(text)” is not a confidence. Write low, medium or high.")
        }
        return confidence
    }

    /// A duration in seconds.
    static func duration(_ text: String) throws -> Double {
        guard let seconds = TimeExpression.span(text[...]) else {
            throw ValidationError("“\(text)” is not a duration. Write one such as 30s, 5min or 1h 30min.")
        }
        return seconds
    }

    /// `hour`, `day`, `week`, or minutes such as `15m`.
    static func bucket(_ text: String) throws -> CalendarBucket {
        switch text {
        case "hour": return .hour
        case "day": return .day
        case "week": return .week
        default:
            guard let seconds = TimeExpression.span(text[...]), seconds >= 60, seconds <= 86400,
                seconds.truncatingRemainder(dividingBy: 60) == 0
            else { throw ValidationError("“\(text)” is not a bucket. Write hour, day, week, or minutes such as 15m.") }
            return .minutes(Int(seconds / 60))
        }
    }
}
