import FootfallReaders
import Testing

@Suite("Commands that configure a device")
struct ConfigurationTests {
    @Test("WitMotion: unlock, time and acceleration, the next supported rate, save")
    func witmotion() throws {
        let commands = try #require(WireProtocol.witmotion.configuration(rate: 30))
        #expect(
            commands.map(\.bytes) == [
                hex("FF AA 69 88 B5"), hex("FF AA 02 03 00"), hex("FF AA 03 08 00"), hex("FF AA 00 00 00"),
            ])
        #expect(try #require(WireProtocol.witmotion.configuration(rate: 1000))[2].bytes == hex("FF AA 03 0B 00"))
        #expect(commands.allSatisfy { !$0.purpose.isEmpty && $0.pause > 0 })
    }

    @Test("Xsens: configuration mode, outputs, measurement mode")
    func xsens() throws {
        let commands = try #require(WireProtocol.xsens.configuration(rate: 100))
        #expect(
            commands.map(\.bytes) == [
                hex("FA FF 30 00 D1"), hex("FA FF C0 0C 10 20 FF FF 10 60 FF FF 40 20 00 64 D5"), hex("FA FF 10 00 F1"),
            ])
        // The decoder accepts the command as a message of the protocol.
        #expect(Decoded(commands.flatMap(\.bytes), as: .xsens).decoder.quality.frames == 3)
    }

    @Test("x-IMU3: the divisor of 400 messages per second")
    func ximu3() throws {
        let commands = try #require(WireProtocol.ximu3.configuration(rate: 100))
        #expect(
            commands.map { String(decoding: $0.bytes, as: UTF8.self) } == [
                "{\"inertial_message_rate_divisor\":4}\n", "{\"apply\":null}\n",
            ])
        #expect(try #require(WireProtocol.ximu3.configuration(rate: 60))[0].purpose.contains("66 times"))
    }

    @Test("MAVLink: the interval of both messages with acceleration")
    func mavlink() throws {
        let commands = try #require(WireProtocol.mavlink.configuration(rate: 50))
        #expect(commands.count == 2)
        let bytes = commands[0].bytes
        #expect(bytes.prefix(10) == [0xFE, 33, 0, 255, 190, 76, 0, 0, 0xD8, 0x41])
        #expect(Encode.checksum(Array(bytes[1..<39]) + [152]) == UInt16(bytes[39]) | UInt16(bytes[40]) << 8)
    }

    @Test("text has no commands, and neither has an invalid rate")
    func nothing() {
        #expect(WireProtocol.text.configuration(rate: 50) == nil)
        for rate in [0, -1, .nan, .infinity, 1e9, 1e-300] {
            for wire in WireProtocol.allCases { #expect(wire.configuration(rate: rate) == nil) }
        }
        for rate in [0.01, 0.1, 12.5, 10_000] {
            for wire in WireProtocol.allCases where wire != .text { #expect(wire.configuration(rate: rate) != nil) }
        }
    }
}
