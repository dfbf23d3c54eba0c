internal import FootfallWire

/// The lines of a file, a block of them at a time, in a buffer that does not grow.
struct LineSource: ~Copyable {
    /// Longer lines are no rows of a table; they are passed over.
    static let longestLine = 1 << 16
    /// How much of the file is looked at before anything is decided.
    static let openingSize = 1 << 18
    /// How much is taken in at a time after that: it stays in the processor's cache, with what becomes of it.
    static let chunkSize = 1 << 17

    private var source: ByteSource
    private(set) var bytes: [UInt8]
    /// What is in the buffer and not used yet.
    private(set) var unread = 0..<0
    private let chunkSize: Int
    private(set) var isAtEnd = false
    /// Where the buffer begins in the data.
    private var bufferOffset = 0
    /// Removes lines before they are read; nil where all are read.
    private var filter: (any LineFilter)?

    /// Takes over a source of bytes.
    ///
    /// - Parameter chunkSize: How many bytes to take in at a time after the opening; results never depend on it.
    init(_ source: consuming ByteSource, chunkSize: Int) {
        self.source = source
        self.chunkSize = max(1, chunkSize)
        bytes = [UInt8](repeating: 0, count: LineSource.openingSize + LineSource.longestLine + self.chunkSize)
    }

    var isCompressed: Bool { source.isCompressed }
    /// The path inside an archive; nil where the bytes are no archive's member.
    var member: String? { source.member }
    /// Whether the bytes are those of a file on disk, as they stand there.
    var isPlainFile: Bool { source.isSeekable && !source.isCompressed }
    var finding: TraceWarning.Kind? { source.finding }
    var progress: Double { isAtEnd && unread.isEmpty ? 1 : source.progress }

    /// How many bytes of the file have been read, compressed or not.
    var bytesRead: Int64 { source.bytesRead }

    /// Where what is unread begins in the data, in bytes.
    var offset: Int { bufferOffset + unread.lowerBound }

    /// Whether what is unread begins with `signature`.
    func starts(with signature: [UInt8]) -> Bool {
        bytes.span.extracting(unread).has(signature, at: 0)
    }

    /// Marks everything before `position` as used.
    mutating func advance(to position: Int) {
        unread = position..<unread.upperBound
    }

    /// Takes in the opening of the file.
    mutating func takeInOpening() throws(TraceError) {
        try append(LineSource.openingSize)
    }

    /// Takes in the next chunk after what is unread. False at the end of the file.
    mutating func takeInMore() throws(TraceError) -> Bool {
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

    /// Removes the lines that `filter` does not keep, from the byte at `start` to the end of the file.
    mutating func remove(from start: Int, by filter: some LineFilter) throws(TraceError) {
        self.filter = filter
        removeLines(from: start)
        while unread.count < LineSource.openingSize, try takeInMore() {}
    }

    private mutating func removeLines(from start: Int) {
        if let end = filter?.removeLines(in: &bytes, start..<unread.upperBound, isAtEnd: isAtEnd) {
            unread = unread.lowerBound..<end
        }
    }

    private mutating func append(_ count: Int) throws(TraceError) {
        let end = unread.upperBound
        let got = try LineSource.read(&source, into: &bytes, at: end..<end + count)
        unread = unread.lowerBound..<end + got
        isAtEnd = got < count
        removeLines(from: max(unread.lowerBound, end - (filter?.unfinished ?? 0)))
    }

    private static func read(
        _ source: inout ByteSource, into bytes: inout [UInt8], at room: Range<Int>
    ) throws(TraceError) -> Int {
        var space = bytes.mutableSpan
        return try source.read(into: &space, at: room)
    }
}

/// Removes lines of a file before any other code reads them.
protocol LineFilter: Sendable {
    /// How many bytes at the end belong to a line that is not complete yet. They are passed to ``removeLines(in:_:isAtEnd:)`` again.
    var unfinished: Int { get }
    /// Removes lines from the bytes in `range`, and returns where the bytes end then.
    mutating func removeLines(in bytes: inout [UInt8], _ range: Range<Int>, isAtEnd: Bool) -> Int
}
