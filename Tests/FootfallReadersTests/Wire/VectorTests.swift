import Footfall
import FootfallReaders
import Testing

@Suite("Manually written frames")
struct VectorTests {
    @Test("of WitMotion: one g along z, and a time of day")
    func witmotion() {
        let frames = hex("55 50 1a 01 02 03 04 05 a6 02 76  55 51 00 00 00 00 00 08 c4 09 7b")
        let decoded = Decoded(frames, as: .witmotion)
        #expect(decoded.vectors == [SIMD3(0, 0, 1)])
        let time = decoded.readings.first?.deviceTime.map { Timestamp(nanosecondsSince1970: $0).description }
        #expect(time == "2026-01-02T03:04:05.678Z")
        #expect(decoded.decoder.clockOrigin == ClockOrigin(time: .epoch, isLocal: true))
    }

    @Test("of Xsens: one g along z at one second")
    func xsens() {
        let frame = hex("fa ff 36 16 10 60 04 00 00 27 10 40 20 0c 00 00 00 00 00 00 00 00 41 1c e8 0a 4f")
        let decoded = Decoded(frame, as: .xsens)
        #expect(isClose(decoded.vectors.first, SIMD3(0, 0, 1), within: 1e-6))
        #expect(decoded.readings.map(\.deviceTime) == [1_000_000_000])
    }

    @Test("of an x-IMU3, binary and text: one g along z at one second; a new line inside is stuffed")
    func ximu3() {
        let values = [UInt8](repeating: 0, count: 20) + hex("00 00 80 3F 0A")
        let binary = Decoded(hex("C9 40 42 0F 00 00 00 00 00") + values, as: .ximu3)
        #expect(binary.readings == [WireReading(deviceTime: 1_000_000_000, x: 0, y: 0, z: 1)])
        let stuffed = Decoded(hex("C9 DB DC 00 00 00 00 00 00 00") + values, as: .ximu3)
        #expect(stuffed.readings == [WireReading(deviceTime: 10_000, x: 0, y: 0, z: 1)])
        let text = Decoded(Array("I,1000000,0.0000,0.0000,0.0000,0.0000,0.0000,1.0000\n".utf8), as: .ximu3)
        #expect(text.readings == binary.readings)
    }

    @Test(
        "of MAVLink 1 and 2",
        arguments: [
            (
                "fe1a0001c81b40420f00000000000000000018fc000000000000000000000000683e",
                WireReading(deviceTime: 1_000_000_000, x: 0, y: 0, z: -1)
            ),
            (
                "fe160101c81ae80300000c00deff1afc0100feff0300000000000000d85a",
                WireReading(deviceTime: 1_000_000_000, x: 0.012, y: -0.034, z: -0.998)
            ),
            (
                "fd0f00000101c81a0000e80300000c00deff1afc0100feff0309a8",
                WireReading(deviceTime: 1_000_000_000, x: 0.012, y: -0.034, z: -0.998)
            ),
            (
                "fd3d00000201c8690000 40420f0000000000 0000000000000000 0ae81cc1" + String(repeating: "00", count: 40)
                    + "07 25ff",
                WireReading(deviceTime: 1_000_000_000, x: 0, y: 0, z: -1)
            ),
        ])
    func mavlink(frame: String, expected: WireReading) {
        let decoded = Decoded(hex(frame), as: .mavlink)
        #expect(decoded.readings.map(\.deviceTime) == [expected.deviceTime])
        #expect(isClose(decoded.vectors.first, SIMD3(expected.x, expected.y, expected.z)))
    }
}
