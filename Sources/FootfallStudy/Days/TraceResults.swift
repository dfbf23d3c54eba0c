package import Footfall
internal import FootfallHistory
package import FootfallMeasures
package import FootfallReaders
internal import FootfallTables
package import Foundation

/// The tables of one trace from which its days follow, read day by day.
package final class TraceResults {
    /// The name of the trace without its extensions: the path of the folder below that of the results.
    package let name: String
    package private(set) var timeZone: TimeZone
    /// The cut points of the analysis; nil for none.
    package let cutPoints: IntensityCutPoints?
    /// Nil for tables of an earlier version.
    let calibration: CalibrationState?
    /// The length of the epochs.
    package let epochLength: EpochLength
    /// Where the sensor was worn; nil if it is not stated.
    let placement: SensorPlacement?
    /// Whether the epochs have a part in the days.
    var hasEpochs = true
    /// The days with samples, from midnight to midnight.
    package private(set) var days: [Range<Timestamp>]
    /// From the first sample to the last one. A part that another trace of the person has is left out.
    package private(set) var range: Range<Timestamp>
    /// What is before this time is left out; nil if all is read.
    private var keptFrom: Timestamp?
    /// Seconds between the times of the tables and those of the results.
    private var shift = 0.0
    private let activities: TableReader
    private let steps: TableReader
    private let epochs: EpochReader
    private var nextSegment: Segment?
    /// The latest steps, and the first one after them.
    private var recentSteps: [Timestamp] = []
    private var nextStep: Timestamp?

    /// The files of all tables that are read.
    package static func files(in folder: URL) -> [String] {
        [TableDescription.days, .activities, .steps, .epochs].map {
            folder.appending(path: $0.name).relativePath
        }
    }

    /// Opens tables that have no days yet.
    ///
    /// - Parameters:
    ///   - days: The days with samples, from midnight to midnight.
    ///   - range: From the first sample to the last one.
    /// - Throws: `TraceError`.
    init(
        of name: String, activities: String, steps: String, epochs: String,
        _ days: [Range<Timestamp>], _ range: Range<Timestamp>, in timeZone: TimeZone, by cutPoints: IntensityCutPoints?,
        _ calibration: CalibrationState?, epochLength: EpochLength, _ placement: SensorPlacement?
    ) throws(TraceError) {
        (self.name, self.days, self.range) = (name, days, range)
        (self.timeZone, self.cutPoints, self.calibration) = (timeZone, cutPoints, calibration)
        (self.epochLength, self.placement) = (epochLength, placement)
        self.activities = try TableReader(activities, columns: ["start", "end", "activity", "reason"], isOwn: true)
        self.steps = try TableReader(steps, columns: ["time"], isOwn: true)
        self.epochs = try EpochReader(epochs, length: epochLength)
    }

    /// Opens the tables of a trace in a folder of results.
    ///
    /// - Throws: `TraceError` for a table that is missing or broken.
    package convenience init(in folder: URL, name: String) throws {
        func path(_ table: TableDescription) -> String { folder.appending(path: table.name).relativePath }
        let days = try TableReader(
            path(.days), columns: ["start", "end", "timeZone", "cutPoints"],
            optional: [
                "calibration", "calibrationErrorBeforeMg", "calibrationErrorAfterMg", "epochSeconds", "placement",
            ],
            isOwn: true)
        var (calibration, length): (CalibrationState?, EpochLength) = (nil, .five)
        var placement: SensorPlacement?
        var (rows, range): ([Range<Timestamp>], Range<Timestamp>?) = ([], nil)
        var (zone, points): (TimeZone?, IntensityCutPoints?) = (nil, nil)
        while try days.next() {
            let (start, end) = (try days.time(0), try days.time(1))
            guard start <= end, start >= range?.upperBound ?? start else { throw days.error("the time runs backwards") }
            guard let found = TimeZone(named: days.text(2)) else { throw days.invalid(2, "a time zone") }
            zone = found
            if !days.text(3).isEmpty {
                guard let set = try? IntensityCutPoints(text: days.text(3)) else { throw days.invalid(3, "cut points") }
                points = set
            }
            if !days.isEmpty(4) {
                calibration = CalibrationState(
                    word: days.text(4), errorBeforeMg: days.isEmpty(5) ? nil : try days.number(5),
                    errorAfterMg: days.isEmpty(6) ? nil : try days.number(6))
            }
            if !days.isEmpty(7) {
                guard let found = EpochLength(rawValue: Int(clamping: try days.number(7))) else {
                    throw days.invalid(7, "a length of epochs")
                }
                length = found
            }
            placement = SensorPlacement(rawValue: days.isEmpty(8) ? "" : days.text(8))
            rows.append(found.day(of: start))
            range = (range?.lowerBound ?? start)..<end
        }
        try self.init(
            of: name, activities: path(.activities), steps: path(.steps), epochs: path(.epochs), rows,
            range ?? .epoch ..< .epoch, in: zone ?? .gmt, by: points, calibration, epochLength: length, placement)
        // After all files are open, a new analysis does not change what is read.
        try TableFolder(folder).check()
    }

    /// Whether the times have a date.
    package var isDated: Bool { range.lowerBound >= .endOfUndated }

    /// Moves the trace to a time, and to a zone; nil for that of the analysis.
    package func move(to start: Timestamp, in zone: TimeZone? = nil) {
        shift += start.seconds(since: range.lowerBound)
        range = start..<start.advanced(bySeconds: range.seconds)
        timeZone = zone ?? timeZone
        days = []
        repeat {
            let day = timeZone.day(of: days.last?.upperBound ?? start)
            guard !day.isEmpty else { return }
            days.append(day)
        } while days.last?.upperBound ?? range.upperBound < range.upperBound
    }

    /// Leaves out everything before a time.
    package func start(at time: Timestamp) {
        range = range.clamped(to: time..<max(time, range.upperBound))
        keptFrom = time
    }

    /// The part of a day that is not left out.
    ///
    /// The range has no part in this: `days.csv` states it to the millisecond only.
    private func part(of day: Range<Timestamp>) -> Range<Timestamp> {
        keptFrom.map { day.clamped(to: $0..<max($0, day.upperBound)) } ?? day
    }

    /// The steps of a range. Ranges are asked for in the order of time, but a day after the night that follows it.
    package func steps(of range: Range<Timestamp>) throws(TraceError) -> [Timestamp] {
        let range = part(of: range)
        let kept = range.lowerBound.advanced(bySeconds: -EpochReader.reachSeconds)
        recentSteps.removeFirst(recentSteps.prefix { $0 < kept }.count)
        while nextStep.map({ $0 < range.upperBound }) ?? true {
            if let nextStep { recentSteps.append(nextStep) }
            nextStep = nil
            guard try steps.next() else { break }
            let time = try steps.time(0).advanced(bySeconds: shift)
            if let last = recentSteps.last, time < last { throw steps.error("the time runs backwards") }
            nextStep = time
        }
        return recentSteps.filter(range.contains)
    }

    /// The epochs of a range. Ranges are asked for in the order of time, but a day after the night that follows it.
    package func epochs(of range: Range<Timestamp>) throws(TraceError) -> [EpochMeasures] {
        hasEpochs ? try epochs.epochs(of: part(of: range), shift: shift) : []
    }

    /// The segments of a day, clipped to it. Days are asked for in the order of time.
    package func segments(of day: Range<Timestamp>) throws(TraceError) -> [Segment] {
        let day = part(of: day)
        var found: [Segment] = []
        while true {
            if nextSegment == nil {
                guard try activities.next() else { return found }
                nextSegment = try segment()
            }
            guard let next = nextSegment, next.range.lowerBound < day.upperBound else { return found }
            if let last = found.last, next.range.lowerBound < last.range.upperBound {
                throw activities.error("the time runs backwards")
            }
            if next.range.overlaps(day) {
                let part = next.range.clamped(to: day)
                found.append(Segment(range: part, flags: next.flags, reason: next.reason, probability: 1, steps: 0))
            }
            // A segment that lasts longer belongs to the next day too.
            guard next.range.upperBound <= day.upperBound else { return found }
            nextSegment = nil
        }
    }

    private static let flags: [String: ActivityFlags] = [
        "stationary": .stationary, "walking": .walking, "running": .running, "automotive": .automotive,
        "cycling": .cycling, "unknown": .unknown,
    ]
    private static let reasons = Dictionary(uniqueKeysWithValues: UnknownReason.allCases.map { ("\($0)", $0) })

    /// The segment in the last row that was read.
    private func segment() throws(TraceError) -> Segment {
        let start = try activities.time(0).advanced(bySeconds: shift)
        let end = try activities.time(1).advanced(bySeconds: shift)
        guard start <= end else { throw activities.error("the time runs backwards") }
        guard let flags = Self.flags[activities.text(2)] else { throw activities.invalid(2, "an activity") }
        let reason = Self.reasons[activities.text(3)]
        return Segment(range: start..<end, flags: flags, reason: reason, probability: 1, steps: 0)
    }

    /// The folders with tables of traces below a folder of results, in the order of their names.
    package static func folders(in results: URL) throws(FileError) -> [(url: URL, name: String)] {
        let manager = FileManager.default
        var isFolder: ObjCBool = false
        guard manager.fileExists(atPath: results.path, isDirectory: &isFolder) else {
            throw FileError(path: results.relativePath, problem: "does not exist; name the folder of analyze --tables")
        }
        guard isFolder.boolValue, let names = manager.enumerator(atPath: results.path) else {
            throw FileError(path: results.relativePath, problem: "is no folder that can be read")
        }
        let folders = names.compactMap { $0 as? String }.filter { $0.hasSuffix("/" + TableDescription.steps.name) }
            .map { String($0.dropLast(TableDescription.steps.name.count + 1)) }
        guard !folders.isEmpty else {
            throw FileError(
                path: results.relativePath, problem: "has no tables of a trace; write them with analyze --tables")
        }
        return folders.sorted().map { (results.appending(path: $0), $0) }
    }
}
