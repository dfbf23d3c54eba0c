internal import Footfall

/// The spans in which a motionless logger stops recording.
///
/// The last sample is repeated at the rate of the recording, as in the manufacturer's export. Without that, rest would
/// be a gap. Its magnitude is set to 1 g, as in GGIR: nothing moved, so the sensor felt gravity alone, and the error of
/// its last reading is no activity.
struct IdleSleep: Sendable {
    /// The most time that is filled in one recording: longer than any battery lasts. It bounds the output of a damaged
    /// file.
    private static let mostNanoseconds: Int64 = 60 * 86400 * 1_000_000_000

    private var isAsleep = false
    /// The end of the recorded samples, or of the filled span, in nanoseconds on the logger's clock; nil before the
    /// first.
    private var due: Int64?
    private var last = SIMD4<Float>()
    private var filled: Int64 = 0
    /// The number of samples that remain to be repeated.
    private(set) var pending = 0
    /// The number of repeated samples of the span. Times count from its start, so that rounding errors do not add up.
    private var repeated = 0
    private(set) var spanCount = 0

    /// The length of all filled spans, in seconds.
    var seconds: Double { Double(filled) * 1e-9 }

    /// The logger falls asleep.
    mutating func begin() {
        isAsleep = true
    }

    /// Samples were recorded up to `due`.
    mutating func end(due: Int64, last: SIMD4<Float>) {
        isAsleep = false
        self.due = due
        let magnitude = (last.x * last.x + last.y * last.y + last.z * last.z).squareRoot()
        self.last = magnitude > 0 ? last / magnitude : last
    }

    /// Fills the sleep up to `time`, with a sample every `period` nanoseconds.
    mutating func fill(until time: Int64, period: Double) {
        guard isAsleep, let due, time > due, time - due <= IdleSleep.mostNanoseconds - filled else { return }
        pending = Int(clamping: (Double(time - due) / period).rounded())
        filled += time - due
        spanCount += 1
        isAsleep = false
    }

    /// Adds pending samples, as many as fit.
    mutating func fill(_ columns: inout SampleColumns, period: Double, shift: Int64) {
        guard pending > 0, let due else { return }
        let count = min(pending, columns.room)
        let (start, last, first) = (due - shift, self.last, repeated)
        columns.append(count) { (start + Int64(clamping: Double(first + $0) * period), last) }
        pending -= count
        repeated += count
        guard pending == 0 else { return }
        self.due = due + Int64(clamping: Double(repeated) * period)
        repeated = 0
    }
}
