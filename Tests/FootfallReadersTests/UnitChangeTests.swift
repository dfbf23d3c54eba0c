import Footfall
import FootfallReaders
import Foundation
import TestSupport
import Testing

/// Two logs were joined, or a setting was changed while the log was written.
@Suite("A unit that changes in a log")
struct UnitChangeTests {
    private static let units: [Double] = [1, 9.80665, 1000, 16384]

    /// A log at 50 Hz whose unit changes after `change` rows. Each minute, the sensor is at rest for ten seconds.
    private func log(_ old: Double, _ new: Double, change: Int = 5000, rows: Int = 10_000) -> String {
        let lines = (0..<rows).map { row -> String in
            let unit = row < change ? old : new
            let swing = row % 3000 < 500 ? 0.005 : 0.4
            let phase = Double(row) / 50 * 2 * .pi * 1.8
            let vector = [0.1 + swing * sin(phase / 2), 0.2, 0.97 + swing * sin(phase) + swing / 2 * sin(2 * phase)]
            let digits = unit == 16384 ? 0 : 4
            return String(format: "%.2f", Double(row) / 50) + ","
                + vector.map { String(format: "%.\(digits)f", $0 * unit) }.joined(separator: ",")
        }
        return "time,x,y,z\n" + lines.joined(separator: "\n") + "\n"
    }

    @Test("is an error that states the line and both units", arguments: units, units)
    func change(from old: Double, to new: Double) throws {
        guard old != new else {
            #expect(try ReadTrace(text: log(old, new)).samples.count == 10_000)
            return
        }
        let error = #expect(throws: TraceError.self) { try ReadTrace(text: log(old, new)) }
        let line = try #require(error?.line)
        // The first row is line 2. A row of the new unit may have a value that is usual, or is less than 1000 g, in the
        // old one.
        #expect((5002...5040).contains(line), "\(line)")
        #expect(error?.kind == .badData)
        #expect(error?.problem.description.contains("the unit changes from") ?? false, "\(error?.description ?? "")")
        #expect(error?.remedy?.description.contains("convert the rows from line \(line) on") ?? false)
    }

    /// A jumper, as a phone records at 490 Hz: 0.4 s of flight is two hundred rows.
    /// 0.09 g is 0.9 m/s², which is also 0.9 g.
    @Test("is no flight, at any rate", arguments: [50, 100, 490, 800], ["", " (m/s^2)"])
    func flight(rate: Int, unit: String) throws {
        let rows = (0..<rate * 40).map { row -> String in
            let time = Double(row) / Double(rate)
            let isInFlight = time > 5 && time.truncatingRemainder(dividingBy: 5) < 0.4
            let swing = time < 4 ? 0.002 : 0.1 * sin(2 * .pi * 1.8 * time)
            let size = isInFlight ? 0.09 : 1 + swing
            return String(format: "%.5f,%.4f,%.4f,%.4f", time, 0.98 * size, 1.96 * size, 9.56 * size)
        }
        let text = "time (s),x\(unit),y\(unit),z\(unit)\n" + rows.joined(separator: "\n") + "\n"
        #expect(try ReadTrace(text: text).samples.count == rows.count)
    }

    @Test("contradicts a unit that the header states only when it lasts for a minute", arguments: [55, 65])
    func statedUnit(seconds: Int) throws {
        let text = log(1, 9.80665, rows: 5000 + seconds * 50).replacing("time,x,y,z", with: "time,x (g),y (g),z (g)")
        if seconds < 60 {
            #expect(try ReadTrace(text: text).samples.count == 5000 + seconds * 50)
        } else {
            let line = #expect(throws: TraceError.self) { try ReadTrace(text: text) }?.line
            #expect((5002...5040).contains(try #require(line)))
        }
    }

    @Test("is read on with the unit that is given")
    func given() throws {
        let trace = try ReadTrace(text: log(1, 9.80665), TraceOptions(unit: .g))
        #expect(trace.samples.count == 10_000)
    }

    /// One recording in nine. `Tests/Accuracy/guard.py` reads all, and names one that is refused.
    @Test("is in no recording of people", .needsShared("corpus/steps/manifest.csv"))
    func recordings() throws {
        let folder = SharedRecordings.url("corpus")
        let files = (FileManager.default.enumerator(at: folder, includingPropertiesForKeys: nil) ?? .init())
            .compactMap { $0 as? URL }.filter { $0.pathExtension == "csv" }.sorted { $0.path < $1.path }
        var (found, read): ([String], Int) = ([], 0)
        for (index, file) in files.enumerated() where index % 9 == 0 {
            do throws(TraceError) {
                var trace = try Trace(contentsOf: file)
                while try trace.nextBatch() != nil {}
                read += 1
            } catch  where error.problem.description.contains("the unit changes") {
                found.append(error.description)
            } catch {}
        }
        #expect(read > 180 && found.isEmpty, "\(found)")
    }
}
