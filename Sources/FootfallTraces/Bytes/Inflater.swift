internal import CZlib

/// Undoes gzip (RFC 1952) or the deflation of a member of a ZIP archive (RFC 1951), piece by piece. A file may hold several
/// gzip members one after the other, as `cat a.gz b.gz` and block-compressing tools make; they are read as one.
final class Inflater: @unchecked Sendable {
    // zlib keeps a pointer back to its stream, so the stream must not move. Sendable, unchecked: one `ByteSource`, which
    // cannot be copied, owns this object, and nobody else sees it.
    private let stream: UnsafeMutablePointer<z_stream>
    private let input: UnsafeMutableBufferPointer<UInt8>
    private let wrapping: Wrapping
    private var isMemberFinished = false
    private var isFinished = false
    /// What was found wrong with the compressed data, if anything.
    private(set) var finding: TraceWarning.Kind?

    /// What a compressed file starts with.
    static let magic: [UInt8] = [0x1F, 0x8B]

    /// What is around the deflated data.
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

    /// Fills `output` with what is next, fetching compressed bytes as needed; returns how much was written, 0 at the end.
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
            // Some writers pad to a block size with zeros; they mean nothing.
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
