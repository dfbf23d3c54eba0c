internal import CZlib

/// Decompresses gzip (RFC 1952) or a deflated member of a ZIP archive (RFC 1951), block by block. Several gzip members
/// in one file, as `cat a.gz b.gz` writes them, are read as one.
final class Inflater: @unchecked Sendable {
    // zlib keeps a pointer to its stream, so the stream must not move. Sendable, unchecked: one noncopyable
    // `ByteSource` owns this object.
    private let stream: UnsafeMutablePointer<z_stream>
    private let input: UnsafeMutableBufferPointer<UInt8>
    private let wrapping: Wrapping
    private var isMemberFinished = false
    private var isFinished = false
    /// The problem of the compressed data, if any.
    private(set) var finding: TraceWarning.Kind?

    static let magic: [UInt8] = [0x1F, 0x8B]

    /// The format around the deflated data.
    enum Wrapping {
        case gzip
        case none
    }

    init(_ wrapping: Wrapping) {
        self.wrapping = wrapping
        stream = .allocate(capacity: 1)
        stream.initialize(to: z_stream())
        input = .allocate(capacity: 1 << 17)
        input.initialize(repeating: 0)
        let code = wrapping == .gzip ? footfall_inflate_init_gzip(stream) : footfall_inflate_init_raw(stream)
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
        case Z_STREAM_END: if wrapping == .gzip { isMemberFinished = true } else { finish(nil) }
        default: finish(.compressionDamaged)
        }
    }

    private func finish(_ finding: TraceWarning.Kind?) {
        isFinished = true
        self.finding = finding
    }
}
