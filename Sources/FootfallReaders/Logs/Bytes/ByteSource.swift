internal import CZlib
internal import Footfall

/// The bytes of a file in order, or of a member of an archive, decompressed if they are compressed.
struct ByteSource: ~Copyable {
    private var file: InputFile
    private let inflater: Inflater?
    /// Whether the file is compressed with gzip.
    let isCompressed: Bool
    /// The path inside an archive; nil if the bytes are no archive's member.
    let member: String?
    /// The first bytes of the file, already read to detect compression.
    private var peeked: [UInt8] = []
    /// The checksum of an archive's member: expected, and actual so far.
    private var checksum: (expected: UInt32, actual: UInt)?
    private var isDamaged = false
    /// The rows of a table whose newest row is the first; nil for a file that is read from its start.
    private var reversed: ReversedLines?
    /// The conversion of a text in UTF-16; nil for other bytes.
    private var utf16: UTF16Text?
    private var isFirstRead = true

    /// Opens a file.
    ///
    /// - Throws: ``TraceError`` of kind `unreadable` when there is no such file, it is a directory, or may not be read.
    init(path: String) throws(TraceError) {
        var file = try InputFile(path: path)
        let magic = try file.next(Inflater.magic.count)
        self.file = file
        member = nil
        peeked = magic
        isCompressed = magic == Inflater.magic
        inflater = isCompressed ? Inflater(.gzip) : nil
    }

    init(_ member: ZipArchive.Member, of archive: ZipArchive) {
        file = InputFile(archive.file, member.range)
        self.member = member.name
        isCompressed = false
        inflater = member.isDeflated ? Inflater(.none) : nil
        checksum = (member.checksum, 0)
    }

    /// Reads the lines of a table from the last to the first, behind those above it.
    ///
    /// - Parameter start: The position of the first row, in bytes.
    init(_ file: InputFile, newestRowFirstAt start: Int) throws(TraceError) {
        self.file = file
        (inflater, isCompressed, member) = (nil, false, nil)
        reversed = try ReversedLines(file, rowsFrom: start)
    }

    /// The file, if its bytes are read as they are.
    var plainFile: InputFile? { isSeekable && inflater == nil && member == nil && utf16 == nil ? file : nil }

    /// Whether the file can be read at any offset, as on disk.
    var isSeekable: Bool { file.isSeekable }
    /// The share of the file that has been read, 0…1.
    var progress: Double { reversed.map { 1 - Double($0.end) / Double(max(1, file.size)) } ?? file.progress }
    /// The number of bytes of the file that have been read, compressed or not.
    var bytesRead: Int64 { file.bytesRead }
    /// The problem of the compressed data, if any.
    var finding: TraceWarning.Kind? { inflater?.finding ?? (isDamaged ? .compressionDamaged : nil) }

    /// Writes the next bytes to `room` in `output` until it is full or the file ends; returns how many.
    mutating func read(into output: inout MutableSpan<UInt8>, at room: Range<Int>) throws(TraceError) -> Int {
        try output.withUnsafeMutableBytes { whole throws(TraceError) in
            let buffer = UnsafeMutableRawBufferPointer(rebasing: whole[room])
            guard utf16 == nil else { return try readUTF16(into: buffer) }
            let count = try readBytes(into: buffer)
            guard isFirstRead, count > 0 else { return count }
            isFirstRead = false
            utf16 = UTF16Text(UnsafeRawBufferPointer(rebasing: buffer[..<count]))
            return utf16 == nil ? count : try readUTF16(into: buffer)
        }
    }

    private mutating func readBytes(into buffer: UnsafeMutableRawBufferPointer) throws(TraceError) -> Int {
        let count: Int
        if let inflater {
            count = try inflater.read(into: buffer) { block throws(TraceError) in try fetch(into: block) }
        } else {
            count = try fetch(into: buffer)
        }
        check(UnsafeRawBufferPointer(rebasing: buffer[..<count]), isEnd: count < buffer.count)
        return count
    }

    private mutating func readUTF16(into buffer: UnsafeMutableRawBufferPointer) throws(TraceError) -> Int {
        var count = 0
        while count < buffer.count {
            let room = UnsafeMutableRawBufferPointer(rebasing: buffer[count...])
            let taken = utf16?.take(into: room) ?? 0
            count += taken
            guard taken == 0 else { continue }
            let got = try readBytes(into: room)
            guard got > 0 else { break }
            utf16?.add(UnsafeRawBufferPointer(rebasing: room[..<got]))
        }
        return count
    }

    /// Reads the next bytes of the file, as they are.
    private mutating func fetch(into buffer: UnsafeMutableRawBufferPointer) throws(TraceError) -> Int {
        if reversed != nil { return try reversed?.read(into: buffer) ?? 0 }
        let count = min(peeked.count, buffer.count)
        buffer.copyBytes(from: peeked[..<count])
        peeked.removeFirst(count)
        return try count + file.read(into: UnsafeMutableRawBufferPointer(rebasing: buffer[count...]))
    }

    private mutating func check(_ bytes: UnsafeRawBufferPointer, isEnd: Bool) {
        guard var checksum else { return }
        checksum.actual = UInt(
            crc32(
                uLong(checksum.actual), bytes.baseAddress?.assumingMemoryBound(to: UInt8.self), uInt(bytes.count)))
        self.checksum = checksum
        if isEnd { isDamaged = checksum.actual != UInt(checksum.expected) }
    }
}
