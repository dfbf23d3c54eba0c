import Footfall
import FootfallReport
import FootfallWire
import Foundation

/// Analyses as a table: the segments of a single trace, or one line for each of several traces.
struct AnalysisTable {
    let text: String

    init(_ analyses: [TraceAnalysis]) {
        text = analyses.count > 1 ? Self.overview(analyses) : analyses.map(Self.detail).joined()
    }

    private static func detail(_ analysis: TraceAnalysis) -> String {
        let quality = analysis.quality
        let rate = quality.sampleRate.map { "\($0.formatted(decimals: 1)) Hz" } ?? "too short to measure its rate"
        var lines = [
            "\(Color.bold(analysis.name.escaped))  \(quality.samples) samples, \(rate)",
            Color.dim("  " + analysis.layout.escaped),
        ]
        lines += analysis.notes.map { Color.dim("  " + $0.escaped) }
        if case .success(let calibration) = analysis.calibration {
            lines.append(Color.dim("  calibrated: \(Words.calibration(calibration))"))
        }
        lines += analysis.warnings.map { Color.yellow("  " + $0.escaped) }
        var table = Table("start", ">duration", "activity", ">steps", ">cadence", "confidence", "")
        for segment in analysis.segments {
            table.add(
                LocalTime(segment.range.lowerBound, in: .gmt).second, Words.duration(segment.range.seconds),
                Words.activity(segment.activity),
                segment.steps > 0 ? String(segment.steps) : "", Words.cadence(segment), segment.confidence.description,
                Color.dim(Words.remark(segment.reason, segment.halts) ?? ""))
        }
        let covered = NumberText.percentage(quality.coverage, of: quality.duration)
        var total =
            "\(Color.bold("\(analysis.steps) steps")) in \(Words.duration(quality.duration)), "
            + "\(covered) of it covered by samples"
        let unworn = analysis.nonWear.reduce(0) { $0 + $1.seconds }
        if unworn > 0 { total += ", not worn for \(Words.duration(unworn))" }
        return (lines + ["", table.text, total, ""]).joined(separator: "\n")
    }

    private static func overview(_ analyses: [TraceAnalysis]) -> String {
        var table = Table(
            "trace", "start", ">duration", ">Hz", ">steps", ">on foot", ">automotive", ">not worn", "notes")
        for analysis in analyses {
            let quality = analysis.quality
            table.add(
                analysis.name.escaped,
                quality.start?.description ?? "", Words.duration(quality.coverage),
                quality.sampleRate?.formatted(decimals: 1) ?? "", String(analysis.steps),
                Words.duration(analysis.seconds(of: .walking) + analysis.seconds(of: .running)),
                Words.duration(analysis.seconds(of: .automotive)),
                Words.duration(analysis.nonWear.reduce(0) { $0 + $1.seconds }),
                analysis.warnings.isEmpty ? "" : Color.yellow(analysis.warnings.joined(separator: "; ").escaped))
        }
        let steps = analyses.reduce(0) { $0 + $1.steps }
        return table.text + "\n\(Color.bold("\(steps) steps")) in \(analyses.count) traces\n"
    }
}

extension TraceAnalysis {
    /// The total duration of an activity, in seconds.
    fileprivate func seconds(of activity: Activity) -> Double {
        segments.filter { $0.activity == activity }.reduce(0) { $0 + $1.range.seconds }
    }
}
