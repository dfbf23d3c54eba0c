internal import Foundation

/// Names and paths of files as text.
///
/// On Linux they are bytes. In a path that is not UTF-8, a private-use character stands for each byte that is not
/// ASCII, so no byte is lost. ``shown(_:)`` turns these characters into Latin-1, for messages and names of results.
package enum FilePath {
    /// The characters of the bytes 0x80 to 0xFF are U+10FE80 to U+10FEFF.
    private static let firstByte: UInt32 = 0x10FE00

    /// The text of a name or a path.
    package static func text(_ bytes: some Collection<UInt8>) -> String {
        if let text = String(validating: bytes, as: UTF8.self), isUTF8(text) { return text }
        return String(
            String.UnicodeScalarView(
                bytes.lazy.compactMap { Unicode.Scalar($0 < 0x80 ? UInt32($0) : firstByte + UInt32($0)) }))
    }

    /// Whether the bytes of a path are UTF-8.
    package static func isUTF8(_ path: String) -> Bool { !path.unicodeScalars.contains { byte(of: $0) != nil } }

    /// A text with paths as it is shown to people: bytes that are not UTF-8 become Latin-1.
    package static func shown(_ text: String) -> String {
        String(String.UnicodeScalarView(text.unicodeScalars.map { byte(of: $0).map { Unicode.Scalar($0) } ?? $0 }))
    }

    /// Calls `body` with the bytes of a path.
    package static func withBytes<Result>(of path: String, _ body: (UnsafePointer<CChar>) -> Result) -> Result {
        var bytes: [CChar] = []
        for scalar in path.unicodeScalars {
            if let byte = byte(of: scalar) {
                bytes.append(CChar(bitPattern: byte))
            } else {
                bytes += UTF8.encode(scalar)?.map { CChar(bitPattern: $0) } ?? []
            }
        }
        return body(bytes + [0])
    }

    /// The folder in a path, with its slash: `a/` of `a/b.csv`; empty for a name alone.
    package static func folder(of path: String) -> String {
        String(String.UnicodeScalarView(path.unicodeScalars.reversed().drop { $0 != "/" }.reversed()))
    }

    /// The names in a folder, without hidden ones; nil if it cannot be read.
    package static func names(in folder: String) -> [String]? {
        guard let stream = withBytes(of: folder, { opendir($0) }) else { return nil }
        defer { closedir(stream) }
        var names: [String] = []
        while let entry = readdir(stream) {
            let name = withUnsafeBytes(of: &entry.pointee.d_name) { text($0.prefix { $0 != 0 }) }
            if !name.hasPrefix(".") { names.append(name) }
        }
        return names.sorted()
    }

    private static func byte(of scalar: Unicode.Scalar) -> UInt8? {
        guard (firstByte + 0x80...firstByte + 0xFF).contains(scalar.value) else { return nil }
        return UInt8(scalar.value - firstByte)
    }
}
