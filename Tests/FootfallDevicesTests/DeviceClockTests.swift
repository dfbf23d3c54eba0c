import Footfall
import FootfallDevices
import TestSupport
import Testing

/// A device that sends readings with its own time, in bursts, over a line that delays them.
private struct Sender {
    /// Nanoseconds between readings, by a true clock.
    var period: Int64 = 10_000_000
    /// How much faster than the host's the device's clock runs.
    var drift = 0.0
    /// Nanoseconds from one burst to the next.
    var burst: Int64 = 16_000_000
    /// How long a burst is under way, in nanoseconds, at most.
    var delay: Int64 = 5_000_000
    /// What the device's clock shows at the start.
    var origin: Int64 = 123_456_789

    static let start: Int64 = 1_795_000_000_000_000_000

    struct Reading {
        /// When it was taken, by the host's clock.
        var truth: Int64
        var deviceTime: Int64
    }

    /// The bursts of so many seconds, each with its arrival.
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
    /// The error of each reading's time after the first `settling` seconds, in milliseconds; all times must be in order.
    private func errors(
        _ bursts: [(readings: [Sender.Reading], arrival: Int64)], isTold: Bool = true, settling: Int64 = 10
    ) -> [Double] {
        var clock = DeviceClock()
        var last = Timestamp(nanosecondsSince1970: .min)
        var errors: [Double] = []
        var isInOrder = true
        for burst in bursts {
            let times = clock.times(
                of: burst.readings.map { isTold ? $0.deviceTime : nil },
                receivedAt: Timestamp(nanosecondsSince1970: burst.arrival))
            #expect(times.count == burst.readings.count)
            for (time, reading) in zip(times, burst.readings) {
                if time < last { isInOrder = false }
                last = time
                if reading.truth > Sender.start + settling * 1_000_000_000 {
                    errors.append(Double(time.nanosecondsSince1970 - reading.truth) * 1e-6)
                }
            }
        }
        #expect(isInOrder)
        return errors
    }

    private func spread(_ errors: some Collection<Double>) -> Double { (errors.max() ?? 0) - (errors.min() ?? 0) }

    @Test(
        "gives the distances between readings, whatever its date, its drift and the bursts they come in",
        arguments: [-5_000_000_000, 4_000_000_000_000_000_000], [-0.005, 0.000_05, 0.005])
    func distances(origin: Int64, drift: Double) {
        for (burst, delay) in [(16_000_000, 5_000_000), (100_000_000, 80_000_000), (1_000_000_000, 300_000_000)] {
            let sender = Sender(drift: drift, burst: Int64(burst), delay: Int64(delay), origin: origin)
            let errors = errors(sender.bursts(seconds: 70), settling: 40)
            // What is left is the time of the fastest transport, and how well a drift can be told in a minute.
            #expect(spread(errors) < 1 + 0.2 * Double(delay) * 1e-6, "\(burst)")
            #expect((errors.min() ?? 0) > -5 - 0.1 * Double(delay) * 1e-6)
            #expect((errors.max() ?? 0) < 25 + Double(delay) * 1e-6)
        }
    }

    @Test("a line that stalls and then delivers all at once changes no time")
    func stall() {
        var bursts = Sender().bursts(seconds: 60)
        let stalled = bursts.indices.filter {
            (45_000_000_000..<46_500_000_000).contains(bursts[$0].arrival - Sender.start)
        }
        let late = stalled.flatMap { bursts[$0].readings }
        let arrival = bursts[stalled[stalled.count - 1]].arrival
        bursts.replaceSubrange(stalled[0]..<stalled[0] + stalled.count, with: [(late, arrival)])
        #expect(spread(errors(bursts)) < 2)
        // Without a time of their own the readings cannot tell when they waited, but take no longer than they did.
        #expect(spread(errors(bursts, isTold: false)) < 100)
    }

    @Test("a device that starts anew, or whose clock is set, is followed at once", arguments: [true, false])
    func restart(isBack: Bool) {
        let before = Sender(origin: 1_000_000_000_000).bursts(seconds: 40)
        let after = Sender(origin: isBack ? 0 : 9_000_000_000_000).bursts(seconds: 80).filter {
            $0.arrival > Sender.start + 40_000_000_000
        }
        let errors = errors(before + after)
        #expect(spread(errors) < 40)
        #expect(spread(errors.suffix(3000)) < 2)
    }

    @Test("a clock in the wrong unit, one that stands, and one of noise are not believed", arguments: [0, 1, 2, 3])
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
        "readings without a time are spread by the rate at which they arrive",
        arguments: [[12.5, 80], [100, 16], [400, 30]])
    func rate(numbers: [Double]) {
        let sender = Sender(period: Int64(1e9 / numbers[0]), burst: Int64(numbers[1] * 1e6), delay: 8_000_000)
        let errors = errors(sender.bursts(seconds: 60), isTold: false)
        #expect(spread(errors) < max(15, 600 / numbers[0]), "\(numbers[0]) Hz")
    }

    @Test("a hole in the samples stays a hole, told or not", arguments: [true, false])
    func hole(isTold: Bool) {
        let bursts = Sender().bursts(seconds: 90).filter {
            !(40_000_000_000..<50_000_000_000).contains($0.arrival - Sender.start)
        }
        #expect(spread(errors(bursts, isTold: isTold)) < 40)
    }

    @Test("the first readings, understood late, are spread from when they began to arrive")
    func lateStart() {
        var clock = DeviceClock()
        let start = Timestamp(nanosecondsSince1970: Sender.start)
        clock.begin(at: start)
        let times = clock.times(of: Array(repeating: nil, count: 100), receivedAt: start.advanced(bySeconds: 1))
        #expect(times.first == start.advanced(bySeconds: 0.01))
        #expect(times.last == start.advanced(bySeconds: 1))
    }

    @Test("whatever is said and whenever it arrives, there is a time for each reading, and never one far off")
    func anything() {
        var farthest = 0.0
        for seed in 0..<100 {
            var generator = SeededGenerator(seed: UInt64(seed))
            var clock = DeviceClock()
            var arrival = Sender.start
            for _ in 0..<100 {
                arrival += Int64.random(in: 0...3_000_000_000, using: &generator)
                let told = (0..<Int.random(in: 0...20, using: &generator)).map { _ -> Int64? in
                    switch Int.random(in: 0...3, using: &generator) {
                    case 0: nil
                    case 1: Int64.random(in: .min ... .max, using: &generator)
                    case 2: [.min, .max, 0, -1].randomElement(using: &generator)
                    default: arrival / 1000
                    }
                }
                let now = Timestamp(nanosecondsSince1970: arrival)
                let times = clock.times(of: told, receivedAt: now)
                #expect(times.count == told.count)
                for time in times { farthest = max(farthest, abs(time.seconds(since: now))) }
                if Bool.random(using: &generator) { clock.reset() }
            }
        }
        #expect(farthest < 60)
        var clock = DeviceClock()
        for arrival in [Int64.min, .max, 0] {
            #expect(clock.times(of: [0, nil], receivedAt: Timestamp(nanosecondsSince1970: arrival)).count == 2)
        }
    }
}
