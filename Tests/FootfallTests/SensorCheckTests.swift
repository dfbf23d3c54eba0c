import Footfall
import Foundation
import Testing

/// The check of a sensor from its raw signal: calibration, held and clipped samples, and values beyond its range.
@Suite("Sensor check")
struct SensorCheckTests {
    private let offset = SIMD3<Float>(0.03, -0.05, 0.02)
    private let scale = SIMD3<Float>(1.03, 0.97, 1.01)

    /// A sensor at rest in one orientation after another, at 20 Hz.
    ///
    /// - Parameter upright: The least share of gravity along z.
    private func atRest(_ ways: Int, upright: Float = -1, seconds: Int = 11) -> SampleBatch {
        var random = SystemNoise(state: 7)
        var batch = SampleBatch()
        for way in 0..<ways {
            let z = upright + (1 - upright) * random.uniform()
            let angle = random.uniform() * 2 * .pi
            let radius = (1 - z * z).squareRoot()
            let gravity = SIMD3<Float>(radius * cos(angle), radius * sin(angle), z)
            for sample in 0..<seconds * 20 {
                let noise = SIMD3<Float>(random.uniform(), random.uniform(), random.uniform()) * 0.01 - 0.005
                // The reading contains the errors of the sensor.
                let reading = gravity / scale - offset + noise
                let time = Timestamp(nanosecondsSince1970: Int64(way * seconds * 20 + sample) * 50_000_000)
                batch.append(time: time, x: reading.x, y: reading.y, z: reading.z)
            }
        }
        return batch
    }

    private func check(_ batch: SampleBatch) -> SensorCheck {
        var check = SensorCheck()
        check.add(batch)
        return check
    }

    @Test("scale and offset follow from readings at rest")
    func calibration() throws {
        let calibration = try check(atRest(300)).calibration().get()
        for axis in 0..<3 {
            #expect(abs(calibration.offset[axis] - offset[axis]) < 0.003)
            #expect(abs(calibration.scale[axis] - scale[axis]) < 0.004)
        }
        #expect(calibration.errorBefore > 0.02)
        #expect(calibration.errorAfter < 0.002)
    }

    @Test("corrected samples read one g at rest")
    func corrected() throws {
        let batch = atRest(300)
        let corrected = try batch.calibrated(by: check(batch).calibration().get())
        #expect(corrected.times == batch.times)
        #expect(distanceFromOneG([corrected]) < 0.006)
    }

    /// The mean of how far samples are from 1 g.
    private func distanceFromOneG(_ batches: [SampleBatch]) -> Float {
        var (sum, count): (Float, Float) = (0, 0)
        for sample in batches.joined() {
            let norm: Float = (sample.x * sample.x + sample.y * sample.y + sample.z * sample.z).squareRoot()
            sum += abs(norm - 1)
            count += 1
        }
        return sum / count
    }

    /// A sensor whose offset drifts with a temperature, which is given for each orientation of 11 s; nil if it is not
    /// stated.
    private func warming(_ stated: (Double) -> Float?) -> (check: SensorCheck, batches: [SampleBatch]) {
        let drift = SIMD3<Float>(0.001, -0.0007, 0.0015)
        let rest = atRest(600)
        var (check, batches) = (SensorCheck(), [SampleBatch]())
        for start in stride(from: 0, to: rest.count, by: 220) {
            let degrees = 25 + 8 * sin(Double(start) / 7000)
            let change = drift * Float(degrees - 25)
            var batch = SampleBatch(
                rest[start..<start + 220].map { sample in
                    AccelerationSample(
                        time: sample.time, x: sample.x + change.x, y: sample.y + change.y, z: sample.z + change.z)
                })
            batch.temperature = stated(degrees)
            check.add(batch)
            batches.append(batch)
        }
        return (check, batches)
    }

    @Test("an offset that drifts with the temperature is corrected")
    func temperature() throws {
        let (check, batches) = warming { Float($0) }
        let calibration = try check.calibration().get()
        for (axis, drift) in [Float(0.001), -0.0007, 0.0015].enumerated() {
            #expect(abs(calibration.offsetPerDegree[axis] + drift) < 0.0001)
        }
        #expect(abs(try #require(calibration.meanTemperature) - 25) < 1)
        let blind = try warming { _ in nil }.check.calibration().get()
        #expect(blind.errorAfter > 2 * calibration.errorAfter)
        #expect(distanceFromOneG(batches.map { $0.calibrated(by: calibration) }) < 0.005)
        #expect(batches[7].calibrated(by: calibration).temperature == batches[7].temperature)
    }

    @Test("a temperature that is constant, invalid or missing at times has no effect")
    func noTemperature() throws {
        let blind = try warming { _ in nil }.check.calibration().get()
        #expect(blind.offsetPerDegree == .zero && blind.meanTemperature == nil)
        #expect(try warming { _ in 25 }.check.calibration().get() == blind)
        #expect(try warming { _ in .nan }.check.calibration().get() == blind)
        #expect(try warming { $0 > 30 ? nil : Float($0) }.check.calibration().get() == blind)
        let other = try warming { Float($0) }.check.calibration().get()
        let batch = warming { _ in nil }.batches[0]
        // Samples without a temperature get the offset at the mean one.
        #expect(batch.calibrated(by: other).x[0] == (batch.x[0] + other.offset.x) * other.scale.x)
    }

    @Test("a sensor that was never upside down has no calibration, with the reason")
    func oneSided() {
        guard case .failure(let obstacle) = check(atRest(300, upright: 0.8)).calibration() else {
            Issue.record("a calibration from one side only")
            return
        }
        #expect(obstacle.description.contains("both ways up along"))
        #expect(obstacle.description.contains("z"))
    }

    @Test("a sensor that was rarely still has no calibration, with the reason")
    func restless() {
        guard case .failure(.tooLittleStillness(let windows)) = check(atRest(12)).calibration() else {
            Issue.record("a calibration from two minutes")
            return
        }
        #expect(windows <= 13)
    }

    @Test("a slow signal written at a higher rate is detected")
    func held() {
        let honest = shaken(rate: 100)
        var repeated = SampleBatch()
        for (index, time) in honest.times.enumerated() {
            let source = index - index % 4
            repeated.append(time: time, x: honest.x[source], y: honest.y[source], z: honest.z[source])
        }
        #expect(check(honest).heldShare < 0.01)
        #expect(check(repeated).heldShare > 0.99)
    }

    @Test("a coarse sensor that is mostly still has no held samples")
    func coarse() {
        // Steps of 16 mg; alternately ten seconds on a table and two in the hand.
        let shaken = shaken(rate: 50)
        var batch = SampleBatch()
        for (index, sample) in shaken.enumerated() {
            let isLying = index % 600 < 500
            func step(_ value: Float, _ rest: Float) -> Float { isLying ? rest : (value * 64).rounded() / 64 }
            batch.append(time: sample.time, x: step(sample.x, 0), y: step(sample.y, 0), z: step(sample.z, 1))
        }
        #expect(check(batch).heldShare < 0.1)
    }

    @Test("a signal clipped at the end of the range is detected, another is not")
    func clipped() {
        let honest = shaken(rate: 100)
        var cut = SampleBatch()
        for sample in honest {
            cut.append(
                time: sample.time, x: min(max(sample.x, -2), 2), y: min(max(sample.y, -2), 2),
                z: min(max(sample.z, -2), 2))
        }
        #expect(check(honest).clipped == 0)
        #expect(check(cut).clipped > 100)
    }

    @Test("values that left the range at one end are put back, from the sixth leap on", arguments: [50, 100])
    func overflow(rate: Int) {
        let honest = shaken(rate: rate, strength: 0.9)
        let (used, check) = prepared(overflowing(honest), batchesOf: 100)
        let beyond = honest.map { [$0.x, $0.y, $0.z].count { abs($0) > 2.048 } }.reduce(0, +)
        #expect(beyond > rate && check.overflowed >= beyond * 9 / 10 && check.overflowed <= beyond)
        let wrong = zip(honest, used).filter { max(abs($0.x - $1.x), abs($0.y - $1.y), abs($0.z - $1.z)) > 0.2 }
        #expect(used.count == honest.count && wrong.allSatisfy { $0.0.time < honest[rate * 6].time })
    }

    @Test("no value of a sensor that clips is put back")
    func clippedIsNoOverflow() {
        // Shaken so hard that values leap from end to end, and by shorter ways.
        let hard = shaken(rate: 25, strength: 3)
        let cut = SampleBatch(
            hard.map {
                AccelerationSample(
                    time: $0.time, x: min(max($0.x, -2), 2), y: min(max($0.y, -2), 2), z: min(max($0.z, -2), 2))
            })
        let (used, check) = prepared(cut, batchesOf: 100)
        #expect(zip(cut.x, cut.x.dropFirst()).count { abs($0 - $1) > 3 } > 20)
        #expect(check.overflowed == 0 && check.clipped > 100 && used == cut)
    }

    @Test("the division into batches has no effect on values that are put back", arguments: [1, 2, 3, 7, 64, 10_000])
    func chunksOfOverflow(size: Int) {
        let batch = overflowing(shaken(rate: 50, strength: 0.9))
        let (whole, pieces) = (prepared(batch, batchesOf: batch.count), prepared(batch, batchesOf: size))
        #expect(whole.check.overflowed > 50)
        #expect(pieces.used == whole.used && pieces.check.overflowed == whole.check.overflowed)
    }

    /// The samples of a sensor of 12 bits, ±2.048 g, that keeps no more.
    private func overflowing(_ batch: SampleBatch) -> SampleBatch {
        func kept(_ value: Float) -> Float { value - 4.096 * (value / 4.096).rounded() }
        return SampleBatch(
            batch.map { AccelerationSample(time: $0.time, x: kept($0.x), y: kept($0.y), z: kept($0.z)) })
    }

    /// The samples as the stages after the intake use them, and its check.
    private func prepared(_ batch: SampleBatch, batchesOf size: Int) -> (used: SampleBatch, check: SensorCheck) {
        var (intake, used) = (SampleIntake(), SampleBatch())
        func use(_ samples: RepairedSamples) {
            for (samples, positions) in samples.parts { used.append(contentsOf: samples, in: positions) }
        }
        for start in stride(from: 0, to: batch.count, by: size) {
            use(intake.add(SampleBatch(batch[start..<min(start + size, batch.count)])))
        }
        use(intake.finish())
        return (used, intake.sensor)
    }

    @Test("the division into batches has no effect", arguments: [1, 7, 997])
    func chunks(size: Int) {
        let batch = atRest(80)
        var check = SensorCheck()
        for start in stride(from: 0, to: batch.count, by: size) {
            check.add(SampleBatch(batch[start..<min(start + size, batch.count)]))
        }
        let whole = self.check(batch)
        #expect(check.calibration() == whole.calibration())
        #expect(check.clipped == whole.clipped && check.heldShare == whole.heldShare)
    }

    @Test(
        "the division into batches has no effect on clipped, held, repeated, late, unordered or invalid samples",
        arguments: [7, 16, 100_000])
    func chunksOfOddSamples(size: Int) {
        var random = SystemNoise(state: 5)
        var samples: [AccelerationSample] = []
        var time: Int64 = 0
        for sample in Array(shaken(rate: 200)) + Array(atRest(80)) {
            time += 10_000_000
            var odd = AccelerationSample(
                time: Timestamp(nanosecondsSince1970: time), x: min(max(sample.x, -2), 2), y: sample.y, z: sample.z)
            switch Int(random.uniform() * 2000) {
            case 0: odd.x = .nan
            case 1: odd.z = -.infinity
            case 2: odd.y = 3e38
            case 3: time += 3_000_000_000
            case 4: time -= 500_000_000
            case 5: time -= 10_000_000
            case 6: samples.append(odd)
            case 7..<100:
                let last = samples.last ?? odd
                (odd.x, odd.y, odd.z) = (last.x, last.y, last.z)
            default: break
            }
            samples.append(odd)
        }
        var check = SensorCheck()
        for start in stride(from: 0, to: samples.count, by: size) {
            check.add(SampleBatch(samples[start..<min(start + size, samples.count)]))
        }
        var oneByOne = SensorCheck()
        for sample in samples { oneByOne.add(SampleBatch([sample])) }
        #expect(oneByOne.clipped > 100 && oneByOne.heldShare > 0.01)
        #expect(check.calibration() == oneByOne.calibration())
        #expect(check.clipped == oneByOne.clipped && check.heldShare == oneByOne.heldShare)
    }

    @Test("invalid values and unordered times cause no result and no crash")
    func hostile() {
        var batch = SampleBatch()
        let times: [Int64] = [.max, .min, 0, .max, -1, .min, 5]
        for (time, value) in zip(times, [Float.nan, .infinity, 1e38, -1e38, 0, -.infinity, 3]) {
            batch.append(time: Timestamp(nanosecondsSince1970: time), x: value, y: -value, z: 1)
        }
        let check = check(batch)
        #expect(check.heldShare == 0)
    }

    /// A minute of a shaken hand, up to 3 g, or less or more by its strength.
    private func shaken(rate: Int, strength: Float = 1) -> SampleBatch {
        SampleBatch(
            (0..<rate * 60).map { index in
                let phase = Float(index) / Float(rate) * 2 * .pi * 2.3
                return AccelerationSample(
                    time: Timestamp(nanosecondsSince1970: Int64(index) * 1_000_000_000 / Int64(rate)),
                    x: strength * 3 * cos(phase), y: strength * 2.5 * cos(phase * 1.7), z: 1 + cos(phase * 0.3))
            })
    }
}

/// A generator of noise that is the same in every run.
private struct SystemNoise {
    var state: UInt64

    /// A number from 0 up to 1.
    mutating func uniform() -> Float {
        state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
        return Float(state >> 40) / Float(1 << 24)
    }
}
