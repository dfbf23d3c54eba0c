import TestSupport
import Testing

@testable import Footfall

@Suite("The resampler")
struct ResamplerTests {
    /// Samples of a slow random motion, at intervals in milliseconds.
    private func samples(every interval: ClosedRange<Double>, count: Int, seed: UInt64) -> [AccelerationSample] {
        var random = SeededGenerator(seed: seed)
        var (time, value) = (Timestamp(nanosecondsSince1970: 987_654_321), SIMD3<Float>(0, 0, 1))
        return (0..<count).map { _ in
            defer {
                time = time.advanced(bySeconds: Double.random(in: interval, using: &random) / 1000)
                value += 0.1 * SIMD3.random(in: -1...1, using: &random)
            }
            return AccelerationSample(time: time, x: value.x, y: value.y, z: value.z)
        }
    }

    /// The mean of the lines between samples over a time in nanoseconds, by trapezoids between all corners.
    private func mean(of samples: ArraySlice<AccelerationSample>, over range: Range<Int64>) -> SIMD3<Double> {
        var area = SIMD3<Double>()
        for (one, next) in zip(samples, samples.dropFirst()) {
            let (start, end) = (one.time.nanosecondsSince1970, next.time.nanosecondsSince1970)
            let part = (start..<end).clamped(to: range)
            guard !part.isEmpty else { continue }
            func value(_ time: Int64) -> SIMD3<Double> {
                let share = Double(time - start) / Double(end - start)
                let (first, last) = (SIMD3(one.x, one.y, one.z), SIMD3(next.x, next.y, next.z))
                return SIMD3<Double>(first) * (1 - share) + SIMD3<Double>(last) * share
            }
            area += (value(part.lowerBound) + value(part.upperBound)) / 2 * Double(part.count)
        }
        return area / Double(range.count)
    }

    @Test(
        "gives each cell the mean of the lines between the samples in it",
        arguments: [0.5...2, 2...3, 5...15, 9...11, 18...22, 15...60, 40...150, 500...1900], [1, 13, 4000])
    func cells(interval: ClosedRange<Double>, batch: Int) throws {
        let samples = samples(every: interval, count: 2000, seed: UInt64(clamping: interval.upperBound))
        var (signals, found) = (ResampledSignals(), [ResampledSignals.Signal]())
        for start in stride(from: 0, to: samples.count, by: batch) {
            found += signals.add(SampleBatch(samples[start..<min(start + batch, samples.count)]))
        }
        let signal = try #require((found + signals.finish()).first).cells
        let period = AnalysisGrid.cells.period
        let (first, last) = (try #require(samples.first).time, try #require(samples.last).time)
        #expect(signal.start == AnalysisGrid.cells.index(at: first.nanosecondsSince1970) + 1)
        #expect(signal.end == AnalysisGrid.cells.index(at: last.nanosecondsSince1970))
        var left = samples[...]
        // A few of many cells are compared, each with the samples in it and the nearest on either side.
        for index in stride(from: signal.start, to: signal.end, by: max(1, Int64.Stride(signal.range.count / 300))) {
            let value = try #require(signal.slice(index..<index + 1).first)
            let cell = index * period..<(index + 1) * period
            left = left.dropFirst(left.dropFirst().prefix { $0.time.nanosecondsSince1970 <= cell.lowerBound }.count)
            let inside = left.prefix { $0.time.nanosecondsSince1970 < cell.upperBound }
            let expected = mean(of: left.prefix(inside.count + 1), over: cell)
            let error = SIMD3<Double>(SIMD3<Float>(value.x, value.y, value.z)) - expected
            #expect((error * error).sum().squareRoot() < 1e-4, "cell \(index)")
        }
    }
}
