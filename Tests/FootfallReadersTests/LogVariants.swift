import Foundation
import TestSupport

/// A real recording of an accelerometer: its first seconds, and what other sensors would have measured.
struct RealLog: Sendable {
    let name: String
    private(set) var times: [Double] = []
    /// In g.
    private(set) var acceleration: [SIMD3<Double>] = []
    /// The rate of turn in rad/s that follows from the direction of gravity.
    private(set) var turn: [SIMD3<Double>] = []
    /// In g, with a magnitude of 1.
    private(set) var gravity: [SIMD3<Double>] = []
    /// Acceleration without gravity, in g.
    private(set) var linear: [SIMD3<Double>] = []

    /// One recording of each collection of the shared recordings.
    static let paths = [
        "steps/bangle/count100.csv", "steps/grf_run_processed/v3p33_slope0.csv",
        "steps/oxford_opt/Nexus_Jamie_Hard_InHand_1.csv",
        "steps/pebble/walk_100_pbl_25296_1.csv", "steps/pebble/walk_200_pbl_25662_7.csv",
        "steps/weallwalk/T1_ID12_NA_1L.csv",
        "steps-more/mobgap-lab/ha001-test11-trial1.csv", "activity/car-misc/comma2k19-example1.csv",
        "activity/qrowd-tr/user2-cycling.csv", "activity/sp-sw-har/s01-01-sp.csv", "activity/tmd/tmd-01-car-1.csv",
        "activity/wisdm2019/1606-phone-jogging.csv", "activity/wisdm2019/1606-phone-walking.csv",
        "activity-more/bike-byke/citytrack1.csv", "activity-more/chestwalk/p01.csv",
        "activity-more/daily-tt/tt-1-on-table-continuous-0.csv",
        "activity-more/mlqs-aj/aj-1-ball-sport-1.csv", "activity-more/pamap2-wrist/cycling-0.csv",
        "activity-more/st-examples/mobile-biking.csv", "activity-more/table-hhar/3Renault-AH.csv",
    ]

    /// Reads at most 20 s and 1200 rows.
    init?(_ path: String) throws {
        name = path
        let url = SharedRecordings.url("corpus/" + path)
        let text = String(
            decoding: try FileHandle(forReadingFrom: url).read(upToCount: 200_000) ?? Data(), as: UTF8.self)
        for line in text.split(separator: "\n").dropFirst().prefix(1200) {
            let values = line.split(separator: ",").prefix(4).compactMap { Double($0) }
            guard values.count == 4, values[0] > times.last ?? -1 else { continue }
            if let first = times.first, values[0] - first > 20 { break }
            times.append(values[0])
            acceleration.append(SIMD3(values[1], values[2], values[3]))
        }
        guard times.count > 100, let last = times.last else { return nil }
        let interval = (last - times[0]) / Double(times.count - 1)
        let smooth = Self.smoothed(acceleration, share: interval / (interval + 0.6))
        gravity = smooth.map { $0 / $0.length }
        linear = zip(acceleration, smooth).map { $0 - $1 }
        let directions = Self.smoothed(acceleration, share: interval / (interval + 0.05)).map { $0 / $0.length }
        turn = directions.indices.map { row in
            let (before, after) = (max(0, row - 1), min(row + 1, directions.count - 1))
            let change = (directions[after] - directions[before]) / (times[after] - times[before])
            return directions[row].cross(change)
        }
    }

    /// A first-order low-pass, forwards and backwards.
    private static func smoothed(_ values: [SIMD3<Double>], share: Double) -> [SIMD3<Double>] {
        func pass(_ values: [SIMD3<Double>]) -> [SIMD3<Double>] {
            var state = values.first ?? .zero
            return values.map { value in
                state += (value - state) * share
                return state
            }
        }
        return pass(pass(values).reversed()).reversed()
    }
}

extension SIMD3<Double> {
    var length: Double { (self * self).sum().squareRoot() }
    func cross(_ other: SIMD3<Double>) -> SIMD3<Double> {
        SIMD3(y * other.z - z * other.y, z * other.x - x * other.z, x * other.y - y * other.x)
    }
}

/// One way to write a real log: other names, units, times and orders, with other columns, or as a mixture.
struct LogVariant {
    /// What the file is, in words.
    private(set) var description = ""
    private(set) var text = ""
    /// The rows of the recording that a reader must return; nil where it must refuse.
    private(set) var rows: Range<Int>?
    /// Whether reading and refusing are both right.
    private(set) var isEither = false
    /// How much times may differ, in seconds, and magnitudes, in g.
    private(set) var (timeTolerance, tolerance) = (0.0015, 0.004)

    private struct Column {
        var title: String
        var value: (Int) -> String
    }

    /// Writes a variant of `log`; `other` is another log, for mixtures.
    init(of log: RealLog, and other: RealLog, _ random: inout SeededGenerator) {
        let count = Int.random(in: log.times.count / 2...log.times.count, using: &random)
        rows = 0..<count
        let time = timeColumns(log, &random)
        let axes = axisColumns(log, &random)
        var header: Header =
            [.none, .none, .none, .titles, .titles, .titles, .capitals, .quoted, .quoted, .unknown]
            .randomElement(using: &random) ?? .none
        let kind = Int.random(in: 0..<20, using: &random)
        var columns = time + axes
        switch kind {
        case 0..<9:
            description += ", plain"
        case 9..<16:
            let others = otherColumns(log, &random)
            columns = Bool.random(using: &random) ? time + axes + others : time + others + axes
        case 16:
            replaceAxes(&columns, log, header, &random)
        case 17:
            text = mixture(log, other, count, &random)
            return
        default:
            header = .none
            columns = axes + time
            description += ", time last"
        }
        if header != .none, Int.random(in: 0..<3, using: &random) == 0 {
            columns.shuffle(using: &random)
            description += ", shuffled"
        }
        description += ", header \(header)"
        text = Self.table(columns, 0..<count, header, &random)
    }

    enum Header: CaseIterable { case none, titles, capitals, quoted, unknown }

    private static func table(
        _ columns: [Column], _ rows: Range<Int>, _ header: Header, _ random: inout SeededGenerator
    ) -> String {
        let delimiter = [",", ";", "\t"].randomElement(using: &random) ?? ","
        let titles: [String]? =
            switch header {
            case .none: nil
            case .titles: columns.map(\.title)
            case .capitals: columns.map { $0.title.uppercased() }
            case .quoted: columns.map { "\"\($0.title)\"" }
            case .unknown: columns.indices.map { "C\($0)" }
            }
        let lines = rows.map { row in columns.map { $0.value(row) }.joined(separator: delimiter) }
        return ((titles.map { [$0.joined(separator: delimiter)] } ?? []) + lines).joined(separator: "\n") + "\n"
    }

    // MARK: Columns

    private static let epoch = 1_382_349_608.0

    private mutating func timeColumns(_ log: RealLog, _ random: inout SeededGenerator) -> [Column] {
        let start = log.times[0]
        func since(_ row: Int) -> Double { log.times[row] - start }
        func whole(_ row: Int, _ factor: Double) -> String { "\(Int64((since(row) * factor).rounded()))" }
        let title = ["time", "timestamp", "t", "Zeit"].randomElement(using: &random) ?? "time"
        switch Int.random(in: 0..<9, using: &random) {
        case 0: return [Column(title: title, value: { String(format: "%.4f", since($0)) })]
        case 1: return [Column(title: title, value: { String(format: "%.3f", Self.epoch + since($0)) })]
        case 2: return [Column(title: title, value: { whole($0, 1e3) })]
        case 3: return [Column(title: title, value: { "\(Int64(Self.epoch * 1e3 + (since($0) * 1e3).rounded()))" })]
        case 4: return [Column(title: title, value: { "\(579_518_702_739_258 + Int64((since($0) * 1e9).rounded()))" })]
        case 5: return [Column(title: title, value: { "2013-10-21 10:00:" + String(format: "%06.3f", 8 + since($0)) })]
        case 6: return [Column(title: title, value: { "10:00:" + String(format: "%06.3f", 8 + since($0)) })]
        case 7:
            description += "two times"
            return [
                Column(title: "time", value: { "\(Int64(Self.epoch + since($0)))" }),
                Column(title: "elapsed_ms", value: { whole($0, 1e3) }),
            ]
        default:
            return [
                Column(
                    title: "dt_us",
                    value: { row in
                        row == 0
                            ? "0"
                            : "\(Int64((log.times[row] * 1e6).rounded()) - Int64((log.times[row - 1] * 1e6).rounded()))"
                    })
            ]
        }
    }

    private mutating func axisColumns(_ log: RealLog, _ random: inout SeededGenerator) -> [Column] {
        let (unit, factor, format) =
            [
                ("g", 1.0, "%.4f"), ("m/s^2", 9.80665, "%.3f"), ("mg", 1000, "%.1f"), ("counts", 16384, "%.0f"),
                ("counts", 256, "%.0f"),
            ]
            .randomElement(using: &random) ?? ("g", 1, "%.4f")
        if factor == 256 { tolerance = 0.01 }
        let titles =
            [
                ["x", "y", "z"], ["ax", "ay", "az"], ["acc_x", "acc_y", "acc_z"],
                ["Acceleration x", "Acceleration y", "Acceleration z"],
                ["Beschleunigung x", "Beschleunigung y", "Beschleunigung z"],
            ].randomElement(using: &random) ?? ["x", "y", "z"]
        let hasUnit = unit != "counts" && Bool.random(using: &random)
        description += " in \(unit)\(factor == 256 ? " of 1/256 g" : "")"
        return Self.columns(titles.map { $0 + (hasUnit ? " (\(unit))" : "") }, log.acceleration, factor, format)
    }

    private static func columns(
        _ titles: [String], _ values: [SIMD3<Double>], _ factor: Double, _ format: String
    ) -> [Column] {
        titles.enumerated().map { axis, title in
            Column(title: title, value: { String(format: format, values[$0][axis] * factor) })
        }
    }

    /// Columns that are not acceleration with gravity.
    private mutating func otherColumns(_ log: RealLog, _ random: inout SeededGenerator) -> [Column] {
        switch Int.random(in: 0..<9, using: &random) {
        case 0:
            description += ", a row number"
            return [Column(title: "n", value: { "\($0)" })]
        case 1:
            description += ", a constant"
            return [Column(title: "accuracy", value: { _ in "3" })]
        case 2:
            description += ", a flag"
            return [Column(title: "button", value: { "\($0 / 40 % 2)" })]
        case 3:
            description += ", a flag in turn"
            return [Column(title: "parity", value: { "\($0 % 2)" })]
        case 4:
            description += ", a label"
            return [Column(title: "label", value: { $0 % 500 < 250 ? "walking" : "resting" })]
        case 5:
            description += ", temperature and battery"
            return [
                Column(title: "temperature", value: { String(format: "%.1f", 21.5 + Double($0 / 300) / 10) }),
                Column(title: "battery", value: { String(format: "%.2f", 3.9 - Double($0) / 1e5) }),
            ]
        case 6:
            description += ", a gyroscope"
            return Self.columns(["gyro_x", "gyro_y", "gyro_z"], log.turn, 1, "%.4f")
        case 7:
            description += ", a gyroscope in degrees"
            return Self.columns(["wx (deg/s)", "wy (deg/s)", "wz (deg/s)"], log.turn, 57.29578, "%.3f")
        default:
            description += ", linear acceleration"
            return Self.columns(
                ["Linear Acceleration x", "Linear Acceleration y", "Linear Acceleration z"],
                log.linear, 9.80665, "%.4f")
        }
    }

    /// Writes another sensor in place of the axes.
    private mutating func replaceAxes(
        _ columns: inout [Column], _ log: RealLog, _ header: Header, _ random: inout SeededGenerator
    ) {
        let (name, values, factor): (String, [SIMD3<Double>], Double) =
            [
                ("a gyroscope", log.turn, 1), ("a gyroscope in degrees", log.turn, 57.29578),
                ("gravity alone", log.gravity, 1),
                ("gravity alone in m/s²", log.gravity, 9.80665),
                ("linear acceleration", log.linear, 1),
                ("linear acceleration in m/s²", log.linear, 9.80665),
            ].randomElement(using: &random) ?? ("gravity alone", log.gravity, 1)
        // At rest, gravity alone is what the accelerometer measures.
        let directions = log.gravity.map { ($0 * log.gravity[0]).sum() }
        isEither = name.hasPrefix("gravity") && (directions.min() ?? 0) > 0.9998
        rows = nil
        description += ", \(name) only"
        columns.removeLast(3)
        columns += Self.columns(["x", "y", "z"], values, factor, "%.5f")
    }

    // MARK: Mixtures

    /// Rows of two series, which a column distinguishes.
    private mutating func mixture(
        _ log: RealLog, _ other: RealLog, _ count: Int, _ random: inout SeededGenerator
    ) -> String {
        let isOtherPerson = Bool.random(using: &random)
        let hasHeader = Bool.random(using: &random)
        let isInTurn = Bool.random(using: &random)
        let count = min(count, other.times.count)
        let ids = [["1", "2"], ["acc", "gyr"], ["17", "33"]].randomElement(using: &random) ?? ["1", "2"]
        description =
            "rows of \(isOtherPerson ? "two persons" : "two sensors")\(isInTurn ? " in turn" : " in blocks"), header \(hasHeader)"
        rows = nil
        func line(_ row: Int, _ series: Int) -> String {
            let second = isOtherPerson ? other.acceleration[row] : log.turn[row]
            let values = series == 0 ? log.acceleration[row] : second
            let fields =
                [String(format: "%.4f", log.times[row]), ids[series]]
                + (0..<3).map { String(format: "%.4f", values[$0]) }
            return fields.joined(separator: ",")
        }
        let lines =
            isInTurn
            ? (0..<count).flatMap { [line($0, 0), line($0, 1)] }
            : (0..<count).map { line($0, 0) } + (0..<count).map { line($0, 1) }
        return ((hasHeader ? ["time,sensor,x,y,z"] : []) + lines).joined(separator: "\n") + "\n"
    }
}
