import Footfall
import Foundation

/// A made-up walk of two seconds at 100 Hz that begins at 2013-10-21T10:00:08Z, and ways to write it down.
enum Walk {
    static let count = 200
    static let start: Int64 = 1_382_349_608

    /// The row's time after the start, in milliseconds.
    static func milliseconds(_ row: Int) -> Int { row * 10 }

    /// Acceleration in millionths of g: what is written in any unit is then exact.
    static func micro(_ row: Int) -> (x: Int, y: Int, z: Int) {
        let phase = Double(row) / 100 * 2 * .pi * 1.8
        return (Int(80_000 * sin(phase)), Int(-120_000 * cos(phase / 2)), 980_000 + Int(250_000 * sin(phase)))
    }

    static func g(_ row: Int) -> [Double] {
        let (x, y, z) = micro(row)
        return [x, y, z].map { Double($0) / 1e6 }
    }

    static func mg(_ row: Int) -> [String] { g(row).map { String(format: "%.3f", $0 * 1000) } }
    static func metres(_ row: Int) -> [String] { g(row).map { String(format: "%.9f", $0 * 9.80665) } }
    static func text(_ row: Int) -> [String] { g(row).map { String(format: "%.6f", $0) } }

    /// Seconds since 1970 with `digits` decimals, in integers.
    static func epoch(_ row: Int, digits: Int = 2) -> String {
        let ms = milliseconds(row)
        return "\(start + Int64(ms / 1000))." + String(String(format: "%03d000000", ms % 1000).prefix(digits))
    }

    /// Whole milliseconds, microseconds or nanoseconds since 1970.
    static func epoch(_ row: Int, zeros: String) -> String {
        "\(start * 1000 + Int64(milliseconds(row)))\(zeros)"
    }

    static func clock(_ row: Int) -> String { String(format: "10:00:%02d.%03d", 8 + row / 100, row % 100 * 10) }
    static func seconds(_ row: Int) -> String { String(format: "%d.%02d", row / 100, row % 100) }

    /// The walk as lines of a table.
    static func lines(
        _ header: String? = nil, end: String = "\n", rows: Range<Int> = 0..<count, _ row: (Int) -> String
    ) -> String {
        ((header.map { [$0] } ?? []) + rows.map(row)).joined(separator: end) + end
    }

    static func joined(_ fields: [String], _ delimiter: String = ",") -> String { fields.joined(separator: delimiter) }
    static func comma(_ fields: [String]) -> [String] {
        fields.map { $0.replacingOccurrences(of: ".", with: ",") }
    }
}
