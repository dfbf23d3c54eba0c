import Footfall
import FootfallReaders
import Foundation
import TestSupport
import Testing

/// Tables whose titles state no sensor: the values decide.
@Suite("Another sensor without a title")
struct OtherValuesTests {
    /// A phone in a pocket during a walk: the angle of the thigh, in radians, and the acceleration along it.
    private static let rate = 50.0
    private static func time(_ row: Int) -> Double { Double(row) / rate }
    private static func phase(_ row: Int) -> Double { 2 * .pi * 0.9 * time(row) }

    /// The names of the sensors, and their values.
    enum Sensor: CaseIterable {
        case turnInRadians, turnInDegrees, slowTurn, linearInG, linearInMetres, gravityInMetres, gravityInG

        func values(_ row: Int) -> [Double] {
            let (phase, time) = (OtherValuesTests.phase(row), OtherValuesTests.time(row))
            let turn = [1.2 * cos(phase) + 0.3 * cos(2.1 * phase), 0.5 * sin(2 * phase), 0.35 * sin(phase + 1)]
            let linear = [0.25 * sin(2 * phase), 0.2 * cos(phase), 0.45 * sin(2 * phase + 0.5)]
            let (tilt, roll) = (0.5 * sin(phase), 0.3 * sin(phase / 3))
            let gravity = [sin(tilt), cos(tilt) * sin(roll), cos(tilt) * cos(roll)]
            switch self {
            case .turnInRadians: return turn
            case .turnInDegrees: return turn.map { $0 * 57.3 / 6 }
            case .slowTurn:
                // By hand, about changing axes: one turn in six seconds, then another.
                let axis = Int(time / 5) % 3
                return (0..<3).map { $0 == axis ? 1.05 * abs(sin(time * .pi / 5)) : 0.01 * sin(time * 40) }
            case .linearInG: return linear.map { $0 * 2 }
            case .linearInMetres: return linear.map { $0 * 9.80665 / 3.5 }
            case .gravityInMetres: return gravity.map { $0 * 9.80665 }
            case .gravityInG: return gravity
            }
        }
    }

    @Test(
        "is doubted in a stream of counts without gravity", arguments: [(512, 102.4), (338, 67.6), (2048, 819.2)],
        [",", "labels"])
    func stream(converter: (zero: Double, perG: Double), separator: String) {
        func decoder(_ values: (Int) -> [Double]) -> WireDecoder {
            let lines = (0..<1200).map { row in
                let counts = values(row).map { "\(Int(($0 * converter.perG + converter.zero).rounded()))" }
                return separator == "," ? Walk.joined(counts) : "X: \(counts[0]) Y: \(counts[1]) Z: \(counts[2])"
            }
            var decoder = WireDecoder(.text)
            var readings: [WireReading] = []
            decoder.decode(Array((lines.joined(separator: "\n") + "\n").utf8), into: &readings)
            return decoder
        }
        let without = decoder(Sensor.linearInG.values)
        #expect(without.isUnitAssumed || without.textLayout == nil)
        #expect(without.quality.problem?.description.contains("without gravity") == true, "\(without.quality)")
        let with = decoder { Walk.g($0 % Walk.count) }
        #expect(with.quality.problem == nil, "\(with.quality)")
    }

    /// Streams and whether their logs are refused.
    enum Stream: CaseIterable {
        case disconnected, linear, walk, offset, coarse, twoUnits

        var isRefused: Bool { self == .disconnected || self == .linear }

        func values(_ row: Int, _ generator: inout SeededGenerator) -> [Double] {
            let noise = Double.random(in: -0.03...0.03, using: &generator)
            switch self {
            case .disconnected: return [-1, -1, -1]
            case .linear:
                // To one side at first, so that the first lines have a direction.
                let swing = Sensor.linearInMetres.values(row)
                return row < 64 ? swing.map(abs) : swing
            case .walk: return Walk.g(row % Walk.count)
            case .offset: return [0.05 + noise / 5, -0.08, 1.13]
            case .coarse: return [0.1 + noise, noise - 0.1, 1].map { ($0 * 10).rounded() / 10 }
            case .twoUnits: return Walk.g(row % Walk.count).map { row > 400 ? $0 * 9.80665 : $0 }
            }
        }
    }

    @Test("is doubted in a stream whose log would be refused", arguments: Stream.allCases, [",", "labels"])
    func refusedLog(stream: Stream, separator: String) {
        var generator = SeededGenerator(seed: 5)
        let lines = (0..<1200).map { row in
            let values = stream.values(row, &generator).map { String(format: "%.4f", $0) }
            return separator == "," ? Walk.joined(values) : "ax: \(values[0]) ay: \(values[1]) az: \(values[2])"
        }
        var decoder = WireDecoder(.text)
        var readings: [WireReading] = []
        decoder.decode(Array((lines.joined(separator: "\n") + "\n").utf8), into: &readings)
        #expect(decoder.textLayout != nil)
        #expect(decoder.isUnitAssumed == stream.isRefused)
        let problem = decoder.quality.problem?.description
        #expect((problem?.contains("without gravity") == true) == stream.isRefused, "\(problem ?? "none")")
        #expect(stream.isRefused || problem == nil)
    }

    private static func table(_ header: String?, rows: Int = 1500, _ values: (Int) -> [Double]) -> String {
        Walk.lines(header, rows: 0..<rows) { row in
            Walk.joined([String(format: "%.3f", time(row))] + values(row).map { String(format: "%.4f", $0) })
        }
    }

    @Test(
        "is refused by what gravity cannot do", arguments: Sensor.allCases,
        [nil, "time,x,y,z", "time,seconds_elapsed,z,y,x"])
    func refusal(sensor: Sensor, header: String?) throws {
        let isDouble = header?.contains("elapsed") ?? false
        let text = Walk.lines(header, rows: 0..<1500) { row in
            let time = String(format: "%.3f", Self.time(row))
            return Walk.joined(
                (isDouble ? [time, time] : [time]) + sensor.values(row).map { String(format: "%.4f", $0) })
        }
        let error = try #require(throws: TraceError.self) { try ReadTrace(text: text) }
        #expect(error.kind == .badData)
        let isGravity = sensor == .gravityInG || sensor == .gravityInMetres
        #expect(error.description.contains(isGravity ? "gravity alone" : "without gravity"), "\(error)")
        #expect(error.remedy != nil)
        let columns = SensorColumns(isDouble ? "1,3,4,5" : "1,2,3,4")
        let named = TraceOptions(columns: columns, unit: isGravity ? nil : .g)
        #expect(try isGravity == false || ReadTrace(text: text, named).samples.count == 1500)
    }

    @Test("is not seen in a sensor at rest, with noise, without noise, or turned over on a table")
    func rest() throws {
        var generator = SeededGenerator(seed: 5)
        func noise() -> Double { Double.random(in: -0.006...0.006, using: &generator) }
        let faces: [[Double]] = [[0, 0, 1], [0, -0.99, 0.02], [1.03, 0, 0], [0, 0, -0.96]]
        for scale in [1.0, 9.80665, 1000] {
            let still = Self.table(nil) { _ in [0.02, -0.03, 1].map { ($0 + noise()) * scale } }
            let exact = Self.table(nil) { _ in [0, 0, scale] }
            let turned = Self.table(nil) { row in faces[row / 375].map { ($0 + noise()) * scale } }
            for text in [still, exact, turned] {
                #expect(try ReadTrace(text: text).samples.count == 1500)
            }
        }
    }

    @Test("is not seen in a walk, a run, or an arm that swings")
    func motion() throws {
        let walk = Self.table(nil) { row in
            let phase = Self.phase(row)
            return [0.3 * sin(phase), 0.25 * cos(phase), 0.95 + 0.35 * sin(2 * phase)]
        }
        let run = Self.table(nil) { row in
            let phase = Self.phase(row) * 1.5
            return [0.5 * sin(phase), 1.1 + 1.4 * sin(2 * phase), 0.6 * cos(phase)]
        }
        let arm = Self.table(nil) { row in
            let (phase, tilt) = (Self.phase(row), 0.9 * sin(Self.phase(row)))
            return [sin(tilt) + 0.2 * cos(phase), 0.15 * sin(2 * phase), cos(tilt) + 0.3 * sin(phase * 2)]
        }
        for text in [walk, run, arm] { #expect(try ReadTrace(text: text).samples.count == 1500) }
    }

    @Test("is refused where the magnitude at rest changes with turning: the columns are not the three axes")
    func unevenAxes() throws {
        // The second and third axis, and a temperature that is nearly constant.
        let faces: [[Double]] = [[0, 1, 0], [0, 0.7, 0.7], [0.9, 0.3, 0.3], [0, 0, 1], [1, 0.05, 0]]
        let text = Self.table(nil) { row in
            let face = faces[row / 300]
            return [
                face[1] + 0.002 * sin(Double(row)), face[2] + 0.002 * cos(Double(row)),
                0.215 + 0.001 * cos(Double(row) / 9),
            ]
        }
        let error = try #require(throws: TraceError.self) { try ReadTrace(text: text) }
        #expect(error.description.contains("at rest"), "\(error)")
    }
}
