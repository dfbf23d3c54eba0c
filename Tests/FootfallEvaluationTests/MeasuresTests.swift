import Footfall
import FootfallEvaluation
import Testing

@Suite("Measures of accuracy")
struct MeasuresTests {
    @Test("percentage errors are a mean over recordings, bias is pooled")
    func counts() throws {
        var measures = StepMeasures()
        measures.add(detected: 90, true: 100, seconds: 60, subject: "a")
        measures.add(detected: 420, true: 400, seconds: 240, subject: "a")
        measures.add(detected: 7, true: 10, seconds: 6, subject: "a")  // too few for a percentage
        measures.add(detected: 6, true: 0, seconds: 1800, subject: "b")
        #expect(measures.recordings == 4)
        #expect(try #require(measures.meanAbsolutePercentageError) == 7.5)
        #expect(try #require(measures.bias) == 1.02)
        #expect(measures.falseSteps == FalseSteps(count: 6, seconds: 1800))
        #expect(try #require(measures.falseSteps.perHour) == 12)
    }

    @Test("by subject, each subject has the same weight")
    func bySubject() throws {
        var measures = StepMeasures()
        for _ in 0..<3 { measures.add(detected: 96, true: 100, seconds: 60, subject: "a") }
        var others = StepMeasures()
        others.add(detected: 100, true: 100, seconds: 60, subject: "b")
        measures.merge(others)
        #expect(try #require(measures.meanAbsolutePercentageError) == 3)
        #expect(try #require(measures.errorBySubject) == 2)
    }

    @Test("each true step matches one detected step within a quarter of a second")
    func times() throws {
        var measures = StepMeasures()
        measures.add(detected: [1.1, 1.2, 2.26, 2.9, 7], true: [1, 2, 3, 4])
        #expect(measures.matched == 2)
        #expect(measures.spurious == 3)
        #expect(measures.missed == 2)
        #expect(try #require(measures.timeF1) == 4.0 / 9)
        #expect(try abs(#require(measures.medianTimeError) - 0.1) < 1e-9)
    }

    @Test("each detected step matches one true step")
    func timesOnce() {
        var measures = StepMeasures()
        measures.add(detected: [1, 5], true: [0.9, 1.1, 5])
        #expect(measures.matched == 2 && measures.missed == 1 && measures.spurious == 0)
    }

    @Test("the error of a boundary is the distance to the nearest detected one, infinite without one")
    func boundaries() throws {
        var measures = BoundaryMeasures()
        measures.add(.walking, true: moments(10, 50), detected: moments(8, 53, 90))
        var others = BoundaryMeasures()
        others.add(.walking, true: moments(20), detected: [])
        others.add(.running, true: [], detected: moments(5))
        measures.merge(others)
        #expect(measures.count(of: .walking) == 3)
        #expect(measures.error(of: .walking) == 3)
        #expect(measures.error(of: .walking, quantile: 0) == 2)
        #expect(measures.error(of: .walking, quantile: 1) == nil)
        #expect(measures.count(of: .running) == 0)
        #expect(measures.error(of: .running) == nil)
    }

    @Test("activities are compared second by second, without those of unknown truth")
    func activities() throws {
        func segment(_ activity: Activity, _ probability: Float) -> Segment {
            Segment(
                range: .epoch..<Timestamp(nanosecondsSince1970: 1), flags: ActivityFlags(activity),
                probability: probability, steps: 0)
        }
        var measures = ActivityMeasures()
        for _ in 0..<8 { measures.add(.walking, detected: segment(.walking, 0.99)) }
        for _ in 0..<2 { measures.add(.walking, detected: segment(.unknown, 0.99)) }
        for _ in 0..<6 { measures.add(.automotive, detected: segment(.automotive, 0.9)) }
        for _ in 0..<4 { measures.add(.automotive, detected: segment(.walking, 0.99)) }
        measures.add(.unknown, detected: segment(.walking, 0.99))
        measures.add(.stationary, detected: nil)
        let confusion = measures.confusion
        #expect(confusion.recall(.walking) == 0.8)
        let precision = try #require(confusion.precision(.walking))
        #expect(abs(precision - 8.0 / 12) < 1e-12)
        #expect(confusion.recall(.automotive) == 0.6)
        #expect(confusion.precision(.automotive) == 1)
        #expect(confusion.recall(.running) == nil)
        let macroF1 = try #require(confusion.macroF1)
        let expected: Double = (8.0 / 11 + 0.75) / 3  // the one stationary second is not detected
        #expect(abs(macroF1 - expected) < 1e-12)
        #expect(try abs(#require(confusion.accuracy) - 14.0 / 21) < 1e-12)
        #expect(try abs(#require(confusion.unknownShare) - 3.0 / 21) < 1e-12)
        #expect(confusion.wrongSeconds == 4)
        let worst = try #require(confusion.commonestConfusion)
        #expect(worst == (truth: .automotive, detected: .walking, seconds: 4))
        #expect(try abs(#require(measures.calibration.accuracy(at: .high)) - 8.0 / 12) < 1e-12)
        #expect(measures.calibration.accuracy(at: .medium) == 1)
        #expect(measures.calibration.accuracy(at: .low) == nil)
    }

    @Test("fragmentation is the number of detected segments per labeled interval")
    func fragmentation() throws {
        var labels = ActivityLabels()
        for second in 0..<60 { labels.append(second < 30 ? .walking : .stationary, at: moments(Double(second))[0]) }
        let bounds = moments(0, 10, 15, 30, 60)
        let flags: [ActivityFlags] = [.walking, [], .walking, .stationary]
        let segments = zip(zip(bounds, bounds.dropFirst()), flags).map { range, flags in
            Segment(range: range.0..<range.1, flags: flags, probability: 1, steps: 0)
        }
        let measures = ActivityMeasures(of: segments, against: labels)
        #expect(measures.fragmentation == 2)
        #expect(measures.confusion.seconds(of: .walking, detectedAs: .walking) == 25)
        #expect(measures.boundaries.error(of: .walking) == 0)
    }
}

/// Moments in seconds since 1970.
func moments(_ seconds: Double...) -> [Timestamp] { seconds.map { Timestamp.epoch.advanced(bySeconds: $0) } }
