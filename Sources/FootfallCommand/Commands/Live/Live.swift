import ArgumentParser
import Footfall
import FootfallHistory
import FootfallLive
import FootfallReaders
import FootfallServer
import FootfallStudy
import FootfallTables
import Foundation
import Logging

/// `footfall live`: steps and activities of a device in real time.
struct Live: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "live",
        abstract: "Show and record the motion of a device in real time.",
        discussion: """
            Reads a serial port, standard input (-), udp://:5555, tcp://host:port or \
            an accelerometer of this machine (iio:0); 'footfall devices' lists them. Finds the protocol, and reconnects. SIGINT, SIGTERM \
            and SIGHUP end it after all events are recorded. Topics: 'footfall help units' and 'recording'.

              footfall live /dev/ttyUSB0
              footfall live /dev/ttyUSB0 --baud 9600 --history steps.sqlite --source pocket
              footfall live udp://0.0.0.0:5555 --from 192.168.1.17 --quiet --serve
              footfall live --replay walk.csv --speed 10
            """)

    @Argument(help: "A serial port, -, udp://:PORT, tcp://HOST:PORT, iio:N.")
    var device: String?

    @OptionGroup var location: HistoryOptions
    @Flag(help: "Do not record into a history.") var noHistory = false

    @Option("The wearer or the device (default: default).", "name", name: .customLong("source"), QueryValue.source)
    var namedSource: String?

    var source: String { namedSource ?? "default" }

    @Option("The baud rate of a serial port (default: \(WireDevice.defaultBaud)).", "baud", name: [.short, .long])
    var baud: Int?

    @Option(name: [.customLong("protocol")], help: "The protocol: auto, text, witmotion, xsens, ximu3, mavlink.")
    var wire = "auto"

    @Flag(name: [.short, .long], help: "Print only the format that was found, and problems.") var quiet = false
    @Flag(help: "Also serve the history, as 'footfall serve' does.") var serve = false
    @OptionGroup var output: OutputOptions
    @Option("Replay a sensor log in real time.", "trace") var replay: String?
    @Option("The speed of the replay, or max.", "factor", OptionValue.speed) var speed: Double?
    @Option("Stop after this long, such as 30s or 8h.", "duration", QueryValue.duration) var duration: Double?
    @Option("Append all bytes of the device to this file.", "file") var record: String?
    @Option("Read only the datagrams of this numeric address.", "address", OptionValue.address) var from: String?
    @Flag(help: "Set it to 50 Hz, perhaps for good. Needs --protocol.") var configure = false
    @OptionGroup var server: ServerOptions
    @OptionGroup var recordingOptions: RecordingOptions
    @OptionGroup var reading: TraceReading

    /// Whether an option is given that only a device has.
    var isOfDevice: Bool { baud != nil || wire != "auto" || from != nil || configure }

    func validate() throws {
        if device == nil, replay == nil {
            throw ValidationError("Name a device or --replay a trace. 'footfall devices' lists the devices.")
        }
        if device != nil, replay != nil {
            throw ValidationError("A device and --replay exclude each other. Use only one of them.")
        }
        if replay != nil, isOfDevice {
            throw ValidationError("--baud, --protocol, --from and --configure are for devices, not for a --replay.")
        }
        if noHistory || replay != nil && location.history == nil, namedSource != nil || recordingOptions.isGiven {
            throw ValidationError(
                "--source, --keep, --accept-future and --accept-leap are those of a recording, and nothing is recorded. Leave "
                    + "out --no-history, or name the --history of a --replay.")
        }
        if noHistory, location.history != nil {
            throw ValidationError("--history and --no-history exclude each other. Use only one of them.")
        }
        if reading.afterLast, replay == nil || location.history == nil {
            throw ValidationError("--after-last needs --replay and --history.")
        }
        if speed != nil, replay == nil {
            throw ValidationError("--speed is that of a --replay; name the log.")
        }
        if serve, noHistory {
            throw ValidationError("--serve serves the history. Use it without --no-history.")
        }
        if serve, replay != nil, location.history == nil {
            throw ValidationError("A replay is recorded only where you say. Name the --history to --serve.")
        }
        if !serve, server.isGiven {
            throw ValidationError("--listen, --token-file, --no-token, --marks, --host and --goal need --serve.")
        }
        _ = try protocolToExpect
    }

    /// Refuses a clock whose times cannot be recorded.
    private static func checkClock() throws {
        let now = Timestamp.now
        guard !Timestamp.supported.contains(now) else { return }
        Terminal.note(
            "the clock of this machine stands at \(Date()); "
                + "live needs a time from 1900 to 2150: set the clock")
        throw ExitCode(Failure.failure)
    }

    func run() throws {
        Terminal.surviveLostOutput()
        let notices = NoticeQueue()
        let needsEnd = reading.afterLast || replay == nil && !noHistory
        let input = try LiveInput(self, notices, after: needsEnd ? endOfSource : nil)
        let isReplay = input.isReplay
        if !isReplay { try Self.checkClock() }
        let isNew = !FileManager.default.fileExists(atPath: location.url.path)
        // A log is recorded only with --history, as by `analyze`.
        let isRecorded = !noHistory && (!isReplay || location.history != nil)
        let history = try isRecorded ? openHistory(isLive: !isReplay) : nil
        if let path = history?.url?.path, !isReplay, !quiet {
            Terminal.note("recording in \(path) as \(source)")
        }
        defer {
            history?.close()
            // A session leaves no new history without events.
            if isNew, let url = history?.url, (try? MotionHistory.withWaiting(reading: url).sources().isEmpty) == true {
                Companions.removeDraft(url.resolvingSymlinksInPath().path)
            }
        }
        let zone = reading.timeZone
        // A replay without a date does not replace another trace without one.
        let isPlaced = !isReplay || reading.start != nil || reading.afterLast
        let recording = try history.map {
            try LiveRecording(into: $0, from: source, timeZone: zone) { isPlaced || $0.isDated }
        }
        let description = history?.url.map { "recorded in \($0.lastPathComponent) as \(source)" } ?? "not recorded"
        let clock = WallClock(zone: zone ?? (isReplay ? .gmt : .current))
        if let layout = input.layout { notices.add(.remark(ParameterText(layout))) }
        let feed = serve ? LiveFeed(source: source) : nil
        let server = try feed.flatMap { feed in
            try history.map {
                try HistoryServer(
                    of: $0, at: self.server.addresses, access: self.server.access(), feed: feed, goal: self.server.goal)
            }
        }
        defer { server?.stop() }
        for address in server?.addresses ?? [] { Terminal.note("serving \(address)") }
        let session = LiveSession(
            device: input.device,
            recording: recording,
            report: RecordingReport(recordingOptions), isReplay: isReplay, notices: notices, feed: feed,
            log: output.log)
        let (name, format, isQuiet) = (input.device.name, output.output, quiet)
        let (ending, report) = try session.run(duration: duration, isQuiet: isQuiet) {
            LiveDisplay(
                isQuiet: isQuiet, format: format, zone: zone,
                view: LiveView(name: name, recording: description, clock: clock))
        }
        for warning in input.warnings { Terminal.note("\(name): \(warning)") }
        if !isReplay, !Timestamp.supported.contains(.now) {
            // The session ended because the clock was set. The events that were lost by it are reported first.
            if let history { try? report.end(history) }
            try Self.checkClock()
        }
        if input.isCopyIncomplete { throw ExitCode(Failure.failure) }
        switch ending {
        case .normal: break
        case .noSamples:
            Terminal.note("\(name): it has ended without a sample")
            throw ExitCode(Failure.badData)
        case .tooFast(let count, let seconds):
            Terminal.note(
                "\(name): \(count) samples in \(seconds.formatted(decimals: 3)) s, more than any sensor takes; "
                    + "this looks like a log, and nothing is recorded: use 'footfall analyze'")
            throw ExitCode(Failure.badData)
        }
        if let history {
            try report.end(history)
            try history.finish()
        }
        if !isQuiet, Terminal.isOutputLost, !Terminal.isOutputClosed { throw ExitCode(Failure.failure) }
    }

    /// The end of the recorded time of the source; nil without any.
    private var endOfSource: Timestamp? {
        // The history may not exist yet. Opening it to record reports its errors.
        guard let history = try? MotionHistory(reading: location.url) else { return nil }
        defer { history.close() }
        note(history.remarks)
        return try? history.end(of: source)
    }

    /// The protocol of the device; nil to detect it.
    var protocolToExpect: WireProtocol? {
        get throws {
            if wire == "auto" { return nil }
            guard let expected = WireProtocol(rawValue: wire) else {
                let names = WireProtocol.allCases.map(\.rawValue).joined(separator: ", ")
                throw ValidationError("--protocol \(wire): write auto or one of \(names).")
            }
            return expected
        }
    }

    private func openHistory(isLive: Bool) throws -> MotionHistory {
        let url = location.url
        if location.history == nil {
            // The folder of the default history may not exist yet.
            try? FileManager.default.createDirectory(
                at: url.deletingLastPathComponent(), withIntermediateDirectories: true)
        }
        output.log.info("recording in \(url.path) as \(source)")
        return try recordingOptions.open(url, isLive: isLive)
    }
}
