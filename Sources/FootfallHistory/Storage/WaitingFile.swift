internal import FootfallReaders
internal import Foundation

/// The lines of the file in which events wait beside a history: a checksum, a space, and a value in JSON.
enum WaitingFile {
    /// The first line. It names the history, so that one of another name finds its file.
    struct Head: Codable {
        /// The identity in hexadecimal digits.
        private let history: String

        init(_ identity: Int64) { history = WaitingFile.hexadecimal(identity) }

        fileprivate var identity: Int64? { UInt64(history, radix: 16).map(Int64.init(bitPattern:)) }
    }

    private static let digits = 16

    /// The value of a line; nil if it is damaged, or if it belongs to another history.
    static func text(of line: Data, _ identity: Int64) -> Data? {
        let text = String(decoding: line.dropFirst(digits + 1), as: UTF8.self)
        return String(decoding: line.prefix(digits), as: UTF8.self) == checksum(text, identity) ? Data(text.utf8) : nil
    }

    /// The history in a first line; nil if it is damaged.
    static func identity(in line: Data) -> Int64? {
        guard let head = try? JSONDecoder().decode(Head.self, from: line.dropFirst(digits + 1)),
            let identity = head.identity, text(of: line, identity) != nil
        else { return nil }
        return identity
    }

    /// The history that a file belongs to; nil if that is unknown.
    static func identity(at path: String) -> Int64? {
        guard let data = FileManager.default.contents(atPath: path) else { return nil }
        return identity(in: Data(data.prefix { $0 != UInt8(ascii: "\n") }))
    }

    /// The hash of an identity and a text, in 16 digits.
    static func checksum(_ text: String, _ identity: Int64) -> String {
        var hash = FNVHash()
        hash.add(hexadecimal(identity).utf8)
        hash.add(text.utf8)
        let value = String(hash.value, radix: 16)
        return String(repeating: "0", count: digits - value.count) + value
    }

    private static func hexadecimal(_ value: Int64) -> String { String(UInt64(bitPattern: value), radix: 16) }
}
