internal import FootfallHistory
internal import FootfallReaders
package import Foundation

/// The sensor logs of a command line: each file, and all files in each folder and its subfolders. Hidden files are
/// skipped. An unpacked export of a phone app is one log. A file or folder with several names is read once, so a loop
/// of symbolic links ends. A folder is searched for regular files only, because a pipe without a writer blocks its
/// reader. If a folder has a table of the accelerometer, tables whose names state another sensor are left out. So are
/// the files of `footfall evaluate`: `manifest.csv`, and the ground truth beside a log of the same name.
package struct TraceSearch {
    /// Why a file is left out, as a clause of ``remarks``.
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

    /// Searches for logs in files and folders. The folder of results is skipped if it is among them.
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

    /// A line for each reason, with the files that are left out; empty if none are.
    package var remarks: [String] {
        Omission.allCases.compactMap { reason in
            omitted[reason].map { "left out, \(reason.rawValue): \($0.joined(separator: ", "))" }
        }
    }

    /// The number of files and folders that were found, used or not.
    private var found: Int { files.count + omitted.values.joined().count + failures.count }

    private mutating func search(_ folder: String, _ status: stat, below prefix: String) {
        guard register(status, folder) else { return }
        let before = found
        search(folder, below: prefix)
        if found == before {
            failures.append(FileError(path: folder, problem: "holds no file to analyze"))
        }
    }

    private mutating func search(_ folder: String, below prefix: String) {
        guard let names = FilePath.names(in: folder) else {
            return failures.append(FileError(POSIXError.latest, path: folder))
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
                guard FileIdentity(status) != results, register(status, path) else { continue }
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
        if let status, status.st_mode & S_IFMT == S_IFREG, !register(status, file.path) { return }
        files.append(file)
    }

    /// Keeps the path of a file or folder. Another path to a known one adds a remark; the same path does not. Returns
    /// whether it is found for the first time.
    private mutating func register(_ status: stat, _ path: String) -> Bool {
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
