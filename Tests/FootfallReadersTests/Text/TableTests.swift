import Footfall
import FootfallReaders
import Testing

@Suite("A table in memory")
struct TableTests {
    /// A sensor at rest, with a decimal comma, at 50 Hz.
    private static let rows = (0..<40).map { "0,\($0 < 5 ? "0" : "")\($0 * 20);0,01;-0,02;1,00\n" }
    private static let text = Array(("time (s);ax (g);ay (g);az (g)\n" + rows.joined()).utf8)

    private func sniffer(_ text: [UInt8]) throws(Refusal) -> CSVSniffer {
        try CSVSniffer(text.span, text.indices, isWhole: true, isFinal: true, TraceOptions())
    }

    /// Reads `text` from the first row on, in one block.
    private func read(_ text: [UInt8], _ sniffer: CSVSniffer, isAtEnd: Bool) -> (batch: SampleBatch?, end: Int) {
        var reader = RowReader(sniffer)
        var columns = SampleColumns(reusing: SampleBatch())
        let end = reader.read(
            text.span, sniffer.firstRowOffset..<text.count, isAtEnd: isAtEnd, into: &columns)
        return (columns.batch(), end)
    }

    @Test("is read as its layout states")
    func layout() throws {
        let sniffer = try sniffer(Self.text)
        #expect(sniffer.layout.delimiter == ";" && sniffer.layout.decimalSeparator == ",")
        #expect(sniffer.layout.time == .sinceStart(.seconds, .header))
        #expect(sniffer.layout.unit == .g && sniffer.layout.unitEvidence == .header)
        let batch = try #require(read(Self.text, sniffer, isAtEnd: true).batch)
        #expect(batch.count == 40 && batch.x.allSatisfy { $0 == 0.01 } && batch.y.allSatisfy { $0 == -0.02 })
        #expect(batch.times.first == .epoch)
    }

    @Test("of which 50 rows share each whole second has times in seconds")
    func wholeSeconds() throws {
        let rows = (0..<400).map { "\($0 / 50),0.01,-0.02,1.00\n" }
        let layout = try sniffer(Array(("time,x,y,z\n" + rows.joined()).utf8)).layout
        #expect(layout.time == .sinceStart(.seconds, .values))
    }

    @Test("keeps a last line that may go on for the next block")
    func incompleteLine() throws {
        let cut = Self.text.dropLast(3)
        let sniffer = try sniffer(Self.text)
        let open = read(Array(cut), sniffer, isAtEnd: false)
        #expect(open.batch?.count == 39 && open.end == Self.text.count - (Self.rows.last?.utf8.count ?? 0))
        let ended = read(Array(cut), sniffer, isAtEnd: true)
        #expect(ended.batch?.count == 40 && ended.end == cut.count)
    }

    @Test("that holds another sensor is refused with its columns")
    func refusal() {
        let text = Array(("time,gyro x,gyro y,gyro z\n" + (0..<40).map { "\($0 * 20),1,2,3\n" }.joined()).utf8)
        #expect(throws: Refusal.self) { try sniffer(text) }
    }
}

@Suite("Local times")
struct LocalTimeTests {
    /// Clocks go forward by an hour at 1,000,000 s, and back at 2,000,000 s.
    private let zone = LocalZone(name: "Nowhere", isUTC: false) { (1_000_000..<2_000_000).contains($0) ? 3600 : 0 }

    @Test(
        "occur once, twice, or never",
        arguments: [(500_000, "once 0"), (1_500_000, "once 3600"), (1_001_800, "never 0"), (2_001_800, "twice 3600 0")])
    func offsets(second: Int64, expected: String) {
        let found =
            switch zone.offsets(atLocalSecond: second) {
            case .once(let offset): "once \(offset)"
            case .twice(let first, let second): "twice \(first) \(second)"
            case .never(let before): "never \(before)"
            }
        #expect(found == expected)
    }
}
