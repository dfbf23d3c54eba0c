import Footfall
import FootfallMeasures
import FootfallTables
import Foundation
import Testing

@testable import FootfallStudy

/// What a log of rest without a file of its own has in a study, for measures that need known epochs and steps.
struct RestingLog {
    let name: String
    let range: Range<Timestamp>
    var timeZone = "UTC"
    var cutPoints: String?
    var calibration = CalibrationState(word: "notAsked", errorBeforeMg: nil, errorAfterMg: nil)
    var steps: [Step] = []

    /// Adds the log to the study in a folder, in the place of one of the same name. Angles change from epoch to epoch,
    /// so the sensor is worn and moves.
    ///
    /// - Parameters:
    ///   - enmoMg: The ENMO of the epoch with a number, from 0.
    ///   - clipped: The share of clipped samples.
    func add(to folder: String, enmoMg: (Int) -> Double = { _ in 20 }, clipped: Double = 0) throws {
        let seconds = EpochLength.five.seconds
        let epochs = (0..<Int(clamping: range.seconds / seconds)).map { index in
            EpochMeasures(
                start: range.lowerBound.advanced(bySeconds: Double(index) * seconds), enmoMg: enmoMg(index), madMg: 20,
                angleZDegrees: Double(index * 37 % 160 - 80), clipped: clipped)
        }
        let log = StudiedLog(
            id: StudyFile.draft, path: "/\(name).csv", series: "", folder: name, trace: name, size: nil, modified: nil,
            hash: nil, options: "", problem: nil, steps: steps.count, start: range.lowerBound.nanosecondsSince1970,
            end: range.upperBound.nanosecondsSince1970, timeZone: timeZone, cutPoints: cutPoints,
            calibration: String(decoding: try JSONEncoder().encode(calibration), as: UTF8.self),
            epochSeconds: EpochLength.five.rawValue, placement: nil)
        let draft = try StudyFile()
        try draft.add(epochs)
        try draft.add(steps)
        try draft.add([Segment(range: range, flags: .stationary, probability: 1, steps: steps.count)])
        try draft.add(log, record: .object([]))
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        try StudyFile(in: URL(filePath: folder), isNew: true).take(log, from: draft) {}
    }
}

extension Timestamp {
    /// A time such as `2026-03-28T12:00:00+01:00`.
    init(iso text: String) throws {
        let date = try #require(ISO8601DateFormatter().date(from: text))
        self = try #require(Timestamp(secondsSince1970: date.timeIntervalSince1970))
    }
}
