public import Footfall
internal import Foundation

extension Timestamp {
    /// The time of the wall clock, to about 0.2 µs. It lies outside of ``/Footfall/Timestamp/supported`` where the
    /// clock does.
    public static var now: Timestamp { .epoch.advanced(bySeconds: Date().timeIntervalSince1970) }
}
