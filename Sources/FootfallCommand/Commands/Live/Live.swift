import ArgumentParser
import Footfall
import FootfallDevices
import FootfallHistory
import FootfallReport
import FootfallWire
import Foundation
import Logging

/// `footfall live`: a device in, steps and activities as they happen.
struct Live: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Show and record the motion of a device while it happens.",
        discussion: """
            Reads a serial port, standard input (-), udp://:5555, tcp://host:port or an accelerometer of the machine (iio:0). \
            What it sends is recognised: lines of text in their many forms, WitMotion, Xsens MTData2, x-IMU3, MAVLink. \
            A device that is unplugged is waited for. Ends with SIGINT or SIGTERM, everything recorded.

              footfall live /dev/ttyUSB0
              footfall live /dev/ttyUSB0 --baud 9600 --history steps.sqlite --source pocket
              footfall live udp://:5555 --no-history --output ndjson
              footfall live --replay walk.csv --speed 10
            """)

    @Argument(help: "The device: a serial port, -, udp://:PORT, tcp://HOST:PORT or iio:N; see 'footfall devices'.")
    var device: String?

    @Option(help: ArgumentHelp("Play a sensor log as if it came from a device.", valueName: "trace"))
    var replay: String?

    @Option(help: ArgumentHelp("How many times faster to play it; max for as fast as can be.", valueName: "factor"))
    var speed = "1"

    @Option(
        name: [.customLong("protocol")], help: "What the device sends: auto, text, witmotion, xsens, ximu3, mavlink.")
    var wire = "auto"

    @Option(name: [.short, .long], help: ArgumentHelp("The speed of a serial port.", valueName: "baud"))
    var baud = WireDevice.usualBaud

    @Flag(help: "Have the device send acceleration fifty times a second; it may keep that for good. Needs --protocol.")
    var configure = false

    @Option(
        help: ArgumentHelp("Keep every byte the device sends in this file, after what is in it.", valueName: "file"))
    var record: String?

    @Option(
        help: ArgumentHelp("Stop after this long, such as 30s or 8h.", valueName: "duration"), transform: Word.duration)
    var duration: Double?

    @OptionGroup var location: HistoryLocation

    @Flag(help: "Show only; record nothing.")
    var noHistory = false

    @Option(help: ArgumentHelp("The wearer or device, in the history.", valueName: "name"))
    var source = "default"

    @Flag(
        name: [.short, .long],
        help: "Show nothing, as a service should; what goes wrong is still said on standard error.")
    var quiet = false

    @OptionGroup var keeping: Keeping
    @OptionGroup var reading: TraceReading
    @OptionGroup var output: OutputOptions

    func validate() throws {
        if (device == nil) == (replay == nil) {
            throw ValidationError("Name a device or --replay a trace. “footfall devices” lists what is there.")
        }
        if noHistory, location.history != nil {
            throw ValidationError("--history and --no-history do not go together.")
        }
        _ = try factor
        _ = try protocolToExpect
    }

    func run() throws {
        let board = NoticeBoard()
        let input = try LiveInput(self, board)
        let history = try noHistory ? nil : openHistory()
        let zone = try Zone.parse(reading.timeZone)
        let recording = history?.url.map { "recorded in \($0.lastPathComponent) as \(source)" } ?? "not recorded"
        let clock = WallClock(zone: zone ?? (replay == nil ? .current : .gmt))
        if let layout = input.layout { board.post(.remark(layout)) }
        let session = LiveSession(
            device: input.device, history: history, source: source, zone: zone, board: board, log: output.log)
        let (name, format, isQuiet) = (input.device.name, output.output, quiet)
        let end = try session.run(duration: duration, isQuiet: isQuiet) {
            LiveDisplay(
                isQuiet: isQuiet, format: format, view: LiveView(name: name, recording: recording, clock: clock))
        }
        for warning in input.warnings { Terminal.note("footfall: \(name): \(warning)") }
        if end == .exhausted { throw ExitCode(Failure.badData) }
    }

    /// How fast to replay; nil for as fast as can be.
    var factor: Double? {
        get throws {
            if speed == "max" { return nil }
            guard let factor = Double(speed), factor > 0, factor.isFinite else {
                throw ValidationError("--speed \(speed): write a number such as 10, or max.")
            }
            return factor
        }
    }

    /// What the device is said to send; nil to find out.
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

    private func openHistory() throws -> MotionHistory {
        let url = location.url
        if location.history == nil {
            // The place for data that nobody chose is made for them.
            try? FileManager.default.createDirectory(
                at: url.deletingLastPathComponent(), withIntermediateDirectories: true)
        }
        output.log.info("recording in \(url.path) as \(source)")
        return try MotionHistory(at: url, retention: try keeping.retention)
    }
}
