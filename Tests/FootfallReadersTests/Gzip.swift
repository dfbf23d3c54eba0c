/// Bytes wrapped as gzip (RFC 1952) without being made smaller: enough for a reader to undo.
func gzipped(_ bytes: [UInt8], blockSize: Int = 60000) -> [UInt8] {
    var result: [UInt8] = [0x1F, 0x8B, 8, 0, 0, 0, 0, 0, 0, 255] + deflated(bytes, blockSize: blockSize)
    for word in [checksum(bytes), UInt32(truncatingIfNeeded: bytes.count)] { result += .little(word) }
    return result
}

/// Bytes in the blocks of deflation (RFC 1951), without being made smaller.
func deflated(_ bytes: [UInt8], blockSize: Int = 60000) -> [UInt8] {
    var result: [UInt8] = []
    var rest = bytes[...]
    repeat {
        let block = rest.prefix(blockSize)
        rest = rest.dropFirst(blockSize)
        let count = UInt16(block.count)
        result.append(rest.isEmpty ? 1 : 0)
        for word in [count, ~count] { result += [UInt8(truncatingIfNeeded: word), UInt8(word >> 8)] }
        result += block
    } while !rest.isEmpty
    return result
}

/// CRC-32 as in gzip and ZIP.
func checksum(_ bytes: [UInt8]) -> UInt32 {
    var remainder = UInt32.max
    for byte in bytes {
        remainder ^= UInt32(byte)
        for _ in 0..<8 { remainder = remainder >> 1 ^ (remainder & 1 == 1 ? 0xEDB8_8320 : 0) }
    }
    return ~remainder
}
