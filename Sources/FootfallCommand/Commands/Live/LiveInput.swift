import ArgumentParser
import Footfall
import FootfallHistory
import FootfallLive
import FootfallReaders
import FootfallStudy
import Foundation
import Synchronization

/// The device that the options of `footfall live` describe.
struct LiveInput {
    /// The rate in Hz that `--configure` sets: that of the analysis grid.
    private static let rateToConfigure = 50.0

    let device: any MotionDevice
    /// The format of a recording; nil for a device, which reports it in a notice.
    let layout: String?
    private let recording: TraceRecording?
    private let copy: ByteFile?

    /// Whether the samples are those of a log, with their own times.
    var isReplay: Bool { recording != nil }

    /// Whether bytes of the device are missing in the file of `--record`.
    var isCopyIncomplete: Bool { copy?.problem != nil }

    var warnings: [String] { recording?.warnings ?? [] }

    /// Opens the input, whose source holds something up to `end`; nil if there is nothing.
    init(_ options: Live, _ notices: NoticeQueue, after end: Timestamp?) throws {
        let address = try options.device.map { try DeviceAddress($0) }
        // A file has the samples of a log, which did not happen now. An option of a device says that a pipe is one,
        // however much waits in it.
        let isLog =
            address == .standardInput && options.record == nil
            && (Self.isInput(S_IFREG) || !options.isOfDevice && Self.isInputFull)
        if isLog, options.isOfDevice {
            throw ValidationError(
                "--baud, --protocol, --from and --configure are for devices, and standard input is a log. Leave them out."
            )
        }
        if let path = options.replay ?? (isLog ? Self.standardInput : nil) {
            if options.record != nil {
                throw ValidationError("--record copies the bytes of a device; a replay has none.")
            }
            var reading = try options.reading.options()
            if options.reading.afterLast { reading.start = end ?? reading.start }
            let trace = try Trace(contentsOf: URL(filePath: path), options: reading)
            layout = trace.layout.description
            let recording = TraceRecording(trace)
            self.recording = recording
            let name = isLog ? "standard input, a log" : FilePath.shown(URL(filePath: path).lastPathComponent)
            device = ReplayDevice(name, recording, speed: isLog ? nil : options.speed ?? 1)
            copy = nil
            return
        }
        (layout, recording) = (nil, nil)
        guard let address else { throw ValidationError("Name a device or --replay a trace.") }
        try options.reading.checkDevice()
        if options.from != nil {
            guard case .udp = address else {
                throw ValidationError("--from names a sender of datagrams. Use it with udp://0.0.0.0:PORT.")
            }
        }
        if options.baud != nil {
            guard case .serial = address else {
                throw ValidationError("--baud is the rate of a serial port. Leave it out.")
            }
        }
        if case .iio(let number) = address {
            if options.record != nil {
                throw ValidationError("--record copies the bytes of a connection; an IIO device has none.")
            }
            if options.wire != "auto" {
                throw ValidationError("--protocol is that of a connection; an IIO device has none. Leave it out.")
            }
            var accelerometer = IIODevice(number, configures: options.configure)
            accelerometer.clock = HostClock(after: end)
            accelerometer.onNotice = { notices.add($0) }
            device = accelerometer
            copy = nil
            return
        }
        let wire = try options.protocolToExpect
        var sender = WireDevice(
            address, baud: options.baud ?? WireDevice.defaultBaud, protocol: wire, text: options.reading.textOptions)
        sender.clock = HostClock(after: end)
        sender.onNotice = { notices.add($0) }
        sender.sender = options.from
        if options.configure {
            guard let commands = wire?.configuration(rate: Self.rateToConfigure) else {
                throw ValidationError("--configure needs --protocol witmotion, xsens, ximu3 or mavlink.")
            }
            sender.setup = commands
        }
        var copy: ByteFile?
        if let path = options.record {
            let file = try ByteFile(path, besides: options.noHistory ? nil : options.location.url)
            let isQuiet = options.quiet
            sender.onBytes = { bytes in
                guard let problem = file.write(bytes) else { return }
                // With --quiet remarks go to the log, and this is a problem.
                if isQuiet {
                    Terminal.note(problem)
                } else {
                    notices.add(.remark(ParameterText(problem)))
                }
            }
            copy = file
        }
        self.copy = copy
        device = sender
    }
}

extension LiveInput {
    private static let standardInput = "/dev/stdin"
    /// The time in which a pipe that a log is written into fills up, in steps of milliseconds.
    private static let (fillingSteps, fillingStep) = (10, UInt32(10))
    /// Half of the bytes that Linux lets wait in a pipe. The pages of a full one may have gaps. A sensor that sends 100
    /// lines a second needs 10 s for them.
    private static let capacity: Int32 = 1 << 15

    /// Whether standard input is of a kind, such as `S_IFREG`.
    private static func isInput(_ kind: mode_t) -> Bool {
        var status = stat()
        return fstat(STDIN_FILENO, &status) == 0 && status.st_mode & S_IFMT == kind
    }

    /// Whether standard input is a pipe that fills up at once, as one that a log is written into.
    private static var isInputFull: Bool {
        guard isInput(S_IFIFO) else { return false }
        for _ in 0..<fillingSteps {
            var waiting: Int32 = 0
            guard ioctl(STDIN_FILENO, UInt(FIONREAD), &waiting) == 0 else { return false }
            if waiting >= capacity { return true }
            usleep(fillingStep * 1000)
        }
        return false
    }
}

/// A sensor log as a sequence of batches, for one pass.
final class TraceRecording: AsyncSequence, AsyncIteratorProtocol, Sendable {
    private let trace: Mutex<ReadAheadTrace>

    init(_ trace: consuming sending Trace) { self.trace = Mutex(ReadAheadTrace(trace)) }

    func makeAsyncIterator() -> TraceRecording { self }

    func next() async throws -> SampleBatch? {
        try trace.withLock { try $0.nextBatch(unless: { Task.isCancelled || Interruption.isRequested }) }
    }

    /// The warnings about the log, once it was read to its end.
    var warnings: [String] { trace.withLock { $0.summary?.warnings.map(\.description) ?? [] } }
}

/// A file to which the bytes of a device are appended. Only its owner may read it.
final class ByteFile: Sendable {
    private let path: String
    private let descriptor: Int32
    private let state = Mutex<String?>(nil)

    /// Opens or creates the file, which may be neither the history of the session nor one of the files beside it.
    init(_ path: String, besides history: URL?) throws(FileError) {
        let isHistory = FileIdentity(of: path).map { $0 == history.flatMap { FileIdentity(of: $0.path) } } ?? false
        let (own, others) = (URL(filePath: path).standardizedFileURL.path, history?.standardizedFileURL.path)
        // A companion of another history has a dot and a number behind its name.
        let companions = others.map { path in Companions.all.map { path + $0 } } ?? []
        guard !isHistory, own != others, !companions.contains(where: { own == $0 || own.hasPrefix($0 + ".") }) else {
            throw FileError(
                path: path,
                problem: "is the history, or has the name of a file beside it; name another file for --record",
                .replacing)
        }
        self.path = path
        descriptor = open(path, O_WRONLY | O_CREAT | O_APPEND | O_NOFOLLOW | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else {
            guard errno == ELOOP else { throw FileError(.latest, creating: path) }
            throw FileError(
                path: path, problem: "is a symbolic link, which is not followed; name the file itself", .replacing)
        }
    }

    deinit { if descriptor >= 0 { close(descriptor) } }

    /// Why the file takes no more bytes; nil while it does.
    var problem: String? { state.withLock { $0 } }

    /// Appends bytes until the first error, and returns that.
    func write(_ bytes: [UInt8]) -> String? {
        state.withLock { problem in
            guard problem == nil, let error = OutputFile.write(bytes, to: descriptor) else { return nil }
            problem = "\(FileError(error, path: path, .writing)); --record has stopped, and the session goes on"
            return problem
        }
    }
}
