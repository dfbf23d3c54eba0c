import Footfall

/// Encodes readings in the formats of sensors, for comparison with decoded readings.
enum Encode {
    static func little(_ value: some FixedWidthInteger) -> [UInt8] {
        (0..<value.bitWidth / 8).map { UInt8(truncatingIfNeeded: value >> ($0 * 8)) }
    }

    static func big(_ value: some FixedWidthInteger) -> [UInt8] { little(value).reversed() }

    // MARK: WitMotion

    static func witmotion(_ kind: UInt8, _ data: [UInt8]) -> [UInt8] {
        let frame = [0x55, kind] + data
        return frame + [frame.reduce(0, &+)]
    }

    static func counts(_ vector: SIMD3<Float>) -> [UInt8] {
        (0..<3).flatMap { little(Int16((vector[$0] * 2048).rounded())) }
    }

    static func witmotion(acceleration vector: SIMD3<Float>) -> [UInt8] {
        witmotion(0x51, counts(vector) + little(Int16(2500)))
    }

    static func date(_ millisecond: Int) -> [UInt8] {
        let second = millisecond / 1000
        return [26, 1, 2, UInt8(second / 3600), UInt8(second / 60 % 60), UInt8(second % 60)]
            + little(UInt16(millisecond % 1000))
    }

    static func witmotion(timeOfDay millisecond: Int) -> [UInt8] { witmotion(0x50, date(millisecond)) }

    /// A record of 20 bytes, or of 28 with a time.
    static func record(_ vector: SIMD3<Float>, timeOfDay millisecond: Int? = nil) -> [UInt8] {
        [0x55, 0x61] + counts(vector) + [UInt8](repeating: 0x11, count: 12) + (millisecond.map(date) ?? [])
    }

    static func packet(_ vector: SIMD3<Float>, timeOfDay millisecond: Int) -> [UInt8] {
        Array("WT5500001234".utf8) + date(millisecond) + counts(vector) + [UInt8](repeating: 7, count: 26) + [13, 10]
    }

    // MARK: Xsens

    static func xsens(_ identifier: UInt8, _ data: [UInt8]) -> [UInt8] {
        let length = data.count < 255 ? [UInt8(data.count)] : [255] + big(UInt16(data.count))
        let checked = [0xFF, identifier] + length + data
        return [0xFA] + checked + [0 &- checked.reduce(0, &+)]
    }

    static func item(_ identifier: UInt16, _ value: [UInt8]) -> [UInt8] {
        big(identifier) + [UInt8(value.count)] + value
    }

    /// Three numbers in one of the four formats.
    static func xsensVector(_ metres: SIMD3<Double>, format: UInt16) -> [UInt8] {
        (0..<3).flatMap { axis -> [UInt8] in
            let value = metres[axis]
            switch format {
            case 0: return big(Float(value).bitPattern)
            case 1: return big(Int32((value * 0x1p20).rounded()))
            case 2:
                let fixed = Int64((value * 0x1p32).rounded())
                return big(UInt32(truncatingIfNeeded: fixed)) + big(Int16(fixed >> 32))
            default: return big(value.bitPattern)
            }
        }
    }

    static func xsens(
        _ metres: SIMD3<Double>, ticks: UInt32? = nil, format: UInt16 = 0, quantity: UInt16 = 0x4020,
        others: [UInt8] = []
    ) -> [UInt8] {
        xsens(
            0x36,
            item(0x1020, [0, 1]) + (ticks.map { item(0x1060, big($0)) } ?? []) + others
                + item(quantity | format, xsensVector(metres, format: format)))
    }

    // MARK: x-IMU3

    static func stuffed(_ message: [UInt8]) -> [UInt8] {
        message.flatMap { byte -> [UInt8] in
            switch byte {
            case 0x0A: [0xDB, 0xDC]
            case 0xDB: [0xDB, 0xDD]
            default: [byte]
            }
        } + [0x0A]
    }

    static func ximu3(_ letter: Character, microseconds: UInt64, _ values: [Float]) -> [UInt8] {
        stuffed(
            [0x80 + (letter.asciiValue ?? 0)] + little(microseconds) + values.flatMap { little($0.bitPattern) })
    }

    static func ximu3(_ vector: SIMD3<Float>, microseconds: UInt64) -> [UInt8] {
        ximu3("I", microseconds: microseconds, [1, -2, 3, vector.x, vector.y, vector.z])
    }

    // MARK: MAVLink

    static func checksum(_ bytes: [UInt8]) -> UInt16 {
        bytes.reduce(0xFFFF) { checksum, byte in
            (0..<8).reduce(checksum ^ UInt16(byte)) { value, _ in value & 1 == 1 ? value >> 1 ^ 0x8408 : value >> 1 }
        }
    }

    static func mavlink1(
        _ identifier: UInt8, extra: UInt8, _ payload: [UInt8], system: UInt8 = 1, component: UInt8 = 1
    ) -> [UInt8] {
        let checked = [UInt8(payload.count), 0, system, component, identifier] + payload
        return [0xFE] + checked + little(checksum(checked + [extra]))
    }

    static func mavlink2(
        _ identifier: UInt8, extra: UInt8, _ payload: [UInt8], system: UInt8 = 1, isSigned: Bool = false
    ) -> [UInt8] {
        let cut = max(1, (payload.lastIndex { $0 != 0 } ?? 0) + 1)
        let checked: [UInt8] =
            [UInt8(cut), isSigned ? 1 : 0, 0, 0, system, 1, identifier, 0, 0] + payload.prefix(cut)
        return [0xFD] + checked + little(checksum(checked + [extra])) + (isSigned ? Array(1...13) : [])
    }

    static func milligravity(_ vector: SIMD3<Float>) -> [UInt8] {
        (0..<3).flatMap { little(Int16((vector[$0] * 1000).rounded())) }
    }

    /// The payload of SCALED_IMU.
    static func scaledIMU(_ vector: SIMD3<Float>, milliseconds: UInt32) -> [UInt8] {
        little(milliseconds) + milligravity(vector) + [UInt8](repeating: 3, count: 12)
    }

    /// The payload of RAW_IMU.
    static func rawIMU(_ vector: SIMD3<Float>, microseconds: UInt64) -> [UInt8] {
        little(microseconds) + milligravity(vector) + [UInt8](repeating: 3, count: 12)
    }

    /// The payload of HIGHRES_IMU.
    static func highresIMU(_ metres: SIMD3<Float>, microseconds: UInt64) -> [UInt8] {
        little(microseconds) + (0..<3).flatMap { little(metres[$0].bitPattern) } + [UInt8](repeating: 0, count: 40)
            + [0xFF, 0x0F]
    }

    static func systemTime(unixMicroseconds: UInt64, bootMilliseconds: UInt32) -> [UInt8] {
        little(unixMicroseconds) + little(bootMilliseconds)
    }
}

extension Sway {
    /// The walk in whole thousandths of g.
    static func milligravity(_ index: Int) -> SIMD3<Float> {
        (vector(index) * 1000).rounded(.toNearestOrAwayFromZero) / 1000
    }
}

/// A walk that every encoder writes without loss: all values are multiples of 1/2048 g.
enum Sway {
    static func vector(_ index: Int) -> SIMD3<Float> {
        SIMD3(Float(index * 37 % 400 - 200), Float(index * 53 % 300 - 150), Float(2048 + index * 29 % 500 - 250)) / 2048
    }
}
