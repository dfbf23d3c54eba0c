import Footfall
import FootfallReaders
import Foundation
import Testing

/// Something that is no trace of acceleration with gravity.
struct Refused: Sendable, CustomTestStringConvertible {
    var testDescription: String
    var bytes: [UInt8]
    var options = TraceOptions()
    /// What the error has to mention.
    var words: [String]

    init(_ name: String, _ text: String, _ options: TraceOptions = TraceOptions(), says words: String...) {
        self.init(name, Array(text.utf8), options, words)
    }

    init(_ name: String, bytes: [UInt8], says words: String...) {
        self.init(name, bytes, TraceOptions(), words)
    }

    private init(_ name: String, _ bytes: [UInt8], _ options: TraceOptions, _ words: [String]) {
        testDescription = name
        self.bytes = bytes
        self.options = options
        self.words = words
    }

    private static func table(_ header: String?, scale: Double = 1, _ fields: (Int) -> [String]) -> String {
        Walk.lines(header) { Walk.joined(fields($0)) }
    }
    private static func timed(_ values: (Int) -> [Double]) -> String {
        table("time,x,y,z") { row in [Walk.epoch(row)] + values(row).map { "\($0)" } }
    }
    /// A walk without gravity, in g.
    private static func bounce(_ row: Int) -> [Double] {
        let phase = Double(row) / 100 * 2 * .pi * 1.8
        return [0.2 * sin(phase), 0.1 * cos(phase / 2), 0.35 * sin(phase + 1)]
    }
    private static let zeros = [UInt8](repeating: 0, count: 512)
    private static let walk = table("time,x,y,z") { [Walk.epoch($0)] + Walk.text($0) }

    static let all: [Refused] = [
        Refused("an empty file", "", says: "empty"),
        Refused("blank lines", "\n \n\t\r\n\n", says: "no line of text"),
        Refused("a byte order mark alone", "\u{FEFF}", says: "no line of text"),
        Refused("a header alone", "time,x,y,z\n", says: "header", "no rows"),
        Refused("prose", "It was a dark night.\nNothing was measured.\n", says: "three numbers"),
        Refused(
            "a web page", "<!DOCTYPE html>\n<html><body>Not found</body></html>\n", says: "three numbers", "a web page"),
        Refused("JSON", "{\"time\": 1, \"x\": 0.1}\n", says: "three numbers", "JSON"),
        Refused("JSON over lines", "[\n  {\n    \"x\": 0.1\n  }\n]\n", says: "JSON", "table of time,x,y,z"),
        Refused("JSON in one long line", "[" + String(repeating: "{\"x\": 0.1},", count: 80_000), says: "JSON"),
        Refused("XML", "<?xml version=\"1.0\"?>\n<gpx></gpx>\n", says: "XML"),
        Refused("Python", "import numpy as np\n\ndef load(path):\n    return np.load(path)\n", says: "source code"),
        Refused("C", "#include <stdio.h>\nint main() { return 0; }\n", says: "source code"),
        Refused("Swift", "// A program.\nstruct Walk {\n}\n", says: "source code"),
        Refused("an image", bytes: [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A] + zeros, says: "a PNG image"),
        Refused("a photograph", bytes: [0xFF, 0xD8, 0xFF, 0xE0] + zeros, says: "a JPEG image"),
        Refused(
            "an old spreadsheet", bytes: [0xD0, 0xCF, 0x11, 0xE0, 0xA1, 0xB1, 0x1A, 0xE1] + zeros, says: "spreadsheet",
            "CSV"),
        Refused(
            "a spreadsheet", bytes: zipped([("xl/workbook.xml", Array("<a/>".utf8)), ("xl/styles.xml", [])]),
            says: "a spreadsheet", "CSV"),
        Refused("a database", bytes: Array("SQLite format 3\0".utf8) + zeros, says: "SQLite"),
        Refused("one column", table("value") { ["\($0)"] }, says: "three numbers"),
        Refused(
            "one axis in each row",
            "time,axis,value\n"
                + Walk.lines { row in ["x", "y", "z"].map { "\(row),\($0),0.5" }.joined(separator: "\n") },
            says: "each row has one axis"),
        Refused("two columns", table("time,value") { [Walk.seconds($0), "1"] }, says: "three numbers"),
        Refused(
            "three columns without z", table("time,x,y") { [Walk.seconds($0), "0.1", "1.0"] },
            says: "no column for z", "time, x, y", "columns"),
        Refused(
            "a heart rate", table("time,bpm,quality,temp") { [Walk.seconds($0), "71", "2", "21.5"] },
            says: "no column for x or y or z", "bpm"),
        Refused(
            "a gyroscope", table("time,gx,gy,gz") { [Walk.seconds($0), "1.5", "2.5", "0.1"] }, says: "no column for x"),
        Refused("random bytes", bytes: (0..<5000).map { UInt8(truncatingIfNeeded: $0 &* 7919 >> 3) }, says: "binary"),
        Refused("zeros", bytes: [UInt8](repeating: 0, count: 10000), says: "binary"),
        Refused("a ZIP archive", bytes: [0x50, 0x4B, 3, 4] + [UInt8](repeating: 7, count: 400), says: "ZIP", "unpack"),
        Refused("compressed binary data", bytes: gzipped([UInt8](repeating: 1, count: 9000)), says: "binary"),
        Refused("one giant line", String(repeating: "1,", count: 400_000), says: "first line is longer than 64 KiB"),
        Refused(
            "a million columns",
            String(repeating: "x,", count: 1_000_000) + "\n" + String(repeating: "1,", count: 1_000_000),
            says: "first line is longer than 64 KiB"),
        Refused(
            "a NumPy array",
            bytes: [0x93] + Array("NUMPY".utf8) + [1, 0, 0x76, 0] + [UInt8](repeating: 32, count: 400),
            says: "a NumPy array", "numpy.savetxt"),
        Refused("no times", table("x,y,z") { Walk.text($0) }, says: "no column of times", "'sampleRate'"),
        Refused("no times, no header", table(nil) { Walk.text($0) }, says: "'sampleRate'"),
        Refused("a row number for a time", table(",x,y,z") { ["\($0)"] + Walk.text($0) }, says: "'sampleRate'"),
        Refused(
            "times in words", table("time,x,y,z") { ["noon"] + Walk.text($0) }, says: "time", "'noon'"),
        Refused(
            "dates that may be American", table("time,x,y,z") { ["3/4/2019 \(Walk.clock($0))"] + Walk.text($0) },
            says: "'3/4/2019", "month"),
        Refused(
            "linear acceleration by name",
            table("Time (s),Linear Acceleration x (m/s^2),Linear Acceleration y (m/s^2),Linear Acceleration z (m/s^2)")
            {
                [Walk.seconds($0)] + bounce($0).map { "\($0 * 9.80665)" }
            }, says: "without gravity", "header"),
        Refused(
            "user acceleration by name",
            table("time,userAcceleration.x,userAcceleration.y,userAcceleration.z") {
                [Walk.seconds($0)] + bounce($0).map { "\($0)" }
            },
            says: "without gravity", "raw"),
        Refused(
            "walking without gravity in m/s²",
            timed { row in
                let phase = Double(row) / 100 * 2 * .pi * 1.8
                return [2 * sin(phase), cos(phase / 2), 3.5 * sin(phase + 1)]
            }, says: "without gravity"),
        Refused(
            "rest without gravity", timed { [0.01 * sin(Double($0)), 0.01 * cos(Double($0) * 3), 0.002] },
            says: "without gravity"),
        Refused("nothing but zeros", timed { _ in [0, 0, 0] }, says: "without gravity"),
        Refused(
            "rest without gravity, unit by header",
            table("time,x (m/s^2),y (m/s^2),z (m/s^2)") {
                [Walk.seconds($0), "0.01", $0 % 2 == 0 ? "0.02" : "-0.02", "0"]
            },
            says: "without gravity"),
        Refused("counts of an unknown scale", timed { _ in [120, -300, 12000] }, says: "median |a|", "counts"),
        Refused(
            "between g and m/s²", timed { row in [0.2, Double(row % 2), 3.2] }, says: "no known unit", "with gravity"),
        Refused(
            "ENMO over epochs", table("timestamp,ENMO,anglez") { ["2013-10-21 10:00:08", "0.02", "\($0)"] },
            says: "epochs"),
        Refused(
            "counts over epochs",
            table("timestamp,counts_x,counts_y,counts_v,steps") { _ in ["1", "2", "3", "4", "5"] },
            says: "epochs"),
        Refused(
            "UK Biobank's mean acceleration",
            "acceleration (mg) - 2014-12-08 10:00:00 - 2014-12-15 09:59:55 - sampleRate = 5 seconds,imputed\n0.2,0\n",
            says: "UK Biobank", ".cwa"),
        Refused("a GENEA recording, cut", bytes: Array("GENEA/1.00\r\n".utf8) + zeros, says: "GENEA", "header"),
        Refused(
            "a GENEA recording without a rate", bytes: Array("GENEA/1.00\r\nStudy-Code:X\r\n\r\n".utf8) + zeros,
            says: "GENEA", "sample rate"),
        Refused("a Parmay Matrix recording without packets", bytes: zeros + Array("MDTC".utf8), says: "Matrix"),
        Refused(
            "a Parmay Matrix recording without a range", bytes: zeros + Array("MDTC".utf8) + zeros, says: "Matrix",
            "range"),
        Refused("an Axivity OMX recording", bytes: Array("HA".utf8) + zeros, says: "OMX", ".cwa"),
        Refused(
            "a column that is not there", walk, TraceOptions(columns: SensorColumns("time,x,y,w")),
            says: "'w'", "time, x, y, z"),
        Refused(
            "a column number that is not there", walk, TraceOptions(columns: SensorColumns("1,2,3,9")),
            says: "no column 9"),
        Refused(
            "a column by name without a header", table(nil) { [Walk.epoch($0)] + Walk.text($0) },
            TraceOptions(columns: SensorColumns("time,x,y,z")), says: "'time'", "no header", "1,2,3,4"),
        Refused("a rate of zero", walk, TraceOptions(sampleRate: 0), says: "'sampleRate'"),
        Refused("a rate that is no number", walk, TraceOptions(sampleRate: .nan), says: "'sampleRate'"),
        Refused("an infinite rate", walk, TraceOptions(sampleRate: .infinity), says: "'sampleRate'"),
        Refused(
            "times of another age", table("time,x,y,z") { ["9\($0)e17"] + Walk.text($0) },
            TraceOptions(timeUnit: .seconds), says: "no sample", "time out of range"),
        Refused(
            "values beyond any unit", table("time,x,y,z") { [Walk.epoch($0), "1e300", "1e300", "1e300"] },
            says: "none of the first rows"),
    ]
}

@Suite("What is no trace")
struct RefusalTests {
    @Test("is refused in one clear line", arguments: Refused.all)
    func refusal(refused: Refused) throws {
        try withFile(refused.bytes) { file in
            let error = try #require(throws: TraceError.self) { try ReadTrace(file, refused.options) }
            #expect(error.kind == .badData)
            #expect(error.description.hasPrefix(file.path))
            #expect(!error.description.contains("\n"))
            #expect(!error.description.contains(" --"), "an option of the command: \(error)")
            for word in refused.words { #expect(error.description.contains(word), "\(error)") }
        }
    }

    @Test("is told apart when it cannot even be opened")
    func unreadable() throws {
        func error(_ url: URL) throws -> TraceError { try #require(throws: TraceError.self) { try ReadTrace(url) } }
        try withFile([]) { file in
            let folder = file.deletingLastPathComponent()
            for (url, word) in [
                (folder.appending(path: "missing.csv"), "no such file"), (folder, "directory"),
                (file.appending(path: "below"), "no such file"),
            ] {
                let error = try error(url)
                #expect(error.kind == .unreadable)
                #expect(error.description.contains(word))
            }
        }
        if let web = URL(string: "https://example.org/walk.csv") { #expect(try error(web).kind == .unreadable) }
    }

    @Test("names the line where it can")
    func line() throws {
        let error = try #require(throws: TraceError.self) { try ReadTrace(text: "made by me\n\ntime,x,y\n0,1,2\n") }
        #expect(error.line == 3)
        #expect(error.description.contains("trace.csv:3: no column for z"))
    }
}
