import Footfall
import FootfallReaders
import Foundation
import TestSupport
import Testing

@Suite("Archives of phone apps")
struct PhoneExportTests {
    private func read(
        _ members: [(name: String, text: String)], _ options: TraceOptions = TraceOptions()
    ) throws -> ReadTrace {
        let archive = zipped(members.map { (name: $0.name, content: Array($0.text.utf8)) }, isDeflated: true)
        return try withFile(archive, named: "export.zip") { try ReadTrace($0, options) }
    }

    /// The members as files of a folder, which is read as a whole, and by the name of one file.
    private func readUnpacked(
        _ members: [(name: String, text: String)], file: String, _ options: TraceOptions = TraceOptions()
    ) throws -> [ReadTrace] {
        let folder = try Folder()
        for member in members { try folder.write(member.name, member.text) }
        return try withExtendedLifetime(folder) {
            try [folder.url, folder.url.appending(path: file)].map { try ReadTrace($0, options) }
        }
    }

    private let phyphox = Walk.lines(
        #""Time (s)","Acceleration x (m/s^2)","Acceleration y (m/s^2)","Acceleration z (m/s^2)""#
    ) { Walk.joined([Walk.seconds($0 + 5)] + Walk.metres($0)) }

    private let phyphoxTimes = """
        "event","experiment time","system time","system time text"
        "START",0.000000000E0,1.382349608250E9,"2013-10-21 10:00:08.250 UTC+00:00"
        "PAUSE",2.1E0,1.38234961035E9,"2013-10-21 10:00:10.350 UTC+00:00"

        """

    @Test("by phyphox are read at the time that they say", arguments: ["Raw Data.csv", "Accelerometer.csv"])
    func phyphox(name: String) throws {
        let trace = try read([
            ("meta/device.csv", "property,value\nversion,1.1\n"), (name, phyphox), ("meta/time.csv", phyphoxTimes),
        ])
        #expect(trace.samples.count == Walk.count)
        let began = Timestamp(nanosecondsSince1970: (Walk.start * 1000 + 300) * 1_000_000)
        #expect(try abs(#require(trace.samples.first).time.seconds(since: began)) < 1e-6)
        #expect(try abs(#require(trace.samples.last).time.seconds(since: began) - 1.99) < 1e-6)
        #expect(trace.layout.description.hasPrefix("CSV '\(name)' in ZIP; comma-separated"))
        for unpacked in try readUnpacked([(name, phyphox), ("meta/time.csv", phyphoxTimes)], file: name) {
            #expect(unpacked.samples == trace.samples)
        }
        let start = Timestamp(nanosecondsSince1970: 0)
        let moved = try read([(name, phyphox), ("meta/time.csv", phyphoxTimes)], TraceOptions(start: start))
        #expect(moved.samples.first?.time == start)
    }

    /// What a user of phyphox may choose.
    @Test(
        "by phyphox may have any of its delimiters and decimal separators",
        arguments: [(",", "."), ("\t", "."), (";", "."), ("\t", ","), (";", ",")])
    func phyphoxDelimiters(delimiter: String, point: String) throws {
        func written(_ table: String) -> String {
            table.replacing(",", with: delimiter).replacing(".", with: point)
        }
        let trace = try read([
            ("Raw Data.csv", written(phyphox)), ("meta/time.csv", written(phyphoxTimes)),
        ])
        #expect(trace.samples.count == Walk.count)
        #expect(trace.samples.first?.time.description == "2013-10-21T10:00:08.300Z")
        #expect(try abs(#require(trace.samples.last).time.seconds(since: trace.samples[0].time) - 1.99) < 1e-6)
        for (row, sample) in trace.samples.enumerated() {
            try #require(abs(Double(sample.z) - Walk.g(row)[2]) < 2e-6)
        }
    }

    @Test("by phyphox of linear acceleration are refused")
    func linear() throws {
        let table = phyphox.replacing("\"Acceleration", with: "\"Linear Acceleration")
        let error = try #require(throws: TraceError.self) {
            try read([("Raw Data.csv", table), ("meta/time.csv", phyphoxTimes)])
        }
        #expect(error.description.contains("without gravity"))
    }

    @Test("by Sensor Logger give the acceleration that has gravity in it")
    func sensorLogger() throws {
        func table(_ gravity: Double) -> String {
            Walk.lines("time,seconds_elapsed,z,y,x") { row in
                let metres = zip(Walk.g(row), [0, 0, gravity - 0.98]).map {
                    String(format: "%.6f", ($0 + $1) * 9.80665)
                }
                return Walk.joined([Walk.epoch(row, zeros: "000000"), Walk.seconds(row)] + metres.reversed())
            }
        }
        let trace = try read([
            ("Accelerometer.csv", table(0)), ("Gyroscope.csv", table(3)), ("TotalAcceleration.csv", table(1)),
        ])
        #expect(trace.samples.count == Walk.count)
        #expect(trace.layout.member == "TotalAcceleration.csv")
        let members = [
            ("Accelerometer.csv", table(0)), ("Gyroscope.csv", table(3)), ("TotalAcceleration.csv", table(1)),
        ]
        for unpacked in try readUnpacked(members, file: "TotalAcceleration.csv") {
            #expect(unpacked.samples == trace.samples)
        }
        let error = try #require(throws: TraceError.self) {
            try read([("Accelerometer.csv", table(0)), ("Gyroscope.csv", table(3))])
        }
        #expect(error.description.contains("without gravity"))
    }

    @Test("by Sensor Logger on an iPhone give the acceleration and the gravity apart from it, row by row")
    func gravityApart() throws {
        func table(_ rows: Range<Int>, _ metres: (Int) -> [Double]) -> String {
            Walk.lines("time,seconds_elapsed,z,y,x", rows: rows) { row in
                let fields = metres(row).reversed().map { String(format: "%.9f", $0 * 9.80665) }
                return Walk.joined([Walk.epoch(row, zeros: "000000"), Walk.seconds(row)] + fields)
            }
        }
        func gravity(_ row: Int) -> [Double] { [0.1 + Double(row) * 1e-4, -0.2, 0.97] }
        let motion = table(0..<Walk.count) { row in zip(Walk.g(row), gravity(row)).map { $0 - $1 } }
        let whole = try read([
            ("Accelerometer.csv", motion), ("Gravity.csv", table(0..<Walk.count, gravity)),
            ("Gyroscope.csv", table(0..<Walk.count, gravity)),
        ])
        #expect(
            whole.samples.map(\.time.nanosecondsSince1970)
                == (0..<Walk.count).map {
                    (Walk.start * 1000 + Int64(Walk.milliseconds($0))) * 1_000_000
                })
        for (row, sample) in whole.samples.enumerated() {
            try #require(abs(Double(sample.x) - Walk.g(row)[0]) < 2e-6)
            try #require(abs(Double(sample.z) - Walk.g(row)[2]) < 2e-6)
        }
        #expect(whole.notes == ["gravity was added from the table beside it"])
        #expect(whole.warnings.isEmpty)

        for unpacked in try readUnpacked(
            [
                ("Accelerometer.csv", motion), ("Gravity.csv", table(0..<Walk.count, gravity)),
                ("Metadata.csv", "version\n3\n"),
            ],
            file: "Accelerometer.csv")
        {
            #expect(unpacked.samples == whole.samples)
            #expect(unpacked.notes == whole.notes)
        }
        // Sums of both do not get gravity a second time.
        let sums = table(0..<Walk.count, Walk.g)
        for unpacked in try readUnpacked(
            [("Accelerometer.csv", sums), ("Gravity.csv", table(0..<Walk.count, gravity))], file: "Accelerometer.csv")
        {
            #expect(
                unpacked.samples.map { ($0.z * 1000).rounded() }
                    == (0..<Walk.count).map { Float((Walk.g($0)[2] * 1000).rounded()) })
            #expect(unpacked.notes.isEmpty)
        }

        let late = try read([("Accelerometer.csv", motion), ("Gravity.csv", table(20..<100, gravity))])
        #expect(late.samples.count == 80 + 50)
        #expect(late.warnings == ["70 rows dropped: no gravity beside them"])

        // Every second row is of one user, from the first row on.
        let users = motion.split(separator: "\n").enumerated().map { "\($1),\($0 == 0 ? "user" : "\($0 % 2)")" }
        let one = try TraceOptions(rows: [#require(RowCondition("user=1"))])
        let chosen = try read(
            [("Accelerometer.csv", Walk.joined(users, "\n")), ("Gravity.csv", table(0..<Walk.count, gravity))], one)
        #expect(chosen.samples == whole.samples.enumerated().filter { $0.offset.isMultiple(of: 2) }.map(\.element))
    }

    @Test("with a single table or recording in them are that one")
    func single() throws {
        let text = Walk.lines("time,x,y,z") { Walk.joined([Walk.epoch($0)] + Walk.text($0)) }
        let trace = try read([("export/walk.txt", text), ("__MACOSX/export/._walk.txt", "x")])
        #expect(trace.samples.count == Walk.count)
        #expect(trace.layout.member == "export/walk.txt")
        let recording = zipped([(name: "1.cwa", content: AxivityFile().bytes(sectors: 3))])
        let axivity = try withFile(recording) { try ReadTrace($0) }
        #expect(axivity.samples.count == 360)
        #expect(axivity.layout.description.hasPrefix("Axivity CWA '1.cwa' in ZIP"))
    }

    @Test("may have their numbers where those of more than 4 GiB have them", arguments: [false, true])
    func large(isDeflated: Bool) throws {
        let text = Walk.lines("time,x,y,z") { Walk.joined([Walk.epoch($0)] + Walk.text($0)) }
        let members = [(name: "notes/", content: [UInt8]()), (name: "walk.csv", content: Array(text.utf8))]
        let archive = zipped(members, isDeflated: isDeflated, isLarge: true)
        let trace = try withFile(archive) { try ReadTrace($0) }
        #expect(trace.samples.count == Walk.count)
        #expect(trace.warnings.isEmpty)
        // What says where they are may itself be wrong.
        let extra = try #require(archive.indices.last { archive[$0...].starts(with: [1, 0, 24, 0]) })
        let locator = try #require(archive.indices.last { archive[$0...].starts(with: [0x50, 0x4B, 6, 7]) })
        for place in [extra, extra + 2, extra + 19, extra + 27, locator + 13, locator + 15] {
            var damaged = archive
            damaged[place] = 0xF9
            let error = try #require(throws: TraceError.self) { try withFile(damaged) { try ReadTrace($0) } }
            #expect(error.description.contains("a ZIP archive that cannot be read"), "byte \(place)")
        }
    }

    @Test("that hold several tables, nothing, or another archive are refused")
    func refusals() throws {
        func refusal(_ members: [(name: String, text: String)]) throws -> String {
            try #require(throws: TraceError.self) { try read(members) }.description
        }
        let several = try refusal([("a.csv", phyphox), ("b.csv", phyphox)])
        #expect(several.contains("a.csv, b.csv") && several.contains("unpack"))
        var unknown = zipped([(name: "a.csv", content: Array(phyphox.utf8))])
        let directory = try #require(unknown.indices.first { unknown[$0...].starts(with: [0x50, 0x4B, 1, 2]) })
        unknown[directory + 10] = 12
        let method = try #require(throws: TraceError.self) { try withFile(unknown) { try ReadTrace($0) } }
        #expect(method.description.contains("not supported"))
        let inner = zipped([(name: "a.csv", content: Array(phyphox.utf8))])
        let outer = zipped([(name: "a.zip", content: inner)])
        let nested = try #require(throws: TraceError.self) { try withFile(outer) { try ReadTrace($0) } }
        #expect(nested.description.contains("ZIP archive"))
    }
}
