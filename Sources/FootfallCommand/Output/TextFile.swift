import Foundation

/// Files that a command writes in addition to its output.
enum TextFile {
    /// Replaces a file atomically.
    ///
    /// - Throws: `FileError`.
    static func write(_ text: String, to path: String) throws {
        do {
            try Data(text.utf8).write(to: URL(filePath: path), options: .atomic)
        } catch {
            throw FileError(error, path: path, isInput: false)
        }
    }
}
