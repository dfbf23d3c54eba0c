internal import Footfall
internal import FootfallMeasures

/// The means and the counts of the epochs of each minute, computed as the epochs come.
struct EpochMinutes {
    let length: EpochLength
    private var minutes: [Timestamp: MinuteMeans] = [:]

    init(length: EpochLength) { self.length = length }

    /// Adds the next epoch.
    mutating func add(_ epoch: EpochMeasures) {
        minutes[epoch.start.startOfMinute, default: MinuteMeans(epochs: 60 / length.rawValue)].add(epoch)
    }

    /// The means of the epochs that start in the minute from a time; nil without epochs.
    func means(from start: Timestamp) -> MinuteMeans? { minutes[start.startOfMinute] }
}

/// The means of the epochs of a minute.
struct MinuteMeans {
    /// The epochs of a whole minute.
    private let epochs: Int
    private var (enmo, mad, angle): (Float, Float, Float) = (0, 0, 0)
    private var (count, angles): (UInt8, UInt8) = (0, 0)
    private var (counts, counted) = (ActivityCounts.zero, 0)

    fileprivate init(epochs: Int) { self.epochs = epochs }

    fileprivate mutating func add(_ epoch: EpochMeasures) {
        enmo += Float(epoch.enmoMg)
        mad += Float(epoch.madMg)
        angle += Float(epoch.angleZDegrees ?? 0)
        count += 1
        counts = counts + (epoch.counts ?? .zero)
        counted += epoch.counts == nil ? 0 : 1
        angles += epoch.angleZDegrees == nil ? 0 : 1
    }

    var enmoMg: Double? { Self.mean(enmo, count) }
    var madMg: Double? { Self.mean(mad, count) }
    var angleZDegrees: Double? { Self.mean(angle, angles) }
    /// The counts; nil if those of an epoch are missing.
    var wholeCounts: ActivityCounts? { counted == epochs ? counts : nil }

    private static func mean(_ sum: Float, _ count: UInt8) -> Double? {
        count > 0 ? Double(sum) / Double(count) : nil
    }
}

extension Timestamp {
    fileprivate var startOfMinute: Timestamp {
        let rest = nanosecondsSince1970 % 60_000_000_000
        return Timestamp(nanosecondsSince1970: nanosecondsSince1970 - (rest < 0 ? rest + 60_000_000_000 : rest))
    }
}
