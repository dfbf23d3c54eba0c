internal import Footfall

/// The first numbers of a stream after its layout is learned, while their zero or the lack of gravity is undecided.
struct DoubtfulReadings: Sendable {
    /// The readings that show whether gravity is missing: 10 s at 50 Hz. Of 4,169 stretches of so many samples of
    /// people, as an ADXL335 writes them, 16 seem to lack gravity; without it, 3,918. Of 500 streams in g without
    /// times, 4 seem to, of which 3 have 400 Hz or more.
    private static let fewest = 512
    /// The readings after which the answers are final. They are found again each time that the readings have doubled,
    /// because more postures show more of them.
    private static let most = 4096
    /// Seconds to a reading without a time: about those of most sketches.
    private static let usualInterval = 1 / Double(GravityCheck.block)

    private var samples: [(time: Timestamp, vector: SIMD3<Float>)] = []

    var numbers: [SIMD3<Float>] { samples.map(\.vector) }
    var areComplete: Bool { samples.count >= Self.most }

    /// Adds the numbers of a reading, and its time in nanoseconds. Returns whether the readings are to be examined.
    mutating func add(_ vector: SIMD3<Float>, at time: Int64?) -> Bool {
        let next = samples.last?.time.advanced(bySeconds: Self.usualInterval) ?? .epoch
        samples.append((time.map { Timestamp(nanosecondsSince1970: $0) } ?? next, vector))
        return samples.count >= Self.fewest && samples.count.nonzeroBitCount == 1
    }

    /// The reason to refuse a log of the same lines; nil when there is none.
    func refusal(_ layout: TextLayout, _ options: TextLineOptions) -> Refusal? {
        guard layout.coding.isPlain else {
            // With an assumed zero, 23 of 469 streams of people would be refused by the other measures.
            return CountSearch(numbers).numberWithoutGravity.map { Refusal(.noGravity(about: $0)) }
        }
        return SensorDecision(layout, samples, options, fileName: nil).refusal
    }
}
