import Footfall
import FootfallHistory
import Testing

@Suite("Pieces of segments")
struct PieceTests {
    /// A walk, a drive with two halts of which one is at its end, a handled phone, a slow sensor and hops.
    private let errand =
        Recordings.walk(0..<60) + Recordings.rest(60..<120, .automotive)
        + Recordings.rest(120..<150, [.automotive, .stationary]) + Recordings.rest(150..<300, .automotive)
        + Recordings.rest(300..<310, [.automotive, .stationary])
        + [
            .segment(
                Segment(range: .seconds(310..<330), flags: [], reason: .handled, probability: 0.75, steps: 0)),
            .segment(
                Segment(range: .seconds(330..<340), flags: .unknown, reason: .lowRate, probability: 1, steps: 0)),
            .segment(
                Segment(range: .seconds(340..<350), flags: [], reason: .exercise, probability: 0.75, steps: 0)),
        ]

    @Test("a drive is one segment with halts, and its pieces keep their own flags")
    func halts() throws {
        let history = try MotionHistory.inMemory()
        try history.record(errand, from: "pocket")
        let segments = try history.activities(in: Timestamp.supported)
        #expect(segments.map(\.activity) == [.walking, .automotive, .unknown, .unknown, .unknown])
        #expect(segments.map(\.halts) == [[], [.seconds(120..<150), .seconds(300..<310)], [], [], []])
        #expect(segments.map(\.reason) == [nil, nil, .handled, .lowRate, .exercise])
        let pieces = try history.pieces(in: Range.seconds(90..<305))
        #expect(pieces.map(\.range) == [60..<120, 120..<150, 150..<300, 300..<310].map { .seconds($0) })
        #expect(
            pieces.map(\.flags) == [.automotive, [.automotive, .stationary], .automotive, [.automotive, .stationary]])
    }

    @Test("a segment that the range clips has all its halts")
    func clipped() throws {
        let history = try MotionHistory.inMemory()
        try history.record(errand, from: "pocket")
        let drive = try #require(try history.activities(in: Range.seconds(200..<210)).first)
        #expect(drive.halts == [.seconds(120..<150), .seconds(300..<310)])
        #expect(try history.activities(in: Timestamp.supported, where: .activity(.automotive)).count == 1)
        try history.delete(in: Range.seconds(130..<140))
        let parts = try history.activities(in: Range.seconds(60..<310))
        #expect(parts.map(\.range) == [.seconds(60..<130), .seconds(140..<310)])
        #expect(parts.map(\.halts) == [[.seconds(120..<130)], [.seconds(140..<150), .seconds(300..<310)]])
    }

    @Test("recorded again, pieces change nothing and give an equal history")
    func roundTrip() throws {
        let history = try MotionHistory.inMemory()
        let copy = try MotionHistory.inMemory()
        try history.record(errand, from: "pocket")
        let segments = try history.activities(in: Timestamp.supported)
        let pieces = try history.pieces(in: Timestamp.supported)
        #expect(pieces.joined().map(\.halts) == segments.map(\.halts))
        let steps = try history.stepTimes(in: Timestamp.supported).map { MotionEvent.step(Step(time: $0)) }
        try history.record(pieces.map { .segment($0) }, from: "other")
        for target in [history, copy] { try target.record(steps + pieces.map { .segment($0) }, from: "pocket") }
        #expect(try history.activities(in: Timestamp.supported, from: "pocket") == segments)
        #expect(try history.pieces(in: Timestamp.supported, from: "pocket") == pieces)
        #expect(try copy.pieces(in: Timestamp.supported).map(\.flags) == pieces.map(\.flags))

        var lines: [String] = []
        try history.exportLines(from: "pocket") { lines.append($0) }
        let imported = try MotionHistory.inMemory()
        try imported.importLines(lines)
        #expect(try imported.activities(in: Timestamp.supported) == segments)
        // A reason of a later version is none to this one.
        let later = try MotionHistory.inMemory()
        try later.importLines(lines.map { $0.replacing("\"reason\":6", with: "\"reason\":60") })
        #expect(try later.activities(in: Timestamp.supported).map(\.reason).last == .some(nil))
    }
}
