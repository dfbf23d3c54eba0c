import Foundation

/// Makes recordings as Parmay Matrix loggers write them.
enum MatrixFile {
    static let samplesPerPacket = 200
    /// The remarks, and a header with a range of 8 g.
    static let header = [UInt8](repeating: 0x20, count: 512) + Array("MDTC".utf8) + [0, 0, 0, 0, 8, 0, 0, 0]

    static func bytes(packets: Int) -> [UInt8] { header + (0..<packets).flatMap(packet) }

    /// Two seconds of acceleration at 100 Hz, with one temperature and no rotation.
    static func packet(_ number: Int) -> [UInt8] {
        let start = UInt32(1_700_000_000 + 2 * number)
        var content = [UInt8].little(start) + .little(start + 2)
        for count in [samplesPerPacket, 0, 1, 0] { content += .little(UInt32(count)) }
        for index in 0..<samplesPerPacket {
            let phase = Double(number * samplesPerPacket + index) / 100 * 2 * .pi * 1.8
            for g in [0.08 * sin(phase), -0.12 * cos(phase / 2), 0.98 + 0.25 * sin(phase)] {
                content += .little(Int16(g * 4096))
            }
        }
        content += .little(UInt32(215))
        return Array("MDTCPACK".utf8) + .little(UInt32(checksum(content))) + content
    }
}
