import ArgumentParser
import Footfall
import FootfallDevices
import FootfallTraces
import FootfallWire
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

    /// The warnings of the reader of a recording.
    var warnings: [String] { recording?.warnings ?? [] }

    /// - Parameter start: The start of a recording without absolute time; nil for that of the options.
    init(_ options: Live, _ notices: NoticeQueue, start: Timestamp?) throws {
        if let path = options.replay {
            if options.record != nil {
                throw ValidationError("--record copies the bytes of a device; a replay has none.")
            }
            var reading = try options.reading.options()
            reading.start = start ?? reading.start
            let trace = try Trace(contentsOf: URL(filePath: path), options: reading)
            layout = trace.layout.description
            let recording = TraceRecording(trace)
            self.recording = recording
            let name = URL(filePath: path).lastPathComponent
            device = ReplayDevice(name, recording, speed: options.speed)
            return
        }
        (layout, recording) = (nil, nil)
        let address = try DeviceAddress(options.device ?? "")
        if case .iio(let number) = address {
            if options.record != nil {
                throw ValidationError("--record copies the bytes of a connection; an IIO device has none.")
            }
            var accelerometer = IIODevice(number, configures: options.configure)
            accelerometer.onNotice = { notices.add($0) }
            device = accelerometer
            return
        }
        let wire = try options.protocolToExpect
        var sender = WireDevice(
            address, baud: options.baud, protocol: wire, text: options.reading.textOptions)
        sender.onNotice = { notices.add($0) }
        if options.configure {
            guard let commands = wire?.configuration(rate: Self.rateToConfigure) else {
                throw ValidationError("--configure needs --protocol witmotion, xsens, ximu3 or mavlink.")
            }
            sender.setup = commands
        }
        if let path = options.record {
            let file = try ByteFile(path)
            sender.onBytes = { bytes in
                if let problem = file.write(bytes) { notices.add(.remark(problem)) }
            }
        }
        device = sender
    }
}

/// A sensor log as a sequence of batches, for one pass.
final class TraceRecording: AsyncSequence, AsyncIteratorProtocol, Sendable {
    private let trace: Mutex<Trace>

    init(_ trace: consuming sending Trace) { self.trace = Mutex(trace) }

    func makeAsyncIterator() -> TraceRecording { self }

    func next() async throws -> SampleBatch? { try trace.withLock { try $0.nextBatch() } }

    /// The warnings so far.
    var warnings: [String] { trace.withLock { $0.warnings.map(\.description) } }
}

/// A file to which the bytes of a device are appended.
final class ByteFile: Sendable {
    private let path: String
    private let handle: Mutex<FileHandle?>

    init(_ path: String) throws {
        self.path = path
        let descriptor = open(path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0o644)
        guard descriptor >= 0 else { throw FileError(path: path, problem: String(cString: strerror(errno))) }
        handle = Mutex(FileHandle(fileDescriptor: descriptor, closeOnDealloc: true))
    }

    /// Appends bytes. Closes the file at the first error and returns its reason.
    func write(_ bytes: [UInt8]) -> String? {
        handle.withLock { handle in
            do {
                try handle?.write(contentsOf: Data(bytes))
                return nil
            } catch {
                handle = nil
                return "\(path): cannot be written, so recording has stopped: \(error.localizedDescription)"
            }
        }
    }
}
