public import Footfall

extension Timestamp {
    /// What the host's clock shows: the time of a reading that has just been taken.
    public static var now: Timestamp {
        let clock = HostClock()
        return Timestamp(nanosecondsSince1970: clock.now.nanosecondsSince1970 + clock.correction)
    }
}
