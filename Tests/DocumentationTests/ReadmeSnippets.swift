import Footfall
import FootfallHistory
import FootfallLive
import FootfallReaders
import Foundation
import TestSupport
import Testing

@Suite("The README")
struct ReadmeSnippets: Snippets {
    let printed = Printed()

    @Test("reads a serial port, and throws where it is missing", .needsNoSerialPort)
    func live() async throws {
        let history = try MotionHistory.inMemory()
        let error = await #expect(throws: DeviceError.self) {
            let sensor = WireDevice(.serial(path: "/dev/ttyUSB0"))
            try await history.record(\.events, of: LiveMotion(sensor), from: "wrist") { update in
                print(update.steps, update.current?.activity ?? .unknown)
            }
        }
        #expect(error?.reason == .missing)
        #expect(printed.lines.allSatisfy { $0.hasPrefix("0") })
    }
}
