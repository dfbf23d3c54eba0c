import Footfall
import FootfallSimulator
import Foundation
import TestSupport

#if canImport(Darwin)
    import Darwin
#else
    import Glibc
#endif

/// A run of `footfall live` with a simulated device. It waits without blocking a thread of the tests.
final class LiveProcess {
    private let follower: Follower
    /// The file to which the device writes.
    private let descriptor: Int32
    private var isInputOpen = true
    private let port: UInt16?
    /// The socket that accepts the connection.
    private let listening: Int32?

    /// The kinds of connection.
    enum Way: CaseIterable {
        case serialPort
        case standardInput
        case datagrams
        case server
    }

    /// - Parameter environment: Variables to add to those of this process, for standard input.
    init(_ way: Way, _ arguments: [String], environment: [String: String] = [:]) throws {
        switch way {
        case .serialPort:
            var (device, port): (Int32, Int32) = (-1, -1)
            var name = [CChar](repeating: 0, count: 128)
            guard openpty(&device, &port, &name, nil, nil) == 0 else { throw POSIXError(.EIO) }
            let path = String(decoding: name.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
            follower = try Follower(["live", path] + arguments)
            (descriptor, self.port, listening) = (device, nil, nil)
            // The port stays open here, so that bytes sent before the command opens it are not lost.
            _ = port
        case .standardInput:
            let pipe = Pipe()
            // Commands that other tests start meanwhile do not keep the pipe open.
            _ = fcntl(pipe.fileHandleForWriting.fileDescriptor, F_SETFD, FD_CLOEXEC)
            follower = try Follower(
                ["live", "-"] + arguments, input: pipe.fileHandleForReading, environment: environment)
            descriptor = fcntl(pipe.fileHandleForWriting.fileDescriptor, F_DUPFD_CLOEXEC, 0)
            (port, listening) = (nil, nil)
            try pipe.fileHandleForReading.close()
        case .datagrams:
            let number = try LoopbackPort.unused()
            follower = try Follower(["live", "udp://127.0.0.1:\(number)"] + arguments)
            descriptor = socket(AF_INET, LiveProcess.datagramType, 0)
            (port, listening) = (number, nil)
        case .server:
            let socket = socket(AF_INET, LiveProcess.streamType, 0)
            var address = LiveProcess.loopback(0)
            var length = socklen_t(MemoryLayout<sockaddr_in>.size)
            guard LiveProcess.with(&address, { bind(socket, $0, $1) }) == 0, listen(socket, 1) == 0,
                LiveProcess.with(&address, { pointer, _ in getsockname(socket, pointer, &length) }) == 0
            else { throw POSIXError(.EADDRINUSE) }
            follower = try Follower(["live", "tcp://127.0.0.1:\(UInt16(bigEndian: address.sin_port))"] + arguments)
            descriptor = accept(socket, nil, nil)
            (port, listening) = (nil, socket)
        }
        // A write to a closed connection fails instead of ending the tests.
        signal(SIGPIPE, SIG_IGN)
    }

    deinit {
        endInput()
        if let listening { close(listening) }
    }

    /// The connection of a device.
    struct Wire: Sendable {
        let descriptor: Int32
        let port: UInt16?

        /// Sends bytes; gives up if they are not read for a minute.
        func send(_ bytes: [UInt8]) {
            guard let port else {
                var rest = bytes[...]
                while !rest.isEmpty {
                    var entry = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
                    guard poll(&entry, 1, 60_000) > 0 else { return }
                    // The buffer of a serial port may have room for a part.
                    let count = rest.withUnsafeBytes { write(descriptor, $0.baseAddress, $0.count) }
                    guard count > 0 || count < 0 && errno == EAGAIN else { return }
                    rest = rest.dropFirst(max(0, count))
                }
                return
            }
            var address = LiveProcess.loopback(port)
            _ = LiveProcess.with(&address) { sendto(descriptor, bytes, bytes.count, 0, $0, $1) }
        }
    }

    var wire: Wire { Wire(descriptor: descriptor, port: port) }

    /// Sends samples in real time as lines of text, with their times in milliseconds: a machine that is late with some
    /// of them leaves their times.
    ///
    /// It uses a thread, because other tests may occupy the threads of tasks.
    static func play(_ samples: [AccelerationSample], to wires: [Wire]) async {
        await withCheckedContinuation { continuation in
            Thread {
                playNow(samples, to: wires)
                continuation.resume()
            }.start()
        }
    }

    private static func playNow(_ samples: [AccelerationSample], to wires: [Wire]) {
        let clock = ContinuousClock()
        let start = clock.now
        for burst in stride(from: 0, to: samples.count, by: 3) {
            let part = samples[burst..<min(burst + 3, samples.count)]
            let lines = part.map { "\($0.time.milliseconds),\($0.x),\($0.y),\($0.z)\n" }.joined()
            // A session has the time of the clock, so a walk takes its time.
            let wait =
                (part.last?.time.seconds(since: samples[0].time) ?? 0) - start.duration(to: clock.now) / .seconds(1)
            if wait > 0 { usleep(UInt32(wait * 1e6)) }
            for wire in wires { wire.send(Array(lines.utf8)) }
        }
    }

    /// A walk of some seconds.
    static func walk(seconds: Double) throws -> [AccelerationSample] {
        try Simulation(Scenario.walk.lasting(seconds), seed: 5, sensor: SensorModel(sampleRate: 50)).flatMap {
            Array($0)
        }
    }

    var output: String { follower.output }
    var errors: String { follower.errors }
    var records: [[String: Any]] { follower.records }

    /// Waits until a condition holds. Returns whether it holds.
    func wait(until condition: (LiveProcess) -> Bool) async throws -> Bool {
        try await eventually { condition(self) }
    }

    /// Waits until the device is open. The run needs `--verbose`.
    func waitUntilOpen() async throws -> Bool { try await wait { $0.errors.contains(": open\n") } }

    /// Closes the standard input of the command, once: its number may belong to another file of the tests afterwards.
    func endInput() {
        if isInputOpen { close(descriptor) }
        isInputOpen = false
    }

    /// Sends a signal and waits for the end. Returns the exit code, or the negative number of the signal that ended it.
    func end(_ signal: Int32) -> Int32 { follower.end(signal) }

    #if canImport(Darwin)
        private static let streamType = SOCK_STREAM
        private static let datagramType = SOCK_DGRAM
    #else
        private static let streamType = Int32(SOCK_STREAM.rawValue)
        private static let datagramType = Int32(SOCK_DGRAM.rawValue)
    #endif

    private static func loopback(_ port: UInt16) -> sockaddr_in {
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = port.bigEndian
        inet_pton(AF_INET, "127.0.0.1", &address.sin_addr)
        return address
    }

    private static func with<Result>(
        _ address: inout sockaddr_in, _ body: (UnsafeMutablePointer<sockaddr>, socklen_t) -> Result
    ) -> Result {
        withUnsafeMutablePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                body($0, socklen_t(MemoryLayout<sockaddr_in>.size))
            }
        }
    }
}

extension Timestamp {
    fileprivate var milliseconds: Int64 { nanosecondsSince1970 / 1_000_000 }
}
