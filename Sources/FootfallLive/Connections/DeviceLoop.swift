internal import Footfall
internal import FootfallReaders
internal import Foundation

/// A device that ``DeviceLoop`` opens, reads and reopens.
protocol DeviceSource: Sendable {
    /// Opens the device, for the first time or again. What was learned about its format is kept.
    mutating func open() throws(DeviceError)

    mutating func close()

    /// The descriptor to wait for; negative for a device that is polled.
    var descriptor: Int32 { get }

    /// Nanoseconds between two readings of a device that is polled.
    var interval: Int64? { get }

    /// The speed of a serial port.
    var baud: Int? { get }

    /// Reads all available bytes, appends their readings and returns the number of bytes. Throws when the connection
    /// has ended; the appended readings are valid.
    mutating func receive(into readings: inout [WireReading]) throws(Disconnection) -> Int

    /// The notices since the last ones were passed on.
    var notices: [DeviceNotice] { get set }

    /// Whether the unit of the latest readings is assumed.
    var isUnitAssumed: Bool { get }

    /// The quality of the bytes so far; nil for a device without a wire protocol.
    var quality: WireQuality? { get }
}

/// The end of a connection.
enum Disconnection: Error {
    /// The device has ended.
    case ended
    /// The connection is lost, with the reason, and can be opened again.
    case lost(String)
}

/// The thread of a device: waits for readings, converts their times, emits them as batches, and reconnects.
struct DeviceLoop<Source: DeviceSource> {
    /// Batches that may wait for the reader: more than half a minute.
    private static var capacity: Int { 4096 }
    /// Milliseconds between two checks of a silent device.
    private static var checkInterval: Int32 { 1000 }
    /// Milliseconds before the first and before the last attempts to reconnect.
    private static var backOff: ClosedRange<Int32> { 250...4000 }

    private var source: Source
    private let clock: HostClock
    private let notify: (DeviceNotice) -> Void
    /// Stops the thread wherever it waits.
    private let stop: WakeUp
    private let continuation: AsyncThrowingStream<SampleBatch, any Error>.Continuation
    private var deviceClock = DeviceClock()
    private var wall: WallOffset
    private var monitor: SignalMonitor
    private var readings: [WireReading] = []
    private var overrun = 0
    /// Milliseconds before the next attempt to reconnect.
    private var wait = backOff.lowerBound

    /// The longest time to wait for the end of the thread after a stop, in milliseconds.
    private static var longestStop: Int { 2000 }

    /// Runs a device on its own thread until the device ends or its reader is cancelled.
    static func run(
        _ source: Source, clock: HostClock, onNotice: (@Sendable (DeviceNotice) -> Void)?
    ) -> AsyncThrowingStream<SampleBatch, any Error> {
        // Without free descriptors the device cannot be opened either, and its thread ends.
        let (stop, ended) = (WakeUp(), WakeUp())
        return AsyncThrowingStream(bufferingPolicy: .bufferingOldest(capacity)) { continuation in
            continuation.onTermination = { reason in
                guard case .cancelled = reason else { return }
                stop.raise()
                // Until the device is closed.
                ended.wait(milliseconds: longestStop)
            }
            let thread = Thread {
                var loop = DeviceLoop(
                    source: source, clock: clock, notify: { onNotice?($0) }, stop: stop, continuation: continuation,
                    wall: WallOffset(after: clock.end), monitor: SignalMonitor(now: clock.now, baud: source.baud))
                let error = loop.run()
                // A task that is being cancelled holds its lock during `onTermination`, and the stream ends after that.
                ended.raise()
                continuation.finish(throwing: error)
            }
            thread.name = "footfall device"
            thread.start()
        }
    }

    /// Reads the device until it is closed. Returns why it cannot be opened; nil if it was opened.
    private mutating func run() -> DeviceError? {
        do throws(DeviceError) {
            try source.open()
        } catch {
            return error
        }
        var opening = DeviceNotice.opened
        repeat {
            notify(opening)
            opening = .reconnected
            monitor.reopen(at: clock.now)
            let end = serve()
            source.close()
            guard case .lost(let reason) = end else { break }
            notify(.lost(reason))
            deviceClock.reset()
        } while reopen()
        for notice in monitor.lastNotices(source.quality) { notify(notice) }
        return nil
    }

    /// Tries to open the device until it succeeds. Returns false after a stop. The waits grow until there are readings:
    /// a server may accept each connection and close it at once.
    private mutating func reopen() -> Bool {
        while !stop.wait(milliseconds: Int(wait)) {
            wait = min(2 * wait, Self.backOff.upperBound)
            if (try? source.open()) != nil { return true }
        }
        return false
    }

    /// Emits readings until the connection ends; nil after a stop.
    private mutating func serve() -> Disconnection? {
        var due = clock.now
        while true {
            var timeout = Self.checkInterval
            if let interval = source.interval {
                // Deadlines follow each other at the interval, so that delays do not change the rate.
                due = max(due.advanced(bySeconds: Double(interval) * 1e-9), clock.now)
                timeout = Int32(clamping: min(max(0, due.seconds(since: clock.now)) * 1000, 1000).rounded(.up))
            }
            let ready = Poll.readable([stop.descriptor, source.descriptor], milliseconds: timeout)
            if ready[0] { return nil }
            let end = ready[1] || source.interval != nil ? receive() : nil
            for notice in monitor.notices(at: clock.now, quality: source.quality) + source.notices { notify(notice) }
            source.notices.removeAll()
            if let end { return end }
        }
    }

    private mutating func receive() -> Disconnection? {
        var end: Disconnection?
        readings.removeAll(keepingCapacity: true)
        var bytes = 0
        do throws(Disconnection) {
            bytes = try source.receive(into: &readings)
        } catch {
            end = error
        }
        let now = clock.now
        if monitor.add(bytes: bytes, readings: readings.count, at: now) { deviceClock.begin(at: now) }
        if !readings.isEmpty {
            wait = Self.backOff.lowerBound
            emit(readings, at: now)
        }
        return end
    }

    private mutating func emit(_ readings: [WireReading], at now: Timestamp) {
        let correction = clock.correction
        let times = deviceClock.times(of: readings.map(\.deviceTime), receivedAt: now)
        let (offset, notice) = wall.offset(of: times, at: correction)
        if let notice { notify(notice) }
        var batch = SampleBatch(capacity: readings.count)
        batch.isUnitAssumed = source.isUnitAssumed
        for (time, reading) in zip(times, readings) {
            let wall = Timestamp(nanosecondsSince1970: time.nanosecondsSince1970 &+ offset)
            batch.append(time: wall, x: reading.x, y: reading.y, z: reading.z)
        }
        if case .dropped = continuation.yield(batch) {
            if overrun == 0 { notify(.overrun(samples: batch.count)) }
            overrun += batch.count
        } else if overrun > 0 {
            notify(.overrun(samples: overrun))
            overrun = 0
        }
    }
}

/// Wakes one thread from another. The wait of a semaphore ends at a time of the wall clock. If that clock is set back
/// by an hour meanwhile, the wait lasts an hour longer. This wait uses a monotonic clock, which is never set.
package final class WakeUp: Sendable {
    private let ends: (read: Handle, write: Handle)

    package init() {
        var pair: [Int32] = [-1, -1]
        // Without free descriptors each wait lasts its whole time.
        _ = pipe(&pair)
        for descriptor in pair { _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC) }
        ends = (Handle(pair[0]), Handle(pair[1]))
    }

    /// A descriptor that becomes readable with the first ``raise()``, and stays so.
    var descriptor: Int32 { ends.read.descriptor }

    /// Ends the waits, now and later.
    package func raise() { _ = write(ends.write.descriptor, "x", 1) }

    /// Waits until it is raised, or for `milliseconds`. Returns whether it is raised.
    @discardableResult
    package func wait(milliseconds: Int) -> Bool {
        Poll.readable([descriptor], milliseconds: Int32(clamping: milliseconds))[0]
    }
}

/// Detects that a device sends no bytes or no known format, and that it sends readings again.
struct SignalMonitor {
    /// Seconds until a notice.
    private static let timeout = 5.0
    /// The bytes that are needed to call a format unknown: a decoder needs as many.
    private static let leastBytes = 64
    /// Seconds between two notices of quality.
    private static let qualityInterval = 1.0

    private let baud: Int?
    private var lastBytes: Timestamp
    private var lastReading: Timestamp
    private var lastQuality: Timestamp
    private var unused = 0
    /// Whether no bytes have arrived since the device was opened.
    private var isNew = true
    /// Whether the last notice was a bad one.
    private var isBad = false
    /// Whether a notice has said that more lines are needed.
    private var isWaiting = false

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
            notices += undecoded(quality())
        }
        return notices
    }

    /// The notices at the end of a device: the last quality, and bytes that were never decoded.
    mutating func lastNotices(_ quality: WireQuality?) -> [DeviceNotice] {
        guard let quality else { return [] }
        return [.quality(quality)] + (quality.readings == 0 && unused > 0 && !isBad ? undecoded(quality) : [])
    }

    /// What to say of bytes without a reading. A problem that is known has a notice of its own. Lines that wait for
    /// others are no fault, and are reported once.
    private mutating func undecoded(_ quality: WireQuality?) -> [DeviceNotice] {
        let waiting = quality?.waitingLines ?? 0
        isBad = waiting == 0 || quality?.problem != nil
        guard quality?.problem == nil else { return [] }
        guard waiting > 0 else {
            return [.unreadable(bytes: unused, baud: baud, lines: quality?.refusedExamples ?? [])]
        }
        defer { isWaiting = true }
        let text: ParameterText =
            "\(waiting) lines of numbers have arrived; \(WireQuality.linesOfLayout) show which numbers are x, y and z, and "
            + "steps need 8 lines a second"
        return isWaiting ? [] : [.remark(text)]
    }
}
