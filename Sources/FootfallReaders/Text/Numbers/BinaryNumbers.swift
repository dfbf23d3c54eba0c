internal import Footfall

/// Unwraps a counter of 32 bits.
package struct WrappingCounter: Sendable {
    private var previous: UInt32?
    private var turns: Int64 = 0

    package init() {}

    /// The counter's value plus its full turns. A turn is a step from the last sixteenth of the range into the first.
    /// Any other step back is a restart of the device.
    package mutating func unwrap(_ value: UInt32) -> Int64 {
        if let previous, previous >= 0xF000_0000, value < 0x1000_0000 { turns &+= 1 }
        previous = value
        return turns << 32 | Int64(value)
    }
}

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

    /// Three 12-bit numbers in a row, the most significant bit first, from a half byte on; the fourth lane is zero.
    @inline(__always)
    func int12Vector(atHalfByte offset: Int) -> SIMD4<Float> {
        // They begin at a byte, or in its middle.
        let bits = UInt64(bigEndian(UInt32.self, at: offset >> 1)) << 8 | UInt64(self[offset >> 1 + 4])
        let word = Int64(bitPattern: bits << (offset & 1 == 0 ? 24 : 28))
        return SIMD4(Float(word >> 52), Float((word << 12) >> 52), Float((word << 24) >> 52), 0)
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
    /// The first position of these bytes.
    func firstIndex(of bytes: [UInt8]) -> Int? {
        (0..<Swift.max(0, count - bytes.count + 1)).first { has(bytes, at: $0) }
    }
}

extension SIMD3 where Scalar: FloatingPoint {
    /// The length of the vector, and its square.
    var length: Scalar { lengthSquared.squareRoot() }
    var lengthSquared: Scalar { (self * self).sum() }
    /// The size of each component.
    var absolute: SIMD3 { replacing(with: -self, where: self .< 0) }
}
