import FootfallReaders
import TestSupport
import Testing

@Suite("Lines of programs")
struct ProgramLineTests {
    private static let samples = (0..<160).map { Sway.vector($0) }

    /// The stream behind a line that the port cut, and messages of a boot.
    private func decode(_ lines: ProgramLines, _ samples: [SIMD3<Float>]) -> Decoded {
        let boot = "8\r\nrst:0x1 (POWERON_RESET),boot:0x13 (SPI_FAST_FLASH_BOOT)\r\nSensor found!\r\n"
        return Decoded(Array((boot + lines.text(samples)).utf8), pieces: [61, 7])
    }

    @Test("of every kind are read as they arrive", arguments: ProgramLines.all)
    func live(lines: ProgramLines) {
        let decoded = decode(lines, Self.samples)
        #expect(
            decoded.readings.count == Self.samples.count, "\(decoded.decoder.layout ?? "") \(decoded.decoder.quality)")
        for (index, vector) in decoded.vectors.enumerated() {
            let isClose = isClose(vector, Self.samples[index], within: lines.tolerance)
            #expect(isClose, "\(index): \(vector), not \(Self.samples[index]), \(decoded.decoder.layout ?? "")")
            guard isClose else { return }
        }
        let times = decoded.readings.compactMap(\.deviceTime)
        #expect(times.count == (lines.time == .none ? 0 : Self.samples.count), "\(decoded.decoder.layout ?? "")")
        #expect(zip(times.dropFirst(), times).allSatisfy { abs($0 - $1 - 20_000_000) <= 1 })
    }

    @Test("with several samples in an object have a time for each", arguments: ProgramLines.packets)
    func packets(lines: ProgramLines) {
        let samples = Array(Self.samples.prefix(40))
        let decoded = decode(lines, samples)
        let repeated = samples.flatMap { Array(repeating: $0, count: lines.packet) }
        #expect(decoded.readings.count == repeated.count, "\(decoded.decoder.quality)")
        #expect(zip(decoded.vectors, repeated).allSatisfy { isClose($0, $1, within: lines.tolerance) })
        let times = decoded.readings.compactMap(\.deviceTime)
        #expect(times.count == repeated.count)
        #expect(zip(times.dropFirst(), times).allSatisfy { $0 - $1 == 20_000_000 })
    }

    @Test("of other sensors give no reading", arguments: ProgramLines.others.map(\.lines))
    func others(lines: ProgramLines) {
        let decoded = decode(lines, Self.samples)
        #expect(decoded.readings.isEmpty, "\(decoded.decoder.layout ?? "")")
    }

    @Test("with a damaged one among them lose that one", arguments: ProgramLines.all.filter { $0.time == .since1970 })
    func damage(lines: ProgramLines) {
        let text = lines.text(Self.samples)
        let whole = Decoded(Array(("8\n" + text).utf8)).readings
        #expect(whole.count == Self.samples.count)
        var damaged = text.split(separator: "\r\n").map(String.init)
        damaged[100] = "Guru Meditation Error: Core 0 panic'ed (LoadProhibited). 0x400d1234"
        let readings = Decoded(Array(("8\n" + damaged.joined(separator: "\r\n") + "\r\n").utf8)).readings
        #expect(readings == Array(whole[..<100] + whole[101...]))
    }
}
