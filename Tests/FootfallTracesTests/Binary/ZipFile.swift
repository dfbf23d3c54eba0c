/// Files packed into a ZIP archive.
func zipped(_ members: [(name: String, content: [UInt8])], isDeflated: Bool = false) -> [UInt8] {
    var archive: [UInt8] = []
    var directory: [UInt8] = []
    for (name, content) in members {
        let data = isDeflated ? deflated(content) : content
        let facts =
            [UInt8].little(UInt16(20)) + .little(UInt16(0)) + .little(UInt16(isDeflated ? 8 : 0)) + .little(UInt32(0))
            + .little(checksum(content)) + .little(UInt32(data.count)) + .little(UInt32(content.count))
            + .little(UInt16(name.utf8.count))
        directory += [0x50, 0x4B, 1, 2, 20, 0] + facts + [UInt8](repeating: 0, count: 12)
        directory += .little(UInt32(archive.count)) + Array(name.utf8)
        // The extra field here is not in the directory, as with many writers.
        archive += [0x50, 0x4B, 3, 4] + facts + .little(UInt16(4)) + Array(name.utf8) + [1, 2, 0, 0] + data
    }
    let start = UInt32(archive.count)
    archive += directory + [0x50, 0x4B, 5, 6, 0, 0, 0, 0]
    archive += .little(UInt16(members.count)) + .little(UInt16(members.count))
    archive += .little(UInt32(directory.count)) + .little(start) + .little(UInt16(0))
    return archive
}
