import Footfall
import FootfallHistory
import FootfallLive
import FootfallReaders
import FootfallServer
import FootfallStudy
import Foundation
import Logging
import Synchronization

/// A bounded queue of the notices of a device.
final class NoticeQueue: Sendable {
    /// The most notices that wait; further ones are dropped.
    private static let capacity = 100

    private let notices = Mutex<[DeviceNotice]>([])

    func add(_ notice: DeviceNotice) { notices.withLock { if $0.count < Self.capacity { $0.append(notice) } } }

    func removeAll() -> [DeviceNotice] {
        notices.withLock { notices in
            defer { notices.removeAll() }
            return notices
        }
    }
}

/// Shows and records the motion of a device until it ends.
struct LiveSession: Sendable {
    /// The end of a session without an error.
    enum End {
        /// The device ended after samples, or the session was stopped.
        case normal
        /// The device has ended without a sample.
        case noSamples
        /// The samples arrived faster than those of any sensor. Nothing is recorded.
        case tooFast(count: Int, seconds: Double)
    }

    /// No sensor takes more samples a second than `mostHertz`; a fast one takes 6,400. The rate is judged once there
    /// are `fewestSamples`, because the samples of a part of a second may arrive at once.
    private static let (mostHertz, fewestSamples) = (10_000.0, 1000)
    /// A device may send at once what it has kept, so the rate of one that goes on is judged after these seconds.
    private static let burst = 10.0

    let device: any MotionDevice
    /// The recording of the events; nil without a history.
    let recording: LiveRecording?
    let report: RecordingReport
    /// Whether the device replays a trace, all of which should be in the history at the end.
    let isReplay: Bool
    let notices: NoticeQueue
    /// The feed of a server; nil without a server.
    let feed: LiveFeed?
    let log: Logger

    /// Runs until the device ends, the command is interrupted, standard output is closed, or `duration` seconds have
    /// passed. A full disk behind standard output ends the session only if it is not recorded. A quiet session writes
    /// nothing to standard output, which may then be closed. The task that uses the display creates it. Throws the
    /// error of the device or of the history; events before it are shown and recorded.
    func run(
        duration: Double?, isQuiet: Bool, display: @escaping @Sendable () -> LiveDisplay
    ) throws -> (End, RecordingReport) {
        let outcome = Outcome()
        let task = Task.detached { await outcome.set(follow(display())) }
        let deadline = duration.map { ContinuousClock.now + .seconds(min($0, 1e9)) }
        while true {
            if let result = outcome.wait(milliseconds: 100) { return try result.get() }
            let isOver = deadline.map { .now >= $0 } ?? false
            let isOpen = isQuiet || !Terminal.isOutputClosed && (recording != nil || !Terminal.isOutputLost)
            // Samples outside the supported times cannot be recorded.
            let isClockRight = isReplay || Timestamp.supported.contains(.now)
            if Interruption.isRequested || isOver || !isOpen || !isClockRight { task.cancel() }
        }
    }

    private func follow(_ display: LiveDisplay) async -> Result<(End, RecordingReport), any Error> {
        var display = display
        var report = report
        var trace = RecordedTrace(source: recording?.source ?? "")
        var (quality, isSensor) = (SignalQuality(), false)
        var motion = LiveMotion(device)
        if let feed { motion.observer = { feed.trail.add($0) } }
        do {
            do {
                for try await update in motion {
                    quality = update.quality
                    // Before anything of it is in the history. What a device stores may come at once, later.
                    if !isSensor, quality.duration >= Self.burst {
                        if unusualEnd(of: quality) != nil { break }
                        isSensor = true
                    }
                    try recording?.add(update.events)
                    trace.add(update.events)
                    showNotices(&display)
                    display.show(update)
                    feed?.trail.add(
                        settled: update.events, provisional: update.provisional, cadence: update.cadence,
                        at: update.time)
                    feed?.publish(
                        update.time.map { LiveRow.state(update, $0).record },
                        settled: update.events.map { LiveRow.event($0).record },
                        .init(rate: update.sampleRate, silence: update.silence, dropped: update.quality.dropped))
                }
            } catch let error as DeviceError {
                _ = try recording?.finish()
                throw error
            }
            showNotices(&display)
            if !Task.isCancelled, !isSensor, let end = unusualEnd(of: quality) {
                recording?.discard()
                display.finish(withSummary: false)
                return .success((end, report))
            }
            trace.outcome = try recording?.finish() ?? RecordingOutcome()
            display.finish(replaced: trace.outcome.replaced)
            report.add(quality)
            if recording != nil {
                if isReplay { report.add(trace) } else { report.add(ofDevice: trace.outcome) }
                log.info("\(trace.outcome.recorded) events recorded as \(trace.source)")
            }
            return .success((.normal, report))
        } catch {
            showNotices(&display)
            display.finish(withSummary: quality.samples > 0, isRecorded: !(error is HistoryError))
            let refusal = (error as? HistoryError)?.ofUndatedTrace(device.name, remedy: .forUndatedTrace)
            return .failure(refusal ?? error)
        }
    }

    /// What is wrong with the samples of a device that has ended; nil for a sound end.
    private func unusualEnd(of quality: SignalQuality) -> End? {
        guard quality.samples > 0, let start = quality.start, let end = quality.end else { return .noSamples }
        let seconds = end.seconds(since: start)
        let isTooFast = quality.samples >= Self.fewestSamples && Double(quality.samples) > Self.mostHertz * seconds
        return isTooFast && !isReplay ? .tooFast(count: quality.samples, seconds: seconds) : nil
    }

    private func showNotices(_ display: inout LiveDisplay) {
        for notice in notices.removeAll() {
            display.update(notice)
            let text = "\(device.name): \(notice.message.asOptions)"
            switch notice {
            case .quality(let quality): log.debug("\(device.name): \(quality)")
            case .opened: log.info("\(text)")
            // The log of a service states the unit of the samples, too.
            case .recognized: display.print(notice)
            case _ where !display.isQuiet: display.print(notice)
            // This is useful on a terminal, but not as a warning in the log of a service.
            case .remark: log.info("\(text)")
            case .problem, .silent, .unreadable, .resumed, .lost, .reconnected, .ignored, .overrun, .clockSetBack:
                log.warning("\(text)")
            }
        }
    }

    /// The result of the session, once it has ended.
    private final class Outcome: Sendable {
        typealias Ended = Result<(End, RecordingReport), any Error>
        private let result = Mutex<Ended?>(nil)
        private let isSet = WakeUp()

        func set(_ result: Ended) {
            self.result.withLock { $0 = result }
            isSet.raise()
        }

        func wait(milliseconds: Int) -> Ended? {
            isSet.wait(milliseconds: milliseconds)
            return result.withLock { $0 }
        }
    }
}
