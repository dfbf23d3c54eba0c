import Foundation
import Testing

@testable import Footfall

@Suite("The finder of initial contacts")
struct InitialContactFinderTests {
    /// A walk of `seconds` with a crest at each step.
    ///
    /// - Parameters:
    ///   - hertz: The steps a second at a time.
    ///   - blow: The time of a single large value, if any.
    private func walk(
        _ seconds: Double, blow: Double? = nil, hertz: (Double) -> Double
    ) -> (signal: SignalBuffer, crests: [Double]) {
        var (signal, crests, phase) = (SignalBuffer(start: 0), [Double](), 0.25)
        for index in 0..<Int(seconds * 25) {
            let time = halfRateTime(index)
            let next = phase + hertz(time) / 25
            if next.rounded(.down) > phase.rounded(.down) {
                crests.append(time + (next.rounded(.down) - phase) / (next - phase) / 25)
            }
            let isBlow = blow.map { abs($0 - time) < 0.02 } ?? false
            signal.append(magnitude: isBlow ? 4 : 1 + 0.3 * cos(2 * .pi * phase))
            phase = next
        }
        return (signal, crests)
    }

    /// The contacts of passages of a second, whose cadence is known as `hertz` in the middle of each.
    private func contacts(in signal: SignalBuffer, hertz: (Double) -> Double) -> [Double] {
        let grid = AnalysisGrid.halfRate
        var finder = InitialContactFinder(start: 0, after: nil)
        var (deviation, contacts) = (MovingStandardDeviation(), [Timestamp]())
        deviation.measure(signal.range, of: signal)
        for second in 0..<signal.end / grid.hertz {
            let middle = Double(second) + 0.5
            let cadence = InitialContactFinder.CadenceLine(
                center: grid.middle(of: second), before: Float(hertz(middle - 1)), own: Float(hertz(middle)),
                after: Float(hertz(middle + 1)))
            let end = grid.start(of: second + 1)
            let passage = InitialContactFinder.Passage(
                end: end, horizon: min(end + 2 * grid.hertz, signal.end), deviation: deviation, cadence: cadence,
                threshold: 0.08, closingThreshold: 0.04)
            finder.find(in: passage, into: &contacts)
        }
        return contacts.map { $0.seconds(since: .epoch) }
    }

    @Test("finds each crest once", arguments: [1, 1.5, 1.9, 2.4, 3])
    func crests(hertz: Double) {
        let (signal, crests) = walk(20) { _ in hertz }
        let found = contacts(in: signal) { _ in hertz }
        #expect(found.count == crests.count)
        for (contact, crest) in zip(found, crests) { #expect(abs(contact - crest) < 0.05, "\(contact) \(crest)") }
    }

    @Test("follows the signal where the cadence is known badly", arguments: [0.9, 0.95, 1.05, 1.1])
    func badCadence(factor: Double) {
        let (signal, crests) = walk(30) { _ in 1.8 }
        #expect(contacts(in: signal) { _ in 1.8 * factor }.count == crests.count)
    }

    @Test("follows a walker who becomes faster")
    func acceleration() {
        func hertz(_ time: Double) -> Double { 1.5 + 0.03 * time }
        let (signal, crests) = walk(30, hertz: hertz)
        let found = contacts(in: signal, hertz: hertz)
        #expect(found.count == crests.count)
        for (contact, crest) in zip(found, crests) { #expect(abs(contact - crest) < 0.06, "\(contact) \(crest)") }
    }

    @Test("a blow is not a step, and hides none")
    func blow() {
        for time in stride(from: 10, to: 11, by: 0.12) {
            let (signal, crests) = walk(20, blow: time) { _ in 1.8 }
            #expect(contacts(in: signal) { _ in 1.8 }.count == crests.count, "a blow at \(time) s")
        }
    }

    @Test("finds nothing in stillness")
    func stillness() {
        var signal = SignalBuffer(start: 0)
        for _ in 0..<500 { signal.append(magnitude: 1) }
        #expect(contacts(in: signal) { _ in 1.8 }.isEmpty)
    }
}
