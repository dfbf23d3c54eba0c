import Foundation

/// Makes recordings as ActiGraph loggers write them.
struct ActiGraphFile {
    enum Packing: UInt8, CaseIterable {
        case yBeforeX = 0
        case words = 26
        case xBeforeY = 27
    }

    var packing = Packing.yBeforeX
    var rate = 30
    var unitsPerG = 256
    var info: [String: String] = [
        "Serial Number": "TAS1H30182785", "Device Type": "Link", "Firmware": "1.7.1", "Battery Voltage": "4,03",
        "Sample Rate": "30", "Start Date": "637340333400000000", "TimeZone": "-04:00:00",
        "Acceleration Scale": "256.0", "Acceleration Max": "8.0",
    ]
    var calibration: String?

    /// 2024-03-01T10:00:00 on the logger's clock.
    static let start: UInt32 = 1_709_287_200

    /// The walk, in units.
    func units(_ index: Int) -> [Int] {
        let phase = Double(index) / Double(rate) * 2 * .pi * 1.8
        let g = [0.08 * sin(phase), -0.12 * cos(phase / 2), 0.98 + 0.25 * sin(phase)]
        return g.map { Int($0 * Double(unitsPerG)) }
    }

    static func record(_ type: UInt8, _ time: UInt32, _ payload: [UInt8]) -> [UInt8] {
        let bytes = [0x1E, type] + .little(time) + .little(UInt16(payload.count)) + payload
        return bytes + [~bytes.reduce(0, ^)]
    }

    /// The second that comes `second` after the start.
    func activity(_ second: Int, count: Int? = nil) -> [UInt8] {
        activity(second, (0..<(count ?? rate)).map { units(second * rate + $0) })
    }

    /// A second with these samples.
    func activity(_ second: Int, _ values: [[Int]]) -> [UInt8] {
        let payload: [UInt8]
        switch packing {
        case .words: payload = values.flatMap { $0.flatMap { [UInt8].little(Int16($0)) } }
        case .yBeforeX: payload = ActiGraphFile.packed(values.map { [$0[1], $0[0], $0[2]] })
        case .xBeforeY: payload = ActiGraphFile.packed(values)
        }
        return ActiGraphFile.record(packing.rawValue, ActiGraphFile.start + UInt32(second), payload)
    }

    /// Numbers in 12 bits each, the greatest bit first.
    static func packed(_ values: [[Int]]) -> [UInt8] {
        let digits = values.joined().flatMap { value in
            [8, 4, 0].map { UInt8(truncatingIfNeeded: value >> $0) & 15 }
        }
        return stride(from: 0, to: digits.count, by: 2).map { place in
            digits[place] << 4 | (place + 1 < digits.count ? digits[place + 1] : 0)
        }
    }

    static func event(_ second: Int, _ code: UInt8) -> [UInt8] { record(3, start + UInt32(second), [code]) }

    var infoText: [UInt8] {
        [0xEF, 0xBB, 0xBF] + info.sorted { $0.key < $1.key }.flatMap { Array("\($0.key): \($0.value)\r\n".utf8) }
    }

    func bytes(log: [UInt8], isDeflated: Bool = false) -> [UInt8] {
        var members = [("log.bin", log), ("info.txt", infoText)]
        if let calibration { members.append(("calibration.json", Array(calibration.utf8))) }
        return zipped(members.map { (name: $0.0, content: $0.1) }, isDeflated: isDeflated)
    }

    func bytes(seconds: Int, isDeflated: Bool = false) -> [UInt8] {
        bytes(log: (0..<seconds).flatMap { activity($0) }, isDeflated: isDeflated)
    }
}
