internal import Footfall
internal import FootfallAnswers
package import FootfallEvaluation
internal import FootfallReport
internal import FootfallTables

/// The picture of the agreement of counted and true steps, and its numbers.
package struct AgreementPlot {
    private let points: [AgreementPicture.Point]
    private let limits: LimitsOfAgreement?
    private let rows: [[String]]

    package init(_ evaluation: Evaluation) {
        limits = evaluation.group(.all)?.steps.counts.limits
        let outcomes = evaluation.outcomes.filter { !$0.group.steps.counts.pairs.isEmpty }
        points = outcomes.map { outcome in
            let truth = Double(outcome.trueSteps ?? 0)
            let seconds = outcome.group.people.seconds
            return AgreementPicture.Point(
                name: outcome.recording.id, truth: truth, counted: Double(outcome.steps),
                cadence: seconds > 0 ? truth / seconds * 60 : nil,
                isRunning: outcome.recording.activity == Activity.running.rawValue)
        }
        var sum = 0.0
        rows = points.map { point in
            sum += point.counted - point.truth
            return [
                point.name, numberText(point.truth, 0), numberText(point.counted, 0),
                numberText((point.truth + point.counted) / 2, 1), numberText(point.counted - point.truth, 0),
                numberText(100 * (point.counted - point.truth) / point.truth, 1), numberText(point.cadence, 1),
                numberText(sum, 0),
            ]
        }
    }

    /// The picture as an SVG document.
    package func svg(of counter: String) -> String {
        let limits = limits.map { (lower: $0.lower, bias: $0.bias, upper: $0.upper) }
        return AgreementPicture(points: points, limits: limits)
            .document(title: "\(counter): counted and true steps of \(points.count) recordings")
    }

    /// The numbers of the picture.
    package var table: String {
        var table = TextTable(
            "recording", ">true", ">counted", ">mean", ">error", ">error %", ">steps/min", ">cumulative error")
        for row in rows { table.add(row) }
        return "\n" + table.text
    }
}
