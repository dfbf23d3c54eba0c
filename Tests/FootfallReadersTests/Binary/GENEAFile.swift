import Foundation

/// Makes recordings as GENEA loggers write them.
struct GENEAFile {
    static let rate = 80
    static let header = Array(
        ("GENEA/1.00\r\nSerial-Number:01275\r\nSample-Rate:80Hz\r\nAccel-Offsets:3 -2 5\r\nAccel-Gains:8300 8200 8250\r\n"
            + "\r\n").utf8)
    static let pageSize = 2048
    private static let chunksPerPage = 341

    /// Pages with a time before the samples of each second. The last page ends with voltages of the battery.
    static func bytes(seconds: Int) -> [UInt8] {
        var chunks: [[UInt8]] = []
        for second in 0..<seconds {
            let time = UInt32(1_269_950_916 + second)
            chunks.append([0, 0x20] + [UInt8].little(time).reversed())
            chunks += (0..<rate).map { sample(second * rate + $0) }
        }
        while !chunks.count.isMultiple(of: chunksPerPage) { chunks.append([0, 0x40, 0, 0, 0, 0]) }
        let pages = stride(from: 0, to: chunks.count, by: chunksPerPage).map { first in
            chunks[first..<first + chunksPerPage].joined() + [0, 0]
        }
        return header + pages.joined()
    }

    /// Three numbers of 12 bits, 340 for each g.
    private static func sample(_ index: Int) -> [UInt8] {
        let phase = Double(index) / Double(rate) * 2 * .pi * 1.8
        let counts = [Int(27 * sin(phase)), Int(-41 * cos(phase / 2)), -333 - Int(85 * sin(phase))]
        let (x, y, z) = (counts[0] & 0xFFF, counts[1] & 0xFFF, counts[2] & 0xFFF)
        return [0, UInt8(x >> 8), UInt8(x & 0xFF), UInt8(y >> 4), UInt8((y & 15) << 4 | z >> 8), UInt8(z & 0xFF)]
    }
}
