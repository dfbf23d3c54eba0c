import ArgumentParser
import Footfall
import FootfallHistory
import FootfallMeasures
import FootfallStudy
import Foundation

/// The options of the measures of days.
struct MeasureOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp("The wear of a valid day in the tables, such as 16h (default: 10h).", valueName: "duration"),
        transform: QueryValue.duration)
    var validDay: Double?

    @Option(
        help: ArgumentHelp(
            "The cut points of intensity for the wearer's age and the sensor's placement: a set that 'footfall help analyze' lists, or a measure and mg or counts per minute, "
                + "such as enmo:45,100,430 for light, moderate and vigorous. Without them intensity has no minutes.",
            valueName: "set"),
        transform: OptionValue.cutPoints)
    var cutPoints: IntensityCutPoints?

    @Option(
        help: ArgumentHelp(
            "The rule of MVPA bouts: whole, or window as in GGIR, where 5 min start with 4 min of activity (default: whole).",
            valueName: "rule"))
    var mvpaBouts: BoutRule?

    @Flag(help: "Write all columns of persons.csv, with the means and medians of all measures of days.")
    var allColumns = false

    func validate() throws {
        if let validDay, !(0...86_400).contains(validDay) {
            throw ValidationError("--valid-day: a day has at most 24 h. Write a shorter duration, such as 10h.")
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

    /// The rules of the measures of days.
    var rules: DayRules {
        DayRules(leastWear: validDay ?? DayMeasures.leastWear, cutPoints: cutPoints, bouts: mvpaBouts ?? .whole)
    }

    /// Whether an option is given.
    var isEmpty: Bool { validDay == nil && cutPoints == nil && mvpaBouts == nil && !allColumns }

    /// The published sets as text for the help.
    static let sets =
        "The sets of --cut-points, with the least mg, or counts in an epoch of the study, of light, moderate and vigorous intensity:\n"
        + IntensityCutPoints.published.map { set in
            let values = (set.light.map { [$0] } ?? []) + [set.moderate, set.vigorous]
            return
                "  \(set.name)\n    \(set.measure): \(values.map(text).joined(separator: ", ")); "
                + "\(set.placement); \(set.age)\n"
        }.joined().asciiText
        + Set(IntensityCutPoints.published.map { "\($0.name.prefix { $0 != "-" }): \($0.source)" }).sorted()
        .joined(separator: "\n").asciiText
}

/// A number without the zero of a whole one.
private func text(_ value: Double) -> String { Int(exactly: value).map(String.init) ?? "\(value)" }

extension IntensityCutPoints {
    /// The measure in words of the help.
    fileprivate var measure: String {
        switch metric {
        case .enmo: "ENMO"
        case .mad: "MAD"
        case .countsY: "counts of the y axis in \(Int(clamping: epochSeconds)) s"
        case .countsVectorMagnitude: "vector magnitude of counts in \(Int(clamping: epochSeconds)) s"
        }
    }
}

extension String {
    /// The text without accents and typographic signs, for manual pages.
    fileprivate var asciiText: String {
        replacing("\u{2013}", with: "-").replacing("\u{B1}", with: "+/-")
            .folding(options: .diacriticInsensitive, locale: nil)
    }
}
