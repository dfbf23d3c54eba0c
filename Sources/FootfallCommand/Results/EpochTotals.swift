import Footfall
import FootfallMeasures
import FootfallReport
import Foundation

/// The measures of the intensity of each day, and the means of each minute, computed as the epochs come.
struct EpochTotals {
    private let timeZone: TimeZone
    private let cutPoints: IntensityCutPoints?
    private var day: Range<Timestamp>?
    /// The epochs of the day.
    private var epochs: [EpochMeasures] = []
    /// The values of ``Measure/ofIntensity``, by the start of the day.
    private(set) var intensities: [Timestamp: [Double?]] = [:]
    private var minutes: [Timestamp: MinuteMeans] = [:]

    init(in timeZone: TimeZone, by cutPoints: IntensityCutPoints?) {
        (self.timeZone, self.cutPoints) = (timeZone, cutPoints)
    }

    /// Adds the next epoch.
    mutating func add(_ epoch: EpochMeasures) {
        if let day, !day.contains(epoch.start) { finish() }
        if epochs.isEmpty { day = timeZone.day(of: epoch.start) }
        epochs.append(epoch)
        minutes[epoch.start.startOfMinute, default: MinuteMeans()].add(epoch)
    }

    /// Computes the measures of the last day.
    mutating func finish() {
        guard let day else { return }
        let intensity = DayIntensity(measures: IntensityMeasures(epochs: epochs, in: day), cutPoints: cutPoints)
        intensities[day.lowerBound] = Measure.ofIntensity.map { $0.value(intensity) }
        epochs.removeAll(keepingCapacity: true)
    }

    /// The means of the epochs that start in the minute from a time, as columns of `minutes.csv`.
    func means(from start: Timestamp) -> Record { minutes[start.startOfMinute]?.record ?? [] }
}

/// The sums of the epochs of a minute.
private struct MinuteMeans {
    private var (enmo, mad, angle): (Float, Float, Float) = (0, 0, 0)
    private var (count, angles): (UInt8, UInt8) = (0, 0)

    mutating func add(_ epoch: EpochMeasures) {
        enmo += Float(epoch.enmoMg)
        mad += Float(epoch.madMg)
        angle += Float(epoch.angleZDegrees ?? 0)
        count += 1
        angles += epoch.angleZDegrees == nil ? 0 : 1
    }

    var record: Record {
        func mean(_ sum: Float, _ count: UInt8) -> JSONValue {
            .number(count > 0 ? Double(sum) / Double(count) : nil, decimals: 2)
        }
        return [("enmoMg", mean(enmo, count)), ("madMg", mean(mad, count)), ("angleZDeg", mean(angle, angles))]
    }
}

extension Timestamp {
    fileprivate var startOfMinute: Timestamp {
        let rest = nanosecondsSince1970 % 60_000_000_000
        return Timestamp(nanosecondsSince1970: nanosecondsSince1970 - (rest < 0 ? rest + 60_000_000_000 : rest))
    }
}
