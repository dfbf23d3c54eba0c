package import Foundation
import Synchronization

/// A temporary folder for the files of one test, removed with the last reference to it.
package final class Folder: Sendable {
    package let url = FileManager.default.temporaryDirectory.appending(path: "footfall-\(UUID().uuidString)")

    /// Removes at exit the folders that are still referenced then, such as those of static properties.
    private static let undeleted: Mutex<Set<URL>> = {
        atexit { for url in Folder.undeleted.withLock(\.self) { try? FileManager.default.removeItem(at: url) } }
        return Mutex([])
    }()

    package init() throws {
        try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
        _ = Folder.undeleted.withLock { $0.insert(url) }
    }

    deinit {
        try? FileManager.default.removeItem(at: url)
        _ = Folder.undeleted.withLock { $0.remove(url) }
    }

    /// The path of a file in the folder.
    package func path(_ name: String) -> String { url.appending(path: name).path }

    /// Writes a file, and the folders that its name contains. Returns its path.
    @discardableResult
    package func write(_ name: String, _ text: String) throws -> String {
        try write(name, Data(text.utf8)).path
    }

    /// Writes a file, and the folders that its name contains. Returns its URL.
    @discardableResult
    package func write(_ name: String, _ data: Data) throws -> URL {
        let file = url.appending(path: name)
        try FileManager.default.createDirectory(
            at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
        try data.write(to: file)
        return file
    }

    /// The text of a file in the folder.
    package func text(_ name: String) throws -> String {
        try String(contentsOf: url.appending(path: name), encoding: .utf8)
    }
}
