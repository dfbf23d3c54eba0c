import Footfall
import FootfallReport
import FootfallTraces
import FootfallWire
import Foundation

/// One trace, read and analysed.
struct TraceAnalysis: Sendable {
    /// The name of the trace in results.
    let name: String
    /// How the log was read: format, columns, units.
    let layout: String
    /// Assumptions and repairs made while reading.
    private(set) var notes: [String] = []
    private(set) var quality = SignalQuality()
    private(set) var steps = 0
    private(set) var segments: [Segment] = []
    private(set) var gaps: [Range<Timestamp>] = []
    /// Spans without any movement, in which the sensor was not worn. ``segments`` has them with the reason `notWorn`.
    var nonWear: [Range<Timestamp>] { segments.filter { $0.reason == .notWorn }.map(\.range) }
    /// The wearer's zone: the given one, else the one that the file states, else UTC.
    let timeZone: TimeZone
    /// The totals of each day in that zone.
    private(set) var days: [DayTotal] = []
    /// The correction of the samples, or the reason for none; nil if no calibration was requested.
    private(set) var calibration: Result<SensorCalibration, SensorCalibration.Obstacle>?
    private(set) var warnings: [String] = []
    /// Whether the analysis was stopped before the end of the trace.
    private(set) var isInterrupted = false
    /// The picture; nil if none was requested.
    private(set) var plot: TracePlot?

    /// Reads and analyses a trace to its end, or until it is stopped.
    ///
    /// - Parameters:
    ///   - file: The sensor log.
    ///   - options: How to read it.
    ///   - timeZone: The wearer's zone; nil for the one that the file states, if any.
    ///   - isLenient: Whether it may lose more than a tenth of its rows.
    ///   - calibrates: Whether to correct the sensor's scale and offset first, which reads the file twice.
    ///   - draws: Whether to make ``plot``.
    ///   - isStopped: Whether to stop; by default after a signal.
    ///   - progress: Receives the share of the work that is done, 0…1, after each batch.
    ///   - opened: Receives the wearer's zone before the first batch; nil if neither the options nor the file state it. Returns
    ///     what the reading thread does with each corrected batch, if anything.
    ///   - takeSamples: Receives the corrected samples, batch by batch, in the order of the file.
    ///   - take: Receives the settled events, batch by batch, and the time of the first sample; they are not kept here.
    /// - Throws: `TraceError` for a trace that cannot be read, and what `takeSamples` and `take` throw.
    init(
        _ file: TraceFile, options: TraceOptions, isLenient: Bool = false, calibrates: Bool = false,
        draws: Bool = false, timeZone: TimeZone? = nil, unless isStopped: () -> Bool = { Interruption.isRequested },
        progress: (Double) -> Void = { _ in },
        opened: (TimeZone?) throws -> (@Sendable (SampleBatch) -> Void)? = { _ in nil },
        samples takeSamples: (SampleBatch) throws -> Void = { _ in },
        events take: ([MotionEvent], _ start: Timestamp) throws -> Void = { _, _ in }
    ) throws {
        name = file.name
        let url = URL(filePath: file.path)
        if calibrates { calibration = try Self.calibration(of: url, options) { progress($0 / 2) } }
        let log = try Trace(contentsOf: url, options: options)
        layout = log.layout.description
        let zone = timeZone ?? log.layout.timeZone
        self.timeZone = zone ?? options.timeZone
        let readerWork = try opened(zone)
        let nameWarning = options.columns == nil ? Self.warning(aboutNameOf: file, log.layout) : nil
        var trace = ReadAheadTrace(log, correctedBy: try? calibration?.get(), forEachBatch: readerWork)
        var analyzer = MotionAnalyzer()
        plot = draws ? TracePlot() : nil
        var totals = DayTotals(in: self.timeZone)
        func pass(_ events: [MotionEvent]) throws {
            guard !events.isEmpty, let start = analyzer.quality.start else { return }
            add(events)
            for event in events { totals.add(event) }
            try take(events, start)
        }
        while !isStopped(), let batch = try trace.nextBatch(unless: isStopped) {
            plot?.add(batch)
            try takeSamples(batch)
            try pass(analyzer.analyze(batch))
            progress(calibrates ? 0.5 + trace.progress / 2 : trace.progress)
        }
        try pass(analyzer.finish())
        let summary = trace.finish()
        quality = analyzer.quality
        guard quality.sampleRate != nil else {
            throw TraceError(
                .badData, path: file.path,
                problem: "too few usable samples to analyse: \(quality.samples - quality.dropped)")
        }
        isInterrupted = isStopped()
        if !isLenient, !isInterrupted {
            try Self.checkLoss(of: file, options, quality, rows: summary.warnings.reduce(0) { $0 + $1.droppedRows })
        }
        days = totals.days
        if !summary.sensor.nonWear.isEmpty { segments = segments.marking(nonWear: summary.sensor.nonWear) }
        notes = summary.notes
        warnings =
            summary.warnings.lines + Self.warnings(about: quality) + Self.warnings(about: summary.sensor)
        if let nameWarning { warnings.append(nameWarning) }
        if case .failure(let obstacle) = calibration { warnings.append("not calibrated: \(obstacle)") }
        if isInterrupted { warnings.append("interrupted: the rest of the trace was not read") }
    }

    /// Whether the times have a date: a log without one starts in 1970.
    var isDated: Bool { (quality.start ?? .epoch).seconds(since: .epoch) >= 365 * 86400 }

    private mutating func add(_ events: [MotionEvent]) {
        plot?.add(events)
        for event in events {
            switch event {
            case .step: steps += 1
            case .segment(let segment): segments.join(segment)
            case .gap(let gap): gaps.append(gap)
            }
        }
    }

    private static func calibration(
        of url: URL, _ options: TraceOptions, progress: (Double) -> Void
    ) throws(TraceError) -> Result<SensorCalibration, SensorCalibration.Obstacle> {
        let attributes = try? FileManager.default.attributesOfItem(atPath: url.resolvingSymlinksInPath().path)
        guard attributes?[.type] as? FileAttributeType != .typeUnknown else {
            throw TraceError(
                .unreadable, path: url.relativePath, problem: "a pipe can be read only once",
                remedy: "to calibrate, write it to a file first")
        }
        var trace = try Trace(contentsOf: url, options: options)
        var check = SensorCheck()
        while !Interruption.isRequested, let batch = try trace.nextBatch() {
            check.add(batch)
            progress(trace.progress)
        }
        return check.calibration()
    }

    /// The rate in Hz below which steps are missed: 12.5 Hz, less the few samples that watches of that rate lose.
    private static let lowestRate = 11.5
    /// The rate in Hz above which the unit of time is wrong. The fastest motion sensors take about 7000 samples a second.
    private static let highestRate = 10_000.0

    /// The share of rows that may be dropped.
    private static let acceptedLoss = 0.1

    /// Refuses a trace that loses more than a tenth of its rows. A row that repeats the one before is no loss.
    private static func checkLoss(
        of file: TraceFile, _ options: TraceOptions, _ quality: SignalQuality, rows: Int
    ) throws(TraceError) {
        let all = quality.samples + rows - quality.duplicates
        let lost = rows + quality.backward + quality.unusable
        guard Double(lost) > acceptedLoss * Double(all) else { return }
        let isBackward = quality.backward * 2 > lost
        let series = isBackward ? SeriesSearch.remedy(path: file.path, options) : nil
        throw TraceError(
            .badData, path: file.path,
            problem: "\(lost) of \(all) rows cannot be used"
                + (isBackward ? ", \(quality.backward) of them because the time runs backwards" : ""),
            remedy: (series.map { $0 + "; " } ?? "") + "to analyse the other rows, give --lenient")
    }

    private static func warnings(about quality: SignalQuality) -> [String] {
        let dropped = [
            (quality.duplicates, "repeated"), (quality.backward, "time ran backwards"),
            (quality.leaping, "time leapt more than 7 days ahead, with less than a minute of samples behind the leap"),
            (quality.unusable, "not usable"),
        ].filter { $0.0 > 0 }
        var warnings: [String] = []
        if quality.dropped > 0 {
            let reasons = dropped.map { dropped.count > 1 ? "\($0) \($1)" : $1 }.joined(separator: ", ")
            warnings.append("\(quality.dropped) \(quality.dropped == 1 ? "sample" : "samples") dropped: \(reasons)")
        }
        if let rate = quality.sampleRate, rate < lowestRate {
            warnings.append(
                "\(rate.formatted(decimals: 1)) Hz is too slow to find steps reliably; 12.5 Hz is the least")
        }
        if let rate = quality.sampleRate, rate > highestRate {
            warnings.append("no sensor takes \(rate.formatted(decimals: 1)) samples a second; --time-unit may help")
        }
        return warnings
    }

    /// A warning where the name of the file states another sensor, and no title of a column states the accelerometer.
    private static func warning(aboutNameOf file: TraceFile, _ layout: TraceLayout) -> String? {
        guard let table = layout.table, table.gravityColumns.isEmpty,
            let sensor = SensorKind(fileName: layout.member ?? file.name), sensor != .accelerometer,
            !table.axisColumns.contains(where: { $0.name.flatMap(SensorKind.init(title:)) == .accelerometer })
        else { return nil }
        return "the file name states another sensor (\(sensor.rawValue)), not the accelerometer; "
            + "if the columns hold acceleration, name them with --columns"
    }

    /// The share of jumps after held samples above which the log has a higher rate than its sensor.
    private static let heldShareOfSlowSensor = 0.5

    private static func warnings(about sensor: SensorCheck) -> [String] {
        var warnings: [String] = []
        if sensor.heldShare > heldShareOfSlowSensor {
            warnings.append("most samples repeat the one before, also in motion: the sensor is slower than the log")
        }
        if sensor.clipped > 0 {
            warnings.append("\(sensor.clipped) values are clipped at the end of the sensor's range")
        }
        return warnings
    }
}
