internal import Foundation

/// Names and paths of files as text.
///
/// On Linux they are bytes. Bytes that are not UTF-8 are shown as Latin-1, and a path is found again by that text.
package enum FilePath {
    /// The text of a name or a path.
    package static func text(_ bytes: some Collection<UInt8>) -> String {
        String(validating: bytes, as: UTF8.self)
            ?? String(String.UnicodeScalarView(bytes.lazy.map { Unicode.Scalar($0) }))
    }

    /// Calls `body` with the bytes of a path: for each component UTF-8 or, where only that exists, Latin-1.
    package static func withBytes<Result>(of path: String, _ body: (UnsafePointer<CChar>) -> Result) -> Result {
        var bytes: [UInt8] = []
        for (index, component) in path.split(separator: "/", omittingEmptySubsequences: false).enumerated() {
            if index > 0 { bytes.append(UInt8(ascii: "/")) }
            let latin = component.unicodeScalars.compactMap { UInt8(exactly: $0.value) }
            let isLatin = latin.count == component.unicodeScalars.count && latin.contains { $0 >= 0x80 }
            let hasLatin = isLatin && !exists(bytes + component.utf8) && exists(bytes + latin)
            bytes += hasLatin ? latin : Array(component.utf8)
        }
        return body((bytes + [0]).map { CChar(bitPattern: $0) })
    }

    /// The names in a folder, without hidden ones; nil where it cannot be read.
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

    private static func exists(_ bytes: [UInt8]) -> Bool {
        var status = stat()
        return lstat((bytes + [0]).map { CChar(bitPattern: $0) }, &status) == 0
    }
}
