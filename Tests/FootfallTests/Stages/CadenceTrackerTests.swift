import TestSupport
import Testing

@testable import Footfall

/// A letter is a second. Its candidates go in, and the letter of the decision comes out: `.` for none.
@Suite("The cadence tracker")
struct CadenceTrackerTests {
    /// The candidates of a second, in Hz, with their scores: `w` steps, `s` strides, `r` a run, `f` faint steps, `b`
    /// steps and, more regular, strides.
    private static let candidates: [Character: [(hertz: Float, score: Float)]] = [
        ".": [], "w": [(1.8, 3)], "s": [(0.9, 3)], "r": [(2.7, 3)], "f": [(1.8, -1)], "b": [(0.9, 3), (1.8, 2.5)],
    ]

    private func decisions(_ seconds: String) throws -> [CadenceTracker.Decision] {
        var (tracker, decisions) = (CadenceTracker(), [CadenceTracker.Decision]())
        for second in seconds {
            var cadences = ScoredCadences()
            for candidate in try #require(Self.candidates[second]) {
                cadences.append(ScoredCadence(hertz: candidate.hertz, score: candidate.score))
            }
            if let decision = tracker.add(cadences) { decisions.append(decision) }
        }
        return decisions + tracker.finish()
    }

    @Test(
        "decides on one cadence a second",
        arguments: [
            ("............", "............"),  // nothing
            ("..wwwwww....", "..wwwwww...."),  // a walk
            ("....w.......", "............"),  // a single second is no walk, …
            ("....ww......", "....ww......"),  // … two are
            ("..wwwffwww..", "..wwwwwwww.."),  // faint seconds within a walk belong to it, …
            ("..ffffffff..", "............"),  // … alone they are nothing
            ("..wwwbbwww..", "..wwwwwwww.."),  // neighbors tell steps …
            ("..sssbbsss..", "..ssssssss.."),  // … from strides
            ("..bbbbbbbb..", "..ssssssss.."),  // without them the more regular one counts
            ("..wwwwwrrrrr", "..wwwwwrrrrr"),  // a walker begins to run
            ("wwww....wwww", "wwww....wwww"),  // a pause
            ("w", "w"), ("", ""),  // at the end of the signal there is no stop to explain
            ("..www......w..", "..www........."),  // a rest that lasts leaves no trace of the walk
        ])
    func decides(seconds: String, expected: String) throws {
        let letters: [Float: Character] = [1.8: "w", 0.9: "s", 2.7: "r"]
        let found = try decisions(seconds).map { $0.cadence.flatMap { letters[$0.hertz] } ?? "." }
        #expect(String(found) == expected)
    }

    @Test("follows a cadence that drifts")
    func drift() {
        var (tracker, decided) = (CadenceTracker(), [Float?]())
        let drifting = (0..<40).map { 1.5 + 0.02 * Float($0) }
        for hertz in drifting {
            var cadences = ScoredCadences()
            cadences.append(ScoredCadence(hertz: hertz, score: 1))
            // A rhythm that stays where it is scores as much, but is not there at first.
            if hertz > 1.7 { cadences.append(ScoredCadence(hertz: 3.2, score: 1)) }
            if let decision = tracker.add(cadences) { decided.append(decision.cadence?.hertz) }
        }
        decided += tracker.finish().map { $0.cadence?.hertz }
        #expect(decided == drifting)
    }

    @Test("knows the cadence of the next second, and how many follow")
    func following() throws {
        let all = try decisions("wwwwwww")
        #expect(all.map(\.following) == [3, 3, 3, 3, 2, 1, 0])
        #expect(all.map { $0.next?.hertz } == Array(repeating: 1.8, count: 6) + [nil])
    }

    @Test("gives one decision for each second of any sequence")
    func any() throws {
        var random = SeededGenerator(seed: 7)
        for _ in 0..<200 {
            let seconds = String(
                (0..<Int.random(in: 0...40, using: &random)).map { _ in "...wwsrfb".randomElement(using: &random)! })
            let found = try decisions(seconds)
            #expect(found.count == seconds.count, "\(seconds)")
            for (second, decision) in zip(seconds, found) {
                let hertz = try #require(Self.candidates[second]).map(\.hertz)
                #expect(decision.cadence.map { hertz.contains($0.hertz) } ?? true, "\(seconds)")
            }
        }
    }
}
