internal import Footfall
internal import Foundation

/// Reads the recordings of the first GT3X+ loggers, firmware 2.5 and older, as NHANES used them: an archive whose member
/// `activity.bin` is packed samples and nothing else, from a start that `info.txt` gives.
struct OldActiGraphReader: TraceReader, ~Copyable {
    let layout: TraceLayout
    let notes: [String]
    private var source: LineSource
    private var samples: OldActiGraphSamples
    private var isFinished = false
    private var tally = WarningCounts()

    /// Opens the log in an archive.
    ///
    /// - Throws: ``TraceError`` when reading fails, or the sample rate or the start is missing.
    init(_ archive: ZipArchive, log: ZipArchive.Member, _ options: TraceOptions, chunkSize: Int) throws(TraceError) {
        let info = ActiGraphInfo(try archive.content(of: "info.txt") ?? [])
        guard let rate = info.sampleRate, let start = info.start else {
            throw Refusal(
                "an ActiGraph recording whose info.txt has no sample rate or no start",
                remedy: "download it again"
            ).error(in: archive.file.path)
        }
        var source = LineSource(ByteSource(log, of: archive), chunkSize: chunkSize)
        try source.takeInOpening()
        let offset = info.timeZone ?? options.timeZone.offset(atLocalSecond: start / 1_000_000_000)
        let evidence: TraceLayout.Evidence =
            info.timeZone != nil ? .header : options.timeZone == .gmt ? .assumption : .option
        let zone =
            info.timeZone == nil ? ["the logger's clock states no zone; it was read as \(options.zoneName)"] : []
        notes = zone + options.notesOnRecording
        layout = TraceLayout(
            format: .actiGraph, isCompressed: false,
            content: .recording(
                RecordingLayout(
                    device: info.device, sampleRate: rate, range: info.range, utcOffset: Int(offset),
                    utcOffsetEvidence: evidence)))
        samples = OldActiGraphSamples(
            start: start - offset * 1_000_000_000, period: 1e9 / rate,
            scale: ActiGraphScale(unitsPerG: info.scale ?? info.usualScale))
        self.source = source
    }

    var warnings: [TraceWarning] { tally.warnings }
    var progress: Double { source.progress }

    mutating func nextBatch() throws(TraceError) -> SampleBatch? {
        var columns = SampleColumns()
        while columns.room > 1, !isFinished {
            let size = samples.read(source, into: &columns)
            source.advance(to: source.unread.lowerBound + size)
            if size == 0, try !source.takeInMore() {
                isFinished = true
                if let finding = source.finding { tally.note(finding, nil) }
            }
        }
        return columns.batch()
    }
}

/// Samples without a frame, two of them in nine bytes.
struct OldActiGraphSamples: Sendable {
    let start: Int64
    let period: Double
    let scale: ActiGraphScale
    private var count = 0

    init(start: Int64, period: Double, scale: ActiGraphScale) {
        self.start = start
        self.period = period
        self.scale = scale
    }

    /// Reads pairs of samples, and at the end of the file a single one; returns how many bytes that were.
    mutating func read(_ source: borrowing LineSource, into columns: inout SampleColumns) -> Int {
        let bytes = source.bytes.span.extracting(source.unread)
        let pairs = min(bytes.count / 9, columns.room / 2)
        let isLast = source.isAtEnd && pairs == 0 && bytes.count >= 5
        let added = isLast ? 1 : pairs * 2
        let (first, start, period, scale) = (count, start, period, scale)
        columns.append(added) { index in
            let values = PackedSample.yBeforeX(PackedSample.values(bytes, 0, index))
            return (start &+ Int64(Double(first + index) * period), scale.acceleration(values))
        }
        count += added
        return isLast ? bytes.count : pairs * 9
    }
}
