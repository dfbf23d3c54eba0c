package import Footfall
internal import FootfallHistory
package import FootfallMeasures
internal import FootfallReaders
package import Foundation
internal import GRDB

/// Whether the samples of a log were calibrated.
struct CalibrationState: Codable, Hashable, Sendable {
    /// One of the words of the column calibration.
    let word: String
    /// The mean distances from 1 g at rest before and after, in mg; nil where they are not known.
    let errorBeforeMg: Double?
    let errorAfterMg: Double?
}

extension CalibrationState {
    /// `calibration` is nil if none was asked for.
    init(_ calibration: Result<SensorCalibration, SensorCalibration.Obstacle>?) {
        func mg(_ value: Float) -> Double { 1000 * Double(value) }
        switch calibration {
        case nil: self.init(word: "notAsked", errorBeforeMg: nil, errorAfterMg: nil)
        case .success(let found):
            self.init(word: "applied", errorBeforeMg: mg(found.errorBefore), errorAfterMg: mg(found.errorAfter))
        case .failure(.tooLittleStillness): self.init(word: "tooLittleStillness", errorBeforeMg: nil, errorAfterMg: nil)
        case .failure(.tooFewOrientations): self.init(word: "tooFewOrientations", errorBeforeMg: nil, errorAfterMg: nil)
        case .failure(.noGain(let before, _)):
            self.init(word: "noGain", errorBeforeMg: mg(before), errorAfterMg: mg(before))
        }
    }
}

/// The results of a log in a study file, at the time and in the zone of its wearer.
package final class PlacedLog {
    /// The name of the log: the folder of its tables, mostly without its extensions.
    package let name: String
    /// The wearer's clock.
    private(set) var clock: WallClock
    /// The zone at the start.
    package var timeZone: TimeZone { clock.zone(at: range.lowerBound) }
    /// The cut points of the analysis; nil for none.
    let cutPoints: IntensityCutPoints?
    let calibration: CalibrationState?
    /// The length of the epochs.
    package let epochLength: EpochLength
    /// Where the sensor was worn; nil if it is not stated.
    let placement: SensorPlacement?
    /// Whether the epochs have a part in the days.
    var hasEpochs = true
    /// From the first sample to the last one. A part that another log of the person has is left out.
    package private(set) var range: Range<Timestamp>
    /// What is before this time is left out; nil if all is read.
    private var keptFrom: Timestamp?
    /// The nanoseconds between the times of the file and those of the results.
    private var shift: Int64 = 0
    private let id: Int64
    private let file: StudyFile

    /// `log` is a log with results. `name` is its name beside those of other studies; nil for that in its own.
    init(_ log: StudiedLog, named name: String? = nil, in file: StudyFile) {
        (self.name, id, self.file) = (name ?? log.folder, log.id, file)
        clock = WallClock(zone: TimeZone(named: log.timeZone) ?? .gmt)
        cutPoints = log.cutPoints.flatMap { try? IntensityCutPoints(text: $0) }
        calibration = try? JSONDecoder().decode(CalibrationState.self, from: Data(log.calibration.utf8))
        epochLength = EpochLength(rawValue: log.epochSeconds) ?? .five
        placement = log.placement.flatMap(SensorPlacement.init)
        // The last sample counts.
        let start = Timestamp(nanosecondsSince1970: log.start)
        range = start..<max(start, Timestamp(nanosecondsSince1970: log.end)).advanced(bySeconds: 1e-9)
    }

    /// Whether the times have a date.
    package var isDated: Bool { range.lowerBound >= .endOfUndated }

    /// Moves the log to a time, and to a clock; nil for that of the analysis.
    func move(to start: Timestamp, by clock: WallClock? = nil) {
        let end = start.advanced(bySeconds: range.seconds)
        shift += start.nanosecondsSince1970 - range.lowerBound.nanosecondsSince1970
        range = start..<end
        self.clock = clock ?? self.clock
    }

    /// Leaves out everything before a time.
    func start(at time: Timestamp) {
        range = range.clamped(to: time..<max(time, range.upperBound))
        keptFrom = time
    }

    /// The part of a range that is not left out.
    private func part(of day: Range<Timestamp>) -> Range<Timestamp> {
        keptFrom.map { day.clamped(to: $0..<max($0, day.upperBound)) } ?? day
    }

    /// Passes on the rows of a table that start in a range of results.
    private func forEach(
        _ columns: String, _ table: String, by time: String = "start", _ range: Range<Timestamp>,
        _ body: (Row) throws -> Void
    ) throws {
        try file.forEach(
            "SELECT \(columns) FROM \(table) WHERE log = ? AND \(time) >= ? AND \(time) < ? ORDER BY \(time)",
            [id, range.lowerBound.nanosecondsSince1970 - shift, range.upperBound.nanosecondsSince1970 - shift], body)
    }

    private func moment(_ nanoseconds: Int64) -> Timestamp { Timestamp(nanosecondsSince1970: nanoseconds + shift) }

    /// The days with samples, from midnight to midnight.
    func days() throws -> [Range<Timestamp>] {
        var days: [Range<Timestamp>] = []
        try forEach("start, end", "segment", Timestamp.supported) { row in
            var (start, end) = (moment(row[0]), moment(row[1]))
            while start < end {
                if let last = days.last, start < last.upperBound {
                    start = last.upperBound
                } else {
                    let day = clock.day(of: start)
                    // No end of a day would be an error of the calendar.
                    guard !day.isEmpty else {
                        end = start
                        return
                    }
                    days.append(day)
                    start = day.upperBound
                }
            }
        }
        return days
    }

    func steps(of range: Range<Timestamp>) throws -> [Step] {
        var steps: [Step] = []
        try forEach("time, quality", "step", by: "time", part(of: range)) {
            steps.append(Step(time: moment($0[0]), quality: Float($0[1] as Double)))
        }
        return steps
    }

    /// The epochs that end after the start of a range and start before its end.
    package func epochs(of range: Range<Timestamp>) throws -> [EpochMeasures] {
        guard hasEpochs else { return [] }
        var epochs: [EpochMeasures] = []
        let part = part(of: range)
        // An epoch may start before the first sample.
        let first = part.lowerBound.advanced(bySeconds: -epochLength.seconds).advanced(bySeconds: 1e-9)
        try forEach(
            "start, enmoMg, madMg, angleZDeg, clipped, worn, countsX, countsY, countsZ", "epoch",
            first..<max(first, part.upperBound)
        ) { row in
            let counts: (Int?, Int?, Int?) = (row[6], row[7], row[8])
            epochs.append(
                EpochMeasures(
                    start: moment(row[0]), length: epochLength, enmoMg: row[1], madMg: row[2], angleZDegrees: row[3],
                    clipped: row[4], isWorn: row[5],
                    counts: counts.0.flatMap { x in
                        ActivityCounts(x: x, y: counts.1 ?? 0, z: counts.2 ?? 0)
                    }))
        }
        return epochs
    }

    /// The segments that overlap a day, clipped to it.
    func segments(of day: Range<Timestamp>) throws -> [Segment] {
        let day = part(of: day)
        var segments: [Segment] = []
        try forEachSegment(from: day.lowerBound, before: day.upperBound) { segment in
            guard segment.range.overlaps(day) else { return }
            segments.append(
                Segment(
                    range: segment.range.clamped(to: day), flags: segment.flags, reason: segment.reason,
                    probability: segment.probability, steps: segment.steps))
        }
        return segments
    }

    /// Passes on the segments that end after a time and start before another.
    func forEachSegment(
        from start: Timestamp = Timestamp.supported.lowerBound, before end: Timestamp = Timestamp.supported.upperBound,
        _ body: (Segment) throws -> Void
    ) throws {
        // The segment before the range may reach into it.
        let first = """
            coalesce((SELECT max(start) FROM segment WHERE log = ?1 AND start <= ?2), ?2)
            """
        try file.forEach(
            """
            SELECT \(StudyFile.segmentColumns) FROM segment
            WHERE log = ?1 AND start >= \(first) AND start < ?3 ORDER BY start
            """,
            [id, start.nanosecondsSince1970 - shift, end.nanosecondsSince1970 - shift]
        ) { try body(Segment($0, shiftedBy: shift)) }
    }

    func forEachGaitBout(_ body: (GaitMeasures) throws -> Void) throws {
        try forEach("measures", "gait", Timestamp.supported) {
            try body(try JSONDecoder().decode(GaitMeasures.self, from: $0[0]))
        }
    }
}
