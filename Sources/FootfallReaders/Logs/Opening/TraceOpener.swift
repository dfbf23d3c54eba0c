internal import Footfall
internal import Foundation

/// Opens the reader for a file.
enum TraceOpener {
    /// Detects the format of a file from its first bytes. Throws ``TraceError`` when the file cannot be opened, is not
    /// a sensor log, or needs an option.
    static func reader(
        path: String, _ options: TraceOptions, chunkSize: Int
    ) throws(TraceError) -> any TraceReader & ~Copyable {
        if let folder = LogFolder(at: path) {
            guard let member = PhoneExport.acceleration(of: folder) else { throw TraceError(reading: path, EISDIR) }
            return try reader(path: folder.path + "/" + member.name, options, chunkSize: chunkSize)
        }
        let source = try LineSource(ByteSource(path: path), chunkSize: chunkSize)
        if source.starts(with: ZipArchive.magic) {
            return try reader(of: ZipArchive(Spool.file(of: source, path: path)), options, chunkSize: chunkSize)
        }
        let folder = LogFolder(of: path)
        let member = folder.member(URL(filePath: path).lastPathComponent)
        return try reader(of: folder, member, source, options, chunkSize: chunkSize, path)
    }

    /// The reader of a source that is not an archive, which `again` opens once more.
    private static func reader(
        _ source: consuming LineSource, _ options: TraceOptions, _ path: String,
        again: () throws(TraceError) -> LineSource
    ) throws(TraceError) -> any TraceReader & ~Copyable {
        do throws(Refusal) {
            try ForeignFormat.check(source)
            if AxivityDecoder.reads(source) {
                return RecordingReader(.axivity, AxivityDecoder(&source, options), source)
            }
            if GENEActivDecoder.reads(source) {
                return try RecordingReader(.geneActiv, GENEActivDecoder(&source, options), source)
            }
            if GENEADecoder.reads(source) {
                return try RecordingReader(.genea, GENEADecoder(&source, options), source)
            }
            if MatrixDecoder.reads(source) {
                return try RecordingReader(.matrix, MatrixDecoder(&source, options), source)
            }
            if MovesenseDecoder.reads(source) {
                return RecordingReader(.movesense, MovesenseDecoder(options), source)
            }
            if let decoder = try WireLogDecoder(source, options) { return RecordingReader(.wire, decoder, source) }
            if let decoder = try WireLogDecoder(lines: source, options) {
                return RecordingReader(.wire, decoder, source)
            }
        } catch {
            throw error.error(in: path)
        }
        return try table(source, options, path, again: again)
    }

    private static func table(
        _ source: consuming LineSource, _ options: TraceOptions, _ path: String, isReversed: Bool = false,
        again: () throws(TraceError) -> LineSource
    ) throws(TraceError) -> CSVReader {
        try select(options, in: &source, path)
        var sniffer: CSVSniffer
        do throws(Refusal) {
            sniffer = try CSVSniffer(source, options)
        } catch {
            guard !isReversed, let start = error.newestRow else { throw error.error(in: path) }
            return try newestFirst(source, options, path, from: start, again: again)
        }
        if sniffer.decision.refusal != nil {
            var log = try again()
            try select(options, in: &log, path)
            if let refusal = try sniffer.decide(by: log) { throw refusal.error(in: path) }
        }
        return CSVReader(source, sniffer, checking: path)
    }

    /// The reader of a table whose newest row is the first, from its last row to its first.
    private static func newestFirst(
        _ source: consuming LineSource, _ options: TraceOptions, _ path: String, from start: Int,
        again: () throws(TraceError) -> LineSource
    ) throws(TraceError) -> CSVReader {
        guard source.isReadable else {
            throw Refusal(
                "the newest row is the first, and a pipe cannot be read from its end",
                remedy: "write it to a file first"
            ).error(in: path)
        }
        let file = try Spool.file(of: again(), path: path)
        func reversed() throws(TraceError) -> LineSource {
            try LineSource(ByteSource(file, newestRowFirstAt: start))
        }
        return try table(reversed(), options, path, isReversed: true, again: reversed)
    }

    /// Removes the rows that do not meet the conditions of the options.
    private static func select(
        _ options: TraceOptions, in source: inout LineSource, _ path: String
    ) throws(TraceError) {
        guard !options.rows.isEmpty else { return }
        let selection: RowSelection
        do throws(Refusal) {
            selection = try RowSelection(source.bytes.span, source.unread, isWhole: source.isAtEnd, options.rows)
        } catch {
            throw error.error(in: path)
        }
        let head = selection.start - source.unread.lowerBound
        try source.remove(from: selection.start, by: selection)
        guard !source.isAtEnd || source.unread.count > head else {
            let conditions = options.rows.map { "\($0)" }.joined(separator: " and ")
            throw Refusal("no row has \(conditions)", remedy: "write a value of that column with \(.rows())").error(
                in: path)
        }
    }

    /// The reader of an ActiGraph recording.
    private static func reader(
        of archive: ZipArchive, log: LogMember, _ options: TraceOptions, chunkSize: Int
    ) throws(TraceError) -> any TraceReader & ~Copyable {
        let info = ActiGraphInfo(try archive.content(of: "info.txt") ?? [])
        let calibration = try archive.content(of: "calibration.json")
        let source = try LineSource(log.open(), chunkSize: chunkSize)
        do throws(Refusal) {
            guard log.fileName.lowercased() == "log.bin" else {
                return try RecordingReader(.actiGraph, OldActiGraphDecoder(info, options), source)
            }
            let decoder = try ActiGraphDecoder(source, info, calibration: calibration, options)
            return RecordingReader(.actiGraph, decoder, source)
        } catch {
            throw error.error(in: archive.file.path)
        }
    }

    private static func reader(
        of archive: ZipArchive, _ options: TraceOptions, chunkSize: Int
    ) throws(TraceError) -> any TraceReader & ~Copyable {
        if let log = archive.member(named: "log.bin") ?? archive.member(named: "activity.bin") {
            return try reader(of: archive, log: log, options, chunkSize: chunkSize)
        }
        let member: LogMember
        do throws(Refusal) {
            try ForeignFormat.check(archive)
            member = try PhoneExport.member(of: archive)
        } catch {
            throw error.error(in: archive.file.path)
        }
        let source = try LineSource(member.open(), chunkSize: chunkSize)
        return try reader(of: archive, member, source, options, chunkSize: chunkSize, archive.file.path)
    }

    /// The reader of a file in a container, with what other files of the container add: the start, and gravity.
    private static func reader(
        of container: some LogContainer, _ member: LogMember, _ source: consuming LineSource, _ options: TraceOptions,
        chunkSize: Int, _ path: String
    ) throws(TraceError) -> any TraceReader & ~Copyable {
        var options = options
        options.origin = try PhoneExport.start(of: container)
        options.fileName = String(member.fileName)
        func again() throws(TraceError) -> LineSource { try LineSource(member.open(), chunkSize: chunkSize) }
        guard let apart = PhoneExport.gravity(apartFrom: member, source, of: container) else {
            return try reader(source, options, path, again: again)
        }
        let gravity = try LineSource(apart.open(), chunkSize: chunkSize)
        guard try GravityApartReader.isNeeded(source, gravity: gravity, options, path) else {
            return try reader(source, options, path, again: again)
        }
        try select(options, in: &source, path)
        return try GravityApartReader(source, gravity: gravity, options, path)
    }
}

/// Formats that are recognized but not read, so that the error names them.
enum ForeignFormat {
    /// Throws ``Refusal`` for such a format.
    static func check(_ source: borrowing LineSource) throws(Refusal) {
        let bytes = source.bytes.span.extracting(source.unread)
        for kind in kinds where bytes.has(kind.signature, at: 0) {
            throw Refusal("\(kind.name), not a sensor log", remedy: kind.remedy)
        }
        // A text that begins with HA has no zero byte.
        if bytes.has(Array("HA".utf8), at: 0), (0..<min(64, bytes.count)).contains(where: { bytes[$0] == 0 }) {
            throw Refusal(
                "an Axivity OMX recording, which Footfall does not read",
                remedy: "convert it to .cwa or to a table with the manufacturer's software")
        }
    }

    /// Files that begin with a fixed signature.
    private static let kinds: [(signature: [UInt8], name: String, remedy: ParameterText)] = [
        ([0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A], "a PNG image", Refusal.expectation),
        ([0xFF, 0xD8, 0xFF], "a JPEG image", Refusal.expectation),
        (Array("GIF8".utf8), "a GIF image", Refusal.expectation),
        ([0x49, 0x49, 0x2A, 0x00], "a TIFF image", Refusal.expectation),
        ([0x4D, 0x4D, 0x00, 0x2A], "a TIFF image", Refusal.expectation),
        ([0x7F, 0x45, 0x4C, 0x46], "a program", Refusal.expectation),
        (Array("%PDF-".utf8), "a PDF document", Refusal.expectation),
        ([0xD0, 0xCF, 0x11, 0xE0, 0xA1, 0xB1, 0x1A, 0xE1], "a spreadsheet or document of Office", "save it as CSV"),
        (Array("SQLite format 3\0".utf8), "an SQLite database", "export the samples as CSV"),
        (Array("PAR1".utf8), "a Parquet file", "convert it to CSV"),
        ([0x89, 0x48, 0x44, 0x46, 0x0D, 0x0A], "an HDF5 file", "convert it to CSV"),
        (Array("MATLAB 5.0 MAT-file".utf8), "a MATLAB file", "convert it to CSV"),
        ([0x93] + Array("NUMPY".utf8), numPy.name, numPy.remedy),
        ([0x37, 0x7A, 0xBC, 0xAF, 0x27, 0x1C], "a 7-Zip archive", "unpack it"),
        (Array("Rar!".utf8), "a RAR archive", "unpack it"),
        (Array("BZh".utf8), "data compressed with bzip2", "unpack it"),
        ([0xFD, 0x37, 0x7A, 0x58, 0x5A, 0x00], "data compressed with xz", "unpack it"),
        ([0x28, 0xB5, 0x2F, 0xFD], "data compressed with Zstandard", "unpack it"),
    ]

    private static let numPy: (name: String, remedy: ParameterText) = (
        name: "a NumPy array",
        remedy: "write it with numpy.savetxt('log.csv', array, delimiter=',', header='time,x,y,z', comments='')"
    )

    /// Throws ``Refusal`` for an archive of NumPy arrays, `.npz`.
    static func check(_ archive: borrowing ZipArchive) throws(Refusal) {
        guard !archive.members.isEmpty, archive.members.allSatisfy({ $0.name.hasSuffix(".npy") }) else { return }
        throw Refusal("\(numPy.name), not a sensor log", remedy: numPy.remedy)
    }
}

/// Makes a stream a file that can be read at any offset.
enum Spool {
    /// The largest temporary file of a short stream, in bytes.
    private static let floor: Int64 = 64 << 20
    /// The largest temporary file of a long stream, relative to the bytes read. An archive is compressed itself, so
    /// gzip seldom makes it smaller. Zeros shrink to a thousandth.
    private static let mostGrowth: Int64 = 20

    /// The file of `source`, if its bytes are read as they are. If not, a temporary file without a name with all of
    /// `source`, which the system deletes when it is closed. Throws ``TraceError`` when reading or writing fails, or
    /// there is too much.
    static func file(of source: consuming LineSource, path: String) throws(TraceError) -> InputFile {
        if let file = source.plainFile { return file }
        var name = Array(FileManager.default.temporaryDirectory.appending(path: "footfall-XXXXXX").path.utf8CString)
        let number = name.withUnsafeMutableBufferPointer { $0.baseAddress.map { mkstemp($0) } ?? -1 }
        guard number >= 0 else { throw failure(path, errno) }
        let handle = Handle(number)
        name.withUnsafeBufferPointer { _ = $0.baseAddress.map { unlink($0) } }
        repeat {
            guard source.offset <= max(floor, mostGrowth * source.bytesRead) else {
                throw Refusal(
                    "it unpacks to more than 64 MiB and \(mostGrowth) times its size, and has to be unpacked to be read",
                    remedy: "unpack it first if it is sound"
                ).error(in: path)
            }
            let code = Handle.write(source.bytes[source.unread], to: number)
            guard code == 0 else { throw failure(path, code) }
            source.advance(to: source.unread.upperBound)
        } while try source.readMore()
        return try InputFile(handle, path: path)
    }

    private static func failure(_ path: String, _ code: Int32) -> TraceError {
        TraceError(
            .unreadable, path: path,
            problem: "cannot be unpacked into a temporary file: \(String(cString: strerror(code)))",
            remedy: "unpack it first")
    }
}

/// Archives and folders of tables, as phone apps export them.
package enum PhoneExport {
    /// The preferred tables, in lower case: acceleration with gravity of Sensor Logger and phyphox. Sensor Logger's
    /// `Accelerometer.csv` has no gravity, so it comes after them. `ACC.csv` is that of the Empatica E4.
    private static let names = [
        "totalacceleration.csv", "accelerometeruncalibrated.csv", "raw data.csv", "accelerometer.csv", "acc.csv",
        "wristmotion.csv",
    ]

    /// The member with the acceleration, by its name; nil if there is none.
    static func acceleration(of container: some LogContainer) -> LogMember? {
        names.lazy.compactMap { container.member(named: $0) }.first
    }

    /// The member of an archive that holds the samples. Throws ``Refusal`` when there is none, or more than one
    /// candidate.
    static func member(of archive: ZipArchive) throws(Refusal) -> LogMember {
        if let member = acceleration(of: archive) { return member }
        let office = [
            "workbook.xml": "a spreadsheet", "document.xml": "a text document", "content.xml": "an OpenDocument file",
        ]
        for (name, kind) in office where archive.member(named: name) != nil {
            throw Refusal("\(kind), not a sensor log", remedy: "save it as CSV")
        }
        let members = archive.members.filter { member in
            // Metadata of macOS, hidden files, and metadata of phyphox.
            !member.name.hasPrefix("__MACOSX/") && !member.fileName.hasPrefix(".") && !member.name.hasPrefix("meta/")
        }
        if let only = members.first, members.count == 1 { return only }
        guard !members.isEmpty else {
            guard archive.hasOthers else { throw Refusal("a ZIP archive with nothing in it that can be read") }
            throw Refusal(
                "a ZIP archive whose files are encrypted, or compressed by a method that is not supported",
                remedy: "unpack it")
        }
        let list = members.prefix(6).map(\.name).joined(separator: ", ") + (members.count > 6 ? ", …" : "")
        throw Refusal(
            "a ZIP archive of several files, none of which is known to be the acceleration: \(list)",
            remedy: "unpack it and name one of them")
    }

    /// The member with the gravity that Sensor Logger removed from `member`, whose content is `source`; nil if there is
    /// none.
    static func gravity(
        apartFrom member: LogMember, _ source: borrowing LineSource, of container: some LogContainer
    ) -> LogMember? {
        // In an export of phyphox, this name includes gravity.
        guard member.fileName.lowercased() == "accelerometer.csv",
            source.starts(with: Array("time,seconds_elapsed,".utf8))
        else { return nil }
        return container.member(named: "gravity.csv")
    }

    /// The moment of time 0 in the tables of phyphox, from `meta/time.csv`; nil if it is missing. Its rows are an
    /// event, the time in the tables, and seconds since 1970. The first `START` counts.
    static func start(of container: some LogContainer) throws(TraceError) -> Timestamp? {
        guard let content = try container.content(of: "time.csv") else { return nil }
        for line in String(decoding: content, as: UTF8.self).split(whereSeparator: \.isNewline) {
            let delimiter: Character = line.contains("\t") ? "\t" : line.contains(";") ? ";" : ","
            let fields = line.split(separator: delimiter).map { $0.filter { $0 != "\"" } }
            guard fields.count >= 3, fields[0].uppercased() == "START" else { continue }
            func number(_ text: String) -> Double? {
                Double(delimiter == "," ? text : String(text.map { $0 == "," ? "." : $0 }))
            }
            guard let time = number(fields[1]), let moment = number(fields[2]) else { return nil }
            return Timestamp(secondsSince1970: moment - time)
        }
        return nil
    }

    /// The names in the folder of an unpacked export that are read with its acceleration, or hold no samples; empty for
    /// another folder.
    package static func files(besideAccelerationIn files: [String]) -> Set<String> {
        let present = Dictionary(files.map { ($0.lowercased(), $0) }) { first, _ in first }
        guard let acceleration = names.first(where: { present[$0] != nil }),
            ["gravity.csv", "metadata.csv", "meta"].contains(where: { present[$0] != nil })
                || sensorLoggerTwins.allSatisfy({ present[$0] != nil })
        else { return [] }
        let parts = names.filter { $0 != acceleration } + otherParts
        return Set(parts.compactMap { present[$0] })
    }

    /// The same accelerometer, twice.
    private static let sensorLoggerTwins = ["totalacceleration.csv", "accelerometeruncalibrated.csv"]
    /// What Sensor Logger writes beside the motion sensors, and the metadata of both apps.
    private static let otherParts = [
        "gravity.csv", "metadata.csv", "annotation.csv", "meta", "activity.csv", "battery.csv", "bluetooth.csv",
        "brightness.csv", "camera.csv", "compass.csv", "heartrate.csv", "light.csv", "location.csv", "locationgps.csv",
        "locationnetwork.csv", "microphone.csv", "network.csv", "pedometer.csv", "studymetadata.csv", "wrist.csv",
    ]
}
