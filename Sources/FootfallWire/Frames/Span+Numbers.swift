/// Numbers in a frame. The caller has made sure that the frame is long enough.
extension Span<UInt8> {
    private func littleEndian<Number: FixedWidthInteger>(_ type: Number.Type, at offset: Int) -> Number {
        var number = Number.zero
        for index in 0..<Number.bitWidth / 8 {
            number |= Number(truncatingIfNeeded: self[offset + index]) << Number(truncatingIfNeeded: index * 8)
        }
        return number
    }

    private func bigEndian<Number: FixedWidthInteger>(_ type: Number.Type, at offset: Int) -> Number {
        littleEndian(type, at: offset).byteSwapped
    }

    func uint16(at offset: Int) -> UInt16 { littleEndian(UInt16.self, at: offset) }
    func int16(at offset: Int) -> Int16 { littleEndian(Int16.self, at: offset) }
    func uint32(at offset: Int) -> UInt32 { littleEndian(UInt32.self, at: offset) }
    func uint64(at offset: Int) -> UInt64 { littleEndian(UInt64.self, at: offset) }
    func float(at offset: Int) -> Float { Float(bitPattern: uint32(at: offset)) }

    func bigEndianUInt16(at offset: Int) -> UInt16 { bigEndian(UInt16.self, at: offset) }
    func bigEndianInt16(at offset: Int) -> Int16 { bigEndian(Int16.self, at: offset) }
    func bigEndianUInt32(at offset: Int) -> UInt32 { bigEndian(UInt32.self, at: offset) }
    func bigEndianInt32(at offset: Int) -> Int32 { bigEndian(Int32.self, at: offset) }
    func bigEndianFloat(at offset: Int) -> Float { Float(bitPattern: bigEndianUInt32(at: offset)) }
    func bigEndianDouble(at offset: Int) -> Double {
        Double(bitPattern: bigEndian(UInt64.self, at: offset))
    }

    /// Three little-endian 16-bit numbers in a row.
    func int16Vector(at offset: Int) -> SIMD3<Float> {
        SIMD3(Float(int16(at: offset)), Float(int16(at: offset + 2)), Float(int16(at: offset + 4)))
    }

    /// Three little-endian 32-bit floating-point numbers in a row.
    func floatVector(at offset: Int) -> SIMD3<Float> {
        SIMD3(float(at: offset), float(at: offset + 4), float(at: offset + 8))
    }
}
