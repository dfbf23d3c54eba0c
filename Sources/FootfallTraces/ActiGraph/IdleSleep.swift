/// The spans in which a logger that lies still stops recording.
///
/// What it would have recorded is known: nothing moved. So the last sample is repeated at the rate of the recording, as the
/// manufacturer's own export does; otherwise the wearer's rest would be taken for missing data.
struct IdleSleep: Sendable {
    /// The most that is filled in one recording. No logger's battery lasts longer, and a file must not make up years.
    private static let mostNanoseconds: Int64 = 60 * 86400 * 1_000_000_000

    /// Whether the logger said that it falls asleep, and not yet that it woke.
    private var isAsleep = false
    /// When the sample after the last one is due, in nanoseconds on the logger's clock; nil before the first.
    private var due: Int64?
    private var last = SIMD4<Float>()
    private var filled: Int64 = 0
    /// Samples that are still to be repeated.
    private(set) var pending = 0
    private(set) var spanCount = 0

    /// How long all spans are that were filled, in seconds.
    var seconds: Double { Double(filled) * 1e-9 }

    /// The logger says that it falls asleep.
    mutating func begin() {
        isAsleep = true
    }

    /// Samples were recorded up to `due`.
    mutating func end(due: Int64, last: SIMD4<Float>) {
        isAsleep = false
        self.due = due
        self.last = last
    }

    /// The logger shows at `time` that it still sleeps, or wakes: what lies before is to be filled, `period` nanoseconds
    /// from sample to sample.
    mutating func fill(until time: Int64, period: Double) {
        guard isAsleep, let due, time > due, time - due <= IdleSleep.mostNanoseconds - filled else { return }
        pending = Int((Double(time - due) / period).rounded())
        filled += time - due
        spanCount += 1
        isAsleep = false
    }

    /// Adds samples that are still to be repeated, as many as there is room for.
    mutating func fill(_ columns: inout SampleColumns, period: Double, shift: Int64) {
        guard pending > 0, let due else { return }
        let count = min(pending, columns.room)
        let (start, last) = (due - shift, self.last)
        columns.append(count) { (start + Int64(Double($0) * period), last) }
        pending -= count
        self.due = due + Int64(Double(count) * period)
    }
}
