import Foundation

/// Makes recordings as GENEActiv loggers write them.
struct GENEActivFile {
    /// Samples per second as set, and as really taken.
    var rate = 50.0
    var hertz = 50.0
    var lineEnd = "\r\n"
    var zone: String? = "GMT +01:00"
    /// Seconds after 2024-03-01T10:00:00 on the logger's clock at which the first sample was taken.
    var start = 0.3

    static let units: [(gain: Int, offset: Int)] = [(25875, 439), (25734, -662), (25538, -3056)]

    /// The walk, in units.
    static func units(_ index: Int) -> [Int] {
        let phase = Double(index) / 50 * 2 * .pi * 1.8
        return [Int(20 * sin(phase)), Int(-30 * cos(phase / 2)), 250 + Int(64 * sin(phase))]
    }

    static func acceleration(_ index: Int) -> [Float] {
        zip(units(index), units).map { (Float($0 * 100) - Float($1.offset)) / Float($1.gain) }
    }

    /// When a sample was taken, in seconds after 10:00:00.
    func time(_ index: Int) -> Double { start + Double(index) / hertz }

    private var header: [String] {
        var lines = ["Device Identity", "Device Unique Serial Code:012967", "Device Type:GENEActiv           ", ""]
        lines += ["Device Capabilities", "Accelerometer Range:-8 to 8             ", ""]
        lines += ["Configuration Info", "Measurement Frequency:\(rate) Hz"]
        if let zone { lines.append("Time Zone:\(zone)") }
        lines += ["Study Centre:\0\0\0\0", "", "Calibration Data"]
        for (axis, units) in zip(["x", "y", "z"], GENEActivFile.units) {
            lines += ["\(axis) gain:\(units.gain)", "\(axis) offset:\(units.offset)"]
        }
        return lines + ["Volts:300", "Lux:800", "", "Memory Status", "Number of Pages:222048", ""]
    }

    /// The lines of a page.
    func page(_ number: Int) -> [String] {
        page(number, (0..<300).map { GENEActivFile.units(number * 300 + $0) })
    }

    /// The lines of a page with these samples; its time is cut to half a second.
    func page(_ number: Int, _ samples: [[Int]]) -> [String] {
        let seconds = (time(number * 300) * 2).rounded(.down) / 2 + 36000
        let clock = String(
            format: "%02d:%02d:%02d:%03d", Int(seconds) / 3600, Int(seconds) / 60 % 60, Int(seconds) % 60,
            Int(seconds * 1000) % 1000)
        let digits = samples.map { units in
            units.map { String(format: "%03X", $0 & 0xFFF) }.joined() + "004"
        }
        return [
            "Recorded Data", "Device Unique Serial Code:012967", "Sequence Number:\(number)",
            "Page Time:2024-03-01 \(clock)", "Unassigned:", "Temperature:21.5", "Battery voltage:4.1493",
            "Device Status:Recording", "Measurement Frequency:\(rate)", digits.joined(),
        ]
    }

    func text(pages: [[String]]) -> String {
        (header + pages.joined()).joined(separator: lineEnd) + lineEnd
    }

    func bytes(pages: Int) -> [UInt8] { Array(text(pages: (0..<pages).map { page($0) }).utf8) }
}
