internal import Fuzzing

/// An archive, or any file: recordings, tables, gzip.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzz(_ data: UnsafePointer<UInt8>?, _ size: Int) -> CInt {
    read(UnsafeRawBufferPointer(start: data, count: size))
    return 0
}
