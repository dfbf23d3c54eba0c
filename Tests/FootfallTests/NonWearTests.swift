import Footfall
import TestSupport
import Testing

/// Sensors that are worn, and then lie on a table.
@Suite("Non-wear")
struct NonWearTests {
    /// Samples at 20 Hz, alternately of a hand that turns every nine seconds and of a sensor on a table.
    ///
    /// - Parameter start: The time of the first sample, in nanoseconds.
    private static func samples(
        _ parts: [(seconds: Int, isStill: Bool)], from start: Int64 = 0
    ) -> [AccelerationSample] {
        var samples: [AccelerationSample] = []
        for (seconds, isStill) in parts {
            for _ in 0..<seconds * 20 {
                let index = samples.count
                let noise = Float(index % 5) * 0.001
                let isUp = isStill || index / 180 % 2 == 0
                samples.append(
                    AccelerationSample(
                        time: Timestamp(nanosecondsSince1970: start + Int64(index) * 50_000_000), x: isUp ? noise : 1,
                        y: 0, z: isUp ? 1 : noise))
            }
        }
        return samples
    }

    private static func events(of samples: [AccelerationSample], batch: Int = .max) -> [MotionEvent] {
        let size = min(batch, samples.count)
        return stride(from: 0, to: samples.count, by: size).map {
            SampleBatch(samples[$0..<min($0 + size, samples.count)])
        }.events
    }

    @Test("two hours on a table are non-wear, half an hour is not")
    func length() {
        #expect(Self.events(of: Self.samples([(600, false), (1800, true), (600, false)])).nonWear.isEmpty)
        let spans = Self.events(of: Self.samples([(600, false), (7200, true), (600, false)])).nonWear
        #expect(spans.count == 1)
        #expect(abs((spans.first?.seconds ?? 0) - 7200) < 30)
    }

    @Test("a span comes after the segments that it overlays, and leaves them as they are")
    func order() {
        let events = Self.events(of: Self.samples([(600, false), (7200, true), (600, false)]))
        var settled = Timestamp.epoch
        for event in events {
            switch event {
            case .segment(let segment):
                settled = segment.range.upperBound
                #expect(segment.reason != .notWorn)
            case .nonWear(let span): #expect(span.upperBound <= settled && settled.seconds(since: span.upperBound) < 6)
            case .step, .gap: break
            }
        }
        #expect(events.segments.contains { $0.activity == .stationary && $0.range.seconds > 7000 })
    }

    @Test("the division into batches has no effect", arguments: [1, 7, 997])
    func batches(size: Int) {
        // Odd times, a gap while the sensor lies, and another one that ends the span.
        let parts = [(600, false), (6000, true), (30, false), (5000, true), (600, false)]
        var samples = Self.samples(parts, from: 1_234_567_891)
        samples.removeSubrange(30_000..<30_200)
        samples.removeSubrange(210_000..<210_100)
        let whole = Self.events(of: samples)
        #expect(whole.nonWear.count == 2 && whole.gaps.count == 2)
        #expect(Self.events(of: samples, batch: size) == whole)
    }

    @Test("a sensor that is never worn has one span, from the first sample to the last", arguments: [0, 987_654_321])
    func always(start: Int64) {
        let events = Self.events(of: Self.samples([(2 * 3600 + 7, true)], from: start))
        let covered = events.segments.map(\.range)
        #expect(events.nonWear == covered && covered.count == 1)
        let shown = events.segments.overlaid(byNonWear: events.nonWear)
        #expect(shown.map(\.reason) == [.notWorn])
        #expect(shown.map(\.range) == covered)
    }

    @Test("no segment is left in slivers", arguments: 0..<10)
    func slivers(offset: Int) {
        // The table is reached at another fraction of a second each time.
        var samples = Self.samples(
            [(600, false), (4000 + offset, true), (601, false)], from: Int64(offset) * 111_111_111)
        samples.removeFirst(offset * 3)
        // A missing sample after ten seconds, so that no later window of the check begins at a whole second.
        samples.remove(at: 200)
        let events = Self.events(of: samples)
        #expect(!events.nonWear.isEmpty)
        // As segments do, the spans begin whole seconds after the first sample.
        let first = events.segments.first?.range.lowerBound.nanosecondsSince1970 ?? 0
        for span in events.nonWear { #expect((span.lowerBound.nanosecondsSince1970 - first) % 1_000_000_000 == 0) }
        let shown = events.segments.overlaid(byNonWear: events.nonWear)
        #expect(shown.dropFirst().dropLast().allSatisfy { $0.range.seconds >= 1 })
        for segment in shown where segment.activity == .stationary { #expect(segment.range.seconds >= 1) }
    }

    @Test("non-wear is known an hour after its start, and grows while the sensor lies")
    func growth() {
        var analyzer = MotionAnalyzer()
        var spans: [Range<Timestamp>] = []
        var known: [Double] = []
        for sample in Self.samples([(600, false), (2 * 3600, true)]) {
            for case .nonWear(let span) in analyzer.analyze(SampleBatch([sample])) {
                if spans.isEmpty { #expect(sample.time.seconds(since: .epoch) < 600 + 3600 + 90) }
                spans.join(span)
                known.append(sample.time.seconds(since: span.upperBound))
            }
        }
        #expect(spans.count == 1 && known.count > 100)
        #expect(known.allSatisfy { $0 < 61 })
    }

    @Test("samples of an intake give the same events as batches", arguments: [1, 100, 100_000])
    func intake(size: Int) {
        var samples = Self.samples([(600, false), (4000, true), (60, false)])
        samples.removeSubrange(1000..<1100)
        samples.insert(samples[3000], at: 3100)
        samples[5000].x = .nan
        var (analyzer, outside, intake) = (MotionAnalyzer(), MotionAnalyzer(), SampleIntake())
        var (events, others): ([MotionEvent], [MotionEvent]) = ([], [])
        for start in stride(from: 0, to: samples.count, by: size) {
            let batch = SampleBatch(samples[start..<min(start + size, samples.count)])
            events += analyzer.analyze(batch)
            others += outside.analyze(intake.add(batch))
        }
        events += analyzer.finish()
        others += outside.analyze(intake.finish()) + outside.finish()
        #expect(events == others)
        #expect(analyzer.quality == outside.quality)
        #expect(analyzer.quality.backward == 1 && analyzer.quality.unusable == 1 && analyzer.quality.gaps == 1)
        #expect(analyzer.sensor.heldShare == intake.sensor.heldShare)
    }
}
