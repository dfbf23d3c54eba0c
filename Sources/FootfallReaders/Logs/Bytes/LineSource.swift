internal import Footfall

/// The lines of a file in a buffer of constant size, one block of lines after the other.
struct LineSource: ~Copyable {
    /// The size of the opening in bytes: the part of a file that its format is detected from.
    static let openingSize = 1 << 18
    /// The bytes of one read after the opening. They and their samples fit into the processor's cache.
    static let chunkSize = 1 << 17

    private var source: ByteSource
    private(set) var bytes: [UInt8]
    /// The part of the buffer that is not used yet.
    private(set) var unread = 0..<0
    private let chunkSize: Int
    private(set) var isAtEnd = false
    /// The position of the buffer's start in the data.
    private var bufferOffset = 0
    /// Rewrite lines before they are read, one after the other.
    private var filters: [(filter: any LineFilter, unfinished: Int)] = []
    /// The unit of acceleration that was behind each number; nil if none was.
    private(set) var cellUnit: AccelerationUnit?

    /// Takes over a source of bytes, and reads the opening. After it, one read takes `chunkSize` bytes. Results do not
    /// depend on it.
    init(_ source: consuming ByteSource, chunkSize: Int = LineSource.chunkSize) throws(TraceError) {
        self.source = source
        self.chunkSize = max(1, chunkSize)
        bytes = [UInt8](repeating: 0, count: LineSource.openingSize + RowReader.longestLine + self.chunkSize)
        try readOpening()
    }

    var isCompressed: Bool { source.isCompressed }
    /// The path inside an archive; nil if the bytes are not a member of one.
    var member: String? { source.member }
    /// Whether the file can be opened and read once more.
    var isReadable: Bool { source.isSeekable }
    /// The file on disk, if its bytes are read as they are; nil for another source.
    var plainFile: InputFile? { filters.isEmpty ? source.plainFile : nil }
    var finding: TraceWarning.Kind? { source.finding }
    var progress: Double { isAtEnd && unread.isEmpty ? 1 : source.progress }

    /// The number of bytes of the file that have been read, compressed or not.
    var bytesRead: Int64 { source.bytesRead }

    /// The position of the unread part in the data, in bytes.
    var offset: Int { bufferOffset + unread.lowerBound }

    func starts(with signature: [UInt8]) -> Bool { bytes.span.extracting(unread).has(signature, at: 0) }

    /// Marks the bytes before `position` as used.
    mutating func advance(to position: Int) { unread = position..<unread.upperBound }

    private mutating func readOpening() throws(TraceError) {
        try append(LineSource.openingSize)
        // The lines of a stored member are not those of the archive.
        guard !starts(with: ZipArchive.magic) else { return }
        if let text = PythonText(bytes.span, unread) { try remove(from: unread.lowerBound, by: text) }
        if let document = JSONDocument(bytes.span, unread) { try remove(from: unread.lowerBound, by: document) }
        if let rewriter = CellRewriter(bytes.span, unread) {
            cellUnit = rewriter.unit
            try remove(from: unread.lowerBound, by: rewriter)
        }
        if let rows = AxisRows(bytes.span, unread) { try remove(from: unread.lowerBound, by: rows) }
    }

    /// Reads the next chunk, behind the unread part. Returns false at the end of the file.
    mutating func readMore() throws(TraceError) -> Bool {
        guard !isAtEnd else { return false }
        if unread.lowerBound > 0 {
            bytes.withUnsafeMutableBufferPointer { buffer in
                guard let base = buffer.baseAddress else { return }
                base.update(from: base + unread.lowerBound, count: unread.count)
            }
            bufferOffset += unread.lowerBound
            unread = 0..<unread.count
        }
        try append(min(chunkSize, bytes.count - unread.upperBound))
        return true
    }

    /// Removes what `filter` rejects, from the byte at `start` to the end of the file.
    mutating func remove(from start: Int, by filter: some LineFilter) throws(TraceError) {
        filters.append((filter, 0))
        rewrite(from: start, by: filters.count - 1)
        while unread.count < LineSource.openingSize, try readMore() {}
    }

    private mutating func rewrite(from start: Int, by filter: Int) {
        var end = start
        let rest = filters[filter].filter.rewrite(&bytes, start..<unread.upperBound, to: &end, isAtEnd: isAtEnd)
        filters[filter].unfinished = unread.upperBound - rest
        bytes.move(rest..<unread.upperBound, to: &end)
        unread = unread.lowerBound..<end
    }

    private mutating func append(_ count: Int) throws(TraceError) {
        let end = unread.upperBound
        let got = try LineSource.read(&source, into: &bytes, at: end..<end + count)
        unread = unread.lowerBound..<end + got
        isAtEnd = got < count
        let start = max(unread.lowerBound, end - (filters.map(\.unfinished).max() ?? 0))
        for filter in filters.indices { rewrite(from: start, by: filter) }
    }

    private static func read(
        _ source: inout ByteSource, into bytes: inout [UInt8], at room: Range<Int>
    ) throws(TraceError) -> Int {
        var space = bytes.mutableSpan
        return try source.read(into: &space, at: room)
    }
}
