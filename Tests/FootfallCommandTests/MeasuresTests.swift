import Footfall
import Testing

@testable import FootfallCommand

@Suite("Measures of accuracy")
struct MeasuresTests {
    @Test("percentage errors are a mean over recordings, bias is pooled")
    func counts() throws {
        var measures = StepMeasures()
        measures.add(counted: 90, true: 100, seconds: 60, subject: "a")
        measures.add(counted: 420, true: 400, seconds: 240, subject: "a")
        measures.add(counted: 7, true: 10, seconds: 6, subject: "a")  // too few to say anything
        measures.add(counted: 6, true: 0, seconds: 1800, subject: "b")
        #expect(try #require(measures.meanAbsolutePercentageError) == 7.5)
        #expect(try #require(measures.bias) == 1.02)
        #expect(try #require(measures.falseStepsPerHour) == 12)
    }

    @Test("by subject, nobody counts for more who recorded more")
    func bySubject() throws {
        var measures = StepMeasures()
        for _ in 0..<3 { measures.add(counted: 96, true: 100, seconds: 60, subject: "a") }
        var others = StepMeasures()
        others.add(counted: 100, true: 100, seconds: 60, subject: "b")
        measures.merge(others)
        #expect(try #require(measures.meanAbsolutePercentageError) == 3)
        #expect(try #require(measures.errorBySubject) == 2)
    }

    @Test("each true strike takes one counted strike within a quarter of a second")
    func times() throws {
        var measures = StepMeasures()
        measures.add(counted: [1.1, 1.2, 2.26, 2.9, 7], true: [1, 2, 3, 4])
        #expect(measures.matched == 2)
        #expect(measures.spurious == 3)
        #expect(measures.missed == 2)
        #expect(try #require(measures.timeF1) == 4.0 / 9)
        #expect(try abs(#require(measures.medianTimeError) - 0.1) < 1e-9)
    }

    @Test("a start or end is as far off as the nearest answer, and endlessly far without one")
    func changes() throws {
        func moments(_ seconds: Double...) -> [Timestamp] { seconds.map { Timestamp.epoch.advanced(bySeconds: $0) } }
        var measures = ActivityMeasures()
        measures.addChanges(of: .walking, at: moments(10, 50), answered: moments(8, 53, 90))
        var others = ActivityMeasures()
        others.addChanges(of: .walking, at: moments(20), answered: [])
        others.addChanges(of: .running, at: [], answered: moments(5))
        measures.merge(others)
        #expect(measures.changes(of: .walking) == 3)
        #expect(measures.changeError(of: .walking) == 3)
        #expect(measures.changeError(of: .walking, quantile: 0) == 2)
        #expect(measures.changeError(of: .walking, quantile: 1) == nil)
        #expect(measures.changes(of: .running) == 0)
        #expect(measures.changeError(of: .running) == nil)
    }

    @Test("activities are scored per second, unknown truth left out")
    func activities() throws {
        func answer(_ activity: Activity, _ probability: Float) -> Segment {
            Segment(
                range: .epoch..<Timestamp(nanosecondsSince1970: 1), flags: ActivityFlags(activity),
                probability: probability, steps: 0)
        }
        var measures = ActivityMeasures()
        for _ in 0..<8 { measures.add(.walking, answer: answer(.walking, 0.99)) }
        for _ in 0..<2 { measures.add(.walking, answer: answer(.unknown, 0.99)) }
        for _ in 0..<6 { measures.add(.automotive, answer: answer(.automotive, 0.9)) }
        for _ in 0..<4 { measures.add(.automotive, answer: answer(.walking, 0.99)) }
        measures.add(.unknown, answer: answer(.walking, 0.99))
        measures.add(.stationary, answer: nil)
        #expect(measures.recall(.walking) == 0.8)
        #expect(try abs(#require(measures.precision(.walking)) - 8.0 / 12) < 1e-12)
        #expect(measures.recall(.automotive) == 0.6)
        #expect(measures.precision(.automotive) == 1)
        #expect(measures.recall(.running) == nil)
        let macroF1 = try #require(measures.macroF1)
        let expected: Double = (8.0 / 11 + 0.75) / 3  // nothing of the one stationary second was found
        #expect(abs(macroF1 - expected) < 1e-12)
        #expect(try abs(#require(measures.unknownShare) - 3.0 / 21) < 1e-12)
        #expect(try abs(#require(measures.accuracy(at: .high)) - 8.0 / 12) < 1e-12)
        #expect(measures.accuracy(at: .medium) == 1)
    }
}
