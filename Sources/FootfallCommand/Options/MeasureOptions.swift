import ArgumentParser
import Footfall
import FootfallHistory
import FootfallMeasures
import FootfallStudy
import Foundation

struct MeasureOptions: ParsableArguments {
    @Option(.validDay) var validDay: Double?

    @Option("Of intensity; see 'footfall help cut-points'.", "set", OptionValue.cutPoints)
    var cutPoints: IntensityCutPoints?

    @Option("The rule of MVPA bouts.", "rule") var mvpaBouts: BoutRule?

    @Option(
        "Also dayparts.csv: 'school 08:00-13:00'. Repeatable.", "part", name: .customLong("part"), OptionValue.dayPart)
    var parts: [DayPart] = []

    @Flag(help: "Write all columns of persons.csv.") var allColumns = false

    func validate() throws {
        if Set(parts.map(\.name)).count < parts.count {
            throw ValidationError("--part: two parts have one name. Write another name.")
        }
    }

    /// Rejects epochs that are longer than those of the cut points.
    func check(_ epoch: EpochLength) throws {
        guard let cutPoints, cutPoints.metric.unit == "counts" else { return }
        guard cutPoints.epochSeconds.remainder(dividingBy: epoch.seconds) == 0 else {
            let seconds = Int(clamping: cutPoints.epochSeconds)
            throw ValidationError(
                "--epoch \(epoch.rawValue): the counts of \(cutPoints.name) are those of \(seconds) s. Write --epoch \(seconds) or "
                    + "a shorter one that divides it.")
        }
    }

    var rules: DayRules {
        DayRules(
            leastWear: validDay ?? DayMeasures.leastWear, cutPoints: cutPoints, bouts: mvpaBouts ?? .whole,
            parts: parts)
    }

    /// Whether an option is given.
    var isGiven: Bool { validDay != nil || cutPoints != nil || mvpaBouts != nil || !parts.isEmpty || allColumns }
}

struct GaitOptions: ParsableArguments {
    @Option(help: "For gait and nights.") var placement: SensorPlacement?
    @Option("The least bout of gait.csv (default: 3s).", "duration", QueryValue.duration) var gaitBout: Double?

    func validate() throws {
        if let gaitBout, !(1...GaitMeter.longestSeconds).contains(gaitBout) {
            throw ValidationError("--gait-bout: the least bout is from 1 to 60 s long. Write a duration such as 10s.")
        }
    }

    var meter: GaitMeter { GaitMeter(placement: placement, leastSeconds: gaitBout ?? GaitMeter.leastSeconds) }

    /// Whether an option is given.
    var isGiven: Bool { placement != nil || gaitBout != nil }
}
