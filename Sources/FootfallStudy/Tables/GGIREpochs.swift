internal import Footfall
internal import FootfallHistory
internal import FootfallMeasures
internal import FootfallReaders
package import Foundation

/// The epochs of a trace as GGIR reads those of UK Biobank, with `dataFormat = "ukbiobank_csv"`. The first line has the
/// local times of the first and the last epoch. Each other line has an epoch: ENMO in mg, 1 for an epoch that is not
/// worn or not recorded, and the steps, which GGIR does not read. The time has no gaps. It starts and ends at a quarter
/// of an hour, because GGIR reads the next quarter as the time of the first line.
package struct GGIREpochs {
    /// The folder of the files in that of the results. GGIR expects no other files beside them.
    package static let folder = "ggir"
    private static let window = 900.0
    private static let marker = "acceleration (mg) - "

    private let folder: URL
    private let rule: OutputRule
    private var names: Set<String> = []
    /// The traces that have no file, and why, as lines for the user.
    package private(set) var remarks: [String] = []

    /// Creates the folder. `results` is the folder of results.
    package init(in results: URL, _ rule: OutputRule) throws(FileError) {
        (folder, self.rule) = (results.appending(path: Self.folder), rule)
        try OutputTable.make(folder)
    }

    /// Writes the file of a trace.
    package mutating func write(_ trace: PlacedLog) throws {
        let name = trace.name.replacing("/", with: "_")
        guard names.insert(name).inserted else {
            return remarks.append("\(trace.name) has the same name as another trace in \(Self.folder)/; rename one")
        }
        guard trace.isDated else {
            return remarks.append("\(trace.name) has no date, which GGIR needs; state its start with --persons")
        }
        guard trace.epochLength == .five else {
            return remarks.append(
                "\(trace.name) has epochs of \(trace.epochLength.rawValue) s, but GGIR reads this form with 5 s; "
                    + "analyze it again without --epoch")
        }
        guard let range = Self.range(of: trace) else {
            return remarks.append("\(trace.name) has no quarter of an hour, the least that GGIR reads")
        }
        let file = try OutputFile(folder.appending(path: name + ".csv").relativePath, marker: Self.marker, rule)
        let last = range.upperBound.advanced(bySeconds: -EpochMeasures.seconds)
        let times = [range.lowerBound, last].map { LocalTime($0, in: trace.timeZone).full }
        file.add(Self.marker + times.joined(separator: " - ") + " - sampleRate = 5 seconds,imputed,steps\n")
        var next = range.lowerBound
        while next < range.upperBound {
            let end = min(next.advanced(bySeconds: 86_400), range.upperBound)
            for line in try Self.lines(of: trace, next..<end) { file.add(line) }
            next = end
        }
        try file.finish()
    }

    /// The whole quarters of an hour of a trace. It does not start in an hour that the clock repeats, which GGIR takes
    /// for the first one.
    private static func range(of trace: PlacedLog) -> Range<Timestamp>? {
        func quarters(_ time: Timestamp, _ rounding: FloatingPointRoundingRule) -> Timestamp {
            let count = (time.seconds(since: .epoch) / window).rounded(rounding)
            return .epoch.advanced(bySeconds: count * window)
        }
        func local(_ time: Timestamp) -> String { LocalTime(time, in: trace.timeZone).full }
        var start = quarters(trace.range.lowerBound, .up)
        while local(start) == local(start.advanced(bySeconds: -3600)) { start = start.advanced(bySeconds: window) }
        // A logger stops one sample before a quarter; its last epoch counts from half of its length on.
        let end = quarters(trace.range.upperBound.advanced(bySeconds: EpochMeasures.seconds / 2), .down)
        return start < end ? start..<end : nil
    }

    private static func lines(of trace: PlacedLog, _ range: Range<Timestamp>) throws -> [String] {
        func slot(_ time: Timestamp) -> Int {
            Int(clamping: (time.seconds(since: range.lowerBound) / EpochMeasures.seconds).rounded(.down))
        }
        let count = slot(range.upperBound)
        var (epochs, steps) = ([EpochMeasures?](repeating: nil, count: count), [Int](repeating: 0, count: count))
        for epoch in try trace.epochs(of: range) where range.contains(epoch.start) { epochs[slot(epoch.start)] = epoch }
        for step in try trace.steps(of: range) { steps[slot(step.time)] += 1 }
        return zip(epochs, steps).map { epoch, steps in
            guard let epoch else { return "0,1,\(steps)\n" }
            return "\(epoch.enmoMg),\(epoch.isWorn ? 0 : 1),\(steps)\n"
        }
    }
}
