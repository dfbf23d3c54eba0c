internal import Fuzzing

/// The text about an ActiGraph logger, a zero byte, and its log, which are put into an archive.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzz(_ data: UnsafePointer<UInt8>?, _ size: Int) -> CInt {
    let bytes = Array(UnsafeRawBufferPointer(start: data, count: size))
    let end = bytes.firstIndex(of: 0) ?? bytes.count
    archive([("info.txt", Array(bytes[..<end])), ("log.bin", Array(bytes[end...].dropFirst()))])
        .withUnsafeBytes(read)
    return 0
}

/// Members stored in a ZIP archive. Their checksums are left out, since a wrong one is no more than a warning.
private func archive(_ members: [(name: String, content: [UInt8])]) -> [UInt8] {
    func little(_ value: Int, _ size: Int) -> [UInt8] {
        (0..<size).map { UInt8(truncatingIfNeeded: value >> ($0 * 8)) }
    }
    var archive: [UInt8] = []
    var directory: [UInt8] = []
    for (name, content) in members {
        let sizes = little(content.count, 4) + little(content.count, 4) + little(name.utf8.count, 2)
        let facts = [UInt8](repeating: 0, count: 14) + sizes
        directory += [0x50, 0x4B, 1, 2, 0, 0] + facts + [UInt8](repeating: 0, count: 12)
        directory += little(archive.count, 4) + Array(name.utf8)
        archive += [0x50, 0x4B, 3, 4] + facts + [0, 0] + Array(name.utf8) + content
    }
    let start = archive.count
    archive += directory + [0x50, 0x4B, 5, 6, 0, 0, 0, 0] + little(members.count, 2) + little(members.count, 2)
    return archive + little(directory.count, 4) + little(start, 4) + [0, 0]
}
