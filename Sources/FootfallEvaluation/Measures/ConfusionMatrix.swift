public import Footfall
internal import FootfallMeasures

/// Seconds by true and detected activity.
public struct ConfusionMatrix: Hashable, Sendable {
    /// The activities whose mean F1 is ``macroF1``.
    public static let macroActivities: [Activity] = [.stationary, .walking, .running, .automotive]

    private var rows: [Activity: [Activity?: Int]] = [:]

    /// Adds one second; `detected` is nil if no segment covers it. Seconds with an unknown true activity do not
    /// count.
    public mutating func add(_ truth: Activity, detected: Activity?) {
        if truth != .unknown { rows[truth, default: [:]][detected, default: 0] += 1 }
    }

    /// Adds another matrix.
    public mutating func merge(_ other: ConfusionMatrix) {
        rows.merge(other.rows) { $0.merging($1, uniquingKeysWith: +) }
    }

    /// Seconds with a true and a detected activity; `detected` is nil for seconds without a segment.
    public func seconds(of truth: Activity, detectedAs detected: Activity?) -> Int { rows[truth]?[detected] ?? 0 }

    /// Seconds with a true activity.
    public func seconds(of truth: Activity) -> Int { rows[truth]?.values.reduce(0, +) ?? 0 }

    /// The share of an activity's seconds that are detected as it, 0…1; nil without such seconds.
    public func recall(_ activity: Activity) -> Double? {
        ratio(seconds(of: activity, detectedAs: activity), seconds(of: activity))
    }

    /// The share of the seconds detected as an activity that are it, 0…1; nil without such seconds.
    public func precision(_ activity: Activity) -> Double? {
        ratio(seconds(of: activity, detectedAs: activity), detectedSeconds(activity))
    }

    /// The harmonic mean of precision and recall; 0 if the activity is never detected, nil if it does not occur.
    public func f1(_ activity: Activity) -> Double? {
        guard let recall = recall(activity) else { return nil }
        guard let precision = precision(activity), precision + recall > 0 else { return 0 }
        return 2 * precision * recall / (precision + recall)
    }

    /// The mean F1 of those ``macroActivities`` that occur; nil if none does.
    public var macroF1: Double? { Self.macroActivities.compactMap(f1).mean }

    /// The share of all seconds that are detected right, 0…1; nil without seconds.
    public var accuracy: Double? {
        ratio(Activity.allCases.reduce(0) { $0 + seconds(of: $1, detectedAs: $1) }, total)
    }

    /// The mean recall of the activities that occur; nil if none does.
    public var balancedAccuracy: Double? { Activity.allCases.compactMap(recall).mean }

    /// Cohen's kappa: the agreement beyond that of chance (J. Cohen, Educational and Psychological Measurement 20,
    /// 1960). Unknown and no segment are one answer, which is never right. Nil without seconds, or if chance agrees on
    /// all of them.
    public var kappa: Double? {
        guard let accuracy, total > 0 else { return nil }
        let chance =
            Activity.allCases.reduce(0.0) { sum, activity in
                sum + Double(seconds(of: activity)) * Double(detectedSeconds(activity))
            } / (Double(total) * Double(total))
        return chance < 1 ? (accuracy - chance) / (1 - chance) : nil
    }

    /// The share of an activity's seconds that are detected as `detected`, 0…1; nil without such seconds.
    public func rate(of truth: Activity, detectedAs detected: Activity?) -> Double? {
        ratio(seconds(of: truth, detectedAs: detected), seconds(of: truth))
    }

    /// The share of all seconds that are detected as unknown or not covered by a segment, 0…1; nil without seconds.
    public var unknownShare: Double? { ratio(detectedSeconds(.unknown) + detectedSeconds(nil), total) }

    /// Seconds detected as another activity. Unknown and no segment do not count as wrong.
    public var wrongSeconds: Int { confusions.reduce(0) { $0 + $1.seconds } }

    /// The most frequent wrong activity; nil if none is wrong.
    public var commonestConfusion: (truth: Activity, detected: Activity, seconds: Int)? {
        confusions.max { $0.seconds < $1.seconds }
    }

    private var confusions: [(truth: Activity, detected: Activity, seconds: Int)] {
        Activity.allCases.flatMap { truth in
            Activity.allCases.filter { $0 != .unknown && $0 != truth }
                .map { (truth, $0, seconds(of: truth, detectedAs: $0)) }
        }.filter { $0.seconds > 0 }
    }

    private var total: Int { Activity.allCases.reduce(0) { $0 + seconds(of: $1) } }

    private func detectedSeconds(_ detected: Activity?) -> Int { rows.values.reduce(0) { $0 + ($1[detected] ?? 0) } }

    private func ratio(_ part: Int, _ whole: Int) -> Double? { whole > 0 ? Double(part) / Double(whole) : nil }
}
