import FootfallLive
import TestSupport
import Testing

@Suite("What a device says of its data", .timeLimit(.minutes(60)))
struct DeviceNoticeTests {
    @Test("is once that gravity is missing, whatever the median is")
    func noGravity() async throws {
        let folder = try Folder()
        let port = try PseudoTerminal(at: folder.path("port"))
        let listener = Listener()
        listener.listen(to: .serial(path: folder.path("port")))
        #expect(try await listener.waitUntilOpen())
        for round in 1...20 {
            let lines = (0..<16).map { "0.\($0 % 2),0.1\(round % 9),0.05\r\n" }.joined()
            #expect(port.send(Array(lines.utf8)) == lines.utf8.count)
            #expect(try await listener.wait { $0.bytes >= lines.utf8.count * round })
        }
        try await listener.end()
        let problems = listener.notices.filter { if case .problem = $0 { true } else { false } }
        #expect(problems.count == 1 && "\(problems)".contains("without gravity"), "\(problems)")
        port.unplug()
    }

    @Test("is for lines that come slowly how many are needed, and not that their format is unknown")
    func slowLines() async throws {
        let lines = (0..<40).map { "0.0\($0 % 3),-0.0\($0 % 5),1.0\($0 % 4)\r\n" }
        let listener = try await listen(to: lines) { $0.samples >= 20 }
        let said = listener.notices.map(\.description)
        #expect(said.count { $0.contains("lines of numbers have arrived; 16 show") } == 1, "\(said)")
        #expect(!said.contains { $0.contains("no known format") || $0.contains("sends again") }, "\(said)")
    }

    @Test("quotes slow lines once enough of them show no acceleration")
    func slowLinesOfOthers() async throws {
        let listener = try await listen(to: (0..<40).map { "\($0),\($0 % 7)\r\n" }) { listener in
            listener.notices.contains { "\($0)".contains("format") }
        }
        let said = listener.notices.map(\.description)
        #expect(said.contains { $0.contains("no known format: '1,1', '2,2'") }, "\(said)")
    }

    /// Sends lines over a serial port, two a second, and waits for a condition.
    private func listen(to lines: [String], until condition: (Listener) -> Bool) async throws -> Listener {
        let folder = try Folder()
        let port = try PseudoTerminal(at: folder.path("port"))
        let listener = Listener()
        listener.listen(to: .serial(path: folder.path("port")))
        #expect(try await listener.waitUntilOpen())
        var sent = 0
        for line in lines {
            listener.clock.advance(seconds: 0.5)
            sent += port.send(Array(line.utf8))
            #expect(try await listener.wait { $0.bytes >= sent })
        }
        #expect(try await listener.wait(until: condition))
        try await listener.end()
        port.unplug()
        return listener
    }
}
