import Footfall
import TestSupport
import Testing

/// Devices deliver samples late, twice, in bursts and with broken clocks. Each dropped sample is counted, and none
/// causes a crash.
@Suite("Timing of samples")
struct TimingTests {
    /// A device at rest, at the given times in seconds.
    private func rest(at times: [Double]) -> SampleBatch {
        SampleBatch(
            times.enumerated().compactMap { index, time in
                // With noise, no sample repeats another.
                let noise = Float(index % 7) * 0.0005
                return Timestamp(secondsSince1970: time).map { AccelerationSample(time: $0, x: noise, y: 0, z: 1) }
            })
    }

    private func analysis(of batch: SampleBatch) -> (events: [MotionEvent], quality: SignalQuality) {
        var analyzer = MotionAnalyzer()
        let events = analyzer.analyze(batch) + analyzer.finish()
        return (events, analyzer.quality)
    }

    @Test("segments tile the time with samples, and gaps the time without")
    func coverage() {
        let first = stride(from: 100.003, to: 130, by: 0.02)
        let second = stride(from: 140.5, to: 155, by: 0.02)
        let (events, quality) = analysis(of: rest(at: Array(first) + Array(second)))
        var end: Timestamp?
        for event in events {
            guard case .segment(let segment) = event else {
                if case .gap(let gap) = event {
                    #expect(gap.lowerBound == end)
                    end = gap.upperBound
                }
                continue
            }
            if let end { #expect(segment.range.lowerBound == end) }
            end = segment.range.upperBound
        }
        #expect(events.gaps.count == 1)
        #expect(quality.start == Timestamp(secondsSince1970: 100.003))
        #expect(end == quality.end)
        let covered = events.reduce(0.0) { sum, event in
            if case .segment(let segment) = event { sum + segment.range.seconds } else { sum }
        }
        #expect(abs(covered - quality.coverage) < 1e-6)
        #expect(abs(covered - (29.98 + 14.48)) < 0.05)
        #expect(quality.gaps == 1)
    }

    @Test("the sample rate is measured", arguments: [12.5, 25, 31.25, 50, 99.7, 400, 800])
    func measuredRate(rate: Double) throws {
        let (_, quality) = analysis(of: rest(at: (0..<Int(rate * 20)).map { 50 + Double($0) / rate }))
        let measured = try #require(quality.sampleRate)
        #expect(abs(measured - rate) < 0.01 * rate)
        #expect(quality.dropped == 0)
    }

    @Test("samples with the same time are spread, not dropped")
    func bursts() throws {
        // A log at 50 Hz with whole seconds.
        let (_, quality) = analysis(of: rest(at: (0..<1000).map { 10 + Double($0 / 50) }))
        #expect(quality.dropped == 0)
        #expect(try abs(#require(quality.sampleRate) - 50) < 1)
    }

    @Test("samples with the same time are spread evenly up to the next time")
    func spread() {
        let samples = SampleIntake().times(of: rest(at: (0..<200).map { 10 + Double($0 / 50) }))
        // The last burst takes the interval of the one before.
        let even: [Int64] = (0..<200).map { 10_000_000_000 + $0 * 20_000_000 }
        #expect(samples == even)
        let uneven = SampleIntake().times(of: rest(at: [5, 6, 6, 6, 9, 9]))
        #expect(uneven.prefix(4) == [5_000_000_000, 6_000_000_000, 6_333_333_333, 6_666_666_666])
    }

    @Test("a repeated sample counts once")
    func duplicates() {
        let once = rest(at: (0..<500).map { Double($0) * 0.02 })
        var twice = SampleBatch()
        for sample in once {
            twice.append(sample)
            twice.append(sample)
        }
        let (events, quality) = analysis(of: twice)
        #expect(quality.duplicates == 500)
        #expect(events == analysis(of: once).events)
    }

    @Test("a small step back costs the samples that step back")
    func backSteps() {
        var times = (0..<500).map { Double($0) * 0.02 }
        times.swapAt(100, 101)
        times[300] -= 0.5
        let (_, quality) = analysis(of: rest(at: times))
        #expect(quality.backward == 2)
        #expect(quality.gaps == 0)
    }

    @Test("one row from the future does not cost the rows that follow", arguments: [1, 5])
    func glitch(rows: Int) {
        var times = (0..<1000).map { Double($0) * 0.02 }
        for row in 0..<rows { times[500 + row] += 1e9 }
        let (events, quality) = analysis(of: rest(at: times))
        #expect(quality.leaping == rows)
        #expect(quality.end == Timestamp(secondsSince1970: 999 * 0.02))
        #expect(events.gaps.isEmpty)
    }

    @Test("rows a minute ahead do not cost the rows that follow", arguments: [1, 5, 40])
    func smallGlitch(rows: Int) {
        var times = (0..<1000).map { Double($0) * 0.02 }
        for row in 0..<rows { times[500 + row] += 60 }
        let (events, quality) = analysis(of: rest(at: times))
        #expect(quality.backward == rows)
        #expect(quality.end == Timestamp(secondsSince1970: 999 * 0.02))
        #expect(events.gaps.isEmpty)
    }

    /// Rests of some seconds, each after a leap to another time.
    private func leaps(_ rests: [(start: Double, count: Int)]) -> SampleBatch {
        rest(at: rests.flatMap { rest in (0..<rest.count).map { rest.start + Double($0) * 0.02 } })
    }

    @Test("a leap of more than a week counts once a minute of samples stands behind it")
    func leap() {
        let month = 30 * 86400.0
        let before = analysis(of: leaps([(0, 5000)]))
        let wrong: [[(start: Double, count: Int)]] = [
            [(month, 2950)], [(month, 1500), (3 * month, 2950)], [(month, 2)],
        ]
        for rests in wrong {
            let (events, quality) = analysis(of: leaps([(0, 5000)] + rests))
            #expect(events == before.events)
            #expect(quality.leaping == rests.reduce(0) { $0 + $1.count })
        }
        // Rows far apart are no minute of samples.
        let rows = analysis(of: leaps([(0, 5000), (month, 1), (month + 100, 1), (month + 300, 1)]))
        #expect(rows.events == before.events && rows.quality.leaping == 3)
        // The signal continues where it was before the leap.
        let (events, quality) = analysis(of: leaps([(0, 5000), (month, 2950), (100, 5000)]))
        #expect(events == analysis(of: leaps([(0, 10000)])).events)
        #expect(quality.leaping == 2950)

        let accepted = analysis(of: leaps([(0, 5000), (month, 3050)]))
        #expect(accepted.quality.leaping == 0 && accepted.quality.gaps == 1)
        #expect(accepted.quality.end == Timestamp(secondsSince1970: month + 60.98))
        // Before a short log, one row of an unset clock is no reason to drop the log.
        #expect(analysis(of: leaps([(0, 1), (month, 1000)])).quality.leaping == 0)
    }

    @Test("small steps back do not extend the wait after a leap")
    func stepsBackAfterLeap() {
        var times = stride(from: 0, to: 100, by: 0.02).map { $0 < 20 ? $0 : $0 + 2e6 }
        for index in stride(from: 5, to: times.count - 1, by: 50) { times.swapAt(index, index + 1) }
        let (_, quality) = analysis(of: rest(at: times))
        #expect(quality.leaping == 0 && quality.backward == 100)
    }

    @Test("a clock set back is reported, and the signal continues once the clock has caught up")
    func clockSetBack() {
        let times = (0..<1000).map { Double($0) * 0.02 }
        let (_, quality) = analysis(of: rest(at: times + times.map { 10 + $0 }))
        #expect(quality.backward > 400)
        #expect(quality.end == Timestamp(secondsSince1970: 10 + 999 * 0.02))
    }

    @Test("unusable values and times are counted and dropped")
    func unusable() {
        var batch = rest(at: (0..<300).map { Double($0) * 0.02 })
        let next = Timestamp(nanosecondsSince1970: 300 * 20_000_000)
        batch.append(time: next, x: .nan, y: 0, z: 1)
        batch.append(time: next, x: .infinity, y: 0, z: 1)
        batch.append(time: next, x: .greatestFiniteMagnitude, y: .greatestFiniteMagnitude, z: 1)
        batch.append(time: Timestamp(nanosecondsSince1970: .max), x: 0, y: 0, z: 1)
        batch.append(time: Timestamp(nanosecondsSince1970: .min), x: 0, y: 0, z: 1)
        let (_, quality) = analysis(of: batch)
        #expect(quality.unusable == 5)
        #expect(quality.end == Timestamp(nanosecondsSince1970: 299 * 20_000_000))
    }

    @Test("a probability is between 0 and 1, whatever a sensor measures", arguments: [1e6, 1e9, 4e9, 1e10, 1e19, 3e38])
    func extremes(value: Float) {
        for positions in [20..<23, 250..<500, 0..<500] {
            let batch = SampleBatch(
                rest(at: (0..<500).map { Double($0) * 0.02 }).enumerated().map { index, sample in
                    var sample = sample
                    if positions.contains(index) { sample.x = value }
                    return sample
                })
            for case .segment(let segment) in analysis(of: batch).events {
                #expect((0...1).contains(segment.probability), "\(segment) \(positions)")
            }
        }
    }

    @Test("no samples, one sample and a few samples are valid inputs", arguments: [0, 1, 2, 3])
    func tiny(count: Int) {
        let (events, quality) = analysis(of: rest(at: (0..<count).map { 5 + Double($0) * 0.004 }))
        #expect(quality.samples == count)
        #expect(events.count == (count > 1 ? 1 : 0))
        for case .segment(let segment) in events {
            #expect(segment.range.upperBound == quality.end)
        }
    }

    @Test("below 4 Hz no activity is reported")
    func slowDevice() {
        let (events, _) = analysis(of: rest(at: (0..<400).map { Double($0) / 3 }))
        for case .segment(let segment) in events {
            #expect(segment.flags == .unknown)
            #expect(segment.reason == .lowRate)
        }
        #expect(!events.isEmpty)
    }
}

extension SampleIntake {
    /// The repaired times of samples in one batch, in nanoseconds.
    fileprivate consuming func times(of batch: SampleBatch) -> [Int64] {
        let parts = add(batch).parts + finish().parts
        return parts.flatMap { samples, positions in samples.times[positions].map(\.nanosecondsSince1970) }
    }
}
