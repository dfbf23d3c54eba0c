import Footfall
import FootfallTables

/// Activities and segments as text.
enum Words {
    /// A duration with one decimal below a minute, so that columns align: `12.0 s`.
    static func duration(_ seconds: Double) -> String { NumberText.duration(seconds, atLeast: 1) }

    /// The activity in its color.
    static func activity(_ activity: Activity) -> String {
        let name = activity.rawValue
        return switch activity {
        case .stationary: Color.gray(name)
        case .walking: Color.green(name)
        case .running: Color.magenta(name)
        case .automotive: Color.blue(name)
        case .cycling: Color.cyan(name)
        case .unknown: Color.dim(name)
        }
    }

    /// `2 halts, 41.0 s`, or the reason for an unknown activity; nil without either.
    static func remark(_ reason: UnknownReason?, _ halts: [Range<Timestamp>]) -> String? {
        if let reason { return reason.words }
        guard !halts.isEmpty else { return nil }
        let seconds = halts.reduce(0) { $0 + $1.seconds }
        return "\(NumberText.count(halts.count, "halt")), \(duration(seconds))"
    }

    /// The mean steps per minute; empty without steps.
    static func cadence(_ segment: Segment) -> String {
        segment.steps > 1 && segment.range.seconds >= 1
            ? "\(Int(clamping: (Double(segment.steps) / segment.range.seconds * 60).rounded()))/min" : ""
    }

    /// `21.3 mg off at rest before, 1.2 mg after`
    static func calibration(_ calibration: SensorCalibration) -> String {
        func milli(_ error: Float) -> String { (Double(error) * 1000).formatted(decimals: 1) }
        return "\(milli(calibration.errorBefore)) mg off at rest before, \(milli(calibration.errorAfter)) mg after"
    }
}
