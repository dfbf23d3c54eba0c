import FootfallTraces
import FootfallWire
import Foundation

/// A sensor log named on the command line, or found in a folder named there.
struct TraceFile: Hashable, Sendable {
    /// The path, as given on the command line.
    let path: String
    /// The name in results: the path below the folder on the command line, or the last component.
    let name: String
    /// The size in bytes; 0 if it is unknown.
    let size: Int

    /// The name without its extensions: the source that `--source-from name` chooses.
    var source: String {
        let parts = name.split(separator: "/", omittingEmptySubsequences: false)
        let last = parts.last?.split(separator: ".", omittingEmptySubsequences: false) ?? []
        let stem = last.last == "gz" && last.count > 2 ? last.dropLast(2) : last.count > 1 ? last.dropLast() : last[...]
        return (parts.dropLast() + [stem.joined(separator: ".")[...]]).joined(separator: "/")
    }

    /// The files of the arguments: each file, and all files in each folder and its subfolders.
    ///
    /// Hidden files are skipped. An unpacked export of a phone app is one log. A file that is named twice is returned once. A table whose name states another sensor is
    /// left out of a folder with a table of the accelerometer.
    ///
    /// - Parameters:
    ///   - arguments: Files and folders.
    ///   - results: The folder of results. It is skipped if it is among the logs.
    ///   - others: Receives the paths of the tables of other sensors that are left out.
    /// - Throws: `FileError` for a folder that cannot be read or has no file.
    static func files(
        at arguments: [String], besides results: URL?, leavingOut others: inout [String]
    ) throws -> [TraceFile] {
        var seen: Set<String> = []
        let results = results?.standardizedFileURL.path
        var found: [TraceFile] = []
        for argument in arguments { found += try files(at: argument, besides: results, leavingOut: &others) }
        return found.filter { seen.insert($0.path).inserted }
    }

    private static func files(
        at argument: String, besides results: String?, leavingOut others: inout [String]
    ) throws -> [TraceFile] {
        let url = URL(filePath: argument)
        guard isFolder(url) else {
            return [TraceFile(path: argument, name: url.lastPathComponent, size: size(of: url))]
        }
        let found = try files(below: url, as: "", besides: results, leavingOut: &others)
        guard !found.isEmpty else { throw FileError(path: argument, problem: "holds no file to analyse") }
        return found
    }

    private static func files(
        below folder: URL, as prefix: String, besides results: String?, leavingOut others: inout [String]
    ) throws -> [TraceFile] {
        let names: [String]
        do {
            names = try FileManager.default.contentsOfDirectory(atPath: folder.path).filter { !$0.hasPrefix(".") }
        } catch {
            throw FileError(path: folder.relativePath, problem: "the folder cannot be read")
        }
        let parts = PhoneExport.files(besideAccelerationIn: names)
        let sensors = names.map { ($0, sensor(ofTable: $0)) }.filter { $0.1 != nil }
        let hasAccelerometer = sensors.contains { $0.1 == .accelerometer }
        let left = Set(sensors.filter { hasAccelerometer && $0.1 != .accelerometer }.map(\.0))
        var found: [TraceFile] = []
        for name in names.sorted() where !parts.contains(name) {
            let url = folder.appending(path: name)
            if isFolder(url) {
                guard url.standardizedFileURL.path != results else { continue }
                found += try files(below: url, as: prefix + name + "/", besides: results, leavingOut: &others)
            } else if left.contains(name) {
                others.append(url.relativePath)
            } else {
                found.append(TraceFile(path: url.relativePath, name: prefix + name, size: size(of: url)))
            }
        }
        return found
    }

    /// The sensor that the name of a table states; nil for other files.
    private static func sensor(ofTable name: String) -> SensorKind? {
        let parts = name.lowercased().split(separator: ".")
        let ending = parts.last == "gz" ? parts.dropLast().last : parts.last
        guard let ending, parts.count > 1, ["csv", "tsv", "txt", "dat"].contains(ending) else { return nil }
        return SensorKind(fileName: name)
    }

    private static func isFolder(_ url: URL) -> Bool {
        var isFolder: ObjCBool = false
        return FileManager.default.fileExists(atPath: url.path, isDirectory: &isFolder) && isFolder.boolValue
    }

    private static func size(of url: URL) -> Int {
        let attributes = try? FileManager.default.attributesOfItem(atPath: url.path)
        return (attributes?[.size] as? NSNumber)?.intValue ?? 0
    }
}
