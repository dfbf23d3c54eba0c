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
    /// The lines of a table that is read from its last row; nil for a file that is read from its start.
    private var reversed: ReversedLines?
    /// The conversion of a text in UTF-16; nil for other bytes.
    private var utf16: UTF16Text?
    private var isFirstRead = true

    /// Opens a file. Throws ``TraceError`` of kind `unreadable` when there is no such file, it is a directory, or may
    /// not be read.
    init(path: String) throws(TraceError) {
        var file = try InputFile(path: path)
        let magic = try file.next(Inflater.magic.count)
        self.file = file
        member = nil
        peeked = magic
        isCompressed = magic == Inflater.magic
        inflater = isCompressed ? Inflater(isGzip: true) : nil
    }

    /// Opens the member of an archive whose bytes, deflated or not, are this part of its file.
    init(_ part: InputFile, member: String, isDeflated: Bool, checksum: UInt32) {
        file = part
        self.member = member
        isCompressed = false
        inflater = isDeflated ? Inflater(isGzip: false) : nil
        self.checksum = (checksum, 0)
    }

    /// Reads the lines above a table, and then the lines of the table, whose first row is at byte `start`, from the
    /// last to the first.
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

/// The lines above a table whose newest row is the first, and then its rows from the last to the first.
struct ReversedLines {
    private let file: InputFile
    /// The position of the first row, and the end of the rows that are not read yet, in bytes.
    private let start: Int64
    private(set) var end: Int64
    /// Bytes to be returned next.
    private var ready: ArraySlice<UInt8>

    /// The bytes that are read at a time. A longer line is no row.
    private static let block: Int64 = 1 << 18

    /// Reads the lines above the table, whose first row is at byte `start` of a file on disk.
    init(_ file: InputFile, rowsFrom start: Int) throws(TraceError) {
        (self.file, self.start, end) = (file, Int64(start), file.size)
        ready = try file.bytes(at: 0..<Int64(start))[...]
    }

    /// Reads until `buffer` is full or the first row is read. Returns the number of bytes.
    mutating func read(into buffer: UnsafeMutableRawBufferPointer) throws(TraceError) -> Int {
        var count = 0
        while count < buffer.count {
            if ready.isEmpty {
                guard end > start else { break }
                try load()
            }
            let part = ready.prefix(buffer.count - count)
            UnsafeMutableRawBufferPointer(rebasing: buffer[count...]).copyBytes(from: part)
            ready = ready.dropFirst(part.count)
            count += part.count
        }
        return count
    }

    private mutating func load() throws(TraceError) {
        let from = max(start, end - Self.block)
        let bytes = try file.bytes(at: from..<end)
        guard !bytes.isEmpty else {
            end = start
            return
        }
        var first = bytes.startIndex
        // The first line of the block may begin before it.
        if from > start, let newline = bytes.dropLast().firstIndex(of: ASCII.newline) { first = newline + 1 }
        var lines: [UInt8] = []
        lines.reserveCapacity(bytes.count - first + 1)
        for line in bytes[first...].split(separator: ASCII.newline).reversed() {
            lines += line
            lines.append(ASCII.newline)
        }
        ready = lines[...]
        end = from + Int64(first)
    }
}

/// Converts text in UTF-16, as spreadsheets write it, to UTF-8.
struct UTF16Text {
    private let isBigEndian: Bool
    /// Half of a code unit.
    private var half: UInt8?
    /// The first of two code units of one character.
    private var surrogate: UInt16?
    /// Bytes to be returned next.
    private(set) var ready: [UInt8] = []

    /// So many bytes show UTF-16 without a byte-order mark: every second one is 0, and the others are ASCII.
    private static let sample = 16

    /// The beginning of a text in UTF-16; nil for other bytes.
    init?(_ head: UnsafeRawBufferPointer) {
        guard head.count >= 2 else { return nil }
        switch (head[0], head[1]) {
        case (0xFE, 0xFF): isBigEndian = true
        case (0xFF, 0xFE): isBigEndian = false
        default:
            guard head.count >= Self.sample else { return nil }
            func isText(_ offset: Int) -> Bool {
                stride(from: 0, to: Self.sample, by: 2).allSatisfy { place in
                    let byte = head[place + offset]
                    return head[place + 1 - offset] == 0 && (byte == ASCII.tab || (0x20...0x7E).contains(byte))
                }
            }
            guard isText(0) || isText(1) else { return nil }
            isBigEndian = isText(1)
        }
        add(head)
    }

    /// Adds bytes in UTF-16.
    mutating func add(_ bytes: UnsafeRawBufferPointer) {
        var units = surrogate.map { [$0] } ?? []
        surrogate = nil
        units.reserveCapacity(bytes.count / 2 + 1)
        for byte in bytes {
            guard let half else {
                half = byte
                continue
            }
            units.append(isBigEndian ? UInt16(half) << 8 | UInt16(byte) : UInt16(byte) << 8 | UInt16(half))
            self.half = nil
        }
        if let last = units.last, UTF16.isLeadSurrogate(last) { surrogate = units.removeLast() }
        ready += String(decoding: units, as: UTF16.self).utf8
    }

    /// Moves bytes in UTF-8 to `buffer`, and returns how many.
    mutating func take(into buffer: UnsafeMutableRawBufferPointer) -> Int {
        let count = min(ready.count, buffer.count)
        buffer.copyBytes(from: ready[..<count])
        ready.removeFirst(count)
        return count
    }
}

/// Decompresses gzip (RFC 1952) or a deflated member of a ZIP archive (RFC 1951), block by block. Several gzip members
/// in one file, as `cat a.gz b.gz` writes them, are read as one.
final class Inflater: @unchecked Sendable {
    // zlib keeps a pointer to its stream, so the stream must not move. Sendable, unchecked: one noncopyable
    // `ByteSource` owns this object.
    private let stream: UnsafeMutablePointer<z_stream>
    private let input: UnsafeMutableBufferPointer<UInt8>
    private let isGzip: Bool
    private var isMemberFinished = false
    private var isFinished = false
    /// The problem of the compressed data, if any.
    private(set) var finding: TraceWarning.Kind?

    static let magic: [UInt8] = [0x1F, 0x8B]

    /// Decompresses gzip, or deflated data without a format around them.
    init(isGzip: Bool) {
        self.isGzip = isGzip
        stream = .allocate(capacity: 1)
        stream.initialize(to: z_stream())
        input = .allocate(capacity: 1 << 17)
        input.initialize(repeating: 0)
        let code = isGzip ? footfall_inflate_init_gzip(stream) : footfall_inflate_init_raw(stream)
        if code != Z_OK { finish(.compressionDamaged) }
    }

    deinit {
        inflateEnd(stream)
        stream.deallocate()
        input.deallocate()
    }

    /// Fills `output` with decompressed bytes and returns how many; 0 at the end. `fetch` loads compressed bytes.
    func read(
        into output: UnsafeMutableRawBufferPointer,
        fetch: (UnsafeMutableRawBufferPointer) throws(TraceError) -> Int
    ) throws(TraceError) -> Int {
        guard !isFinished, let base = output.baseAddress else { return 0 }
        stream.pointee.next_out = base.assumingMemoryBound(to: UInt8.self)
        stream.pointee.avail_out = UInt32(output.count)
        while stream.pointee.avail_out > 0, !isFinished {
            if stream.pointee.avail_in == 0 {
                let count = try fetch(UnsafeMutableRawBufferPointer(input))
                stream.pointee.next_in = input.baseAddress
                stream.pointee.avail_in = UInt32(count)
                if count == 0 {
                    finish(isMemberFinished ? nil : .compressionCutShort)
                    break
                }
            }
            advance()
        }
        return output.count - Int(stream.pointee.avail_out)
    }

    private func advance() {
        if isMemberFinished {
            // Some writers pad to a block size with zeros.
            while stream.pointee.avail_in > 0, stream.pointee.next_in.pointee == 0 {
                stream.pointee.next_in += 1
                stream.pointee.avail_in -= 1
            }
            guard stream.pointee.avail_in > 0 else { return }
            guard stream.pointee.next_in.pointee == 0x1F else { return finish(.bytesAfterCompression) }
            inflateReset(stream)
            isMemberFinished = false
        }
        switch inflate(stream, Z_NO_FLUSH) {
        case Z_OK, Z_BUF_ERROR: break
        case Z_STREAM_END: if isGzip { isMemberFinished = true } else { finish(nil) }
        default: finish(.compressionDamaged)
        }
    }

    private func finish(_ finding: TraceWarning.Kind?) {
        isFinished = true
        self.finding = finding
    }
}
