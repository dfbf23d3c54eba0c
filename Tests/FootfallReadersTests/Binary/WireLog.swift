/// Makes logs of what devices send.
enum WireLog {
    /// Seconds since 1970 at 2026-01-02T03:04:05Z.
    static let start: Int64 = 1_767_323_045

    /// Acceleration along z in thousandths of g.
    static func milliG(_ index: Int) -> Int { 1000 + 8 * (index % 16) }

    /// WitMotion's frame: a marker, what it is, four words, a sum.
    static func witMotion(_ kind: UInt8, _ payload: [UInt8]) -> [UInt8] {
        let bytes = [0x55, kind] + payload
        return bytes + [bytes.reduce(0, &+)]
    }

    static func date(_ index: Int) -> [UInt8] {
        let milliseconds = index * 20
        return [26, 1, 2, 3, 4, UInt8(5 + milliseconds / 1000)] + .little(UInt16(milliseconds % 1000))
    }

    /// Full scale of 16 bits is 16 g.
    static func words(_ index: Int) -> [UInt8] {
        .little(Int16(0)) + .little(Int16(0)) + .little(Int16(milliG(index) * 32768 / 16000))
    }

    static func witMotion(_ index: Int, hasTime: Bool) -> [UInt8] {
        (hasTime ? witMotion(0x50, date(index)) : []) + witMotion(0x51, words(index) + .little(Int16(2500)))
            + witMotion(0x52, [UInt8](repeating: 1, count: 8))
    }

    /// A record in a file on WitMotion's SD card.
    static func record(_ index: Int) -> [UInt8] {
        [0x55, 0x61] + words(index) + [UInt8](repeating: 3, count: 12) + date(index)
    }

    /// An x-IMU3's message, 20 ms after the one before it, with the bytes that end and escape escaped.
    static func ximu3(_ index: Int) -> [UInt8] {
        let values: [Float] = [1, 2, 3, 0, 0, Float(milliG(index)) / 1000]
        let payload =
            [UInt8].little(UInt64(1_000_000 + index * 20_000)) + values.flatMap { [UInt8].little($0.bitPattern) }
        let stuffed = payload.flatMap { $0 == 0x0A ? [0xDB, 0xDC] : $0 == 0xDB ? [0xDB, 0xDD] : [$0] }
        return [0xC9] + stuffed + [0x0A]
    }

    /// A MAVLink 1 frame with RAW_IMU, behind the time of its reception.
    static func telemetry(_ index: Int) -> [UInt8] {
        let microseconds = UInt64(start) * 1_000_000 + UInt64(index) * 20_000
        let payload =
            [UInt8].little(UInt64(5_000_000 + index * 20_000)) + .little(Int16(0)) + .little(Int16(0))
            + .little(Int16(-milliG(index))) + [UInt8](repeating: 0, count: 12)
        let frame = [26, UInt8(truncatingIfNeeded: index), 1, 200, 27] + payload
        var sum: UInt16 = 0xFFFF
        for byte in frame + [144] {
            var next = byte ^ UInt8(truncatingIfNeeded: sum)
            next ^= next << 4
            sum = sum >> 8 ^ UInt16(next) << 8 ^ UInt16(next) << 3 ^ UInt16(next) >> 4
        }
        return [UInt8].little(microseconds.byteSwapped) + [0xFE] + frame + .little(sum)
    }
}
