import Footfall
import FootfallReaders
import TestSupport
import Testing

/// Lines that are refused, recognized late, or cut.
extension TextLineTests {
    @Test("of acceleration without gravity are rejected with the reason")
    func withoutGravity() {
        var generator = SeededGenerator(seed: 3)
        func noise(_ size: Float) -> SIMD3<Float> {
            SIMD3(
                .random(in: -size...size, using: &generator), .random(in: -size...size, using: &generator),
                .random(in: -size...size, using: &generator))
        }
        let still = Decoded(lines: (0..<200).map { _ in joined(noise(0.03)) })
        #expect(still.readings.isEmpty)
        #expect(still.decoder.quality.problem?.description.contains("without gravity") == true)
        let walking = Decoded(lines: (0..<200).map { _ in joined(noise(1.2)) })
        #expect(walking.readings.isEmpty)
        #expect(walking.decoder.quality.problem?.description.contains("without gravity") == true)
        let labeled = Decoded(
            lines: lines { "linearAccX:\(fixed($1.x)),linearAccY:\(fixed($1.y)),linearAccZ:\(fixed($1.z))" }, as: nil)
        #expect(labeled.readings.isEmpty)
        #expect(labeled.decoder.quality.problem?.description.contains("without gravity") == true)
        let phone = Decoded(lines: lines { "\($0).5, 82, \(joined($1, ", ")), 4, 1, 2, 3" })
        #expect(phone.readings.isEmpty)
        #expect(phone.decoder.quality.problem?.description.contains("sensor 3") == true)
    }

    @Test("without acceleration are rejected with the reason")
    func otherThings() {
        let angles = Decoded(lines: lines { index, _ in "roll:\(index % 7),pitch:2,yaw:3" })
        #expect(angles.readings.isEmpty)
        #expect(angles.decoder.quality.problem?.description.contains("roll, pitch, yaw") == true)
        let counts = Decoded(lines: lines { joined($1, times: 77) })
        #expect(counts.readings.isEmpty)
        #expect(counts.decoder.quality.problem?.description.contains("no known unit") == true)
        let gyroscope = Decoded(lines: ["gx,gy,gz"] + lines { joined($1) })
        #expect(gyroscope.readings.isEmpty)
        #expect(gyroscope.decoder.quality.problem?.description.contains("gx, gy, gz") == true)
    }

    @Test(
        "that are damaged are dropped, and no others",
        arguments: [
            "0.1,0.2", "0.1,0.2,0.3,0.4", "0.1,abc,0.9", "0.1,0.2.3,0.9", "0.1,--1,0.9", "0.1,0x1F,0.9", "0.1,nan,0.9",
            "0.1,inf,0.9", "0.1,1e400,0.9", "0.1,1e99999999999,0.9", "0.1,1001,0.9", "0.1,-,0.9", "0.1,1e,0.9",
            "ready", "0.1,\u{7},0.9", "0.1,é,0.9", "0.1 0.2 0.3 0.4 0.5", ":::", "=", "a:b:c", ">", "0.1,0.2,0.9V",
            String(repeating: "9,", count: 3000), "rst:0x1 (POWERON_RESET),boot:0x13", "0.1,0.2,0.3;0.1,0.2,0.3",
            "\u{1B}]0;title", "calibration done now", "Warning, low battery, charge", "a,b,c",
        ])
    func damage(line: String) {
        let rows = lines(100) { joined($1) }
        let decoded = Decoded(lines: Array(rows[..<50]) + [line] + rows[50...])
        expectSway(decoded, count: 100)
        #expect(decoded.decoder.quality.refusedLines == (line == ">" ? 0 : 1))
        #expect(line == ">" || decoded.decoder.quality.refusedExamples.first?.isEmpty == false)
    }

    @Test("of two equally frequent kinds are read as the first kind")
    func equals() {
        let mixed = lines(40) { "p \(joined($1))\nq \(joined(SIMD3($1.z, $1.x, $1.y)))" }
        for _ in 0..<5 { expectSway(Decoded(lines: mixed), count: 40) }
    }

    @Test("that are empty, single or without numbers give no reading")
    func nothing() {
        for text in ["", "\n", "\r\n\r\n", "0.1", "hello\nworld\nhow\nare\nyou\n", "1,2,3\n"] {
            let decoded = Decoded(Array(text.utf8), as: .text)
            #expect(decoded.readings.isEmpty)
        }
    }

    @Test("of a new format are recognized after a header or after 64 lines")
    func change() {
        let before = lines(40) { joined($1) }
        let headed = Decoded(
            lines: before + ["t_ms,gz,aZ,aY,aX"] + lines { "\($0 * 10),7,\(joined(SIMD3($1.z, $1.y, $1.x)))" })
        #expect(headed.readings.count == 120)
        #expect(isClose(headed.vectors.last, Sway.vector(79), within: 0.002))
        let bare = Decoded(lines: before + lines(200) { "\($0 * 10).5,\(joined($1))" })
        #expect(bare.readings.count == 40 + 200 - 64)
        #expect(isClose(bare.vectors.last, Sway.vector(199), within: 0.002))
    }

    @Test("that a disconnection cuts are dropped")
    func disconnection() {
        var decoder = WireDecoder(.text)
        var readings: [WireReading] = []
        decoder.decode(Array(([""] + lines { joined($1) }).joined(separator: "\n").utf8), into: &readings)
        decoder.reset()
        decoder.decode(Array("2,0.3,0.9\n0.1,0.2,0.9\n".utf8), into: &readings)
        #expect(readings.count == 80)
        #expect(readings.last?.x == 0.1)
    }

    @Test("end with their datagram")
    func datagrams() {
        for lineEnd in ["", "\n", "\r\n"] {
            var decoder = WireDecoder()
            var readings: [WireReading] = []
            for index in 0..<40 {
                let text = joined(Sway.vector(index * 2)) + "\n" + joined(Sway.vector(index * 2 + 1)) + lineEnd
                decoder.decode(Array(text.utf8), into: &readings)
                decoder.endDatagram(into: &readings)
            }
            #expect(readings.count == 79)
            #expect(isClose(readings.last.map { SIMD3($0.x, $0.y, $0.z) }, Sway.vector(79), within: 0.002))
        }
    }

    @Test("have columns that a list can choose")
    func columnLists() {
        #expect(
            SensorColumns("time, x ,y,z")
                == SensorColumns(time: .named("time"), x: .named("x"), y: .named("y"), z: .named("z")))
        #expect(SensorColumns("3,4,5") == SensorColumns(time: nil, x: .number(3), y: .number(4), z: .number(5)))
        for list in ["", "1,2", "1,2,3,4,5", "a,,b", ",,,"] { #expect(SensorColumns(list) == nil) }
    }
}
