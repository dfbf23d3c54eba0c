import Footfall
import FootfallReport
import FootfallTraces
import Foundation

/// One trace, read and analysed.
struct TraceAnalysis: Sendable {
    /// What the trace is called in results.
    let name: String
    /// How the log was read: format, columns, units.
    let layout: String
    /// What had to be assumed to read it, or was made good on the way.
    private(set) var notes: [String] = []
    private(set) var quality = SignalQuality()
    private(set) var steps = 0
    private(set) var segments: [Segment] = []
    private(set) var gaps: [Range<Timestamp>] = []
    /// Spans in which the sensor lay untouched.
    private(set) var nonWear: [Range<Timestamp>] = []
    /// What the samples were corrected by, or why not; nil unless it was asked for.
    private(set) var calibration: Result<SensorCalibration, SensorCalibration.Obstacle>?
    private(set) var warnings: [String] = []
    /// Whether the command was interrupted before the end of the trace.
    private(set) var isInterrupted = false
    /// The picture; nil unless it was asked for.
    private(set) var plot: TracePlot?

    /// Reads and analyses a trace to its end, or until the command is interrupted.
    ///
    /// - Parameters:
    ///   - calibrates: Whether to correct the sensor's scale and offset first, which reads the file twice.
    ///   - draws: Whether ``plot`` is wanted.
    ///   - readsAhead: Whether there is a processor for a thread that reads.
    ///   - progress: Told from time to time which share of the work, 0…1, is done.
    ///   - take: Takes all that the analyzer says, as it says it: an analysis does not grow with the steps in the trace.
    /// - Throws: `TraceError` for a trace that cannot be read, and what `take` throws.
    init(
        _ file: TraceFile, options: TraceOptions, calibrates: Bool = false, draws: Bool = false,
        readsAhead: Bool = true, progress: (Double) -> Void = { _ in },
        events take: ([MotionEvent]) throws(TraceError) -> Void = { _ in }
    ) throws(TraceError) {
        name = file.name
        let url = URL(filePath: file.path)
        if calibrates { calibration = try Self.calibration(of: url, options) { progress($0 / 2) } }
        let correction = try? calibration?.get()
        let trace = try Trace(contentsOf: url, options: options)
        layout = trace.layout.description
        let reading = ReadAhead(trace, correction: correction, keepsSamples: draws, hasThread: readsAhead)
        var recognizer = MotionRecognizer()
        plot = draws ? TracePlot() : nil
        while let piece = try reading.next() {
            if let samples = piece.samples { plot?.add(samples) }
            var events: [MotionEvent] = []
            recognizer.add(piece.signal, to: &events)
            add(events)
            try take(events)
            progress(calibrates ? 0.5 + piece.progress / 2 : piece.progress)
        }
        let findings = reading.finish()
        quality = findings.quality
        guard quality.sampleRate != nil else {
            throw TraceError(
                .badData, path: file.path,
                problem: "holds \(quality.samples - quality.dropped) usable samples, too few to analyse")
        }
        nonWear = findings.check.nonWear
        notes = findings.notes
        warnings =
            findings.warnings.map(\.description) + Self.warnings(about: quality) + Self.warnings(about: findings.check)
        if case .failure(let obstacle) = calibration { warnings.append("not calibrated: \(obstacle)") }
        isInterrupted = Interruption.isRequested
        if isInterrupted { warnings.append("interrupted: the rest of the trace was not read") }
    }

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

    /// The rate in Hz under which steps are missed: 12.5 Hz, less the few samples that watches of that rate lose.
    private static let lowestRate = 11.5
    /// The rate in Hz above which times are in another unit than they were taken for. The fastest sensors of motion take
    /// some 7000 samples a second.
    private static let highestRate = 10_000.0

    private static func warnings(about quality: SignalQuality) -> [String] {
        let dropped = [
            (quality.duplicates, "repeated"), (quality.backward, "time ran backwards"),
            (quality.unusable, "not usable"),
        ]
        var warnings = dropped.filter { $0.0 > 0 }.map { count, reason in
            "\(count) \(count == 1 ? "sample" : "samples") dropped: \(reason)"
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

    /// The share of leaps after held samples from which on a log has been written faster than its sensor read.
    private static let tellingHeldShare = 0.5

    private static func warnings(about check: SensorCheck) -> [String] {
        var warnings: [String] = []
        if check.heldShare > tellingHeldShare {
            warnings.append("most samples repeat the one before, also in motion: the sensor is slower than the log")
        }
        if check.clipped > 0 {
            warnings.append("\(check.clipped) values are cut off at the end of the sensor's range")
        }
        return warnings
    }
}
