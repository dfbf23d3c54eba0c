internal import Foundation

/// The members in the directory of a ZIP archive (PKWARE APPNOTE 6.3.10, sections 4.3.7, 4.3.12 and 4.3.16).
struct ZipArchive: LogContainer {
    static let magic: [UInt8] = [0x50, 0x4B, 0x03, 0x04]

    let file: InputFile
    let members: [LogMember]
    /// Whether some files are encrypted, or compressed by a method that is not supported.
    let hasOthers: Bool

    /// Reads the directory at the end of an archive. Throws ``TraceError`` when it is cut short or damaged, or when
    /// reading fails.
    init(_ file: InputFile) throws(TraceError) {
        self.file = file
        let directory = try ZipArchive.directory(of: file)
        (members, hasOthers) = try ZipArchive.members(file, try file.bytes(at: directory.range), directory.count)
    }

    private static func members(
        _ file: InputFile, _ directory: [UInt8], _ count: Int
    ) throws(TraceError) -> (members: [LogMember], hasOthers: Bool) {
        let text = directory.span
        var (members, hasOthers) = ([LogMember](), false)
        var place = 0
        for _ in 0..<count {
            guard text.has([0x50, 0x4B, 1, 2], at: place), place + 46 <= text.count else {
                throw refusal(file, "its directory is damaged")
            }
            let nameLength = Int(text.littleEndian(UInt16.self, at: place + 28))
            let extra = place + 46 + nameLength
            let comment = extra + Int(text.littleEndian(UInt16.self, at: place + 30))
            let next = comment + Int(text.littleEndian(UInt16.self, at: place + 32))
            guard next <= text.count else { throw refusal(file, "its directory is damaged") }
            let name = text.string(place + 46..<place + 46 + nameLength).printable
            // Folders are empty members.
            if !name.hasSuffix("/") {
                let member = try member(file, text, place, extra..<comment, name)
                if let member { members.append(member) }
                hasOthers = hasOthers || member == nil
            }
            place = next
        }
        return (members, hasOthers)
    }

    /// The member whose entry in the directory begins at `place`; nil for an encryption or compression that is not
    /// supported.
    private static func member(
        _ file: InputFile, _ text: Span<UInt8>, _ place: Int, _ extra: Range<Int>, _ name: String
    ) throws(TraceError) -> LogMember? {
        let isEncrypted = text[place + 8] & 1 != 0
        let method = text.littleEndian(UInt16.self, at: place + 10)
        guard !isEncrypted, method == 0 || method == 8 else { return nil }
        guard let (size, start) = sizeAndStart(text, place, extra), start <= file.size - 30 else {
            throw refusal(file, "'\(name.prefix(40))' reaches past its end")
        }
        // The extra fields of the member's header can differ from those of the directory.
        let header = try file.bytes(at: start..<start + 30)
        let headerText = header.span
        guard headerText.count == 30, headerText.has(magic, at: 0) else {
            throw refusal(file, "'\(name.prefix(40))' is not where its directory says")
        }
        let dataStart =
            start + 30 + Int64(headerText.littleEndian(UInt16.self, at: 26))
            + Int64(headerText.littleEndian(UInt16.self, at: 28))
        guard size <= file.size, dataStart <= file.size - size else {
            throw refusal(file, "'\(name.prefix(40))' reaches past its end")
        }
        let part = InputFile(file, dataStart..<dataStart + size)
        let checksum = text.littleEndian(UInt32.self, at: place + 16)
        return LogMember(name: name) {
            ByteSource(part, member: name, isDeflated: method == 8, checksum: checksum)
        }
    }

    /// The stored length of a member and the start of its header; nil when the directory is damaged. Extra field 1 has
    /// the values that need 64 bits, in this order: the size before compression, the size after it, the start (section
    /// 4.5.3).
    private static func sizeAndStart(
        _ text: Span<UInt8>, _ place: Int, _ extra: Range<Int>
    ) -> (size: Int64, start: Int64)? {
        let fields = [24, 20, 42].map { text.littleEndian(UInt32.self, at: place + $0) }
        var values = fields.map(Int64.init)
        guard fields.contains(elsewhere) else { return (values[1], values[2]) }
        var field = extra.lowerBound
        while field + 4 <= extra.upperBound {
            let end = field + 4 + Int(text.littleEndian(UInt16.self, at: field + 2))
            guard end <= extra.upperBound else { return nil }
            if text.littleEndian(UInt16.self, at: field) == 1 {
                field += 4
                for index in fields.indices where fields[index] == elsewhere {
                    guard field + 8 <= end, let value = Int64(exactly: text.littleEndian(UInt64.self, at: field)) else {
                        return nil
                    }
                    values[index] = value
                    field += 8
                }
                return (values[1], values[2])
            }
            field = end
        }
        return nil
    }

    static func refusal(_ file: InputFile, _ problem: String) -> TraceError {
        Refusal("a ZIP archive that cannot be read: \(problem)", remedy: "copy it again, or unpack it")
            .error(in: file.path)
    }

    /// The member with this name in lower case, in any folder; nil when there is none.
    func member(named name: String) -> LogMember? { members.first { $0.fileName.lowercased() == name } }

    // MARK: Directory

    /// This value marks a number that needs 64 bits and is stored elsewhere.
    private static let elsewhere = UInt32.max
    private static let (endLength, locatorLength, largeEndLength) = (22, 20, Int64(56))
    private static let (longestComment, longestDirectory) = (65535, 1 << 24)

    /// The place of the directory, and its number of entries, from the record at the end (PKWARE APPNOTE 6.3.10,
    /// sections 4.3.14 to 4.3.16). Throws ``TraceError`` when there is none, it is damaged or too long, or when reading
    /// fails.
    private static func directory(of file: InputFile) throws(TraceError) -> (range: Range<Int64>, count: Int) {
        let tailLength = Int64(locatorLength + endLength + longestComment)
        let tail = try file.bytes(at: max(0, file.size - tailLength)..<file.size)
        let text = tail.span
        let last = text.count - endLength
        guard let end = stride(from: last, through: 0, by: -1).first(where: { text.has([0x50, 0x4B, 5, 6], at: $0) })
        else { throw refusal(file, "its directory is missing; it may have been cut short") }
        var count = UInt64(text.littleEndian(UInt16.self, at: end + 10))
        var size = UInt64(text.littleEndian(UInt32.self, at: end + 12))
        var start = UInt64(text.littleEndian(UInt32.self, at: end + 16))
        let locator = end - locatorLength
        if locator >= 0, text.has([0x50, 0x4B, 6, 7], at: locator) {
            let place = text.littleEndian(UInt64.self, at: locator + 8)
            guard let place = Int64(exactly: place), place <= file.size - largeEndLength else {
                throw refusal(file, "its directory is damaged")
            }
            let large = try file.bytes(at: place..<place + largeEndLength)
            guard large.span.has([0x50, 0x4B, 6, 6], at: 0) else {
                throw refusal(file, "its directory is damaged")
            }
            count = large.span.littleEndian(UInt64.self, at: 32)
            size = large.span.littleEndian(UInt64.self, at: 40)
            start = large.span.littleEndian(UInt64.self, at: 48)
        }
        guard size <= longestDirectory else {
            throw refusal(file, "its directory is larger than 16 MiB")
        }
        guard let start = Int64(exactly: start), start <= file.size - Int64(size), let count = Int(exactly: count)
        else {
            throw refusal(file, "its directory is damaged")
        }
        return (start..<start + Int64(size), count)
    }
}

/// Named files that belong together: the members of a ZIP archive, or the files of a folder.
protocol LogContainer {
    /// The member with this name in lower case; nil when there is none.
    func member(named name: String) -> LogMember?
}

/// A file in a container.
struct LogMember: Sendable {
    /// Its path inside the container.
    let name: String
    let open: @Sendable () throws(TraceError) -> ByteSource

    /// The name without the folders it is in.
    var fileName: Substring { name.split(separator: "/").last ?? "" }
}

extension LogContainer {
    /// The content of a small member, cut after 1 MiB; nil when there is none of that name.
    func content(of name: String) throws(TraceError) -> [UInt8]? {
        guard var source = try member(named: name)?.open() else { return nil }
        let longest = 1 << 20
        var content = [UInt8](repeating: 0, count: longest)
        var space = content.mutableSpan
        let count = try source.read(into: &space, at: 0..<longest)
        content.removeLast(longest - count)
        return content
    }
}

/// A folder as a container of its files, and of the times in its folder `meta`, as in exports of phyphox.
struct LogFolder: LogContainer {
    let path: String

    /// The folder at `path`; nil for a file.
    init?(at path: String) {
        guard FilePath.names(in: path) != nil else { return nil }
        self.path = path
    }

    /// The folder of a file.
    init(of file: String) { path = URL(filePath: file).deletingLastPathComponent().relativePath }

    func member(named name: String) -> LogMember? {
        let folder = name == "time.csv" ? "meta/" : ""
        let files = FilePath.names(in: path + "/" + folder) ?? []
        return files.first { $0.lowercased() == name }.map { member(folder + $0) }
    }

    /// The file with this path inside the folder.
    func member(_ name: String) -> LogMember {
        LogMember(name: name) { [path] () throws(TraceError) in try ByteSource(path: path + "/" + name) }
    }
}
