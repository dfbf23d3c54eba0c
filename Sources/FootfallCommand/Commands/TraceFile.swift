import Foundation

/// A sensor log among those that were named on the command line.
struct TraceFile: Hashable, Sendable {
    /// Where it is, as it was named.
    let path: String
    /// What it is called in results: its path below the folder that was named, else its last component.
    let name: String
    /// Its size in bytes; 0 where that is unknown.
    let size: Int

    /// The files that arguments mean: each file by itself, of a folder all files in it, also in folders of its own.
    ///
    /// Hidden files are passed over. A file that is named twice is there once.
    ///
    /// - Parameter results: A folder of results, which may lie among the logs and holds none.
    /// - Throws: `FileError` for a folder that cannot be read or holds nothing.
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
