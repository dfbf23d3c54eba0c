internal import Footfall
internal import FootfallHistory
internal import FootfallReaders
internal import Foundation

/// Finds the changes of activity in a sequence of live states.
struct ActivityChanges {
    private let coprocessor: MotionCoprocessor
    private var last: MotionActivity?
    /// The end of the recorded segments that were examined.
    private var examinedEnd: Timestamp

    /// - Parameter start: Recorded activities that begin earlier are omitted.
    init(_ coprocessor: MotionCoprocessor, since start: Timestamp?) {
        self.coprocessor = coprocessor
        examinedEnd = start ?? Timestamp.supported.lowerBound
    }

    /// The activities that differ from the one before. The first call returns at least the current activity.
    mutating func next(_ state: LiveState) throws -> [MotionActivity] {
        var changes: [MotionActivity] = []
        func append(_ activity: MotionActivity) {
            guard (changes.last ?? last)?.isSame(as: activity) != true else { return }
            changes.append(activity)
        }
        if let time = state.time, examinedEnd < time {
            // In a fast replay an activity can begin and end between two states; the history contains it.
            let segments = try coprocessor.query(or: []) {
                try $0.activities(in: examinedEnd..<time, from: coprocessor.source)
            }
            let start = Date(examinedEnd)
            for activity in MotionActivity.activities(of: segments) where activity.startDate >= start {
                append(activity)
            }
            examinedEnd = time
        }
        append(state.activity ?? MotionActivity(since: state.time ?? coprocessor.beginning))
        last = changes.last ?? last
        return changes
    }
}
