import Footfall
import FootfallReaders
import Foundation
import Testing

/// A generator of numbers that are the same in every run.
private struct Dice {
    private var state: UInt64

    init(_ seed: UInt64) {
        state = seed
    }

    mutating func roll(_ range: Range<Int>) -> Int {
        state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
        return range.lowerBound + Int(state >> 33) % range.count
    }
}

/// A whole recording, and where its records begin.
struct Victim: Sendable, CustomTestStringConvertible {
    var testDescription: String
    var bytes: [UInt8]
    var boundaries: [Int]
    /// How many samples it holds.
    var count: Int

    static let all: [Victim] = {
        let six = AxivityFile(packing: .sixAxes, swapped: 128)
        let old = AxivityFile(rateCode: 0)
        let axivity = [AxivityFile(), AxivityFile(packing: .words), six, old].enumerated().map { number, file in
            Victim(
                testDescription: "Axivity \(number)", bytes: file.bytes(sectors: 6),
                boundaries: [0] + (0..<6).map { 1024 + $0 * 512 }, count: 6 * file.packing.samplesPerSector)
        }
        let actiGraph = ActiGraphFile.Packing.allCases.flatMap { packing in
            [false, true].map { isDeflated in
                let file = ActiGraphFile(packing: packing)
                let sleep = ActiGraphFile.event(5, 8) + ActiGraphFile.event(15, 9)
                let log = (0..<5).flatMap { file.activity($0) } + sleep
                return Victim(
                    testDescription: "ActiGraph \(packing) \(isDeflated)",
                    bytes: file.bytes(log: log, isDeflated: isDeflated),
                    boundaries: (0..<5).map { 30 + 7 + 4 + $0 * (log.count - 20) / 5 }, count: 450)
            }
        }
        let geneActiv = GENEActivFile().bytes(pages: 4)
        let page = GENEActivFile().page(0).joined(separator: "\r\n").utf8.count + 2
        let pages = (0..<4).map { geneActiv.count - (4 - $0) * page }
        let wires = [
            ("WitMotion", (0..<100).map { WireLog.witMotion($0, hasTime: true) }),
            ("WitMotion card", (0..<100).map(WireLog.record)), ("x-IMU3", (0..<100).map(WireLog.ximu3)),
            ("MAVLink", (0..<100).map(WireLog.telemetry)),
        ].map { name, frames in
            let ends = frames.reduce(into: [0]) { $0.append($0[$0.count - 1] + $1.count) }
            return Victim(
                testDescription: name, bytes: Array(frames.joined()), boundaries: Array(ends.prefix(6)), count: 100)
        }
        return axivity + actiGraph + wires + [
            Victim(testDescription: "GENEActiv", bytes: geneActiv, boundaries: [0] + pages, count: 1200),
            Victim(
                testDescription: "GENEA", bytes: GENEAFile.bytes(seconds: 10),
                boundaries: [0] + (0..<3).map { GENEAFile.header.count + $0 * GENEAFile.pageSize },
                count: 10 * GENEAFile.rate),
            Victim(
                testDescription: "Parmay Matrix", bytes: MatrixFile.bytes(packets: 5),
                boundaries: [512] + (0..<5).map { MatrixFile.header.count + $0 * MatrixFile.packet(0).count },
                count: 5 * MatrixFile.samplesPerPacket),
        ]
    }()
}

@Suite("Whatever happens to a recording")
struct MutationTests {
    /// Reads to the end, or to a refusal. Returns how many samples there were, none of them impossible.
    @discardableResult
    private func survive(_ bytes: [UInt8], limit: Int = 100_000) throws -> Int {
        try withFile(bytes, named: "recording") { file in
            var count = 0
            do throws(TraceError) {
                var trace = try Trace(contentsOf: file)
                while let batch = try trace.nextBatch(), count < limit {
                    #expect(batch.count <= 4096)
                    count += batch.count
                    // 0 × value is 0 only for a finite value; a sum takes a debug build less time than a sample each.
                    #expect([batch.x, batch.y, batch.z].allSatisfy { $0.reduce(0) { $0 + 0 * $1 } == 0 })
                }
                #expect((0...1).contains(trace.progress))
                _ = (trace.layout.description, trace.notes, trace.warnings.map(\.description))
            } catch {
                #expect(!error.description.contains("\n"))
            }
            return count
        }
    }

    @Test("bits that flip cost no more than what they are in", arguments: Victim.all)
    func flips(victim: Victim) throws {
        var dice = Dice(7)
        for _ in 0..<40 {
            var bytes = victim.bytes
            for _ in 0...dice.roll(0..<4) { bytes[dice.roll(0..<bytes.count)] ^= UInt8(1 << dice.roll(0..<8)) }
            try survive(bytes)
        }
    }

    @Test("bytes that are overwritten, left out or put in break nothing", arguments: Victim.all)
    func splices(victim: Victim) throws {
        var dice = Dice(11)
        for round in 0..<32 {
            var bytes = victim.bytes
            let start = dice.roll(0..<bytes.count)
            let range = start..<min(bytes.count, start + dice.roll(1..<600))
            switch round % 4 {
            case 0: bytes.replaceSubrange(range, with: range.map { _ in UInt8(dice.roll(0..<256)) })
            case 1: bytes.replaceSubrange(range, with: range.map { _ in 0xFF })
            case 2: bytes.removeSubrange(range)
            default: bytes.insert(contentsOf: victim.bytes[range], at: dice.roll(0..<bytes.count))
            }
            try survive(bytes)
        }
    }

    @Test("an end at any record, and within any, leaves what comes before it", arguments: Victim.all)
    func cuts(victim: Victim) throws {
        for boundary in victim.boundaries {
            for length in [boundary - 1, boundary, boundary + 1, boundary + 9, boundary + 30] {
                #expect(try survive(Array(victim.bytes.prefix(max(0, length)))) <= victim.count)
            }
        }
        #expect(try survive(victim.bytes) == victim.count)
    }

    @Test("fields of nothing but ones or zeros are borne", arguments: Victim.all)
    func extremes(victim: Victim) throws {
        for boundary in victim.boundaries.prefix(2) {
            for offset in 0..<min(48, victim.bytes.count - boundary - 4) {
                for value in [UInt32.max, 0x8000_0000] {
                    var bytes = victim.bytes
                    bytes.put(value, at: boundary + offset)
                    // With its checksum mended, a sector is believed.
                    if victim.testDescription.hasPrefix("Axivity"), boundary >= 1024 {
                        let sector = Array(bytes[boundary..<boundary + 512])
                        bytes.put(AxivityFile.checksum(sector), at: boundary + 510)
                    }
                    try survive(bytes)
                }
            }
        }
    }

    @Test("an archive that unpacks to more than its size is read in little memory, and in time")
    func bomb() throws {
        // A log of zeros, of which a reader makes nothing, and one of idle sleep.
        let file = ActiGraphFile()
        let zeros = [UInt8](repeating: 0, count: 4_000_000)
        let error = try #require(throws: TraceError.self) {
            try withFile(file.bytes(log: zeros, isDeflated: true)) { try ReadTrace($0) }
        }
        #expect(error.description.contains("no samples"))
        let separators = [UInt8](repeating: 0x1E, count: 300_000)
        try survive(file.bytes(log: file.activity(0) + separators))
        var info = file
        info.info["Note"] = String(repeating: "x", count: 3_000_000)
        try survive(info.bytes(seconds: 3))
    }
}
