
/// The place of the directory of a ZIP archive, from the record at its end (PKWARE APPNOTE 6.3.10, sections 4.3.14 to
/// 4.3.16).
struct ZipDirectory {
    let range: Range<Int64>
    /// The number of its members.
    let count: Int

    /// This value marks a number that needs 64 bits and is stored elsewhere.
    static let elsewhere = UInt32.max

    private static let endLength = 22
    private static let locatorLength = 20
    private static let largeEndLength: Int64 = 56
    private static let longestComment = 65535
    private static let longest: Int64 = 1 << 24

    /// Finds the directory.
    ///
    /// - Throws: ``TraceError`` when there is none, it is damaged or too long, or when reading fails.
    init(of file: InputFile) throws(TraceError) {
        let tailLength = Int64(ZipDirectory.locatorLength + ZipDirectory.endLength + ZipDirectory.longestComment)
        let tail = try file.bytes(at: max(0, file.size - tailLength)..<file.size)
        let text = tail.span
        let last = text.count - ZipDirectory.endLength
        guard let end = stride(from: last, through: 0, by: -1).first(where: { text.has([0x50, 0x4B, 5, 6], at: $0) })
        else { throw ZipArchive.refusal(file, "its directory is missing; it may have been cut short") }
        var count = UInt64(text.littleEndian(UInt16.self, at: end + 10))
        var size = UInt64(text.littleEndian(UInt32.self, at: end + 12))
        var start = UInt64(text.littleEndian(UInt32.self, at: end + 16))
        let locator = end - ZipDirectory.locatorLength
        if locator >= 0, text.has([0x50, 0x4B, 6, 7], at: locator) {
            let place = text.littleEndian(UInt64.self, at: locator + 8)
            guard let place = Int64(exactly: place), place <= file.size - ZipDirectory.largeEndLength else {
                throw ZipArchive.refusal(file, "its directory is damaged")
            }
            let large = try file.bytes(at: place..<place + ZipDirectory.largeEndLength)
            guard large.span.has([0x50, 0x4B, 6, 6], at: 0) else {
                throw ZipArchive.refusal(file, "its directory is damaged")
            }
            count = large.span.littleEndian(UInt64.self, at: 32)
            size = large.span.littleEndian(UInt64.self, at: 40)
            start = large.span.littleEndian(UInt64.self, at: 48)
        }
        guard size <= ZipDirectory.longest else {
            throw ZipArchive.refusal(file, "its directory is larger than 16 MiB")
        }
        guard let start = Int64(exactly: start), start <= file.size - Int64(size), let count = Int(exactly: count)
        else {
            throw ZipArchive.refusal(file, "its directory is damaged")
        }
        range = start..<start + Int64(size)
        self.count = count
    }
}
