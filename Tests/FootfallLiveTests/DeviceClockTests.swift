import Footfall
import FootfallLive
import TestSupport
import Testing

/// A device that sends readings with device times in bursts over a line with delays.
private struct Sender {
    /// Nanoseconds between readings.
    var period: Int64 = 10_000_000
    /// The drift of the device's clock against the host's.
    var drift = 0.0
    /// Nanoseconds between bursts.
    var burst: Int64 = 16_000_000
    /// The longest delay of a burst in nanoseconds.
    var delay: Int64 = 5_000_000
    /// The device time at the start.
    var origin: Int64 = 123_456_789

    static let start: Int64 = 1_795_000_000_000_000_000

    struct Reading {
        /// The true time on the host's clock.
        var truth: Int64
        var deviceTime: Int64
    }

    /// Bursts with their arrivals.
    func bursts(seconds: Int64, seed: UInt64 = 1) -> [(readings: [Reading], arrival: Int64)] {
        var generator = SeededGenerator(seed: seed)
        var bursts: [(readings: [Reading], arrival: Int64)] = []
        var taken: [Reading] = []
        var next = burst
        var lastArrival: Int64 = 0
        for index in 0..<seconds * 1_000_000_000 / period {
            let time = index * period
            while time >= next {
                let arrival = max(lastArrival, next + Int64.random(in: 0...delay, using: &generator))
                lastArrival = arrival
                if !taken.isEmpty { bursts.append((taken, Self.start + arrival)) }
                taken = []
                next += burst
            }
            taken.append(Reading(truth: Self.start + time, deviceTime: origin + Int64(Double(time) * (1 + drift))))
        }
        return bursts
    }
}

@Suite("A device's clock")
struct DeviceClockTests {
    /// The errors of the times after the first `settling` seconds, in milliseconds. All times must be in order.
    private func errors(
        _ bursts: [(readings: [Sender.Reading], arrival: Int64)], hasTimes: Bool = true, settling: Int64 = 10
    ) -> [Double] {
        var clock = DeviceClock()
        var last = Timestamp(nanosecondsSince1970: .min)
        var errors: [Double] = []
        var (isInOrder, isComplete) = (true, true)
        for burst in bursts {
            let times = clock.times(
                of: burst.readings.map { hasTimes ? $0.deviceTime : nil },
                receivedAt: Timestamp(nanosecondsSince1970: burst.arrival))
            isComplete = isComplete && times.count == burst.readings.count
            for (time, reading) in zip(times, burst.readings) {
                if time < last { isInOrder = false }
                last = time
                if reading.truth > Sender.start + settling * 1_000_000_000 {
                    errors.append(Double(time.nanosecondsSince1970 - reading.truth) * 1e-6)
                }
            }
        }
        #expect(isInOrder && isComplete)
        return errors
    }

    private func spread(_ errors: some Collection<Double>) -> Double { (errors.max() ?? 0) - (errors.min() ?? 0) }

    @Test(
        "keeps the distances between readings at any date, drift and length of bursts",
        arguments: [-5_000_000_000, 4_000_000_000_000_000_000], [-0.005, 0.000_05, 0.005])
    func distances(origin: Int64, drift: Double) {
        for (burst, delay) in [(16_000_000, 5_000_000), (100_000_000, 80_000_000), (1_000_000_000, 300_000_000)] {
            let sender = Sender(drift: drift, burst: Int64(burst), delay: Int64(delay), origin: origin)
            let errors = errors(sender.bursts(seconds: 70), settling: 40)
            // The shortest delay and the uncertainty of the drift over a minute remain.
            #expect(spread(errors) < 1 + 0.2 * Double(delay) * 1e-6, "\(burst)")
            #expect((errors.min() ?? 0) > -5 - 0.1 * Double(delay) * 1e-6)
            #expect((errors.max() ?? 0) < 25 + Double(delay) * 1e-6)
        }
    }

    @Test("keeps the times of readings that a stalled line delivers together")
    func stall() {
        var bursts = Sender().bursts(seconds: 60)
        let stalled = bursts.indices.filter {
            (45_000_000_000..<46_500_000_000).contains(bursts[$0].arrival - Sender.start)
        }
        let late = stalled.flatMap { bursts[$0].readings }
        let arrival = bursts[stalled[stalled.count - 1]].arrival
        bursts.replaceSubrange(stalled[0]..<stalled[0] + stalled.count, with: [(late, arrival)])
        #expect(spread(errors(bursts)) < 2)
        // Without device times the length of the burst bounds the error.
        #expect(spread(errors(bursts, hasTimes: false)) < 100)
    }

    @Test("follows a device that restarts or whose clock is set", arguments: [true, false])
    func restart(isBack: Bool) {
        let before = Sender(origin: 1_000_000_000_000).bursts(seconds: 40)
        let after = Sender(origin: isBack ? 0 : 9_000_000_000_000).bursts(seconds: 80).filter {
            $0.arrival > Sender.start + 40_000_000_000
        }
        let errors = errors(before + after)
        #expect(spread(errors) < 40)
        #expect(spread(errors.suffix(3000)) < 2)
    }

    @Test("does not use a clock in the wrong unit, a stopped one, or noise", arguments: [0, 1, 2, 3])
    func nonsense(kind: Int) {
        var generator = SeededGenerator(seed: 5)
        var bursts = Sender().bursts(seconds: 60)
        for outer in bursts.indices {
            for index in bursts[outer].readings.indices {
                let time = bursts[outer].readings[index].deviceTime
                bursts[outer].readings[index].deviceTime =
                    switch kind {
                    case 0: time / 1000
                    case 1: time * 1000
                    case 2: 77
                    default: Int64.random(in: .min ... .max, using: &generator)
                    }
            }
        }
        #expect(spread(errors(bursts)) < 25)
    }

    @Test(
        "distributes readings without device times by their rate",
        arguments: [[12.5, 80], [100, 16], [400, 30]])
    func rate(numbers: [Double]) {
        let sender = Sender(period: Int64(1e9 / numbers[0]), burst: Int64(numbers[1] * 1e6), delay: 8_000_000)
        let errors = errors(sender.bursts(seconds: 60), hasTimes: false)
        #expect(spread(errors) < max(15, 600 / numbers[0]), "\(numbers[0]) Hz")
    }

    @Test("keeps a hole in the samples, with and without device times", arguments: [true, false])
    func hole(hasTimes: Bool) {
        let bursts = Sender().bursts(seconds: 90).filter {
            !(40_000_000_000..<50_000_000_000).contains($0.arrival - Sender.start)
        }
        #expect(spread(errors(bursts, hasTimes: hasTimes)) < 40)
    }

    @Test("distributes the first readings from the first byte, when the format is recognized late")
    func lateStart() {
        var clock = DeviceClock()
        let start = Timestamp(nanosecondsSince1970: Sender.start)
        clock.begin(at: start)
        let times = clock.times(of: Array(repeating: nil, count: 100), receivedAt: start.advanced(bySeconds: 1))
        #expect(times.first == start.advanced(bySeconds: 0.01))
        #expect(times.last == start.advanced(bySeconds: 1))
    }

    @Test("returns a time near the arrival for any device time")
    func anything() {
        var (farthest, isComplete) = (0.0, true)
        for seed in 0..<100 {
            var generator = SeededGenerator(seed: UInt64(seed))
            var clock = DeviceClock()
            var arrival = Sender.start
            for _ in 0..<100 {
                arrival += Int64.random(in: 0...3_000_000_000, using: &generator)
                let deviceTimes = (0..<Int.random(in: 0...20, using: &generator)).map { _ -> Int64? in
                    switch Int.random(in: 0...3, using: &generator) {
                    case 0: nil
                    case 1: Int64.random(in: .min ... .max, using: &generator)
                    case 2: [.min, .max, 0, -1].randomElement(using: &generator)
                    default: arrival / 1000
                    }
                }
                let now = Timestamp(nanosecondsSince1970: arrival)
                let times = clock.times(of: deviceTimes, receivedAt: now)
                isComplete = isComplete && times.count == deviceTimes.count
                for time in times { farthest = max(farthest, abs(time.seconds(since: now))) }
                if Bool.random(using: &generator) { clock.reset() }
            }
        }
        #expect(farthest < 60 && isComplete)
        var clock = DeviceClock()
        for arrival in [Int64.min, .max, 0] {
            #expect(clock.times(of: [0, nil], receivedAt: Timestamp(nanosecondsSince1970: arrival)).count == 2)
        }
    }
}
