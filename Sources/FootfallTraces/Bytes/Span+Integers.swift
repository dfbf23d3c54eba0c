extension Span<UInt8> {
    /// The little-endian integer at `offset`. Traps outside the span, as any index.
    @inline(__always)
    func littleEndian<Integer: FixedWidthInteger & BitwiseCopyable>(_ type: Integer.Type, at offset: Int) -> Integer {
        Integer(littleEndian: bytes.unsafeLoadUnaligned(fromByteOffset: offset, as: type))
    }

    /// Whether these bytes stand at `offset`.
    func has(_ signature: [UInt8], at offset: Int) -> Bool {
        offset + signature.count <= count && signature.indices.allSatisfy { self[offset + $0] == signature[$0] }
    }
}
