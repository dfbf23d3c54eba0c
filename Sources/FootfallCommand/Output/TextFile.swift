import Foundation

/// Files that a command writes besides its output.
enum TextFile {
    /// Writes a text, whole or not at all, in the place of what was there.
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
