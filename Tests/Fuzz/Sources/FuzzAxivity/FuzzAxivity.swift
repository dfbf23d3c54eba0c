internal import Fuzzing

/// A recording by an Axivity device. Checksums are mended, or no change would get past them.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzz(_ data: UnsafePointer<UInt8>?, _ size: Int) -> CInt {
    var bytes = Array(UnsafeRawBufferPointer(start: data, count: size))
    for start in stride(from: 1024, through: bytes.count - 512, by: 512) where bytes[start + 24] != 0 {
        var sum: UInt16 = 0
        for place in stride(from: start, to: start + 510, by: 2) {
            sum &+= UInt16(bytes[place]) | UInt16(bytes[place + 1]) << 8
        }
        bytes[start + 510] = UInt8(truncatingIfNeeded: 0 &- sum)
        bytes[start + 511] = UInt8(truncatingIfNeeded: (0 &- sum) >> 8)
    }
    bytes.withUnsafeBytes(read)
    return 0
}
