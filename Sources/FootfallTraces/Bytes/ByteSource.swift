/// The bytes of a file in order, decompressed if the file is compressed.
struct ByteSource: ~Copyable {
    private var file: InputFile
    private let inflater: Inflater?

    /// Opens a file.
    ///
    /// - Throws: ``TraceError`` of kind `unreadable` when there is no such file, it is a directory, or may not be read.
    init(path: String) throws(TraceError) {
        var file = try InputFile(path: path)
        let isCompressed = try file.peek(2).elementsEqual(Inflater.magic)
        self.file = file
        inflater = isCompressed ? Inflater() : nil
    }

    /// Whether the file is compressed with gzip.
    var isCompressed: Bool { inflater != nil }
    /// How much of the file has been taken in, 0…1.
    var progress: Double { file.progress }
    /// What was found wrong with the compressed data, if anything.
    var finding: TraceWarning.Kind? { inflater?.finding }

    /// Writes the next bytes to `room` in `output` until it is full or the file ends; returns how many.
    mutating func read(into output: inout MutableSpan<UInt8>, at room: Range<Int>) throws(TraceError) -> Int {
        try output.withUnsafeMutableBytes { whole throws(TraceError) in
            let buffer = UnsafeMutableRawBufferPointer(rebasing: whole[room])
            guard let inflater else { return try file.read(into: buffer) }
            return try inflater.read(into: buffer) { block throws(TraceError) in try file.read(into: block) }
        }
    }
}
