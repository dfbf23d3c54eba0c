import ArgumentParser
import Footfall
import FootfallDevices
import FootfallTraces
import FootfallWire
import Foundation
import Synchronization

/// The device that the command line means.
struct LiveInput {
    /// Readings a second that a device is asked for: the rate of the analysis.
    private static let rateToConfigure = 50.0

    let device: any MotionDevice
    /// How a recording is read; nil for a device, which tells later.
    let layout: String?
    private let recording: TraceRecording?

    /// What could not be used of a recording.
    var warnings: [String] { recording?.warnings ?? [] }

    init(_ options: Live, _ board: NoticeBoard) throws {
        if let path = options.replay {
            if options.record != nil {
                throw ValidationError("--record keeps what a device sends; a trace is kept already.")
            }
            let trace = try Trace(contentsOf: URL(filePath: path), options: options.reading.options())
            layout = trace.layout.description
            let recording = TraceRecording(trace)
            self.recording = recording
            let name = URL(filePath: path).lastPathComponent
            device = ReplayDevice(name, recording, speed: try options.factor)
            return
        }
        (layout, recording) = (nil, nil)
        let address = try DeviceAddress(options.device ?? "")
        if case .iio(let number) = address {
            if options.record != nil {
                throw ValidationError("--record keeps the bytes of a wire; an IIO device has none.")
            }
            var accelerometer = IIODevice(number, configures: options.configure)
            accelerometer.onNotice = { board.post($0) }
            device = accelerometer
            return
        }
        let wire = try options.protocolToExpect
        var sender = WireDevice(
            address, baud: options.baud, protocol: wire, text: try options.reading.textOptions())
        sender.onNotice = { board.post($0) }
        if options.configure {
            guard let commands = wire?.configuration(rate: Self.rateToConfigure) else {
                throw ValidationError("--configure needs a --protocol with commands: witmotion, xsens, ximu3, mavlink.")
            }
            sender.setup = commands
        }
        if let path = options.record {
            let file = try ByteFile(path)
            sender.onBytes = { bytes in
                if let problem = file.write(bytes) { board.post(.remark(problem)) }
            }
        }
        device = sender
    }
}

/// A sensor log as a sequence of batches, to be gone through once.
final class TraceRecording: AsyncSequence, AsyncIteratorProtocol, Sendable {
    private let trace: Mutex<Trace>

    init(_ trace: consuming sending Trace) { self.trace = Mutex(trace) }

    func makeAsyncIterator() -> TraceRecording { self }

    func next() async throws -> SampleBatch? { try trace.withLock { try $0.nextBatch() } }

    /// What could not be used so far.
    var warnings: [String] { trace.withLock { $0.warnings.map(\.description) } }
}

/// A file that bytes are added to as they come.
final class ByteFile: Sendable {
    private let path: String
    private let handle: Mutex<FileHandle?>

    init(_ path: String) throws {
        self.path = path
        let descriptor = open(path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0o644)
        guard descriptor >= 0 else { throw FileError(path: path, problem: String(cString: strerror(errno))) }
        handle = Mutex(FileHandle(fileDescriptor: descriptor, closeOnDealloc: true))
    }

    /// Adds bytes. The first time that fails, it is given up, and the reason returned.
    func write(_ bytes: [UInt8]) -> String? {
        handle.withLock { handle in
            do {
                try handle?.write(contentsOf: Data(bytes))
                return nil
            } catch {
                handle = nil
                return "\(path): what the device sends is no longer kept: \(error.localizedDescription)"
            }
        }
    }
}
