package import Foundation

/// The lines of a file without line ends. They can be iterated once.
package final class Lines: Sequence, IteratorProtocol {
    private let file: UnsafeMutablePointer<FILE>
    private var buffer: UnsafeMutablePointer<CChar>?
    private var capacity = 0
    private let path: String
    /// The error that ended the lines; nil at the end of the file.
    package private(set) var failure: FileError?

    /// Opens a file.
    package init(contentsOf url: URL) throws {
        guard let file = fopen(url.path, "re") else {
            throw FileError(POSIXError.latest, path: url.path)
        }
        self.file = file
        path = url.path
    }

    deinit {
        free(buffer)
        fclose(file)
    }

    package func next() -> String? {
        let count = getline(&buffer, &capacity, file)
        guard count > 0, let buffer else {
            if ferror(file) != 0 { failure = FileError(POSIXError.latest, path: path) }
            return nil
        }
        let bytes = UnsafeRawBufferPointer(start: buffer, count: count)
        return String(decoding: bytes.last == UInt8(ascii: "\n") ? bytes.dropLast() : bytes[...], as: UTF8.self)
    }
}
