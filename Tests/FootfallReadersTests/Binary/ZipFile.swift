/// Files packed into a ZIP archive.
///
/// - Parameter isLarge: Whether to write all numbers where archives of more than 4 GiB have them.
func zipped(
    _ members: [(name: String, content: [UInt8])], isDeflated: Bool = false, isLarge: Bool = false
) -> [UInt8] {
    var archive: [UInt8] = []
    var directory: [UInt8] = []
    for (name, content) in members {
        let data = isDeflated ? deflated(content) : content
        let method = isDeflated ? UInt16(8) : 0
        func facts(_ sizes: [UInt32]) -> [UInt8] {
            var facts: [UInt8] = [20, 0, 0, 0] + .little(method) + [0, 0, 0, 0] + .little(checksum(content))
            for size in sizes { facts += .little(size) }
            return facts + .little(UInt16(name.utf8.count))
        }
        let sizes = [UInt32(data.count), UInt32(content.count)]
        // Some other field comes first.
        var extra: [UInt8] = isLarge ? [7, 0, 1, 0, 9, 1, 0, 24, 0] : []
        for number in isLarge ? [content.count, data.count, archive.count] : [] { extra += .little(UInt64(number)) }
        directory += [0x50, 0x4B, 1, 2, 20, 0] + facts(isLarge ? [.max, .max] : sizes)
        directory += .little(UInt16(extra.count)) + [UInt8](repeating: 0, count: 10)
        directory += .little(isLarge ? .max : UInt32(archive.count)) + Array(name.utf8) + extra
        // The extra field here is not in the directory, as with many writers.
        archive += [0x50, 0x4B, 3, 4] + facts(sizes) + .little(UInt16(4)) + Array(name.utf8) + [1, 2, 0, 0] + data
    }
    let start = archive.count
    archive += directory
    if isLarge {
        let end = archive.count
        archive += [0x50, 0x4B, 6, 6] + .little(UInt64(44)) + [45, 0, 45, 0, 0, 0, 0, 0, 0, 0, 0, 0]
        for number in [members.count, members.count, directory.count, start] { archive += .little(UInt64(number)) }
        archive += [0x50, 0x4B, 6, 7, 0, 0, 0, 0] + .little(UInt64(end)) + [1, 0, 0, 0]
    }
    archive += [0x50, 0x4B, 5, 6, 0, 0, 0, 0]
    let count = isLarge ? UInt16.max : UInt16(members.count)
    archive += .little(count) + .little(count) + .little(isLarge ? .max : UInt32(directory.count))
    archive += .little(isLarge ? .max : UInt32(start)) + .little(UInt16(0))
    return archive
}
