import Footfall
import FootfallReaders
import TestSupport
import Testing

@Suite("Recognition of a protocol")
struct RecognitionTests {
    private func expectAll(_ decoded: Decoded, _ stream: Stream, _ location: SourceLocation = #_sourceLocation) {
        #expect(decoded.decoder.recognized == stream.wire, sourceLocation: location)
        // The first line of text may be incomplete, so it gives no reading.
        let first = stream.wire == .text ? 1 : 0
        #expect(decoded.readings.count == 100 - first, sourceLocation: location)
        let isRight = zip(decoded.vectors, first...).allSatisfy { isClose($0, Sway.vector($1), within: 0.0011) }
        #expect(isRight, sourceLocation: location)
        #expect(decoded.decoder.layout != nil, sourceLocation: location)
        #expect(decoded.decoder.quality.readings == decoded.readings.count, sourceLocation: location)
        #expect(decoded.decoder.quality.bytes == decoded.received, sourceLocation: location)
    }

    @Test("loses no reading", arguments: Stream.all)
    func recognition(stream: Stream) {
        expectAll(Decoded(stream.bytes), stream)
    }

    @Test("does not depend on the lengths of received pieces", arguments: Stream.all)
    func pieces(stream: Stream) {
        let whole = Decoded(stream.bytes)
        for pieces in [[1], [7], [64], [3, 200, 1, 50]] {
            let cut = Decoded(stream.bytes, pieces: pieces)
            #expect(cut.readings == whole.readings)
            #expect(cut.decoder.quality == whole.decoder.quality)
            #expect(cut.decoder.layout == whole.decoder.layout)
            let stated = Decoded(stream.bytes, as: stream.wire, pieces: pieces)
            #expect(stated.readings == whole.readings)
        }
    }

    @Test("works after the boot messages of a device", arguments: Stream.all)
    func banner(stream: Stream) {
        let banner = """
            ets Jun  8 2016 00:22:57\r\n\r\nrst:0x1 (POWERON_RESET),boot:0x13 (SPI_FAST_FLASH_BOOT)\r
            configsip: 0, SPIWP:0xee\r\nclk_drv:0x00,q_drv:0x00,d_drv:0x00,cs0_drv:0x00,hd_drv:0x00,wp_drv:0x00\r
            mode:DIO, clock div:2\r\nload:0x3fff0030,len:1184\r\nload:0x40078000,len:13104\r\nentry 0x400805e4\r
            Free RAM: 5120\r\nFW 3.2.1 build 77\r\nAccelerometer range = 8\r\nRate = 104.00 Hz\r\n
            """
        let decoded = Decoded(Array(banner.utf8) + stream.bytes)
        #expect(decoded.decoder.recognized == stream.wire)
        #expect(decoded.readings.count >= 98)
        #expect(isClose(decoded.vectors.last, Sway.vector(99), within: 0.0011))
    }

    @Test("works after random bytes, as from a wrong baud rate", arguments: Stream.all)
    func garbage(stream: Stream) {
        for seed in 1...5 as ClosedRange<UInt64> {
            var generator = SeededGenerator(seed: seed)
            let garbage = (0..<700).map { _ in UInt8.random(in: .min ... .max, using: &generator) }
            let decoded = Decoded(garbage + stream.bytes)
            #expect(decoded.decoder.recognized == stream.wire)
            #expect(decoded.readings.count >= 98)
            #expect(isClose(decoded.vectors.last, Sway.vector(99), within: 0.0011))
        }
    }

    @Test("takes at most two seconds at ten readings per second", arguments: Stream.all)
    func speed(stream: Stream) {
        var decoder = WireDecoder()
        var readings: [WireReading] = []
        for frame in stream.frames.prefix(20) { decoder.decode(frame, into: &readings) }
        #expect(decoder.recognized == stream.wire)
    }

    @Test("waits for recognizable bytes in bounded memory")
    func nothing() {
        var generator = SeededGenerator(seed: 9)
        var decoder = WireDecoder()
        var readings: [WireReading] = []
        for _ in 0..<200 {
            decoder.decode((0..<1000).map { _ in UInt8.random(in: .min ... .max, using: &generator) }, into: &readings)
        }
        #expect(decoder.recognized == nil)
        #expect(decoder.layout == nil)
        #expect(readings.isEmpty)
        #expect(decoder.quality.bytes == 200_000)
        #expect(decoder.quality.skippedBytes >= 200_000 - 65536)
        let stream = Stream.all[2]
        decoder.decode(stream.bytes, into: &readings)
        decoder.finish(into: &readings)
        #expect(decoder.recognized == .witmotion)
    }

    @Test("of text works behind more messages than wait for it")
    func messages() {
        let messages = (0..<3000).map { count in
            "task\(count): \(count) of 12 jobs, heap \(7 * count)" + (count.isMultiple(of: 2) ? " free\n" : "\n")
        }
        let bytes = Array(messages.joined().utf8) + Stream.all[0].bytes
        let decoded = Decoded(bytes)
        #expect(bytes.count > 1 << 16 && decoded.decoder.recognized == .text)
        #expect(isClose(decoded.vectors.last, Sway.vector(99), within: 0.0011))
        let cut = Decoded(bytes, pieces: [1, 4096, 77])
        #expect(cut.readings == decoded.readings && cut.decoder.quality == decoded.decoder.quality)
    }

    @Test("remains after a disconnection")
    func disconnection() {
        for stream in Stream.all {
            var decoder = WireDecoder()
            var readings: [WireReading] = []
            decoder.decode(stream.bytes, into: &readings)
            let before = readings.count
            decoder.decode(Array(stream.frames[0].dropLast(3)), into: &readings)
            decoder.reset()
            for frame in stream.frames { decoder.decode(frame, into: &readings) }
            decoder.finish(into: &readings)
            #expect(decoder.recognized == stream.wire)
            #expect(readings.count - before >= 99)
            #expect(readings.count - before <= 101)
        }
    }
}
