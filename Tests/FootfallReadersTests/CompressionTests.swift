import Footfall
import FootfallReaders
import Foundation
import TestSupport
import Testing

@Suite("Compressed traces")
struct CompressionTests {
    private let text = Walk.lines("time,x,y,z") { Walk.joined([Walk.epoch($0)] + Walk.text($0)) }
    private var bytes: [UInt8] { Array(text.utf8) }

    @Test("hold the same samples, whatever their name", arguments: ["trace.csv.gz", "trace.csv", "trace"])
    func whole(name: String) throws {
        let plain = try ReadTrace(text: text)
        let trace = try withFile(gzipped(bytes), named: name) { try ReadTrace($0) }
        #expect(trace.samples == plain.samples)
        #expect(trace.layout.isCompressed)
        #expect(trace.warnings.isEmpty)
        #expect(trace.progress == 1)
    }

    @Test("of several members are one trace, also with zeros behind them", arguments: [0, 512])
    func members(zeros: Int) throws {
        let cuts = [0, 100, 101, 3000, bytes.count]
        let members = zip(cuts, cuts.dropFirst()).flatMap { gzipped(Array(bytes[$0..<$1])) }
        let padding = [UInt8](repeating: 0, count: zeros)
        let trace = try withFile(members + padding) { try ReadTrace($0, chunkSize: 100) }
        #expect(trace.samples.count == Walk.count)
        #expect(trace.warnings.isEmpty)
    }

    @Test("that end early keep what can be read, and say so")
    func cutShort() throws {
        let whole = gzipped(bytes, blockSize: 500)
        let trace = try withFile(whole.prefix(whole.count / 2)) { try ReadTrace($0) }
        #expect((50..<150).contains(trace.samples.count))
        #expect(trace.warnings.contains("the compressed data end early; what could be read was read"))
        #expect(trace.samples[...40] == (try ReadTrace(text: text)).samples[...40])
    }

    @Test("that begin like an archive and grow without end are refused, with the limit")
    func bomb() throws {
        // 100 MiB in 100 members that zlib makes small.
        let zeros = [UInt8](repeating: 0, count: 1 << 20)
        let bomb =
            try compressed([0x50, 0x4B, 3, 4] + zeros)
            + Array(repeatElement(compressed(zeros), count: 99).joined())
        let error = try #require(throws: TraceError.self) { try withFile(bomb) { try ReadTrace($0) } }
        #expect(error.problem.description.contains("64 MiB"))
    }

    @Test("of an archive keep the lines of its member, also where these are joined when they are read alone")
    func archive() throws {
        let text = Walk.lines("time,axis,value") { row in
            zip(["x", "y", "z"], Walk.text(row)).map { Walk.joined([Walk.epoch(row), $0, $1]) }.joined(separator: "\n")
        }
        let archive = zipped([("walk.csv", Array(text.utf8))])
        let trace = try withFile(gzipped(archive)) { try ReadTrace($0) }
        #expect(trace.samples == (try ReadTrace(text: text)).samples)
    }

    /// Bytes compressed by gzip.
    private func compressed(_ bytes: [UInt8]) throws -> [UInt8] {
        let folder = try Folder()
        let file = try folder.write("content", Data(bytes))
        try #require(try shell("gzip '\(file.path)'").status == 0)
        return Array(try Data(contentsOf: file.appendingPathExtension("gz")))
    }

    @Test("with damage inside keep what comes before it, and say so")
    func damaged() throws {
        var whole = gzipped(bytes, blockSize: 500)
        whole[5 * 505 + 12] ^= 0xFF  // the length of the sixth block
        let trace = try withFile(whole) { try ReadTrace($0) }
        #expect((30..<150).contains(trace.samples.count))
        #expect(
            trace.warnings.contains("the compressed data are damaged; nothing behind the damage could be read"))
    }

    @Test("with a wrong checksum, or with something else behind them, are read with a warning")
    func behind() throws {
        var whole = gzipped(bytes)
        let other = try withFile(whole + Array("hello".utf8)) { try ReadTrace($0) }
        #expect(other.samples.count == Walk.count)
        #expect(other.warnings == ["bytes after the compressed data were ignored"])
        whole[whole.count - 6] ^= 1
        let wrong = try withFile(whole) { try ReadTrace($0) }
        #expect(wrong.samples.count == Walk.count)
        #expect(wrong.warnings == ["the compressed data are damaged; nothing behind the damage could be read"])
    }

    @Test("that hold nothing are refused", arguments: [2, 9, 10, 12])
    func nothing(length: Int) throws {
        let stump = gzipped(bytes).prefix(length)
        let error = try #require(throws: TraceError.self) { try withFile(stump) { try ReadTrace($0) } }
        #expect(error.kind == .badData)
    }
}
