import Footfall
import Testing

@Suite("Segments")
struct SegmentTests {
    private func segment(
        _ seconds: Range<Double>, _ flags: ActivityFlags, _ reason: UnknownReason? = nil, probability: Float = 1,
        steps: Int = 0
    ) -> Segment {
        Segment(range: span(seconds), flags: flags, reason: reason, probability: probability, steps: steps)
    }

    private func span(_ seconds: Range<Double>) -> Range<Timestamp> {
        Timestamp.epoch.advanced(
            bySeconds: seconds.lowerBound)..<Timestamp.epoch.advanced(bySeconds: seconds.upperBound)
    }

    @Test("a drive is one segment, and its red lights are its halts")
    func drive() {
        let pieces = [
            segment(0..<60, .automotive, probability: 0.9), segment(60..<70, [.automotive, .stationary]),
            segment(70..<100, [.automotive, .stationary], probability: 0.5),
            segment(100..<200, .automotive), segment(200..<220, [.automotive, .stationary]),
        ]
        let drive = pieces.joined()
        #expect(drive.map(\.range) == [span(0..<220)])
        #expect(drive.first?.flags == .automotive)
        #expect(drive.first?.halts == [span(60..<100), span(200..<220)])
        // The mean by time of 60 s of .9, 30 s of .5 and 130 s of 1.
        let probability = drive.first?.probability ?? 0
        #expect(abs(probability - 199.0 / 220) < 1e-6)
        #expect(drive.joined() == drive)
    }

    @Test("joined segments have no higher grade than the highest of them")
    func grade() {
        let most =
            stride(from: Float(1).bitPattern, to: 0, by: -1).lazy.map(Float.init(bitPattern:))
            .first { Confidence(probability: $0) < .high } ?? 0
        for seconds in stride(from: 0.02, to: 40, by: 0.02) {
            let pieces = [
                segment(0..<2.56, .walking, probability: most),
                segment(2.56..<2.56 + seconds, .walking, probability: most),
            ]
            #expect(pieces.joined().map(\.confidence) == [.medium], "\(seconds) s")
        }
    }

    @Test("a segment of a standing car is a halt as a whole")
    func standing() {
        let joined = [
            segment(0..<10, [.automotive, .stationary]), segment(10..<30, [.automotive, .stationary]),
        ].joined()
        #expect(joined.map(\.flags) == [[.automotive, .stationary]])
        #expect(joined.map(\.halts) == [[span(0..<30)]])
        #expect([segment(0..<10, .stationary)].joined().flatMap(\.halts).isEmpty)
    }

    @Test("segments that differ or do not touch stay separate")
    func different() {
        let pieces = [
            segment(0..<10, .stationary), segment(10..<20, .walking, steps: 18), segment(20..<30, .automotive),
            segment(31..<40, .automotive), segment(40..<50, .unknown, .lowRate), segment(50..<55, .unknown, .tooShort),
            segment(55..<60, [], .handled), segment(60..<70, [], .unclear), segment(70..<80, []),
        ]
        #expect(pieces.joined() == pieces)
    }

    @Test("spans of non-wear become segments of their own, except where there are steps")
    func nonWear() {
        let pieces = [
            segment(0..<10, .walking, steps: 18), segment(10..<40, .stationary), segment(40..<60, [], .handled),
            segment(70..<80, .automotive), segment(80..<90, [.automotive, .stationary]),
            segment(90..<100, .stationary, steps: 2),
        ].joined()
        let marked = pieces.overlaid(byNonWear: [span(5..<20), span(30..<50), span(75..<85), span(90..<100)])
        let unworn = marked.filter { $0.reason == .notWorn }
        let spans = [span(10..<20), span(30..<50), span(75..<85)]
        #expect(unworn.map(\.range) == spans)
        #expect(unworn.allSatisfy { $0.activity == .unknown && $0.steps == 0 })
        #expect(marked.first == pieces.first)
        #expect(marked.reduce(0) { $0 + $1.range.seconds } == pieces.reduce(0) { $0 + $1.range.seconds })
        #expect(zip(marked, marked.dropFirst()).allSatisfy { $0.range.upperBound <= $1.range.lowerBound })
        #expect(marked.dropLast().last?.halts == [span(85..<90)])
        #expect(marked.last == pieces.last)
        #expect(pieces.overlaid(byNonWear: []) == pieces)
    }

    @Test("each reason has flags without an activity")
    func reasons() {
        for reason in UnknownReason.allCases {
            #expect(reason.flags.activity == .unknown)
        }
        #expect(UnknownReason.lowRate.flags == .unknown)
        #expect(UnknownReason.handled.flags == [])
    }
}
