import Testing

@testable import Footfall

@Suite("The meter of the sample rate")
struct RateMeterTests {
    /// The rate around each second, of seconds with so many samples.
    private func rates(_ counts: [Int]) -> [Float] {
        var meter = RateMeter(firstSecond: 100)
        for (index, count) in counts.enumerated() { meter.count(count, at: Int64(100 + index)) }
        return counts.indices.map { meter.rate(around: Int64(100 + $0)) }
    }

    @Test("leaves out seconds that may be incomplete")
    func incomplete() {
        #expect(rates([3, 50, 50, 50, 50, 7]).allSatisfy { $0 == 50 })
        #expect(rates([3, 7]) == [5, 5])
    }

    @Test("gives the mean over three seconds, and follows a change of the rate")
    func change() {
        #expect(rates([10, 10, 10, 10, 40, 40, 40, 40, 40])[2...6] == [10, 20, 30, 40, 40])
    }
}
