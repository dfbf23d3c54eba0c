internal import FootfallHistory
internal import FootfallText
internal import FootfallTraces
package import Foundation

/// A sensor log named on the command line, or found in a folder named there.
package struct TraceFile: Hashable, Sendable {
    /// The path, as given on the command line.
    package let path: String
    /// The name in results: the path below the folder on the command line, or the last component. If several folders
    /// are named, it starts with the name of the folder.
    package let name: String
    /// The size in bytes; 0 if it is unknown.
    package let size: Int

    /// Creates a log. In results, a name that is not UTF-8 becomes Latin-1.
    package init(path: String, name: String, size: Int) {
        (self.path, self.name, self.size) = (path, FilePath.shown(name), size)
    }

    /// Whether the log is a file or a folder, which can be read a second time, and not a pipe.
    package var isRegular: Bool {
        let attributes = try? FileManager.default.attributesOfItem(
            atPath: URL(filePath: path).resolvingSymlinksInPath().path)
        let type = attributes?[.type] as? FileAttributeType
        return type == .typeRegular || type == .typeDirectory
    }

    /// The name without its extensions, such as `.csv.gz`: the source that `--source-from name` chooses, and the folder
    /// of the tables.
    package var stem: String { name.traceStem }
}

/// The sensor logs of a command line: each file, and all files in each folder and its subfolders.
///
/// Hidden files are skipped. An unpacked export of a phone app is one log. A file or folder with several names is read
/// once, so a loop of symbolic links ends. A folder is searched for regular files only, because a pipe without a writer
/// blocks its reader. If a folder has a table of the accelerometer, tables whose names state another sensor are left
/// out. So are the files of `footfall evaluate`: `manifest.csv`, and the ground truth beside a log of the same name.
package struct TraceSearch {
    /// The reason why a file is left out, as a clause of ``remarks``.
    private enum Omission: String, CaseIterable {
        case otherSensor =
            "since their names state another sensor than the accelerometer; to analyze one, name the file"
        case groundTruth = "since they are ground truth or a manifest; to analyze one, name the file"
        case secondName = "since they are read under another name"
        case notRegular = "since they are no regular files"
    }

    package private(set) var files: [TraceFile] = []
    /// Folders that cannot be read, or are empty.
    package private(set) var failures: [FileError] = []
    private var omitted: [Omission: [String]] = [:]
    /// The path under which a file or folder was found first.
    private var paths: [FileIdentity: String] = [:]
    private let results: FileIdentity?

    /// The endings of ground truth, such as `walk.steps.csv` beside `walk.csv`.
    private static let truthEndings = [".truth.json", ".labels.csv", ".steps.csv", ".counts.csv"]

    /// Searches for logs.
    ///
    /// - Parameters:
    ///   - arguments: Files and folders.
    ///   - results: The folder of results. It is skipped if it is among the logs.
    package init(at arguments: [String], besides results: URL?) {
        self.results = results.flatMap { Self.status(of: $0.path) }.map(FileIdentity.init)
        let statuses = arguments.map(Self.status)
        let hasSeveralFolders = statuses.count { $0.map(Self.isFolder) ?? false } > 1
        for (argument, status) in zip(arguments, statuses) {
            let name = URL(filePath: argument).standardizedFileURL.lastPathComponent
            if let status, Self.isFolder(status) {
                search(argument, status, below: hasSeveralFolders ? name + "/" : "")
            } else {
                add(TraceFile(path: argument, name: name, size: Int(status?.st_size ?? 0)), status)
            }
        }
    }

    /// The reasons for omitted data, a line for each; empty if nothing was omitted.
    package var remarks: [String] {
        Omission.allCases.compactMap { reason in
            omitted[reason].map { "left out, \(reason.rawValue): \($0.joined(separator: ", "))" }
        }
    }

    private mutating func search(_ folder: String, _ status: stat, below prefix: String) {
        guard isNew(status, folder) else { return }
        let before = files.count + omitted.values.joined().count + failures.count
        search(folder, below: prefix)
        if files.count + omitted.values.joined().count + failures.count == before {
            failures.append(FileError(path: folder, problem: "holds no file to analyze"))
        }
    }

    private mutating func search(_ folder: String, below prefix: String) {
        guard let names = FilePath.names(in: folder) else {
            return failures.append(FileError(path: folder, problem: "the folder cannot be read"))
        }
        let parts = PhoneExport.files(besideAccelerationIn: names)
        let hasAccelerometer = names.contains { Self.sensor(ofTable: $0) == .accelerometer }
        let stems = Set(names.map(\.traceStem))
        for name in names where !parts.contains(name) {
            let path = folder.hasSuffix("/") ? folder + name : folder + "/" + name
            guard let status = Self.status(of: path) else {
                add(TraceFile(path: path, name: prefix + name, size: 0), nil)
                continue
            }
            let otherSensor = Self.sensor(ofTable: name).map { $0 != .accelerometer } ?? false
            if Self.isFolder(status) {
                guard FileIdentity(status) != results, isNew(status, path) else { continue }
                search(path, below: prefix + name + "/")
            } else if hasAccelerometer, otherSensor {
                omitted[.otherSensor, default: []].append(path)
            } else if Self.isTruth(name, besideLogs: stems) {
                omitted[.groundTruth, default: []].append(path)
            } else if status.st_mode & S_IFMT != S_IFREG {
                omitted[.notRegular, default: []].append(path)
            } else {
                add(TraceFile(path: path, name: prefix + name, size: Int(status.st_size)), status)
            }
        }
    }

    private mutating func add(_ file: TraceFile, _ status: stat?) {
        // Two pipes may have one identity, so a pipe always counts as new.
        let isRegular = status.map { $0.st_mode & S_IFMT == S_IFREG } ?? false
        if !isRegular || status.map({ isNew($0, file.path) }) ?? true { files.append(file) }
    }

    /// Whether a file or folder is found for the first time. Another path to it adds a remark; the same path does not.
    private mutating func isNew(_ status: stat, _ path: String) -> Bool {
        guard let first = paths[FileIdentity(status)] else {
            paths[FileIdentity(status)] = path
            return true
        }
        if first != path { omitted[.secondName, default: []].append("\(path) (as \(first))") }
        return false
    }

    /// The sensor that the name of a table states; nil for other files.
    private static func sensor(ofTable name: String) -> SensorKind? {
        let parts = name.lowercased().split(separator: ".")
        let ending = parts.last == "gz" ? parts.dropLast().last : parts.last
        guard let ending, parts.count > 1, ["csv", "tsv", "txt", "dat"].contains(ending) else { return nil }
        return SensorKind(fileName: name)
    }

    /// Whether a file is a manifest or ground truth of `footfall evaluate`. `stems` are the names in the folder without
    /// their extensions.
    private static func isTruth(_ name: String, besideLogs stems: Set<String>) -> Bool {
        name == "manifest.csv"
            || truthEndings.contains { name.hasSuffix($0) && stems.contains(String(name.dropLast($0.count))) }
    }

    private static func status(of path: String) -> stat? {
        var status = stat()
        return FilePath.withBytes(of: path) { stat($0, &status) } == 0 ? status : nil
    }

    private static func isFolder(_ status: stat) -> Bool { status.st_mode & S_IFMT == S_IFDIR }
}
