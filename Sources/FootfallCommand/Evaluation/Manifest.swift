import Foundation

/// A table of recordings with their truth, as CSV.
///
/// Every row names a `dataset` and a `recording`; the recording lies at `<dataset>/<recording>.csv` beside the manifest.
/// With a `true_steps` column, the truth is a count, and `<recording>.steps.csv`, where there is one, lists the times
/// of the steps in seconds. With a `labels` column, the recordings carry a `label` in each of their rows, or are simulated
/// and have their `<recording>.truth.json` beside them.
struct Manifest {
    /// One recording.
    struct Entry {
        let dataset: String
        let recording: String
        let subject: String
        let placement: String
        /// What the recording shows; empty where the manifest does not say.
        let activity: String
        /// The counted steps, or nil where the recordings are labelled instead.
        let trueSteps: Int?
        /// Where the recording lies.
        let url: URL
        /// Where its step times lie, if they are known.
        let stepsURL: URL
        /// Where the truth of a simulated recording lies.
        let truthURL: URL

        /// `set/recording`.
        var name: String { "\(dataset)/\(recording)" }
        /// The recording as a trace to analyse.
        var file: TraceFile { TraceFile(path: url.path, name: name, size: 0) }
    }

    let entries: [Entry]

    /// Reads a manifest.
    ///
    /// - Throws: ``FileError`` when it cannot be read, ``ManifestError`` when it is none.
    init(contentsOf url: URL) throws {
        let rows = try CSVTable(contentsOf: url)
        for column in ["dataset", "recording"] where !rows.header.contains(column) {
            throw ManifestError(path: url.relativePath, problem: "no column “\(column)” in the first line")
        }
        let folder = url.deletingLastPathComponent()
        entries = rows.rows.map { row in
            let dataset = row["dataset"] ?? ""
            let recording = row["recording"] ?? ""
            let stem = folder.appending(path: dataset).appending(path: recording)
            return Entry(
                dataset: dataset, recording: recording, subject: row["subject"] ?? "",
                placement: row["placement"] ?? "", activity: row["activity"] ?? "",
                trueSteps: row["true_steps"].flatMap(Int.init), url: stem.appendingPathExtension("csv"),
                stepsURL: stem.appendingPathExtension("steps.csv"),
                truthURL: stem.appendingPathExtension("truth.json"))
        }
        guard !entries.isEmpty else { throw ManifestError(path: url.relativePath, problem: "no recordings in it") }
    }
}

/// What is wrong with a manifest.
struct ManifestError: Error, CustomStringConvertible {
    var path: String
    var problem: String
    var description: String {
        "\(path): \(problem). A manifest is a CSV with the columns dataset, recording and true_steps or labels."
    }
}

/// A small CSV file (RFC 4180), whole in memory.
struct CSVTable {
    let header: [String]
    /// The rows, each by column name.
    let rows: [[String: String]]

    init(contentsOf url: URL) throws {
        let data: Data
        do {
            data = try Data(contentsOf: url)
        } catch {
            throw FileError(error, path: url.relativePath)
        }
        var lines = Self.fields(of: String(decoding: data, as: UTF8.self))
        header = lines.isEmpty ? [] : lines.removeFirst()
        let names = header
        rows = lines.map { Dictionary(zip(names, $0), uniquingKeysWith: { first, _ in first }) }
    }

    private static func fields(of text: String) -> [[String]] {
        var lines: [[String]] = []
        var line: [String] = []
        var field = ""
        var isQuoted = false
        for character in text {
            switch character {
            case "\"": isQuoted.toggle()
            case "," where !isQuoted:
                line.append(field)
                field = ""
            case _ where character.isNewline && !isQuoted:
                line.append(field)
                if line != [""] { lines.append(line) }
                (line, field) = ([], "")
            default: field.append(character)
            }
        }
        if !field.isEmpty || !line.isEmpty { lines.append(line + [field]) }
        return lines
    }
}
