import Footfall
import FootfallReport
import FootfallSimulator
import Foundation
import Testing

@Suite("Pictures of traces")
struct TracePlotTests {
    /// The plot of a simulation with its ground truth as events.
    private struct Drawn {
        var truth: GroundTruth
        var duration: Double
        var svg: String
        var picture: Picture { Picture(svg) }

        init(_ scenario: Scenario, gaps: [Range<Double>] = [], samplesPerBatch: Int = 4096) throws {
            let sensor = SensorModel(sampleRate: 25, gaps: gaps)
            let simulation = try Simulation(scenario, seed: 5, sensor: sensor, samplesPerBatch: samplesPerBatch)
            truth = simulation.truth
            duration = scenario.duration
            var plot = TracePlot()
            for batch in simulation { plot.add(batch) }
            plot.add(truth.segments.map { MotionEvent.segment($0) })
            plot.add(truth.gaps.map { MotionEvent.gap($0) })
            plot.add(truth.steps.map { MotionEvent.step($0) })
            svg = plot.svg(title: "walk.csv")
        }
    }

    /// A walk of forty seconds between two rests.
    private static let stroll = Scenario(
        name: "stroll", scenes: [Scene(.standing, for: 40), Scene(.walking(), for: 40), Scene(.standing, for: 20)])

    @Test("a picture has a title, labels, a white background and no script")
    func document() throws {
        let drawn = try Drawn(Self.stroll)
        let picture = drawn.picture
        let root = try #require(picture.elements.first)
        #expect(root.name == "svg" && root.attributes["role"] == "img")
        #expect(picture.all("title").map(\.text) == ["walk.csv"])
        #expect(picture.all("desc").first?.text.contains("\(drawn.truth.steps.count) steps in 1 min 40 s") == true)
        #expect(picture.all("rect").contains { $0.attributes["fill"] == "#ffffff" && $0.attributes["width"] == "100%" })
        #expect(picture.words.contains("walk.csv"))
        #expect(picture.words.contains("acceleration (g)") && picture.words.contains("cadence (steps/min)"))
        #expect(picture.words.contains("elapsed time (s)"))
        #expect(picture.all("script").isEmpty && !drawn.svg.contains("href"))
    }

    @Test("a few steps are drawn as lines at their times")
    func contacts() throws {
        let drawn = try Drawn(Self.stroll)
        let contacts = drawn.picture.strokes("stroke", Color.ink).flatMap(\.self).filter { $0.hasSuffix("v14") }
        let shares = contacts.compactMap { Double($0.prefix { $0 != "," }) }.map(Picture.share)
        let expected = drawn.truth.steps.map { $0.time.seconds(since: .epoch) / drawn.duration }
        #expect(shares.count == drawn.truth.steps.count && shares.count > 60)
        for (share, truth) in zip(shares, expected) { #expect(abs(share - truth) < 0.001) }
    }

    @Test("many steps are drawn as their cadence")
    func cadence() throws {
        let drawn = try Drawn(.walk)
        let dots = drawn.picture.strokes("stroke", Color.ink).flatMap(\.self)
        #expect(drawn.truth.steps.count > 500 && dots.allSatisfy { $0.hasSuffix("h0") })
        #expect(dots.count > 400)
        let axis = drawn.picture.words.compactMap(Double.init)
        #expect(axis.contains(100) && axis.contains(120))
        #expect(drawn.picture.words.contains { $0.hasPrefix("\(drawn.truth.steps.count) steps in 5 min") })
    }

    @Test("activities are drawn at their times with their durations")
    func activities() throws {
        let picture = try Drawn(Self.stroll).picture
        let walks = picture.bars(Color.walking).filter { $0.upperBound - $0.lowerBound > 0.01 }
        #expect(walks.count == 1)
        #expect(abs((walks.first?.lowerBound ?? 0) - 0.4) < 0.002 && abs((walks.first?.upperBound ?? 0) - 0.8) < 0.002)
        #expect(picture.words.contains("walking") && picture.words.contains("40 s"))
        #expect(picture.words.contains("stationary") && picture.words.contains("1 min 00 s"))
        #expect(!picture.words.contains("running"))
    }

    @Test("the seconds of an analysis are drawn in a lane for each reason why there are steps or none")
    func decisions() throws {
        var (analyzer, plot) = (MotionAnalyzer(recordsSeconds: true), TracePlot())
        for batch in try Simulation(Self.stroll, seed: 5, sensor: SensorModel(sampleRate: 25)) {
            plot.add(batch)
            plot.add(analyzer.analyze(batch))
        }
        plot.add(analyzer.finish())
        let without = Picture(plot.svg(title: "walk.csv"))
        #expect(!without.words.contains("bout"))
        for second in analyzer.takeSeconds() { plot.add(second) }
        let picture = Picture(plot.svg(title: "walk.csv"))
        #expect(picture.words.contains("bout") && picture.words.contains("no cadence"))
        let bouts = picture.bars(Color.signal).filter { $0.upperBound - $0.lowerBound > 0.3 && $0.lowerBound > 0.3 }
        #expect(bouts.count == 1)
        #expect(abs((bouts.first?.lowerBound ?? 0) - 0.4) < 0.02 && abs((bouts.first?.upperBound ?? 0) - 0.8) < 0.02)
    }

    @Test("the halts of a drive are striped bars in its lane")
    func halts() throws {
        var plot = TracePlot()
        let flags: [ActivityFlags] = [.automotive, [.automotive, .stationary], .automotive]
        for (index, flags) in flags.enumerated() {
            let start = Timestamp.epoch.advanced(bySeconds: Double(index) * 100)
            plot.add([
                .segment(
                    Segment(range: start..<start.advanced(bySeconds: 100), flags: flags, probability: 1, steps: 0))
            ])
        }
        let picture = Picture(plot.svg(title: "drive"))
        let halts = picture.bars(Color.halted).filter { $0.upperBound - $0.lowerBound > 0.01 }
        #expect(halts.count == 1 && abs((halts.first?.lowerBound ?? 0) - 1.0 / 3) < 0.002)
        #expect(picture.words.contains("halted") && picture.words.contains("5 min 00 s"))
        #expect(!picture.words.contains("stationary"))
    }

    @Test("an unknown activity has a lane for each reason")
    func reasons() throws {
        var plot = TracePlot()
        for (index, reason) in [UnknownReason.exercise, .unclear, .exercise].enumerated() {
            let start = Timestamp.epoch.advanced(bySeconds: Double(index) * 20)
            let range = start..<start.advanced(bySeconds: 20)
            plot.add([
                .segment(Segment(range: range, flags: reason.flags, reason: reason, probability: 0.5, steps: 0))
            ])
        }
        let picture = Picture(plot.svg(title: "gym"))
        #expect(picture.words.contains("exercise") && picture.words.contains("40 s"))
        #expect(picture.words.contains("unclear") && picture.words.contains("20 s"))
        #expect(!picture.words.contains("unknown"))
    }

    @Test("the time of a column is never 0 s")
    func columnTime() throws {
        let scenario = Scenario(name: "short", scenes: [Scene(.walking(), for: 35)])
        var plot = TracePlot()
        for batch in try Simulation(scenario, seed: 5, sensor: SensorModel(sampleRate: 400)) { plot.add(batch) }
        let range = Timestamp.epoch..<Timestamp.epoch.advanced(bySeconds: 35)
        plot.add([.segment(Segment(range: range, flags: .walking, probability: 1, steps: 0))])
        let words = Picture(plot.svg(title: "short")).words
        // 2²⁵ nanoseconds: 1,044 columns.
        #expect(words.contains { $0.hasSuffix("every 0.034 s") }, "\(words)")
    }

    @Test("time without samples is hatched, and no line is drawn across it")
    func gaps() throws {
        let drawn = try Drawn(Self.stroll, gaps: [50..<60])
        let picture = drawn.picture
        let hatched = picture.all("rect").filter { $0.attributes["fill"] == Color.gap && $0.number("height") > 100 }
        #expect(hatched.count == 1)
        let start = Picture.share(hatched.first?.number("x") ?? 0)
        let end = start + (hatched.first?.number("width") ?? 0) / (Picture.right - Picture.left)
        #expect(abs(start - 0.5) < 0.005 && abs(end - 0.6) < 0.005)
        #expect(picture.words.contains("no samples"))
        #expect(picture.words.contains { $0.contains("90 % of it covered") })
        let runs = picture.strokes("fill", Color.signal).flatMap(\.self)
        #expect(runs.count == 2)
        for run in runs {
            let shares = run.split(separator: " ").compactMap { Double($0.prefix { $0 != "," }) }.map(Picture.share)
            #expect(shares.allSatisfy { $0 < start + 0.002 || $0 > end - 0.002 })
        }
    }

    @Test("the picture does not depend on the batch size", arguments: [1, 7, 100])
    func batches(size: Int) throws {
        let gaps = [20.0..<30]
        #expect(try Drawn(Self.stroll, gaps: gaps, samplesPerBatch: size).svg == Drawn(Self.stroll, gaps: gaps).svg)
    }

    @Test(
        "the title can be any text",
        arguments: [
            "</title><script>alert(1)</script>", "a&b<c>\"d'.csv", "\u{0}\u{7}\u{1B}[31m\u{FFFF}.csv", "", "\n\t ",
            "日本語 🚶‍♀️ שלום.csv", "]]>", "<!--", "&amp;", String(repeating: "long ", count: 10_000),
        ])
    func names(name: String) throws {
        var plot = TracePlot()
        plot.add(SampleBatch([AccelerationSample(time: .epoch, x: 0, y: 0, z: 1)]))
        let picture = Picture(plot.svg(title: name))
        #expect(picture.all("script").isEmpty)
        let title = picture.all("title").first?.text ?? ""
        #expect(title.count <= 81)
        if !name.isEmpty, name.count <= 80, !name.contains(where: \.isNewline), !name.contains("\u{0}") {
            #expect(title == name && picture.words.contains(name))
        }
    }

    @Test("an empty trace and traces of 1 to 50 samples give a picture")
    func little() throws {
        #expect(Picture(TracePlot().svg(title: "nothing")).words.contains("too few samples to analyze"))
        for count in [1, 2, 5, 50] {
            var plot = TracePlot()
            var analyzer = MotionAnalyzer()
            let batch = SampleBatch(
                (0..<count).map {
                    AccelerationSample(time: .epoch.advanced(bySeconds: Double($0) / 50), x: 0, y: 0, z: 1)
                })
            plot.add(batch)
            plot.add(analyzer.analyze(batch))
            plot.add(analyzer.finish())
            for zone in [nil, TimeZone.gmt] {
                #expect(!Picture(plot.svg(title: "little", timeZone: zone)).words.isEmpty)
            }
        }
    }

    @Test("implausible values and times give a valid picture")
    func wild() throws {
        var plot = TracePlot()
        let wild: [Float] = [.nan, .infinity, -.infinity, .greatestFiniteMagnitude, 1e20, -1e-30, 0]
        for (index, value) in wild.enumerated() {
            for seconds in [-3e9, 0, 5e9] {
                let time = Timestamp.epoch.advanced(bySeconds: seconds + Double(index))
                plot.add(SampleBatch([AccelerationSample(time: time, x: value, y: value, z: 1)]))
                plot.add([.step(Step(time: time))])
            }
        }
        for time in [Timestamp(nanosecondsSince1970: .min), Timestamp(nanosecondsSince1970: .max)] {
            plot.add(SampleBatch([AccelerationSample(time: time, x: 0, y: 0, z: 1)]))
            plot.add([.step(Step(time: time))])
        }
        let all = Timestamp(nanosecondsSince1970: .min)..<Timestamp(nanosecondsSince1970: .max)
        plot.add([.gap(all), .segment(Segment(range: all, flags: [], probability: .nan, steps: 3))])
        for zone in [nil, TimeZone.gmt] { #expect(Picture(plot.svg(title: "wild", timeZone: zone)).words.count > 5) }
    }

    @Test("one sample with a wrong time does not change the picture")
    func brokenClock() throws {
        func svg(_ glitch: Timestamp?) throws -> String {
            var plot = TracePlot()
            for batch in try Simulation(Self.stroll, seed: 5, sensor: SensorModel(sampleRate: 25)) { plot.add(batch) }
            if let glitch { plot.add(SampleBatch([AccelerationSample(time: glitch, x: 9, y: 9, z: 9)])) }
            plot.add([
                .segment(
                    Segment(
                        range: .epoch..<Timestamp.epoch.advanced(bySeconds: 100), flags: .walking, probability: 1,
                        steps: 0))
            ])
            return plot.svg(title: "glitch")
        }
        let plain = try svg(nil)
        for glitch in [Timestamp.epoch.advanced(bySeconds: 4e9), Timestamp.epoch.advanced(bySeconds: -1e9)] {
            #expect(try svg(glitch) == plain)
        }
    }

    @Test("a week of constant changes takes less than 500 kB")
    func week() throws {
        var plot = TracePlot()
        let activities = Activity.allCases
        var second = 0.0
        for minute in 0..<(7 * 24 * 60) {
            let start = Timestamp.epoch.advanced(bySeconds: Double(minute) * 60)
            plot.add(
                SampleBatch(
                    (0..<6).map {
                        AccelerationSample(
                            time: start.advanced(bySeconds: Double($0) * 10), x: 0, y: 0,
                            z: Float(minute * 7 % 13 + $0) / 10)
                    }))
            for third in 0..<3 {
                let from = start.advanced(bySeconds: Double(third) * 20)
                let to = from.advanced(bySeconds: 20)
                let flags = ActivityFlags(activities[(minute * 3 + third) * 5 % 6])
                plot.add(
                    third == 2 && minute % 5 == 0
                        ? [.gap(from..<to)]
                        : [.segment(Segment(range: from..<to, flags: flags, probability: 1, steps: 0))])
            }
            while second < Double(minute + 1) * 60 {
                plot.add([.step(Step(time: .epoch.advanced(bySeconds: second)))])
                second += 0.4 + Double(Int(second) % 17) / 20
            }
        }
        let svg = plot.svg(title: "week", timeZone: .gmt)
        #expect(svg.utf8.count < 500_000)
        #expect(Picture(svg).words.contains("5\u{A0}Jan\u{A0}1970"))
    }
}
