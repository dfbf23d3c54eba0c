import Footfall
import FootfallDevices
import FootfallHistory
import Foundation
import Logging
import Synchronization

/// What a device has to say, until somebody listens.
final class NoticeBoard: Sendable {
    /// Notices that wait at most; a device that complains without end is cut short.
    private static let capacity = 100

    private let notices = Mutex<[DeviceNotice]>([])

    func post(_ notice: DeviceNotice) {
        notices.withLock { if $0.count < Self.capacity { $0.append(notice) } }
    }

    func takeAll() -> [DeviceNotice] {
        notices.withLock { notices in
            defer { notices.removeAll() }
            return notices
        }
    }
}

/// One run of a device: everything it does is shown and recorded as it comes.
struct LiveSession: Sendable {
    /// How a run can end.
    enum End {
        /// In order: stopped, or the device has.
        case orderly
        /// The device has ended without a single sample.
        case exhausted
    }

    let device: any MotionDevice
    let history: MotionHistory?
    let source: String
    let zone: TimeZone?
    let board: NoticeBoard
    let log: Logger

    /// Runs until the device ends, the command is to end, or `duration` seconds have passed.
    ///
    /// - Parameters:
    ///   - duration: Seconds after which to stop; nil to go on.
    ///   - isQuiet: Whether it does not matter that nobody reads standard output.
    ///   - display: Makes what is shown, where it is shown.
    /// - Throws: What the device throws, or the history; what came before is shown and recorded.
    func run(duration: Double?, isQuiet: Bool, display: @escaping @Sendable () -> LiveDisplay) throws -> End {
        let outcome = Outcome()
        let task = Task.detached { await outcome.set(follow(display())) }
        let clock = ContinuousClock()
        let deadline = duration.map { clock.now + .seconds(min($0, 1e9)) }
        while true {
            if let result = outcome.wait(milliseconds: 100) { return try result.get() }
            let isOver = deadline.map { clock.now >= $0 } ?? false
            let isSeen = isQuiet || Terminal.waitWhileOpen(milliseconds: 0)
            if Interruption.isRequested || isOver || !isSeen { task.cancel() }
        }
    }

    private func follow(_ display: LiveDisplay) async -> Result<End, any Error> {
        var display = display
        var last = LiveUpdate()
        do {
            for try await update in LiveMotion(device) {
                try record(update.events)
                tell(&display)
                display.show(update)
                last = update
            }
            tell(&display)
            display.finish(last)
            return .success(last.quality.samples == 0 && !Task.isCancelled ? .exhausted : .orderly)
        } catch {
            tell(&display)
            // Of a device that could not even be opened there is nothing to sum up.
            display.finish(last, sumsUp: last.quality.samples > 0)
            return .failure(error)
        }
    }

    private func record(_ events: [MotionEvent]) throws {
        guard let history, !events.isEmpty else { return }
        let outcome = try history.record(events, from: source, timeZone: zone)
        log.debug("\(outcome.recorded) events recorded as \(source)")
        if outcome.expired > 0 { log.warning("\(outcome.expired) events are older than the history keeps") }
    }

    /// Says what the device has said.
    private func tell(_ display: inout LiveDisplay) {
        for notice in board.takeAll() {
            display.take(notice)
            switch notice {
            case .quality(let quality): log.debug("\(device.name): \(quality)")
            case .opened: log.info("\(device.name): \(notice)")
            case .recognized, .remark:
                // For a person at the start; a service's log should hold what is amiss.
                if display.isQuiet { log.info("\(device.name): \(notice)") } else { display.say(notice) }
            case .silent, .unreadable, .resumed, .lost, .ignored, .overrun:
                if display.isQuiet { log.warning("\(device.name): \(notice)") } else { display.say(notice) }
            }
        }
    }

    /// How a run ended, once it has.
    private final class Outcome: Sendable {
        private let result = Mutex<Result<End, any Error>?>(nil)
        private let isThere = DispatchSemaphore(value: 0)

        func set(_ result: Result<End, any Error>) {
            self.result.withLock { $0 = result }
            isThere.signal()
        }

        func wait(milliseconds: Int) -> Result<End, any Error>? {
            guard isThere.wait(timeout: .now() + .milliseconds(milliseconds)) == .success else { return nil }
            return result.withLock { $0 }
        }
    }
}
