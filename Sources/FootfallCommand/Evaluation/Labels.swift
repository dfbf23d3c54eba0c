import Footfall
import FootfallSimulator
import Foundation

/// What really happened in a recording, as labels over time.
struct Labels {
    /// The label of a second.
    struct Second {
        let time: Timestamp
        let label: Activity
    }

    /// A span with one label.
    struct Run {
        var range: Range<Timestamp>
        let activity: Activity
    }

    /// The time of the first sample of every second, with its label.
    private(set) var seconds: [Second] = []
    /// Runs of equal labels, from the first sample of each to that of the next.
    private(set) var runs: [Run] = []
    private var lastSecond: Int64?

    /// The labels of a recording: in each of its rows or, where it has none, in the truth of the simulation beside it.
    ///
    /// - Throws: ``ManifestError`` when there are neither, or what Foundation finds wrong with the files.
    init(of entry: Manifest.Entry) throws {
        if FileManager.default.fileExists(atPath: entry.truthURL.path) {
            try self.init(truth: TruthDocument(json: Data(contentsOf: entry.truthURL)))
        } else {
            try self.init(rowsOf: entry.url)
        }
    }

    private init(rowsOf url: URL) throws {
        let text = try String(contentsOf: url, encoding: .utf8)
        let lines = text.split(whereSeparator: \.isNewline)
        let header = lines.first?.split(separator: ",", omittingEmptySubsequences: false) ?? []
        guard let timeColumn = header.firstIndex(of: "time"), let labelColumn = header.firstIndex(of: "label") else {
            throw ManifestError(path: url.path, problem: "no time and label columns, and no .truth.json beside it")
        }
        for line in lines.dropFirst() {
            let fields = line.split(separator: ",", omittingEmptySubsequences: false)
            guard fields.count > max(timeColumn, labelColumn), let value = Double(fields[timeColumn]),
                let time = Timestamp(secondsSince1970: value),
                let label = Activity(rawValue: String(fields[labelColumn]))
            else { continue }
            add(label, at: time, second: Int64(value.rounded(.down)))
        }
    }

    /// The labels of a simulation that begins at the epoch, as simulations do by default.
    private init(truth: TruthDocument) {
        for segment in truth.segments {
            let end = segment.offset + segment.duration
            var time = segment.offset
            while time < end {
                if let moment = Timestamp(secondsSince1970: time) {
                    add(segment.activity, at: moment, second: Int64(time.rounded(.down)))
                }
                time = time.rounded(.down) + 1
            }
        }
    }

    private mutating func add(_ label: Activity, at time: Timestamp, second: Int64) {
        if second != lastSecond { seconds.append(Second(time: time, label: label)) }
        lastSecond = second
        if let last = runs.last {
            runs[runs.count - 1].range = last.range.lowerBound..<max(time, last.range.lowerBound)
        }
        if runs.last?.activity != label { runs.append(Run(range: time..<time, activity: label)) }
    }

    /// When an activity begins or ends in the midst of the recording.
    ///
    /// What lies unlabelled between two runs of one activity, as a turn in a walk, belongs to it.
    func changes(of activity: Activity) -> (starts: [Timestamp], ends: [Timestamp]) {
        var (starts, ends): ([Timestamp], [Timestamp]) = ([], [])
        for (index, run) in runs.enumerated() where run.activity == activity {
            if index > 0, !isBridged(index - 1, activity) { starts.append(run.range.lowerBound) }
            if index + 1 < runs.count, !isBridged(index + 1, activity) { ends.append(run.range.upperBound) }
        }
        return (starts, ends)
    }

    private func isBridged(_ index: Int, _ activity: Activity) -> Bool {
        runs[index].activity == .unknown && index > 0 && index + 1 < runs.count
            && runs[index - 1].activity == activity && runs[index + 1].activity == activity
    }
}
