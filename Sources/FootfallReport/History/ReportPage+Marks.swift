internal import Footfall
internal import FootfallHistory
internal import FootfallTables

extension ReportPage {
    /// A table of the marks with their steps; empty without marks.
    var marks: String {
        guard !report.marks.isEmpty else { return "" }
        var table = HTMLTable("Marks", ["mark", "from", "until", "steps", "covered"])
        for mark in report.marks {
            let ends = [mark.range.lowerBound, mark.range.upperBound].map { report.clock.local($0).full }
            let covered = NumberText.percentage(mark.steps.coverage, of: mark.range.seconds, space: "\u{A0}")
            let steps = mark.steps.coverage > 0 ? NumberText.count(mark.stepCount) : "no data"
            table.add([mark.mark.text] + ends + [steps, covered])
        }
        return table.folded(isOpen: true)
    }
}
