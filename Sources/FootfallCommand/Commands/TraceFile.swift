import Foundation

/// A sensor log named on the command line, or found in a folder named there.
struct TraceFile: Hashable, Sendable {
    /// The path, as given on the command line.
    let path: String
    /// The name in results: the path below the folder on the command line, or the last component.
    let name: String
    /// The size in bytes; 0 if it is unknown.
    let size: Int

    /// The files of the arguments: each file, and all files in each folder and its subfolders.
    ///
    /// Hidden files are skipped. A file that is named twice is returned once.
    ///
    /// - Parameters:
    ///   - arguments: Files and folders.
    ///   - results: The folder of results. It is skipped if it is among the logs.
    /// - Throws: `FileError` for a folder that cannot be read or has no file.
    static func files(at arguments: [String], besides results: URL?) throws -> [TraceFile] {
        var seen: Set<String> = []
        let results = results?.standardizedFileURL.path
        return try arguments.flatMap { try files(at: $0, besides: results) }.filter { seen.insert($0.path).inserted }
    }

    private static func files(at argument: String, besides results: String?) throws -> [TraceFile] {
        let url = URL(filePath: argument)
        guard isFolder(url) else {
            return [TraceFile(path: argument, name: url.lastPathComponent, size: size(of: url))]
        }
        let found = try files(below: url, as: "", besides: results)
        guard !found.isEmpty else { throw FileError(path: argument, problem: "holds no file to analyse") }
        return found
    }

    private static func files(
        below folder: URL, as prefix: String, besides results: String?
    ) throws -> [TraceFile] {
        let names: [String]
        do {
            names = try FileManager.default.contentsOfDirectory(atPath: folder.path)
        } catch {
            throw FileError(path: folder.relativePath, problem: "the folder cannot be read")
        }
        return try names.filter { !$0.hasPrefix(".") }.sorted().flatMap { name -> [TraceFile] in
            let url = folder.appending(path: name)
            if isFolder(url) {
                guard url.standardizedFileURL.path != results else { return [] }
                return try files(below: url, as: prefix + name + "/", besides: results)
            }
            return [TraceFile(path: url.relativePath, name: prefix + name, size: size(of: url))]
        }
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
