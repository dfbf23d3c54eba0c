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
            for try await update in LiveMotion(WireDevice(.serial(path: "/dev/ttyUSB0"))) {
                try history.record(update.events, from: "wrist")
                print(update.steps, update.current?.activity ?? .unknown)
            }
        }
        #expect(error?.reason == .missing)
        #expect(printed.lines.allSatisfy { $0.hasPrefix("0") })
    }
}
