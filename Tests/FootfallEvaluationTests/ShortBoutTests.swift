import Footfall
import FootfallEvaluation
import FootfallReaders
import TestSupport
import Testing

/// A walk across a room has five to ten steps. Pieces of counted walks, each between two rests.
@Suite("Short bouts", .needsShared("corpus/steps/manifest.csv"))
struct ShortBoutTests {
    @Test("short bouts at the wrist have steps", arguments: [(4.0, 0.13), (6.0, 0.06)])
    func wrist(length: Double, mostWithout: Double) throws {
        let walks = try Corpus.stepRecordings().filter { recording in
            recording.placement.hasPrefix("wrist") && (recording.trueSteps ?? 0) >= 30
        }
        let counts = try walks.concurrentMap { walk in
            let piece = try ShortBout(of: walk, length: length)
            return (found: piece.steps, true: Double(walk.trueSteps ?? 0) / piece.wholeLength * length)
        }
        #expect(counts.count > 80)
        #expect(Double(counts.count { $0.found == 0 }) <= mostWithout * Double(counts.count))
        let share = counts.reduce(0) { $0 + min(Double($1.found), 1.3 * $1.true) } / counts.reduce(0) { $0 + $1.true }
        #expect((0.95...1.25).contains(share))
    }

    @Test("a turn and the last step are counted at the lower back", .needsShared("corpus/steps-more/manifest.csv"))
    func turns() throws {
        let walks = try Corpus.recordings("steps-more").filter { $0.dataset == "ipol_gait" }
        let results = try walks.concurrentMap { try Corpus.analyze($0) }
        let measures = try #require(Evaluation(results).groups.first).steps
        #expect(measures.matched + measures.missed > 350)
        #expect(try #require(measures.meanAbsolutePercentageError) <= 5)
    }
}

/// The middle of a walk between rests of 20 seconds, with the noise of a good sensor.
private struct ShortBout {
    private static let (rest, noise): (Double, Float) = (20, 0.006)

    let steps: Int
    /// The length of the whole walk, in seconds.
    let wholeLength: Double

    init(of walk: Manifest.Recording, length: Double) throws {
        var trace = try Trace(contentsOf: walk.url)
        var samples: [AccelerationSample] = []
        while let batch = try trace.nextBatch() { samples += batch.indices.map { batch[$0] } }
        let start = try #require(samples.first).time
        wholeLength = try #require(samples.last).time.seconds(since: start)
        let (cut, middle) = ((wholeLength - length) / 2, start.advanced(bySeconds: wholeLength / 2))
        let piece = samples.filter { abs($0.time.seconds(since: middle)) <= length / 2 }
        let mean = piece.reduce(SIMD3<Float>()) { $0 + SIMD3($1.x, $1.y, $1.z) } / Float(piece.count)
        let gravity = mean / (mean * mean).sum().squareRoot()
        var random = SeededGenerator(seed: 1)
        let period = length / Double(piece.count)
        func resting(from first: Double) -> [AccelerationSample] {
            (0..<Int(Self.rest / period)).map { index in
                let value = gravity + SIMD3.random(in: -Self.noise...Self.noise, using: &random)
                let time = Timestamp(nanosecondsSince1970: Int64((first + Double(index) * period) * 1e9))
                return AccelerationSample(time: time, x: value.x, y: value.y, z: value.z)
            }
        }
        let moved = piece.map { sample in
            let offset = Self.rest + sample.time.seconds(since: start) - cut
            let time = Timestamp(nanosecondsSince1970: Int64(offset * 1e9))
            return AccelerationSample(time: time, x: sample.x, y: sample.y, z: sample.z)
        }
        let all = resting(from: 0) + moved + resting(from: Self.rest + length + period)
        var analyzer = MotionAnalyzer()
        steps = (analyzer.analyze(SampleBatch(all)) + analyzer.finish()).steps.count
    }
}
