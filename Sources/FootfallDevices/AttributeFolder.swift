#if canImport(Darwin)
    internal import Darwin
#else
    internal import Glibc
#endif

/// A folder of attributes, as sysfs has them: small files, each of which holds one value.
struct AttributeFolder: Sendable {
    let path: String

    /// The longest attribute that is read: sysfs gives out no more than a page.
    private static let capacity = 4096

    /// Whether there is an attribute, or a folder, of that name.
    func has(_ name: String) -> Bool { access("\(path)/\(name)", F_OK) == 0 }

    /// The text of an attribute without the line's end; nil when it cannot be read.
    func text(_ name: String) -> String? {
        let descriptor = open("\(path)/\(name)", O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { return nil }
        let handle = Handle(descriptor)
        return Self.text(handle)
    }

    /// The text of an open attribute, as it is now.
    static func text(_ handle: Handle) -> String? {
        var bytes = [UInt8](repeating: 0, count: capacity)
        let count = pread(handle.descriptor, &bytes, bytes.count, 0)
        guard count >= 0 else { return nil }
        let text = String(decoding: bytes.prefix(count), as: UTF8.self)
        return String(text.drop { $0.isWhitespace }.reversed().drop { $0.isWhitespace }.reversed())
    }

    /// The number in an attribute; nil when there is none.
    func number(_ name: String) -> Double? { text(name).flatMap { Double($0) }.flatMap { $0.isFinite ? $0 : nil } }

    /// Writes an attribute. Returns the system's code, 0 when it was accepted.
    func set(_ name: String, to value: String) -> Int32 {
        let descriptor = open("\(path)/\(name)", O_WRONLY | O_TRUNC | O_CLOEXEC)
        guard descriptor >= 0 else { return errno }
        let handle = Handle(descriptor)
        return write(handle.descriptor, value, value.utf8.count) == value.utf8.count ? 0 : errno
    }

    /// The names of the attributes and folders in it, in order.
    var names: [String] {
        guard let directory = opendir(path) else { return [] }
        defer { closedir(directory) }
        var names: [String] = []
        while let entry = readdir(directory) {
            let name = withUnsafeBytes(of: entry.pointee.d_name) { bytes in
                String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
            }
            if !name.hasPrefix(".") { names.append(name) }
        }
        return names.sorted()
    }

    /// Where a symbolic link in it leads; nil when there is none.
    func target(_ name: String) -> String? {
        guard let resolved = realpath("\(path)/\(name)", nil) else { return nil }
        defer { free(resolved) }
        return String(cString: resolved)
    }
}
