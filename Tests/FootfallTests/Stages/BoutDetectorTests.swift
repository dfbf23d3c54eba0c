import Foundation
import Testing

@testable import Footfall

/// A letter is a second of signal with the decision on it. The steps of the second come out: `.` for none.
@Suite("The bout detector")
struct BoutDetectorTests {
    /// What is decided on a second: `w` surely gait, `m` gait with less certainty, `c` gait or a car, `d` hardly gait,
    /// `h` a rhythm that is that of a hand. `~` shakes like a walk but has no cadence; `.` is rest.
    private static let decisions: [Character: (score: Float, check: Float)] = [
        "w": (4, 3), "m": (2.5, 1), "c": (2.5, 0.5), "d": (1, 1), "h": (2.5, -2),
    ]
    /// Steps a second.
    private static let cadence: Float = 2

    /// A crest for each step, a quarter and three quarters into the second.
    private func signal(_ seconds: String) -> SignalBuffer {
        var signal = SignalBuffer(start: 0)
        for (number, second) in seconds.enumerated() {
            for index in 0..<25 {
                let phase = Double(Self.cadence) * (halfRateTime(25 * number + index) - 0.25)
                signal.append(magnitude: second == "." ? 1 : 1 + 0.3 * cos(2 * .pi * phase))
            }
        }
        return signal
    }

    private func decision(_ letters: [Character], at index: Int) -> CadenceTracker.Decision {
        var decision = CadenceTracker.Decision()
        guard let own = Self.decisions[letters[index]] else { return decision }
        decision.cadence = ScoredCadence(hertz: Self.cadence, score: own.score)
        (decision.check, decision.checkOdds) = (own.check, 2)
        let later = letters[(index + 1)...].prefix(3).prefix { Self.decisions[$0] != nil }
        decision.following = later.count
        decision.next = later.first.flatMap { Self.decisions[$0] }
            .map { ScoredCadence(hertz: Self.cadence, score: $0.score) }
        return decision
    }

    private func results(_ seconds: String) -> [SecondResult] {
        let (signal, letters) = (signal(seconds), Array(seconds))
        // The samples began before the first second, which is at rest.
        var bouts = BoutDetector(firstSecond: 0, firstScored: -1, firstValue: 0, after: nil)
        var results: [SecondResult] = []
        for index in letters.indices {
            bouts.add(Int64(index), decision(letters, at: index), signal) { results.append($0) }
        }
        bouts.finish(signal, lastSecond: Int64(letters.count - 1)) { results.append($0) }
        return results
    }

    /// A wave that stops at once leaves one more step, the closing one of the walk.
    @Test(
        "finds the steps of bouts",
        arguments: [
            ("................", "................"),
            ("....wwwwwwww....", "....222222221..."),  // all steps count once the bout is confirmed
            ("....ww..........", "....221........."),  // a walk across a room
            ("....wwww..wwww....", "....22221.22221..."),  // a pause
            ("....wwww~~wwww....", "....22222222221..."),  // the signal decides, where single seconds have no cadence
            ("....mmmmmmmm......", "....222222221....."),
            ("....dddddddddddd..", ".................."),  // no evidence, however long
            ("....cccc..........", ".................."),  // a car for four seconds
            ("....hhhhhhhhhhhh..", ".................."),  // a hand
            ("....hhhh....wwwwww..", "............2222221."),  // nor do its beats count once a walk begins
        ])
    func finds(seconds: String, expected: String) {
        let found = results(seconds)
        #expect(found.map(\.second) == Array(0..<Int64(seconds.count)))
        #expect(found.map { $0.steps.isEmpty ? "." : "\($0.steps.count)" }.joined() == expected)
        // Every step lies in its second, on a crest.
        for second in found {
            for (step, place) in zip(second.steps, [0.25, 0.75]) {
                let time = Timestamp(second: second.second).advanced(bySeconds: place)
                #expect(abs(step.time.seconds(since: time)) < 0.06, "\(seconds): \(step.time)")
            }
        }
    }

    @Test("waits through a turn after a few steps, which are no bout alone, for a few more")
    func turn() {
        let steps = results("....cccc.....cccc....").reduce(0) { $0 + $1.steps.count }
        #expect((16...19).contains(steps), "\(steps) steps")
    }

    @Test("resumes a walk with less evidence, but not once a car is boarded")
    func resumed() {
        func steps(pause: Int) -> Int {
            let seconds = "..wwwwwwww" + String(repeating: ".", count: pause) + "cccc......"
            return results(seconds).filter { $0.second >= 10 + pause }.reduce(0) { $0 + $1.steps.count }
        }
        #expect((8...9).contains(steps(pause: 9)))
        #expect(steps(pause: 60) == 0)
    }

    @Test("names the gait of seconds on foot alone")
    func gait() {
        let found = results("....wwwwwwww....")
        for second in found { #expect((second.gait == .walking) == (4...12).contains(second.second)) }
        #expect(found.allSatisfy { $0.gait != .running })
    }

    @Test("is open from the first candidate until the walk is over")
    func isOpen() {
        let seconds = "..www......"
        let (signal, letters) = (signal(seconds), Array(seconds))
        var bouts = BoutDetector(firstSecond: 0, firstScored: -1, firstValue: 0, after: nil)
        let open = letters.indices.map { index in
            bouts.add(Int64(index), decision(letters, at: index), signal) { _ in }
            return bouts.isOpen
        }
        #expect(open == letters.map { $0 == "w" })
    }
}
