import Footfall
import FootfallReaders
import FootfallReport
import FootfallSimulator
import Foundation
import TestSupport
import Testing

@Suite("Snippets of the analysis, of traces, pictures and simulations")
struct AnalysisSnippets: Snippets {
    let printed = Printed()

    /// The true steps of a simulated walk of a minute.
    private func walk() throws -> [Step] { try Simulation(.walk.lasting(60), seed: 1).truth.steps }

    @Test("an analyzer returns events")
    func analyzer() throws {
        let batches = try Simulation(.walk.lasting(60), seed: 1)
        var events: [MotionEvent] = []
        func handle(_ more: [MotionEvent]) { events += more }

        var analyzer = MotionAnalyzer()
        for batch in batches {
            handle(analyzer.analyze(batch))
        }
        handle(analyzer.finish())

        #expect(abs(events.steps.count - batches.truth.steps.count) <= 2)
    }

    @Test("timestamps and dates convert to each other")
    func dates() {
        let start = Timestamp(Date(timeIntervalSince1970: 1_700_000_000))
        let walk = start..<start.advanced(bySeconds: 90)
        print(Date(walk.upperBound), DateInterval(walk).duration)
        print(Timestamp.now > start)

        #expect(printed.lines == ["2023-11-14 22:14:50 +0000 90.0", "true"])
    }

    @Test("the seconds of an analysis are recorded")
    func seconds() throws {
        let batches = try Simulation(.walk, seed: 1)
        var events: [MotionEvent] = []
        func record(_ more: [MotionEvent]) { events += more }

        var analyzer = MotionAnalyzer(recordsSeconds: true)
        for batch in batches {
            record(analyzer.analyze(batch))
            for second in analyzer.takeSeconds() { print(second.start, second.gateScore ?? .nan, second.activity) }
        }

        #expect(!events.isEmpty && printed.lines.count > 200)
        #expect(printed.lines.contains { $0.hasSuffix("walking") })
    }

    @Test("a sensor is checked")
    func check() throws {
        let log = try Trace(contentsOf: PackageFolder.trace("desk-wrist"))
        var trace = log
        do {
            var check = SensorCheck()
            while let batch = try trace.nextBatch() { check.add(batch) }
            print(check.heldShare, check.clipped)
            let calibration = try check.calibration().get()

            _ = calibration
        } catch is SensorCalibration.Obstacle {
            // Four minutes at a desk have too few orientations.
        }
        #expect(printed.lines == ["0.0 0"])
    }

    @Test("steps have a cadence, and a length from the height of the wearer")
    func gait() throws {
        let steps = try walk()
        #expect(steps.count > 90)
        var drawn: [Double] = []
        func plot(_ time: Timestamp, _ cadence: Double) { drawn.append(cadence) }
        for cadence in steps.cadences() { plot(cadence.time, cadence.stepsPerMinute) }
        #expect(drawn.count == steps.count && drawn.allSatisfy { (95...125).contains($0) })

        let length = StepLength(heightMetres: 1.72)
        let metres = length.distance(ofSteps: 8_000)
        let secondsPerKilometre = length.pace(atStepsPerMinute: 112).map { $0 * 1000 }
        #expect((5_000...6_500).contains(metres) && (600...900).contains(secondsPerKilometre ?? 0))
    }

    @Test("a trace is read")
    func trace() throws {
        let log = PackageFolder.trace("walk-wrist")
        var trace = try Trace(contentsOf: log)
        while let batch = try trace.nextBatch() {
            print(batch.count, "samples from", batch.times[0])
        }
        for warning in trace.warnings { print(warning) }
        #expect(printed.lines.first?.hasPrefix("4096 samples from") == true)
        #expect(!printed.lines.contains { $0.contains("dropped") })
    }

    @Test("a trace is read and analyzed")
    func traceAndAnalyzer() throws {
        let url = PackageFolder.trace("gaps")
        var analyzer = MotionAnalyzer()
        var events: [MotionEvent] = []
        func record(_ more: [MotionEvent]) { events += more }
        var trace = try Trace(contentsOf: url)
        while let batch = try trace.nextBatch() {
            record(analyzer.analyze(batch))
        }
        for warning in trace.warnings { print(warning) }
        #expect(!events.isEmpty && printed.lines.isEmpty)
    }

    @Test("a trace is read ahead")
    func readAhead() throws {
        let url = PackageFolder.trace("gaps")
        var analyzer = MotionAnalyzer()
        var events: [MotionEvent] = []
        func record(_ more: [MotionEvent]) { events += more }
        var trace = ReadAheadTrace(try Trace(contentsOf: url))
        while let samples = try trace.nextSamples() {
            record(analyzer.analyze(samples))
        }
        let summary = trace.finish()
        for warning in summary.warnings { print(warning) }
        print(summary.sensor.clipped)
        #expect(!events.isEmpty && printed.lines == ["0"])
    }

    @Test("the steps of a log are counted, and unused samples are reported")
    func countSteps() throws {
        let log = PackageFolder.trace("gaps")
        var trace = try Trace(contentsOf: log)
        var analyzer = MotionAnalyzer()
        var events: [MotionEvent] = []
        while let batch = try trace.nextBatch() {
            events += analyzer.analyze(batch)
        }
        events += analyzer.finish()

        for event in events {
            switch event {
            case .step(let step): print(step.time)
            case .segment(let segment): print(segment.activity, segment.confidence, segment.steps)
            case .gap(let gap): print("no samples for \(gap.seconds) s")
            case .nonWear(let span): print("not worn for \(span.seconds) s")
            }
        }
        let gaps = printed.lines.count { $0.hasPrefix("no samples") }
        #expect(gaps == 2 && printed.lines.count > 300)
        #expect(printed.lines.contains { $0.hasPrefix("walking") })

        print(trace.layout)
        for warning in trace.warnings { print(warning) }
        let quality = analyzer.quality
        print("\(quality.samples) samples, \(quality.coverage) s, \(quality.gaps) gaps")
        #expect(printed.lines.last?.hasSuffix("2 gaps") == true)
    }

    @Test("options give the columns, units and time zone of a file")
    func options() throws {
        let folder = try Folder()
        let log = folder.url.appending(path: "walk.csv")
        let rows = (0..<100).map { "\($0),\($0 * 20),0.1,0.2,9.8" }
        try Data((["row,t,ax,ay,az"] + rows).joined(separator: "\n").utf8).write(to: log)

        let options = TraceOptions(
            columns: SensorColumns("t,ax,ay,az"), unit: .metresPerSecondSquared, timeUnit: .milliseconds,
            timeZone: TimeZone(identifier: "Europe/Berlin") ?? .gmt)
        var trace = try Trace(contentsOf: log, options: options)

        let batch = try #require(try trace.nextBatch())
        #expect(batch.count == 100 && abs(batch.z[0] - 1) < 0.01)
        #expect(batch.times[1].seconds(since: batch.times[0]) == 0.02)
    }

    @Test("a picture is drawn")
    func plot() throws {
        let folder = try Folder()
        let picture = folder.url.appending(path: "walk.svg")
        var trace = try Trace(contentsOf: PackageFolder.trace("walk-wrist"))
        var plot = TracePlot()
        var analyzer = MotionAnalyzer()
        while let batch = try trace.nextBatch() {
            plot.add(batch)
            plot.add(analyzer.analyze(batch))
        }
        plot.add(analyzer.finish())
        try Data(plot.svg(title: "A way to work").utf8).write(to: picture)
        #expect(try String(contentsOf: picture, encoding: .utf8).contains("A way to work"))
    }

    @Test("the example in the comment of TracePlot")
    func commentedPlot() throws {
        var trace = try Trace(contentsOf: PackageFolder.trace("walk-wrist"))
        var analyzer = MotionAnalyzer()
        var plot = TracePlot()
        while let batch = try trace.nextBatch() {
            plot.add(batch)
            plot.add(analyzer.analyze(batch))
        }
        plot.add(analyzer.finish())
        let picture = plot.svg(title: "walk.csv")
        #expect(picture.hasPrefix("<svg") || picture.hasPrefix("<?xml"))
    }

    @Test("a scenario is simulated with its ground truth")
    func simulation() throws {
        let errand = Scenario(
            name: "errand", placement: .wrist,
            scenes: [Scene(.deskWork, for: 60), Scene(.walking(.brisk), for: 120), Scene(.standing, for: 30)])
        let simulation = try Simulation(errand, seed: 7, sensor: SensorModel(sampleRate: 50))

        var analyzer = MotionAnalyzer()
        for batch in simulation { print(analyzer.analyze(batch)) }
        print(analyzer.finish(), simulation.truth.steps.count)
        #expect(printed.lines.last?.hasSuffix(" \(simulation.truth.steps.count)") == true)
        #expect((220...270).contains(simulation.truth.steps.count))
    }

    @Test("a named scenario is simulated")
    func namedSimulation() throws {
        var analyzer = MotionAnalyzer()
        var steps = 0
        func handle(_ events: [MotionEvent]) { steps += events.steps.count }
        let simulation = try Simulation(.commute, seed: 42, sensor: SensorModel(sampleRate: 50))
        for batch in simulation { handle(analyzer.analyze(batch)) }
        print(simulation.truth.steps.count)
        handle(analyzer.finish())
        #expect(abs(steps - simulation.truth.steps.count) <= 10)
    }

    @Test("bytes are decoded")
    func decoder() throws {
        let pieces = (0..<100).map { Array("\($0 * 20),0.02,-0.01,1.00\r\n".utf8) }
        var decoder = WireDecoder()
        var readings: [WireReading] = []
        for bytes in pieces {
            decoder.decode(bytes, into: &readings)
        }
        decoder.finish(into: &readings)
        print(decoder.recognized.map { "\($0)" } ?? "nothing known", decoder.quality)
        #expect(readings.count >= 99 && printed.lines.first?.hasPrefix("text lines") == true)
    }

    @Test("what is known about lines is given")
    func textLines() throws {
        let columns = SensorColumns("time,ax,ay,az")
        let options = TextLineOptions(columns: columns, scale: .counts(perG: 16384), timeUnit: .milliseconds)
        var decoder = WireDecoder(.text, text: options)
        var readings: [WireReading] = []
        let lines = (0..<20).map { "\($0 * 20),0,0,8192\n" }.joined()
        decoder.decode(Array("time,ax,ay,az\n\(lines)".utf8), into: &readings)
        decoder.finish(into: &readings)
        #expect(readings.count == 20 && readings.last?.deviceTime == 380_000_000 && readings.last?.z == 0.5)
    }
}
