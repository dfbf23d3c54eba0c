internal import Fuzzing

/// A table of samples, in any of the forms that makers and spreadsheets give it.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzz(_ data: UnsafePointer<UInt8>?, _ size: Int) -> CInt {
    read(UnsafeRawBufferPointer(start: data, count: size))
    return 0
}
