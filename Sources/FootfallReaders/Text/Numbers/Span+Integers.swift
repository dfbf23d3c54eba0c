/// Numbers in bytes. Each access traps outside the span, as any index.
extension Span<UInt8> {
    @inlinable @inline(__always)
    package func littleEndian<Integer: FixedWidthInteger & BitwiseCopyable>(
        _ type: Integer.Type, at offset: Int
    ) -> Integer {
        Integer(littleEndian: bytes.unsafeLoadUnaligned(fromByteOffset: offset, as: type))
    }

    @inlinable @inline(__always)
    package func bigEndian<Integer: FixedWidthInteger & BitwiseCopyable>(
        _ type: Integer.Type, at offset: Int
    ) -> Integer {
        Integer(bigEndian: bytes.unsafeLoadUnaligned(fromByteOffset: offset, as: type))
    }

    /// Three little-endian 16-bit numbers in a row.
    @inlinable @inline(__always)
    package func int16Vector(at offset: Int) -> SIMD3<Int16> {
        SIMD3(
            littleEndian(Int16.self, at: offset), littleEndian(Int16.self, at: offset + 2),
            littleEndian(Int16.self, at: offset + 4))
    }

    /// Three little-endian 32-bit floating-point numbers in a row.
    package func floatVector(at offset: Int) -> SIMD3<Float> {
        func axis(_ index: Int) -> Float { Float(bitPattern: littleEndian(UInt32.self, at: offset + 4 * index)) }
        return SIMD3(axis(0), axis(1), axis(2))
    }

    /// Whether these bytes stand at `offset`.
    package func has(_ signature: [UInt8], at offset: Int) -> Bool {
        offset + signature.count <= count && signature.indices.allSatisfy { self[offset + $0] == signature[$0] }
    }
}
