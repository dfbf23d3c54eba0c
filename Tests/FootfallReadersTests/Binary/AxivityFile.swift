import Foundation

/// Makes recordings as Axivity devices write them.
struct AxivityFile {
    enum Packing: UInt8, CaseIterable {
        case bits = 0x30
        case words = 0x32
        case sixAxes = 0x62
        case nineAxes = 0x92

        var axes: Int { Int(rawValue >> 4) }
        var samplesPerSector: Int { self == .bits ? 120 : 240 / axes }
    }

    var packing = Packing.bits
    /// Samples per second as the device really takes them; 100 are set.
    var hertz = 97.3
    /// 0x4A: 100 Hz, ±8 g. 0 makes the oldest format, with clocks read to the second.
    var rateCode: UInt8 = 0x4A
    /// Seconds from the start of 2024-03-01 on the device's clock to the first sample.
    var start = 36_000.25
    /// The temperature in units of 75 / 256 °C, from −50 °C on, with bits above that have another meaning.
    var temperature: UInt16 = 0xFC00 | 261
    /// In how many of the first samples acceleration stands before rotation.
    var swapped = 0
    var header = AxivityFile.header(hardware: 0x17)

    static func header(hardware: UInt8, device: UInt32 = 39434) -> [UInt8] {
        var bytes = Array("MD".utf8) + [0xFC, 0x03] + [UInt8](repeating: 0xFF, count: 1020)
        bytes[4] = hardware
        bytes.put(UInt16(truncatingIfNeeded: device), at: 5)
        bytes.put(UInt16(device >> 16), at: 11)
        bytes[36] = 0x4A
        return bytes
    }

    /// A walk, in units of 1/256 g. Values are even, so that ten bits with an exponent hold them without loss.
    static func sample(_ index: Int) -> [Int] {
        let phase = Double(index) / 100 * 2 * .pi * 1.8
        return [2 * Int(10 * sin(phase)), 2 * Int(-15 * cos(phase / 2)), 250 + 2 * Int(32 * sin(phase))]
    }

    /// The time of a sample in seconds after the start of the day.
    func time(_ index: Int) -> Double { start + Double(index) / hertz }

    var unitCode: UInt16 { packing == .bits || packing == .words ? 0 : 3 }

    func bytes(sectors: Int) -> [UInt8] { header + (0..<sectors).flatMap { sector($0) } }

    func sector(_ number: Int, count: Int? = nil) -> [UInt8] {
        let first = number * packing.samplesPerSector
        return sector(number, (first..<first + packing.samplesPerSector).map(AxivityFile.sample), count: count)
    }

    /// A sector that is full of these samples.
    func sector(_ number: Int, _ samples: [[Int]], count: Int? = nil) -> [UInt8] {
        var bytes = Array("AX".utf8) + [0xFC, 0x01] + [UInt8](repeating: 0, count: 508)
        let first = number * packing.samplesPerSector
        let isOld = rateCode == 0
        // The clock ticks after some samples of the sector. The oldest devices read it when the sector begins.
        let tick = isOld ? time(first).rounded(.down) : time(first).rounded(.up) + 0.25
        bytes.put(isOld ? UInt16(0x1234) : 0x8000 | UInt16(0.25 * 32768), at: 4)
        bytes.put(UInt32(number), at: 10)
        bytes.put(AxivityFile.packed(second: Int(tick)), at: 14)
        bytes.put(unitCode << 13 | 0x155, at: 18)
        bytes.put(temperature, at: 20)
        bytes[23] = 190  // the battery
        bytes[24] = rateCode
        bytes[25] = packing.rawValue
        // What stands there belongs to the whole second; the fraction moves it on by as many samples as are set.
        let sample = ((tick - time(first)) * hertz).rounded() - (0.25 * 100)
        bytes.put(isOld ? Int16(100) : Int16(sample), at: 26)
        bytes.put(UInt16(count ?? packing.samplesPerSector), at: 28)
        for (index, values) in samples.enumerated() {
            switch packing {
            case .bits:
                let exponent = values.map { abs($0) > 255 ? 1 : 0 }.max() ?? 0
                let fields = values.map { UInt32(truncatingIfNeeded: $0 >> exponent) & 0x3FF }
                bytes.put(
                    fields[0] | fields[1] << 10 | fields[2] << 20 | UInt32(exponent) << 30, at: 30 + index * 4)
            default:
                let scaled = values.map { Int16($0 * (unitCode == 3 ? 8 : 1)) }
                for (axis, value) in words(first + index, scaled).enumerated() {
                    bytes.put(value, at: 30 + (index * packing.axes + axis) * 2)
                }
            }
        }
        bytes.put(AxivityFile.checksum(bytes), at: 510)
        return bytes
    }

    /// What stands in the words of a sample: rotation, acceleration, magnetism. Where the order was wrong at first, the
    /// last rotation of that time is written twice.
    private func words(_ index: Int, _ values: [Int16]) -> [Int16] {
        func rotation(_ index: Int) -> [Int16] { [Int16(index % 50), -3, Int16(index % 7)] }
        guard packing.axes > 3 else { return values }
        if index < swapped { return values + rotation(index) }
        let turn = swapped > 0 && index == swapped ? rotation(index - 1) : rotation(index)
        return turn + values + (packing == .nineAxes ? [1, 2, 3] : [])
    }

    static func checksum(_ bytes: [UInt8]) -> UInt16 {
        let sum = stride(from: 0, to: 510, by: 2).reduce(UInt16(0)) { sum, at in
            sum &+ UInt16(bytes[at]) &+ UInt16(bytes[at + 1]) << 8
        }
        return 0 &- sum
    }

    /// A second of 2024-03-01 as the devices write it.
    static func packed(second: Int) -> UInt32 {
        let date: UInt32 = 24 << 26 | 3 << 22 | 1 << 17
        let clock = ((second / 3600) << 12) | ((second / 60 % 60) << 6) | (second % 60)
        return date | UInt32(clock)
    }
}
