
/// The lines of a table whose newest row is the first, from the last to the first, behind the lines above the table.
struct ReversedLines {
    private let file: InputFile
    /// The position of the first row, and the end of the rows that are not read yet, in bytes.
    private let start: Int64
    private(set) var end: Int64
    /// Bytes to be returned next.
    private var ready: ArraySlice<UInt8>

    /// The bytes that are read at a time. A longer line is no row.
    private static let block: Int64 = 1 << 18

    /// Reads the lines above the table.
    ///
    /// - Parameter start: The position of the first row in a file on disk, in bytes.
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
