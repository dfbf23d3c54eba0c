internal import Footfall
internal import FootfallReaders

/// Detects that a device sends no bytes or no known format, and that it sends readings again.
struct SignalMonitor {
    /// Seconds until a notice.
    private static let timeout = 5.0
    /// The bytes that are needed to call a format unknown.
    private static let leastBytes = 48
    /// Seconds between two notices of quality.
    private static let qualityInterval = 1.0

    private let baud: Int?
    private var lastBytes: Timestamp
    private var lastReading: Timestamp
    private var lastQuality: Timestamp
    /// The bytes since the last reading.
    private var unused = 0
    /// Whether no bytes have arrived since the device was opened.
    private var isNew = true
    /// Whether the last notice was a bad one.
    private var isBad = false

    init(now: Timestamp, baud: Int?) {
        self.baud = baud
        (lastBytes, lastReading, lastQuality) = (now, now, now)
    }

    mutating func reopen(at now: Timestamp) {
        (lastBytes, lastReading) = (now, now)
        (unused, isNew) = (0, true)
    }

    /// Adds bytes and readings. Returns whether they are the first since the device was opened.
    mutating func add(bytes: Int, readings: Int, at now: Timestamp) -> Bool {
        guard bytes > 0 || readings > 0 else { return false }
        defer { isNew = false }
        lastBytes = now
        unused += bytes
        if readings > 0 { (lastReading, unused) = (now, 0) }
        return isNew
    }

    mutating func notices(at now: Timestamp, quality: @autoclosure () -> WireQuality?) -> [DeviceNotice] {
        var notices: [DeviceNotice] = []
        if now.seconds(since: lastQuality) >= Self.qualityInterval, let quality = quality() {
            lastQuality = now
            notices.append(.quality(quality))
        }
        let isReading = now.seconds(since: lastReading) < Self.timeout
        if isBad {
            guard isReading, !isNew, unused == 0 else { return notices }
            notices.append(.resumed)
            isBad = false
        } else if now.seconds(since: lastBytes) >= Self.timeout {
            notices.append(.silent)
            isBad = true
        } else if !isReading, unused >= Self.leastBytes {
            notices += unreadable(quality())
            isBad = true
        }
        return notices
    }

    /// The notices at the end of a device: the last quality, and bytes that were never decoded.
    func lastNotices(_ quality: WireQuality?) -> [DeviceNotice] {
        guard let quality else { return [] }
        return [.quality(quality)] + (quality.readings == 0 && unused > 0 && !isBad ? unreadable(quality) : [])
    }

    /// A problem that is known has a notice of its own.
    private func unreadable(_ quality: WireQuality?) -> [DeviceNotice] {
        guard quality?.problem == nil else { return [] }
        return [.unreadable(bytes: unused, baud: baud, lines: quality?.refusedExamples ?? [])]
    }
}
