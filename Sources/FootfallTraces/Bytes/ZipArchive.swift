internal import Foundation

/// The members of a ZIP archive, as its directory lists them (PKWARE APPNOTE 6.3.10, sections 4.3.7, 4.3.12 and 4.3.16).
struct ZipArchive {
    /// A file inside the archive.
    struct Member: Sendable {
        /// Its path inside the archive.
        var name: String
        var isDeflated: Bool
        /// The checksum of its content.
        var checksum: UInt32
        /// Where its bytes, compressed or not, are in the archive.
        var range: Range<Int64>

        /// The name without the folders it is in.
        var fileName: Substring { name.split(separator: "/").last ?? "" }
    }

    /// What an archive starts with.
    static let magic: [UInt8] = [0x50, 0x4B, 0x03, 0x04]

    let file: InputFile
    let members: [Member]

    /// Reads the directory of an archive, which stands at its end.
    ///
    /// - Throws: ``TraceError`` when it is cut short or damaged, or when reading fails.
    init(_ file: InputFile) throws(TraceError) {
        self.file = file
        let tail = try file.bytes(at: max(0, file.size - ZipArchive.longestEnd)..<file.size)
        let text = tail.span
        guard
            let end = stride(from: text.count - 22, through: 0, by: -1).first(where: {
                text.has([0x50, 0x4B, 5, 6], at: $0)
            })
        else { throw ZipArchive.refusal(file, "its directory is missing; it may have been cut short") }
        let count = Int(text.littleEndian(UInt16.self, at: end + 10))
        let size = Int64(text.littleEndian(UInt32.self, at: end + 12))
        let start = Int64(text.littleEndian(UInt32.self, at: end + 16))
        guard count < 0xFFFF, start < 0xFFFF_FFFF else { throw ZipArchive.refusal(file, "it is larger than 4 GiB") }
        guard size <= ZipArchive.longestDirectory else {
            throw ZipArchive.refusal(file, "its directory is larger than 16 MiB")
        }
        guard start + size <= file.size else { throw ZipArchive.refusal(file, "its directory is damaged") }
        members = try ZipArchive.members(file, try file.bytes(at: start..<start + size), count)
    }

    /// The end of the directory, with the longest comment.
    private static let longestEnd: Int64 = 22 + 65535
    private static let longestDirectory: Int64 = 1 << 24

    private static func members(_ file: InputFile, _ directory: [UInt8], _ count: Int) throws(TraceError) -> [Member] {
        let text = directory.span
        var members: [Member] = []
        var place = 0
        for _ in 0..<count {
            guard text.has([0x50, 0x4B, 1, 2], at: place), place + 46 <= text.count else {
                throw refusal(file, "its directory is damaged")
            }
            let nameLength = Int(text.littleEndian(UInt16.self, at: place + 28))
            let next =
                place + 46 + nameLength + Int(text.littleEndian(UInt16.self, at: place + 30))
                + Int(text.littleEndian(UInt16.self, at: place + 32))
            guard next <= text.count else { throw refusal(file, "its directory is damaged") }
            let name = text.string(place + 46..<place + 46 + nameLength).printable
            // Folders are members too, of no length.
            if !name.hasSuffix("/"), let member = try member(file, text, place, name) { members.append(member) }
            place = next
        }
        return members
    }

    /// The member whose entry in the directory begins at `place`; nil when it is stored in a way that is not read.
    private static func member(_ file: InputFile, _ text: Span<UInt8>, _ place: Int, _ name: String) throws(TraceError)
        -> Member?
    {
        let isEncrypted = text[place + 8] & 1 != 0
        let method = text.littleEndian(UInt16.self, at: place + 10)
        let size = Int64(text.littleEndian(UInt32.self, at: place + 20))
        let start = Int64(text.littleEndian(UInt32.self, at: place + 42))
        guard !isEncrypted, method == 0 || method == 8 else { return nil }
        // The member's own header repeats the name, and may have other extra fields than the directory.
        let header = try file.bytes(at: start..<start + 30)
        let headerText = header.span
        guard headerText.count == 30, headerText.has(magic, at: 0) else {
            throw refusal(file, "'\(name.prefix(40))' is not where its directory says")
        }
        let dataStart =
            start + 30 + Int64(headerText.littleEndian(UInt16.self, at: 26))
            + Int64(headerText.littleEndian(UInt16.self, at: 28))
        guard dataStart + size <= file.size else { throw refusal(file, "'\(name.prefix(40))' reaches past its end") }
        return Member(
            name: name, isDeflated: method == 8, checksum: text.littleEndian(UInt32.self, at: place + 16),
            range: dataStart..<dataStart + size)
    }

    private static func refusal(_ file: InputFile, _ problem: String) -> TraceError {
        Refusal("a ZIP archive that cannot be read: \(problem)", remedy: "copy it anew, or unpack it")
            .error(in: file.path)
    }

    /// The member with this name, in whatever case and folder; nil when there is none.
    func member(named name: String) -> Member? {
        members.first { $0.fileName.lowercased() == name }
    }

    /// The content of a small member, cut after 1 MiB; nil when there is none of that name.
    func content(of name: String) throws(TraceError) -> [UInt8]? {
        guard let member = member(named: name) else { return nil }
        var source = ByteSource(member, of: self)
        var content = [UInt8](repeating: 0, count: ZipArchive.longestContent)
        var space = content.mutableSpan
        let count = try source.read(into: &space, at: 0..<ZipArchive.longestContent)
        content.removeLast(ZipArchive.longestContent - count)
        return content
    }

    private static let longestContent = 1 << 20
}
