import Footfall
import FootfallLive
import FootfallReaders
import Foundation
import TestSupport
import Testing

#if canImport(Darwin)
    import Darwin
#else
    import Glibc
#endif

@Suite("A device that sends bytes", .timeLimit(.minutes(60)))
struct WireDeviceTests {
    private let folder: Folder

    init() throws { folder = try Folder() }

    /// A serial port, and a device that has opened it.
    private func open(
        baud: Int = WireDevice.defaultBaud, after end: Timestamp? = nil
    ) async throws -> (PseudoTerminal, Listener) {
        let port = try PseudoTerminal(at: folder.path("port"))
        let listener = Listener()
        listener.listen(to: .serial(path: folder.path("port")), baud: baud, after: end)
        #expect(try await listener.waitUntilOpen())
        return (port, listener)
    }

    @Test("gives steps over a serial port in each protocol", arguments: Encoding.allCases)
    func protocols(encoding: Encoding) async throws {
        let (port, listener) = try await open()
        let walk = try Walk()
        try await walk.play(encoding, to: listener) { port.send($0) }
        #expect(try await listener.wait { $0.samples >= walk.samples.count - 1 }, "\(listener.samples)")
        try await listener.end()
        #expect(Walk.steps(in: 24).contains(listener.steps.count), "\(listener.steps.count)")
        let recognized = listener.notices.compactMap { notice -> WireProtocol? in
            if case .recognized(let wire, _) = notice { wire } else { nil }
        }
        #expect(Set(recognized) == [encoding.wire])
        let grades = listener.events.segments.filter { $0.activity == .walking }.map(\.confidence)
        #expect(encoding != .analogText || !grades.isEmpty && !grades.contains(.high), "\(grades)")
        port.unplug()
    }

    @Test("continues after it was unplugged, with a gap and without a step in it")
    func unplugged() async throws {
        let path = folder.path("port")
        var port = try PseudoTerminal(at: path)
        let listener = Listener()
        listener.listen(to: .serial(path: path))
        #expect(try await listener.waitUntilOpen())
        let walk = try Walk(seconds: 30)
        try await walk.play(.bareText, 0..<15, to: listener) { [port] in port.send($0) }
        port.unplug()
        #expect(try await listener.wait { $0.notices.contains { $0.isLoss } })
        // The port is missing at first, then a file has its name. A sleep lets the device try to open either; it passes
        // without one, too.
        try await Task.sleep(for: .milliseconds(300))
        try folder.write("port", "")
        try await Task.sleep(for: .milliseconds(300))
        listener.clock.advance(seconds: 12)
        port = try PseudoTerminal(at: path)
        #expect(try await listener.waitUntilOpen(times: 2))
        #expect(try await listener.wait { $0.notices.contains { "\($0)" == "reconnected" } })
        try await walk.play(.bareText, 15..<30, to: listener) { [port] in port.send($0) }
        #expect(try await listener.wait { $0.samples >= walk.samples.count - 2 }, "\(listener.samples)")
        try await listener.end()
        #expect(listener.gaps.count == 1)
        let gap = try #require(listener.gaps.first)
        #expect(gap.seconds > 11 && gap.seconds < 14)
        #expect(!listener.steps.contains { gap.contains($0) })
        #expect(Walk.steps(in: 30).contains(listener.steps.count), "\(listener.steps.count)")
        port.unplug()
    }

    @Test("gives the same steps after its unit has changed, and states the change")
    func unit() async throws {
        let (port, listener) = try await open()
        let walk = try Walk()
        try await walk.play(.bareText, to: listener) { port.send($0) }
        // The encoding is in m/s².
        try await walk.play(.bareText, to: listener) { bytes in
            let lines = String(decoding: bytes, as: UTF8.self).split(separator: "\n").map { line in
                line.split(separator: "\t").map { "\((Double($0) ?? 0) / 9.80665)" }.joined(separator: "\t") + "\n"
            }
            return port.send(Array(lines.joined().utf8))
        }
        #expect(try await listener.wait { $0.samples >= 2 * walk.samples.count - 2 }, "\(listener.samples)")
        try await listener.end()
        #expect(Walk.steps(in: 48).contains(listener.steps.count), "\(listener.steps.count)")
        let isStated = listener.notices.contains { $0.description.contains("the values became 9.8 times as small") }
        #expect(isStated, "\(listener.notices)")
        port.unplug()
    }

    @Test("gives no step for garbage, reports it, and is read afterwards")
    func garbage() async throws {
        let (port, listener) = try await open(baud: 9600)
        var generator = SeededGenerator(seed: 9)
        for round in 1...40 {
            listener.clock.advance(seconds: 0.25)
            #expect(port.send((0..<100).map { _ in UInt8.random(in: 0...255, using: &generator) }) == 100)
            #expect(try await listener.wait { $0.bytes >= 100 * round })
        }
        let isReported = try await listener.wait {
            $0.notices.contains { if case .unreadable(_, baud: 9600, _) = $0 { true } else { false } }
        }
        #expect(isReported)
        #expect(listener.last.steps == 0)
        let walk = try Walk()
        try await walk.play(.witmotion, to: listener) { port.send($0) }
        #expect(try await listener.wait { $0.samples >= walk.samples.count - 20 }, "\(listener.samples)")
        try await listener.end()
        #expect(listener.notices.contains(.resumed))
        #expect(Walk.steps(in: 24).contains(listener.steps.count), "\(listener.steps.count)")
        port.unplug()
    }

    @Test(
        "follows the wall clock: set ahead there is a gap, set back by a little nothing, by much the time is repeated",
        arguments: [60, -10, -20, -290, -1200])
    func wallClock(seconds: Double) async throws {
        let (port, listener) = try await open()
        let walk = try Walk(seconds: 30)
        try await walk.play(.bareText, 0..<15, to: listener) { port.send($0) }
        #expect(try await listener.wait { $0.samples >= 1490 })
        listener.clock.setWall(aheadBy: seconds)
        try await walk.play(.bareText, 15..<30, to: listener) { port.send($0) }
        let isHeld = (-300..<0).contains(seconds)
        let end = 1_795_000_030 + (isHeld ? 0 : seconds)
        #expect(try await listener.wait { abs(($0.last.time ?? .epoch).seconds(since: .epoch) - end) < 1.5 })
        try await listener.end()
        #expect(Walk.steps(in: 30).contains(listener.steps.count), "\(listener.steps.count)")
        #expect(listener.gaps.count == (seconds > 0 ? 1 : 0))
        #expect((listener.steps == listener.steps.sorted()) == (seconds > 0 || isHeld))
        let notices = listener.notices.filter { if case .clockSetBack = $0 { true } else { false } }
        #expect(notices == (seconds > 0 ? [] : [.clockSetBack(seconds: -seconds, repeats: !isHeld)]))
        port.unplug()
    }

    @Test("follows a clock that was set back again after a pause as long")
    func pauseAfterStepBack() async throws {
        let (port, listener) = try await open()
        let walk = try Walk(seconds: 30)
        try await walk.play(.bareText, 0..<10, to: listener) { port.send($0) }
        listener.clock.setWall(aheadBy: -20)
        try await walk.play(.bareText, 10..<20, to: listener) { port.send($0) }
        listener.clock.advance(seconds: 40)
        try await walk.play(.bareText, 20..<30, to: listener) { port.send($0) }
        // Seventy seconds of the steady clock, minus the step.
        let end = 1_795_000_070.0 - 20
        #expect(try await listener.wait { abs(($0.last.time ?? .epoch).seconds(since: .epoch) - end) < 1.5 })
        try await listener.end()
        #expect(listener.gaps.count == 1 && listener.steps == listener.steps.sorted())
        port.unplug()
    }

    @Test("loses no sample that arrives late and in parts, though the two clocks are not read at the same time")
    func lateParts() async throws {
        let (port, listener) = try await open()
        let walk = try Walk(seconds: 12)
        try await walk.play(.bareText, 0..<10, to: listener) { port.send($0) }
        listener.clock.advance(seconds: 1)
        var sent = listener.bytes
        for (index, sample) in walk.samples[1000..<1100].enumerated() {
            listener.clock.advance(seconds: 1e-4)
            listener.clock.setWall(aheadBy: index.isMultiple(of: 2) ? -1e-6 : 1e-6)
            sent += port.send(Encoding.bareText.bytes(sample, index: 1000 + index))
            try #require(await eventually { listener.bytes >= sent })
        }
        #expect(try await listener.wait { $0.samples >= 1090 })
        try await listener.end()
        #expect(listener.last.quality.backward == 0)
        port.unplug()
    }

    @Test("begins behind the last session, unless the clock was set back by much", arguments: [8, 290, 400])
    func lastSession(lead: Double) async throws {
        let start = Timestamp(nanosecondsSince1970: 1_795_000_000_000_000_000)
        let end = start.advanced(bySeconds: lead)
        let (port, listener) = try await open(after: end)
        try await Walk(seconds: 20).play(.bareText, to: listener) { port.send($0) }
        #expect(try await listener.wait { $0.samples >= 1950 })
        try await listener.end()
        let first = try #require(listener.steps.first)
        #expect(listener.steps.count > 20 && (first >= end) == (lead < 300))
        #expect(first < end.advanced(bySeconds: 10))
        let isReported = listener.notices.contains {
            if case .clockSetBack(let seconds, let repeats) = $0 {
                abs(seconds - lead) < 1.5 && repeats == (lead > 300)
            } else {
                false
            }
        }
        #expect(isReported, "\(listener.notices)")
        port.unplug()
    }

    @Test("is reported as silent once")
    func silence() async throws {
        let (port, listener) = try await open()
        listener.clock.advance(seconds: 20)
        #expect(try await listener.wait { $0.notices.contains(.silent) })
        // The next check of the silence reports the quality, too.
        let checks = listener.notices.count(where: \.isQuality)
        listener.clock.advance(seconds: 20)
        #expect(try await listener.wait { $0.notices.count(where: \.isQuality) > checks })
        try await listener.end()
        #expect(listener.notices.count { $0 == .silent } == 1)
        port.unplug()
    }

    @Test("ends lines with their datagrams over UDP and drops a second sender")
    func datagrams() async throws {
        let listener = Listener()
        let port = try LoopbackPort.unused()
        listener.listen(to: .udp(host: "127.0.0.1", port: port))
        #expect(try await listener.waitUntilOpen())
        let (phone, other) = (try DatagramSender(from: "127.0.0.1"), try DatagramSender(from: "127.0.0.2"))
        let walk = try Walk()
        try await walk.play(.bareText, to: listener) { burst in
            // One line a datagram, without its end, then one datagram of the other sender.
            var sent = 0
            for line in burst.split(separator: UInt8(ascii: "\n")) {
                sent += line.count
                phone.send(Array(line), toPort: port)
            }
            other.send(Array("0.0\t77.7\t0.0".utf8), toPort: port)
            return sent
        }
        #expect(try await listener.wait { $0.samples >= walk.samples.count - 1 }, "\(listener.samples)")
        try await listener.end()
        #expect(listener.notices.contains(.ignored(sender: "127.0.0.2")))
        #expect(!listener.text.contains("77.7"))
        #expect(Walk.steps(in: 24).contains(listener.steps.count), "\(listener.steps.count)")
    }

    @Test("is not locked out by a stranger whose datagrams cannot be decoded")
    func stranger() async throws {
        let listener = Listener()
        let port = try LoopbackPort.unused()
        listener.listen(to: .udp(host: "", port: port))
        #expect(try await listener.waitUntilOpen())
        let (phone, stranger) = (try DatagramSender(from: "127.0.0.1"), try DatagramSender(from: "127.0.0.2"))
        stranger.send([0], toPort: port)
        #expect(try await listener.wait { $0.bytes == 1 })
        let walk = try Walk(seconds: 5)
        func play(from sender: DatagramSender) async throws {
            var sent = listener.bytes
            for (index, sample) in walk.samples.enumerated() {
                let line = Encoding.bareText.bytes(sample, index: index)
                listener.clock.advance(seconds: 0.01)
                sender.send(line, toPort: port)
                sent += line.count
                // The device passes nothing on until it can decode the lines. The socket holds these.
                if index >= 100 { try #require(await listener.wait { $0.bytes >= sent }) }
            }
        }
        try await play(from: phone)
        #expect(try await listener.wait { $0.samples >= walk.samples.count - 1 }, "\(listener.samples)")
        stranger.send([0], toPort: port)
        #expect(try await listener.wait { $0.notices.contains(.ignored(sender: "127.0.0.2")) })
        // Another sender may take over after five seconds of silence.
        listener.clock.advance(seconds: 6)
        try await play(from: stranger)
        #expect(try await listener.wait { $0.samples >= 2 * walk.samples.count - 2 }, "\(listener.samples)")
        try await listener.end()
    }

    @Test("reads only its sender, if that is given")
    func onlySender() async throws {
        let listener = Listener()
        let port = try LoopbackPort.unused()
        listener.listen(to: .udp(host: "127.0.0.1", port: port), sender: "127.0.0.2")
        #expect(try await listener.waitUntilOpen())
        let (other, phone) = (try DatagramSender(from: "127.0.0.1"), try DatagramSender(from: "127.0.0.2"))
        let walk = try Walk(seconds: 5)
        try await walk.play(.bareText, to: listener) { burst in
            other.send(Array("0.0\t77.7\t0.0\n".utf8), toPort: port)
            phone.send(burst, toPort: port)
            return burst.count
        }
        #expect(try await listener.wait { $0.samples >= walk.samples.count - 1 }, "\(listener.samples)")
        #expect(listener.notices.contains(.ignored(sender: "127.0.0.1")) && !listener.text.contains("77.7"))
        try await listener.end()
    }

    @Test(
        "receives datagrams of this machine, and of others only with an address for it",
        .enabled(if: FileManager.default.fileExists(atPath: "/proc/net/udp")),
        arguments: [("", "0100007F"), ("0.0.0.0", "00000000")])
    func loopback(host: String, address: String) async throws {
        let listener = Listener()
        let port = try LoopbackPort.unused()
        listener.listen(to: .udp(host: host, port: port))
        #expect(try await listener.waitUntilOpen())
        let sockets = try String(contentsOfFile: "/proc/net/udp", encoding: .utf8)
        #expect(sockets.contains(" " + address + ":" + String(format: "%04X", port) + " "))
        try await listener.end()
    }

    @Test("waits longer and longer for a TCP server that accepts connections and closes them")
    func closingServer() async throws {
        let server = try Server()
        let listener = Listener()
        listener.listen(to: .tcp(host: "localhost", port: server.port))
        let clock = ContinuousClock()
        var start = clock.now
        for attempt in 0..<4 {
            let client = try await server.accept()
            if attempt == 0 { start = clock.now }
            close(client)
        }
        // The waits are 0.25, 0.5 and 1 s.
        #expect(clock.now - start > .milliseconds(1600))
        try await listener.end()
        server.close()
    }

    @Test("reconnects to a TCP server that closes the connection")
    func server() async throws {
        let server = try Server()
        let listener = Listener()
        listener.listen(to: .tcp(host: "localhost", port: server.port))
        let walk = try Walk(seconds: 30)
        for part in [0.0..<15, 15..<30] {
            let client = try await server.accept()
            try await walk.play(.bareText, part, to: listener) { send($0, to: client) }
            close(client)
        }
        #expect(try await listener.wait { $0.notices.filter { $0.isLoss }.count == 2 })
        #expect(try await listener.wait { $0.samples >= walk.samples.count - 2 }, "\(listener.samples)")
        try await listener.end()
        #expect(Walk.steps(in: 30).contains(listener.steps.count), "\(listener.steps.count)")
    }

    @Test("states why it cannot be opened")
    func errors() async throws {
        try folder.write("file", "1,2,3\n")
        let (port, listener) = try await open()
        let unused = try Server()
        let closedPort = unused.port
        unused.close()
        let cases: [(WireDevice, DeviceError.Reason)] = [
            (WireDevice(.serial(path: folder.path("nothing"))), .missing),
            (WireDevice(.serial(path: folder.path("file"))), .notADevice("a file")),
            (WireDevice(.serial(path: folder.url.path)), .notADevice("a folder")),
            (WireDevice(.serial(path: "/dev/null")), .notADevice("no serial port")),
            (WireDevice(.serial(path: folder.path("port")), baud: 12345), .unknownBaud(12345)),
            (WireDevice(.serial(path: folder.path("port"))), .busy),
            (WireDevice(.tcp(host: "127.0.0.1", port: closedPort)), .missing),
            (WireDevice(.iio(0)), .notADevice("an IIO device")),
        ]
        for (device, reason) in cases {
            let error = await #expect(throws: DeviceError.self) {
                for try await _ in device.batches() {}
            }
            #expect(error?.reason == reason)
            #expect(error?.description.hasPrefix(device.name) == true)
        }
        try await listener.end()
        // The end of reading closes the port.
        let again = Listener()
        again.listen(to: .serial(path: folder.path("port")))
        #expect(try await again.waitUntilOpen())
        try await again.end()
        port.unplug()
    }

    @Test("gets commands only from its setup, and passes on all bytes")
    func setupAndBytes() async throws {
        for setup in ["", "rate 50\n"] {
            let command = WireCommand(bytes: Array(setup.utf8), purpose: "set the rate", pause: 0.01)
            let port = try PseudoTerminal(at: folder.path("port"))
            let listener = Listener()
            listener.listen(to: .serial(path: folder.path("port")), setup: setup.isEmpty ? [] : [command])
            #expect(try await listener.waitUntilOpen())
            var received = ""
            #expect(
                try await eventually {
                    received += port.received
                    return received.count >= setup.count
                })
            port.send(Array("\u{0}any thing\r\n".utf8))
            #expect(try await listener.wait { $0.text == "\u{0}any thing\r\n" })
            try await listener.end()
            #expect(received + port.received == setup)
            port.unplug()
        }
    }

    @Test(
        "has an address that is parsed",
        arguments: [
            ("-", .standardInput), ("/dev/ttyUSB0", .serial(path: "/dev/ttyUSB0")),
            ("udp://:5555", .udp(host: "", port: 5555)), ("udp://[::]:5555", .udp(host: "::", port: 5555)),
            ("tcp://imu.local:7000", .tcp(host: "imu.local", port: 7000)), ("iio:3", .iio(3)),
            ("iio:device3", .iio(3)), ("/dev/iio:device0", .iio(0)), ("iio:x", nil), ("udp://5555", nil),
            ("udp://:0", nil), ("udp://:99999", nil), ("tcp://:7000", nil), ("tcp://host", nil), ("http://x:1", nil),
            ("", nil), ("iio:-1", nil),
        ] as [(String, DeviceAddress?)])
    func addresses(text: String, address: DeviceAddress?) {
        #expect((try? DeviceAddress(text)) == address)
    }
}

extension DeviceNotice {
    var isLoss: Bool { if case .lost = self { true } else { false } }
    var isQuality: Bool { if case .quality = self { true } else { false } }
}
