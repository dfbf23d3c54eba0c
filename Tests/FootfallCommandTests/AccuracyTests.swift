import Foundation
import TestSupport
import Testing

@testable import FootfallCommand

/// Holds the accuracy that was reached on recordings of real people, so that no change loses it unnoticed.
///
/// The limits are the figures of the release that set them with a small margin: a tenth of a percentage point and what one
/// recording adds to its group. `footfall evaluate` prints the figures themselves. The gate was trained on these very
/// recordings; what it is worth on others stands in the documentation (“How the step detector works”).
@Suite("Accuracy of steps", .needsShared("corpus/steps/manifest.csv"))
struct AccuracyTests {
    private static let groups: [String: StepMeasures] = {
        guard let manifest = try? Manifest(contentsOf: Corpus.manifest) else { return [:] }
        var evaluation = Evaluation()
        for entry in manifest.entries where Corpus.isPartOfTest(entry) { evaluation.add(entry) }
        return Dictionary(uniqueKeysWithValues: evaluation.groups.map { ($0.name, $0.group.steps) })
    }()

    private func measures(_ group: String) throws -> StepMeasures {
        try #require(Self.groups[group], "no recordings of “\(group)”")
    }

    @Test(
        "counts are as right as they were",
        arguments: [
            ("all", 2.7), ("placement wrist", 2.7), ("activity running", 3.1), ("set pebble", 2.8),
            ("set oxford_opt", 1.4), ("set weallwalk", 3.7), ("set bangle", 2.4),
        ])
    func error(group: String, most: Double) throws {
        let error = try #require(measures(group).meanAbsolutePercentageError)
        #expect(error <= most)
    }

    @Test("counts are neither too high nor too low")
    func bias() throws {
        let bias = try #require(measures("all").bias)
        #expect((0.99...1.01).contains(bias))
    }

    @Test("strikes are found in time")
    func times() throws {
        #expect(try #require(measures("all").timeF1) >= 0.975)
        #expect(try #require(measures("all").medianTimeError) <= 0.075)
    }

    @Test(
        "nobody walks at the wheel, at rest or over chores",
        arguments: ["no steps: driving", "no steps: stationary", "no steps: other"])
    func falseSteps(group: String) throws {
        #expect(try measures(group).stepFreeSeconds > 300)
        #expect(try measures(group).falseSteps == 0)
    }
}

/// The recordings of real people.
enum Corpus {
    static let manifest = SharedRecordings.url("corpus/steps/manifest.csv")

    /// Of the phones at 100 to 400 Hz, which hold two thirds of all samples, the unoptimised build reads these alone.
    private static let fewPhones: Set = [
        "Samsung_Jamie_Hard_InHand_1", "Samsung_Dario_Hard_BackPocket_1", "Samsung_Carmelo_Hard_Purse_2",
    ]

    /// Whether a recording is read: all are with `swift test -c release`, nearly all without.
    static func isPartOfTest(_ entry: Manifest.Entry) -> Bool {
        #if DEBUG
            entry.dataset != "oxford_opt" || fewPhones.contains(entry.recording)
        #else
            true
        #endif
    }
}
