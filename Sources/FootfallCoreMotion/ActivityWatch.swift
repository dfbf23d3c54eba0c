internal import Footfall
internal import FootfallHistory
internal import Foundation

/// Tells when an activity is another one than before.
struct ActivityWatch {
    private let coprocessor: MotionCoprocessor
    private var last: MotionActivity?
    /// Up to where it is known what has been told.
    private var seen: Timestamp

    /// Begins to watch.
    ///
    /// - Parameter start: The end of what is known; what begins later is told.
    init(_ coprocessor: MotionCoprocessor, since start: Timestamp?) {
        self.coprocessor = coprocessor
        seen = start ?? Timestamp.supported.lowerBound
    }

    /// What is to be told after what was told before; the first time, what is being done now at least.
    mutating func changes(_ standing: Standing) throws -> [MotionActivity] {
        var changes: [MotionActivity] = []
        func isChange(_ activity: MotionActivity) -> Bool {
            (changes.last ?? last).map { !$0.says(activity) } ?? true
        }
        if let time = standing.time, seen < time {
            // Where much has come at once, as in a quick replay, what began and is over already is told as well.
            let segments = try coprocessor.ask(or: []) { try $0.activities(in: seen..<time, from: coprocessor.source) }
            for activity in MotionActivity.activities(of: segments)
            where activity.startDate >= Date(seen) && isChange(activity) {
                changes.append(activity)
            }
            seen = time
        }
        let current = standing.activity ?? MotionActivity(since: standing.time ?? coprocessor.beginning)
        if isChange(current) { changes.append(current) }
        last = changes.last ?? last
        return changes
    }
}
