internal import Fuzzing

/// A recording by a Parmay Matrix logger.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzz(_ data: UnsafePointer<UInt8>?, _ size: Int) -> CInt {
    read(UnsafeRawBufferPointer(start: data, count: size))
    return 0
}
