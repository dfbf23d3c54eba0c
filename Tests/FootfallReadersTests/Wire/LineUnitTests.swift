import Footfall
import FootfallReaders
import Foundation
import Testing

/// A sketch is flashed anew, or a setting is sent: the same device continues in another unit.
@Suite("A unit that changes in a stream of text")
struct LineUnitTests {
    /// Units by the number that stands for one g, and the digits that are written.
    enum Unit: Double, CaseIterable, Sendable {
        case g = 1
        case metresPerSecondSquared = 9.80665
        case mg = 1000
        case counts = 16384

        func line(_ vector: SIMD3<Double>) -> String {
            let digits = self == .counts ? 0 : 3
            return (0..<3).map { String(format: "%.\(digits)f", vector[$0] * rawValue) }.joined(separator: ",")
        }
    }

    /// A sensor that lies still for two seconds, then walks, at 50 Hz.
    private func walk(_ index: Int, restsAgain: Bool = false) -> SIMD3<Double> {
        let swing = index < 100 || restsAgain && (500..<600).contains(index) ? 0.01 : 1.0
        let phase = Double(index) / 50 * 2 * .pi * 1.8
        return SIMD3(0.1, 0.2, 0.97)
            + swing * SIMD3(0.2 * sin(phase / 2), 0.15 * cos(phase), 0.4 * sin(phase) + 0.2 * sin(2 * phase))
    }

    @Test("is found, and no reading is lost or wrong", arguments: Unit.allCases, Unit.allCases)
    func change(from old: Unit, to new: Unit) {
        // Counts are recognized at rest only.
        func walk(_ index: Int) -> SIMD3<Double> { self.walk(index, restsAgain: new == .counts) }
        let lines = (0..<1000).map { ($0 < 500 ? old : new).line(walk($0)) }
        let decoded = Decoded(lines: lines)
        #expect(decoded.readings.count == 1000 && decoded.decoder.quality.readings == 1000)
        #expect(decoded.decoder.quality.refusedLines == 0)
        for (index, vector) in decoded.vectors.enumerated()
        where !isClose(vector, SIMD3<Float>(walk(index)), within: 0.002) {
            Issue.record("reading \(index) is \(vector)")
            break
        }
        let layout = decoded.decoder.layout ?? ""
        #expect(layout.contains("the values became") == (old != new), "\(layout)")
    }

    @Test("is stated with its factor")
    func factor() {
        let units: [Unit] = [.g, .metresPerSecondSquared]
        let decoded = Decoded(lines: (0..<1000).map { units[$0 / 500].line(walk($0)) })
        #expect(
            decoded.decoder.layout
                == "text lines: x, y, z in m/s² (columns 1, 2, 3), no time; the values became 9.8 times as large, "
                + "so they are read in m/s² from then on")
    }

    @Test("is not seen in the flight of a jumper at 500 Hz")
    func flight() {
        let lines = (0..<5000).map { index -> String in
            // In flight, 0.09 g is 0.9 m/s², which is also 0.9 g.
            let isInFlight = index > 1500 && index % 1000 < 200
            let vector = isInFlight ? SIMD3(0.05, 0.04, 0.06) : walk(index / 10)
            return "\(10_000 + 2 * index)," + Unit.metresPerSecondSquared.line(vector)
        }
        let decoded = Decoded(lines: lines)
        #expect(decoded.readings.count == 5000)
        #expect(decoded.decoder.layout?.contains("became") == false, "\(decoded.decoder.layout ?? "")")
    }

    @Test("is not seen in jumps, in falls, or in a sensor that fails")
    func otherValues() {
        // A second in free fall, two of jumps with up to 9 g, and two without any acceleration.
        let values = (0..<1000).map { index -> SIMD3<Double> in
            switch index {
            case 300..<350: SIMD3(0.01, -0.02, 0.015)
            case 500..<600: SIMD3(0.1, 0.3, index % 20 < 6 ? 9 : index % 20 < 12 ? 0.1 : 1.2)
            case 800..<900: .zero
            default: walk(index)
            }
        }
        let decoded = Decoded(lines: values.map(Unit.g.line))
        #expect(decoded.decoder.layout?.contains("became") == false)
        #expect(
            zip(decoded.vectors, values).allSatisfy { isClose($0, SIMD3<Float>($1), within: 0.001) }
                && decoded.readings.count == 1000)
    }

    @Test("is not learned if the unit is given")
    func given() {
        let units: [Unit] = [.g, .metresPerSecondSquared]
        let lines = (0..<1000).map { units[$0 / 500].line(walk($0)) }
        let decoded = Decoded(lines: lines, text: TextLineOptions(scale: .g))
        #expect(decoded.readings.count == 1000)
        #expect(isClose(decoded.vectors.last, SIMD3<Float>(walk(999) * 9.80665), within: 0.01))
        #expect(decoded.decoder.quality.problem?.description.contains("check the unit") ?? false)
    }

    @Test("does not keep single lines of more than 1000 g")
    func implausible() {
        let lines = (0..<400).map { $0 % 50 == 30 ? "1e6,2,3" : Unit.g.line(walk($0)) }
        let decoded = Decoded(lines: lines)
        #expect(decoded.readings.count == 392 && decoded.decoder.quality.refusedLines == 8)
    }
}
