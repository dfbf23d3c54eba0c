import FootfallSimulator
import Foundation
import TestSupport
import Testing

/// `make traces` writes the files.
@Suite("Shipped traces")
struct ShippedTraceTests {
    @Test("the simulator reproduces each byte for byte", arguments: ShippedTrace.all)
    func reproduction(trace: ShippedTrace) throws {
        let simulation = try trace.simulation()
        let file = PackageFolder.trace(trace.name)
        var text = Data()
        try TraceWriter(format: ShippedTrace.format).write(simulation) { text += $0 }
        // `#expect` would print a megabyte.
        let isSame = try text == Data(contentsOf: file)
        #expect(isSame, "\(file.lastPathComponent) differs from what the simulator writes")
        let isSameTruth = try simulation.truthDocument() == Data(contentsOf: TraceWriter.truthFile(for: file))
        #expect(isSameTruth, "the truth of \(file.lastPathComponent) differs from what the simulator writes")
    }

    @Test("the README describes each, the folder holds nothing else, and the files are small")
    func folder() throws {
        let folder = PackageFolder.url.appending(path: "SensorTraces")
        let readme = try String(contentsOf: folder.appending(path: "README.md"), encoding: .utf8)
        var expected: Set = ["README.md"]
        for trace in ShippedTrace.all {
            #expect(readme.contains("| `\(trace.name).csv` |"))
            expected.formUnion(["\(trace.name).csv", "\(trace.name).truth.json"])
        }
        let files = try FileManager.default.contentsOfDirectory(
            at: folder, includingPropertiesForKeys: [.fileSizeKey], options: .skipsHiddenFiles)
        #expect(Set(files.map(\.lastPathComponent)) == expected)
        let size = try files.reduce(0) { try $0 + ($1.resourceValues(forKeys: [.fileSizeKey]).fileSize ?? 0) }
        #expect(size < 5_000_000)
    }
}
