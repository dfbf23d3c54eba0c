internal import Footfall
internal import FootfallWire

/// Notices when a device sends nothing, or nothing that can be read, and when it does again.
struct SignalWatch {
    /// Seconds of patience.
    private static let patience = 5.0
    /// Bytes from which on it can be said that none of them could be used.
    private static let leastBytes = 48
    /// Seconds between two notices of quality.
    private static let qualityInterval = 1.0

    private let baud: Int?
    private var lastBytes: Timestamp
    private var lastReading: Timestamp
    private var lastQuality: Timestamp
    /// Bytes since the last reading.
    private var unused = 0
    /// Whether anything has come since the device was opened.
    private var isFresh = true
    /// Whether it was said that something is wrong.
    private var isBad = false

    init(now: Timestamp, baud: Int?) {
        self.baud = baud
        (lastBytes, lastReading, lastQuality) = (now, now, now)
    }

    /// The device was opened.
    mutating func reopen(at now: Timestamp) {
        (lastBytes, lastReading) = (now, now)
        (unused, isFresh) = (0, true)
    }

    /// Something arrived. Returns whether it is the first since the device was opened.
    mutating func heard(bytes: Int, readings: Int, at now: Timestamp) -> Bool {
        guard bytes > 0 || readings > 0 else { return false }
        defer { isFresh = false }
        lastBytes = now
        unused += bytes
        if readings > 0 { (lastReading, unused) = (now, 0) }
        return isFresh
    }

    /// What there is to say at a moment.
    mutating func look(at now: Timestamp, quality: @autoclosure () -> WireQuality?) -> [DeviceNotice] {
        var notices: [DeviceNotice] = []
        if now.seconds(since: lastQuality) >= Self.qualityInterval, let quality = quality() {
            lastQuality = now
            notices.append(.quality(quality))
        }
        let isReading = now.seconds(since: lastReading) < Self.patience
        if isBad {
            if isReading, !isFresh, unused == 0 {
                isBad = false
                notices.append(.resumed)
            }
        } else if now.seconds(since: lastBytes) >= Self.patience {
            isBad = true
            notices.append(.silent)
        } else if !isReading, unused >= Self.leastBytes {
            isBad = true
            notices.append(.unreadable(bytes: unused, baud: baud))
        }
        return notices
    }
}
