internal import Footfall
internal import Foundation

/// Decodes the recordings of the first GT3X+ loggers, firmware 2.5 and older, as NHANES used them: an archive whose
/// member `activity.bin` is packed samples and nothing else, two of them in nine bytes, from a start that `info.txt`
/// gives.
struct OldActiGraphDecoder: RecordingDecoder {
    static let mostSamples = 2

    let layout: RecordingLayout
    let notes: [ParameterText]
    /// The time of the first sample, in nanoseconds since 1970.
    private let start: Int64
    private let period: Double
    private let scale: ActiGraphScale
    private var count = 0

    /// - Throws: ``Refusal`` when the sample rate or the start is missing.
    init(_ info: ActiGraphInfo, _ options: TraceOptions) throws(Refusal) {
        guard let rate = info.sampleRate, let start = info.start else {
            throw Refusal(
                "an ActiGraph recording whose info.txt has no sample rate or no start", remedy: "download it again")
        }
        let offset = UTCOffset(stated: info.timeZone, options, atLocalSecond: start / 1_000_000_000)
        notes = offset.notes(options) + options.notesOnRecording
        layout = info.layout(sampleRate: rate, offset)
        self.start = start - offset.seconds * 1_000_000_000
        period = 1e9 / rate
        scale = ActiGraphScale(unitsPerG: info.scale ?? info.usualScale)
    }

    var warnings: [TraceWarning] { [] }

    /// Reads pairs of samples, and at the end of the file a single one.
    mutating func read(_ source: borrowing LineSource, into columns: inout SampleColumns) -> Int? {
        let bytes = source.bytes.span.extracting(source.unread)
        let pairs = min(bytes.count / 9, columns.room / 2)
        let isLast = source.isAtEnd && pairs == 0 && bytes.count >= 5
        guard pairs > 0 || isLast else { return nil }
        let added = isLast ? 1 : pairs * 2
        let (first, start, period, scale) = (count, start, period, scale)
        columns.append(added) { index in
            let values = PackedSample.yBeforeX(PackedSample.values(bytes, 0, index))
            return (start &+ Int64(clamping: Double(first + index) * period), scale.acceleration(values))
        }
        count += added
        return isLast ? bytes.count : pairs * 9
    }

    func finish(_ source: borrowing LineSource) {}
}
