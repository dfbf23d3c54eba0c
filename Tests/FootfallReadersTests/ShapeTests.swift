import Footfall
import FootfallReaders
import Foundation
import TestSupport
import Testing

/// The first rows of a log of a stranger, and what happens with it.
struct Shape: Sendable, CustomTestStringConvertible {
    /// The outcome of reading it.
    enum Outcome: Sendable {
        /// Read, with these words in the layout and so many samples.
        case read([String], samples: Int)
        /// Refused, with these words in the message.
        case refused([String])
    }

    var testDescription: String { file }
    var file: String
    var options = TraceOptions()
    var outcome: Outcome

    static let all = [
        Shape(
            file: "sensorlogger-WristMotion.csv",
            outcome: .read(["'accelerationX'", "plus gravity in 'gravityX'", "in g"], samples: 2500)),
        Shape(file: "phyphox-linear.csv", outcome: .refused(["without gravity", "unit='m/s²'"])),
        Shape(file: "phyphox-with-g.csv", outcome: .read(["in m/s² (from the header)"], samples: 3000)),
        Shape(file: "iphone-41-columns.csv", outcome: .refused(["without gravity, or another sensor", "columns="])),
        Shape(
            file: "umafall-interleaved.csv", options: rows("Sensor Type=0", "Sensor ID=0"),
            outcome: .read(["'X-Axis'", "in g"], samples: 2976)),
        Shape(file: "sisfall-counts.txt", outcome: .refused(["no column of times", "'sampleRate'"])),
        Shape(
            file: "sisfall-counts.txt", options: TraceOptions(sampleRate: 200),
            outcome: .read(["column 1, column 2, column 3", "counts of 1/256 g"], samples: 4000)),
        Shape(file: "bangle-counts.csv", outcome: .read(["counts of 1/8192 g"], samples: 3000)),
        Shape(file: "val_x.csv", outcome: .read(["'val_x', 'val_y', 'val_z'", "in m/s²"], samples: 3000)),
        Shape(file: "wisdm-raw.txt", outcome: .read(["column 4, column 5, column 6", "in m/s²"], samples: 2500)),
        Shape(
            file: "androsensor.csv",
            outcome: .read(["'YYYY-MO-DD HH-MI-SS_SSS' as date and time", "'ACCELEROMETER X (m/s²)'"], samples: 28)),
        Shape(file: "sensorlogger-Gravity.csv", outcome: .refused(["the name of the file", "gravity alone"])),
        Shape(file: "sensorlogger-Magnetometer.csv", outcome: .refused(["the name of the file", "magnetometer"])),
        Shape(file: "sensorlogger-TotalAcceleration.csv", outcome: .read(["in m/s²"], samples: 1500)),
    ]

    private static func rows(_ conditions: String...) -> TraceOptions {
        TraceOptions(rows: conditions.compactMap { RowCondition($0) })
    }
}

@Suite("Logs of strangers", .needsShared("fixtures/logs/shapes"))
struct ShapeTests {
    private static let folder = "fixtures/logs/shapes/"

    @Test("are read as what they are, or refused with a reason", arguments: Shape.all)
    func shape(shape: Shape) throws {
        let url = SharedRecordings.url(Self.folder + shape.file)
        switch shape.outcome {
        case .read(let words, let samples):
            let trace = try ReadTrace(url, shape.options)
            #expect(trace.samples.count == samples)
            for word in words { #expect(trace.layout.description.contains(word), "\(trace.layout)") }
        case .refused(let words):
            let error = try #require(throws: TraceError.self) { try ReadTrace(url, shape.options) }
            for word in words { #expect(error.description.contains(word), "\(error)") }
        }
    }

    @Test("are all in this test")
    func complete() throws {
        let names = try FileManager.default.contentsOfDirectory(atPath: SharedRecordings.url(Self.folder).path)
        let known = Set(Shape.all.map(\.file) + ["README.md", "movesense.json"])
        #expect(Set(names) == known)
    }

    @Test("of an iPhone that keeps gravity apart measure both")
    func sum() throws {
        let trace = try ReadTrace(SharedRecordings.url(Self.folder + "sensorlogger-WristMotion.csv"))
        // −0.0594872 + 0.0577325, the first row.
        #expect(try abs(#require(trace.samples.first).x + 0.0017547) < 1e-6)
    }
}
