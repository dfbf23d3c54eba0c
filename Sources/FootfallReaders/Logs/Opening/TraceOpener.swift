internal import Footfall
internal import Foundation

/// Opens the reader for a file.
enum TraceOpener {
    /// Detects the format of a file from its first bytes.
    ///
    /// - Throws: ``TraceError`` when the file cannot be opened, is not a sensor log, or needs an option.
    static func reader(
        path: String, _ options: TraceOptions, chunkSize: Int
    ) throws(TraceError) -> any TraceReader & ~Copyable {
        if let folder = LogFolder(at: path) {
            guard let member = PhoneExport.acceleration(of: folder) else { throw InputFile.failure(path, EISDIR) }
            return try reader(path: folder.path + "/" + member.name, options, chunkSize: chunkSize)
        }
        var source = LineSource(try ByteSource(path: path), chunkSize: chunkSize)
        try source.readOpening()
        if source.starts(with: ZipArchive.magic) {
            let file = try source.isPlainFile ? InputFile(path: path) : Spool.file(of: source, path: path)
            return try reader(of: ZipArchive(file), options, chunkSize: chunkSize)
        }
        let member = LogFolder.Member(name: URL(filePath: path).lastPathComponent)
        return try reader(of: LogFolder(of: path), member, source, options, chunkSize: chunkSize, path)
    }

    /// The reader of a source that is not an archive.
    ///
    /// - Parameter again: Opens the source once more.
    private static func reader(
        _ source: consuming LineSource, _ options: TraceOptions, _ path: String,
        again: () throws(TraceError) -> LineSource
    ) throws(TraceError) -> any TraceReader & ~Copyable {
        do throws(Refusal) {
            try ForeignFormat.check(source)
            if AxivityDecoder.reads(source) {
                let decoder = AxivityDecoder(&source, options)
                return RecordingReader(.axivity, source, decoder)
            }
            if GENEActivDecoder.reads(source) {
                let decoder = try GENEActivDecoder(&source, options)
                return RecordingReader(.geneActiv, source, decoder)
            }
            if GENEADecoder.reads(source) {
                let decoder = try GENEADecoder(&source, options)
                return RecordingReader(.genea, source, decoder)
            }
            if MatrixDecoder.reads(source) {
                let decoder = try MatrixDecoder(&source, options)
                return RecordingReader(.matrix, source, decoder)
            }
            if MovesenseDecoder.reads(source) {
                return RecordingReader(.movesense, source, MovesenseDecoder(options))
            }
            if let opening = WireLogOpening(source) {
                return RecordingReader(.wire, source, try WireLogDecoder(opening, options))
            }
            if let lines = try LineLogOpening(source, options) {
                return RecordingReader(.wire, source, WireLogDecoder(lines, options))
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
            try log.readOpening()
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
        var log = try again()
        try log.readOpening()
        let plain = log.plainFile
        let file = if let plain { plain } else { try Spool.file(of: log, path: path) }
        func reversed() throws(TraceError) -> LineSource {
            LineSource(try ByteSource(file, newestRowFirstAt: start), chunkSize: LineSource.chunkSize)
        }
        var rows = try reversed()
        try rows.readOpening()
        return try table(rows, options, path, isReversed: true, again: reversed)
    }

    /// Removes the rows that do not meet the conditions of the options.
    private static func select(
        _ options: TraceOptions, in source: inout LineSource, _ path: String
    ) throws(TraceError) {
        guard !options.rows.isEmpty else { return }
        let selection: RowSelection
        do throws(Refusal) {
            selection = try RowSelection(source, options.rows)
        } catch {
            throw error.error(in: path)
        }
        try source.remove(from: selection.start, by: selection)
    }

    /// The reader of an ActiGraph recording.
    private static func reader(
        of archive: ZipArchive, log: ZipArchive.Member, _ options: TraceOptions, chunkSize: Int
    ) throws(TraceError) -> any TraceReader & ~Copyable {
        let info = ActiGraphInfo(try archive.content(of: "info.txt") ?? [])
        let calibration = try archive.content(of: "calibration.json")
        var source = LineSource(ByteSource(log, of: archive), chunkSize: chunkSize)
        try source.readOpening()
        do throws(Refusal) {
            guard log.fileName.lowercased() == "log.bin" else {
                return RecordingReader(.actiGraph, source, try OldActiGraphDecoder(info, options))
            }
            let decoder = try ActiGraphDecoder(source, info, calibration: calibration, options)
            return RecordingReader(.actiGraph, source, decoder)
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
        let member: ZipArchive.Member
        do throws(Refusal) {
            try ForeignFormat.check(archive)
            member = try PhoneExport.member(of: archive)
        } catch {
            throw error.error(in: archive.path)
        }
        var source = LineSource(archive.open(member), chunkSize: chunkSize)
        try source.readOpening()
        return try reader(of: archive, member, source, options, chunkSize: chunkSize, archive.path)
    }

    /// The reader of a file in a container, with what other files of the container add: the start, and gravity.
    private static func reader<Container: LogContainer>(
        of container: Container, _ member: Container.Member, _ source: consuming LineSource, _ options: TraceOptions,
        chunkSize: Int, _ path: String
    ) throws(TraceError) -> any TraceReader & ~Copyable {
        var options = options
        options.origin = try PhoneExport.start(of: container)
        options.fileName = String(member.fileName)
        func again() throws(TraceError) -> LineSource {
            LineSource(try container.open(member), chunkSize: chunkSize)
        }
        guard let apart = PhoneExport.gravity(apartFrom: member, source, of: container) else {
            return try reader(source, options, path, again: again)
        }
        var gravity = LineSource(try container.open(apart), chunkSize: chunkSize)
        try gravity.readOpening()
        do throws(Refusal) {
            if try GravityApartReader.isNeeded(source, gravity: gravity, options) {
                return try GravityApartReader(source, gravity: gravity, options)
            }
        } catch {
            throw error.error(in: path)
        }
        return try reader(source, options, path, again: again)
    }
}
