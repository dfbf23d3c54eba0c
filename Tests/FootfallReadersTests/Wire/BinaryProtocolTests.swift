import Footfall
import FootfallReaders
import TestSupport
import Testing

@Suite("Binary protocols")
struct BinaryProtocolTests {
    private let still = SIMD3<Float>(0, 0, 1)

    // MARK: WitMotion

    @Test("WitMotion: a sample has the time of the time frame before it, or no time")
    func witmotionTimes() {
        let frames =
            Encode.witmotion(timeOfDay: 1000) + Encode.witmotion(acceleration: Sway.vector(1))
            + Encode.witmotion(0x52, [1, 2, 3, 4, 5, 6, 7, 8]) + Encode.witmotion(acceleration: Sway.vector(2))
            + Encode.witmotion(timeOfDay: 1020) + Encode.witmotion(acceleration: Sway.vector(3))
        let decoded = Decoded(frames, as: .witmotion)
        #expect(decoded.vectors == (1...3).map(Sway.vector))
        let day = decoded.readings[0].deviceTime.map { $0 - 1_000_000_000 } ?? 0
        #expect(decoded.readings.map { $0.deviceTime.map { ($0 - day) / 1_000_000 } } == [1000, nil, 1020])
    }

    @Test("WitMotion: records of 20 bytes, or of 28 bytes with a time, with replies between them")
    func witmotionRecords() {
        let answer: [UInt8] = [0x55, 0x71] + [UInt8](repeating: 0, count: 18)
        let short = (0..<5).map { Encode.record(Sway.vector($0)) }
        let decoded = Decoded(short[0] + short[1] + answer + short[2] + short[3] + short[4], as: .witmotion)
        #expect(decoded.vectors == (0..<5).map(Sway.vector))
        let long = Decoded((0..<5).flatMap { Encode.record(Sway.vector($0), timeOfDay: $0 * 50) }, as: .witmotion)
        #expect(long.vectors == (0..<5).map(Sway.vector))
        let times = long.readings.compactMap(\.deviceTime)
        #expect(zip(times.dropFirst(), times).map { $0 - $1 } == [50_000_000, 50_000_000, 50_000_000, 50_000_000])
    }

    @Test("WitMotion: packets of the Wi-Fi models")
    func witmotionPackets() {
        let packets = (0..<5).map { Encode.packet(Sway.vector($0), timeOfDay: $0 * 20) }
        #expect(packets[0].count == 54)
        let decoded = Decoded(packets.flatMap { $0 })
        #expect(decoded.decoder.recognized == .witmotion)
        #expect(decoded.vectors == (0..<5).map(Sway.vector))
        #expect(decoded.readings.allSatisfy { $0.deviceTime != nil })
    }

    @Test("WitMotion: a checksum may equal the first byte of a frame")
    func witmotionChecksumMarker() {
        // One temperature gives the sum 0x55.
        let frames = (0...255).map { Encode.witmotion(0x51, Encode.counts(still) + [UInt8($0), 0]) }
        let marked = frames.filter { $0[10] == 0x55 }
        #expect(marked.count == 1)
        let decoded = Decoded(marked[0] + marked[0] + marked[0], as: .witmotion)
        #expect(decoded.readings.count == 3)
    }

    // MARK: Xsens

    @Test("Xsens: every number format, 2048 bytes of payload, and high-rate acceleration alone", arguments: 0...3)
    func xsensFormats(format: Int) {
        let metres = SIMD3(1.5, -2.25, 9.75)
        let filler = (0..<8).flatMap { _ in Encode.item(0x7010, [UInt8](repeating: 0xFA, count: 240)) }
        for quantity: UInt16 in [0x4020, 0x4028, 0x4040] {
            let frame = Encode.xsens(metres, ticks: 50, format: UInt16(format), quantity: quantity, others: filler)
            #expect(frame.count > 1900)
            let decoded = Decoded(frame + frame, as: .xsens)
            #expect(decoded.readings.count == 2)
            #expect(isClose(decoded.vectors.first, SIMD3<Float>(metres / 9.80665)))
        }
    }

    @Test("Xsens: free acceleration and times of messages without acceleration are ignored")
    func xsensOthers() {
        let free = Encode.xsens(SIMD3(0, 0, 0.1), ticks: 7, quantity: 0x4030)
        let position = Encode.xsens(0x36, Encode.item(0x1060, Encode.big(UInt32(3))))
        let decoded = Decoded(
            Encode.xsens(SIMD3(0, 0, 9.8), ticks: 100) + free + position + Encode.xsens(SIMD3(0, 0, 9.8), ticks: 200),
            as: .xsens)
        #expect(decoded.milliseconds == [10, 20])
        #expect(decoded.decoder.quality.frames == 4)
    }

    @Test("Xsens: time continues when the clock overflows")
    func xsensWrap() {
        let frames = [UInt32.max - 99, 0, 100].flatMap { Encode.xsens(SIMD3(0, 0, 9.8), ticks: $0) }
        let times = Decoded(frames, as: .xsens).readings.compactMap(\.deviceTime)
        #expect(zip(times.dropFirst(), times).map { $0 - $1 } == [10_000_000, 10_000_000])
    }

    @Test("Xsens: a clock that overflows more often than a time can hold ends nothing")
    func xsensTurns() {
        // 2³² ticks of 0.1 ms are 4.3 · 10¹⁴ ns, so 2⁶³ ns are 21,475 turns.
        let turns = 21_476
        let utc = Encode.item(0x1010, [0, 0, 0, 0, 0x07, 0xEA, 11, 28, 9, 0, 0, 7])
        let turn =
            Encode.xsens(SIMD3(0, 0, 9.8), ticks: 0xF000_0000) + Encode.xsens(SIMD3(0, 0, 9.8), ticks: 0, others: utc)
        let decoded = Decoded((0..<turns).flatMap { _ in turn }, as: .xsens)
        #expect(decoded.readings.count == 2 * turns)
        #expect(decoded.decoder.clockOrigin != nil)
    }

    @Test("Xsens: a message with items of a wrong total length is damaged, even with a valid checksum")
    func xsensItems() {
        let vector = Encode.xsensVector(SIMD3(0, 0, 9.8), format: 0)
        let messages = [
            Encode.xsens(0x36, Encode.item(0x4020, vector) + [0x10]),
            Encode.xsens(0x36, Encode.item(0x4020, vector + [0])),
            Encode.xsens(0x36, Encode.item(0x4021, Array(vector.dropLast()))),
            Encode.xsens(0x36, [0x40, 0x20, 200] + vector),
        ]
        for message in messages { #expect(Decoded(message, as: .xsens).readings.isEmpty) }
    }

    // MARK: x-IMU3

    @Test("x-IMU3: other messages are skipped, and the time in the header of a log is that of its first message")
    func ximu3Log() {
        let head = Array(
            "{\"ping\":{\"name\":\"x-IMU3\"}}\n{\"time\":\"2026-01-02 03:04:05\"}\n{\"note\":\"I,1,2\"}\n".utf8)
        let messages = (0..<10).flatMap { index in
            Encode.ximu3(Sway.vector(index), microseconds: 5_000_000 + UInt64(index) * 20_000)
                + Encode.ximu3("Q", microseconds: 5_000_000, [1, 0, 0, 0]) + Array("T,5000000,25.0\n".utf8)
                + Array("^A".utf8) + Encode.ximu3(still, microseconds: 1)
        }
        let decoded = Decoded(head + messages)
        #expect(decoded.decoder.recognized == .ximu3)
        #expect(decoded.vectors == (0..<10).map(Sway.vector))
        let origin = decoded.decoder.clockOrigin
        #expect(origin?.time.description == "2026-01-02T03:04:00.000Z")
        #expect(origin?.isLocal == true)
        #expect(decoded.decoder.quality.damagedFrames == 0)
    }

    @Test(
        "x-IMU3: messages with invalid values are damaged",
        arguments: [
            "I,1000,0,0,0,0,0", "I,1000,0,0,0,0,0,1,2", "I,x,0,0,0,0,0,1", "I,1000,0,0,0,0,0,", "I,1.5,0,0,0,0,0,1",
            "I,1000,0,0,0,0,0,nan", "I,1000,0,0,0,0,0,25", "I,1000,9999,0,0,0,0,1", "I,-5,0,0,0,0,0,1",
            "I,99999999999999999999,0,0,0,0,0,1", "I,9223372036854775807,0,0,0,0,0,1", "I,",
        ])
    func ximu3Damage(line: String) {
        let decoded = Decoded(Array((line + "\nI,1000,0,0,0,0,0,1\n").utf8), as: .ximu3)
        #expect(decoded.readings == [WireReading(deviceTime: 1_000_000, x: 0, y: 0, z: 1)])
        #expect(decoded.decoder.quality.damagedFrames == 1)
    }

    // MARK: MAVLink

    @Test("MAVLink: unknown and signed messages are not damaged")
    func mavlinkOthers() {
        let frames = (0..<20).flatMap { index in
            Encode.mavlink2(30, extra: 39, [UInt8](repeating: UInt8(index + 1), count: 28))
                + Encode.mavlink2(
                    26, extra: 170, Encode.scaledIMU(Sway.milligravity(index), milliseconds: UInt32(index * 10)),
                    isSigned: index % 2 == 0)
                + Encode.mavlink1(0, extra: 50, [UInt8](repeating: 9, count: 9))
        }
        let decoded = Decoded(frames, as: .mavlink)
        #expect(decoded.readings.count == 20)
        #expect(decoded.milliseconds == (0..<20).map { $0 * 10 })
        #expect(decoded.decoder.quality.skippedBytes == 0)
        #expect(decoded.decoder.quality.damagedFrames == 0)
        #expect(decoded.decoder.quality.frames == 40)
    }

    @Test("MAVLink: a message in m/s², and the start time of the device")
    func mavlinkHighres() throws {
        let metres = SIMD3<Float>(0, 0, -9.80665)
        let time = Encode.systemTime(unixMicroseconds: 1_767_322_805_000_000, bootMilliseconds: 5000)
        let frames =
            Encode.mavlink1(2, extra: 137, time)
            + Encode.mavlink1(105, extra: 93, Encode.highresIMU(metres, microseconds: 6_000_000))
        let decoded = Decoded(frames, as: .mavlink)
        #expect(isClose(decoded.vectors.first, SIMD3(0, 0, -1), within: 1e-6))
        #expect(decoded.decoder.clockOrigin?.time.description == "2026-01-02T03:00:00.000Z")
        #expect(decoded.decoder.clockOrigin?.isLocal == false)
    }

    @Test("MAVLink: of two accelerometers the first is used, and a more frequent one after 64 messages")
    func mavlinkChoice() {
        func frame(_ identifier: UInt8, _ extra: UInt8, _ z: Float, _ index: Int) -> [UInt8] {
            Encode.mavlink1(
                identifier, extra: extra, Encode.scaledIMU(SIMD3(0, 0, z), milliseconds: UInt32(index)))
        }
        let equal = Decoded((0..<200).flatMap { frame(116, 76, 1, $0) + frame(26, 170, -1, $0) }, as: .mavlink)
        #expect(equal.readings.count == 200)
        #expect(equal.readings.allSatisfy { $0.z == 1 })
        let slow = Decoded(
            (0..<200).flatMap { ($0 % 4 == 0 ? frame(116, 76, 1, $0) : []) + frame(26, 170, -1, $0) }, as: .mavlink)
        #expect(slow.readings.first?.z == 1)
        #expect(slow.readings.suffix(140).allSatisfy { $0.z == -1 })
        #expect(slow.readings.count > 150)
    }

    @Test("MAVLink: readings of another vehicle are ignored")
    func mavlinkSystems() {
        let frames = (0..<50).flatMap { index -> [UInt8] in
            let payload = Encode.rawIMU(SIMD3(0, 0, 1), microseconds: UInt64(index) * 20_000)
            return Encode.mavlink1(27, extra: 144, payload, system: 1)
                + Encode.mavlink1(27, extra: 144, payload, system: 2)
        }
        #expect(Decoded(frames, as: .mavlink).readings.count == 50)
    }

    @Test("MAVLink: a telemetry log has wall times with the intervals of the device's clock")
    func telemetryLog() {
        let start: UInt64 = 1_767_322_805_000_000
        var generator = SeededGenerator(seed: 1)
        let log = (0..<100).flatMap { index -> [UInt8] in
            let device = 3_000_000 + UInt64(index) * 100_000
            let late = UInt64.random(in: 0..<50_000, using: &generator)
            return Encode.big(start + UInt64(index) * 100_000 + (index == 0 ? 0 : late))
                + Encode.mavlink1(27, extra: 144, Encode.rawIMU(SIMD3(0, 0, -1), microseconds: device))
        }
        #expect(WireDecoder.isTelemetryLog(Array(log.prefix(500))))
        #expect(!WireDecoder.isTelemetryLog((0..<500).map { UInt8($0 % 251) }))
        var decoder = WireDecoder.telemetryLog()
        var readings: [WireReading] = []
        for piece in stride(from: 0, to: log.count, by: 13) {
            decoder.decode(Array(log[piece..<min(piece + 13, log.count)]), into: &readings)
        }
        decoder.finish(into: &readings)
        let times = readings.compactMap(\.deviceTime)
        #expect(times.count == 100)
        #expect(times.first == Int64(start) * 1000)
        // Of a jitter of up to 50 ms, less than 0.3 ms remain.
        #expect(zip(times.dropFirst(), times).allSatisfy { abs($0 - $1 - 100_000_000) < 300_000 })
        #expect(decoder.quality.skippedBytes == 0)
    }

    // MARK: All

    @Test("acceleration without gravity is reported")
    func withoutGravity() {
        let frames = (0..<100).flatMap { _ in Encode.witmotion(acceleration: SIMD3(0.01, 0, 0.02)) }
        #expect(
            Decoded(frames, as: .witmotion).decoder.quality.problem?.description.contains("gravity is missing") == true)
        let good = (0..<100).flatMap { Encode.witmotion(acceleration: Sway.vector($0)) }
        #expect(Decoded(good, as: .witmotion).decoder.quality.problem == nil)
    }
}
