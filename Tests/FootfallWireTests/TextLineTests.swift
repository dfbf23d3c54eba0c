import FootfallWire
import Testing

@Suite("Text lines")
struct TextLineTests {
    @Test("of three numbers are x, y and z, in the unit in which gravity shows")
    func bareNumbers() {
        var decoder = WireDecoder(.text)
        var readings: [WireReading] = []
        decoder.decode(
            Array((["cut"] + [String](repeating: "0.10\t-0.20\t9.81\r\n", count: 40)).joined().utf8), into: &readings)
        #expect(readings.count == 39)
        #expect(abs((readings.first?.z ?? 0) - 1) < 0.01)
    }
}
