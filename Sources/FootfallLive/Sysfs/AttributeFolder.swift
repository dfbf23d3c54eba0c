internal import Foundation

/// A folder of sysfs: small files with one value each.
struct AttributeFolder: Sendable {
    let path: String

    /// The size of a page, which is the longest attribute of sysfs.
    private static let capacity = 4096

    func has(_ name: String) -> Bool { access("\(path)/\(name)", F_OK) == 0 }

    /// The trimmed text of an attribute; nil when it cannot be read.
    func text(_ name: String) -> String? {
        let descriptor = open("\(path)/\(name)", O_RDONLY | O_CLOEXEC)
        return descriptor < 0 ? nil : Self.text(Handle(descriptor))
    }

    /// The current text of an open attribute.
    static func text(_ handle: Handle) -> String? {
        var bytes = [UInt8](repeating: 0, count: capacity)
        let count = pread(handle.descriptor, &bytes, bytes.count, 0)
        guard count >= 0 else { return nil }
        return String(decoding: bytes.prefix(count), as: UTF8.self).trimmingCharacters(in: .whitespacesAndNewlines)
    }

    func number(_ name: String) -> Double? { text(name).flatMap { Double($0) }.flatMap { $0.isFinite ? $0 : nil } }

    /// Writes an attribute. Returns 0, or the error code of the system.
    func set(_ name: String, to value: String) -> Int32 {
        let descriptor = open("\(path)/\(name)", O_WRONLY | O_TRUNC | O_CLOEXEC)
        guard descriptor >= 0 else { return errno }
        let handle = Handle(descriptor)
        return write(handle.descriptor, value, value.utf8.count) == value.utf8.count ? 0 : errno
    }

    var names: [String] {
        let names = try? FileManager.default.contentsOfDirectory(atPath: path)
        return (names ?? []).filter { !$0.hasPrefix(".") }.sorted()
    }

    /// The target of a symbolic link; nil when there is none.
    func target(_ name: String) -> String? {
        guard let resolved = realpath("\(path)/\(name)", nil) else { return nil }
        defer { free(resolved) }
        return String(cString: resolved)
    }
}
