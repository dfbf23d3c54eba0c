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
}
