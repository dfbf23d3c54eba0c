/// A moment in time: nanoseconds since 1970-01-01T00:00:00Z.
///
/// Times are integers, so a step keeps its time to the nanosecond through analysis, history and export, and
/// neighboring ranges add up exactly. A trace without absolute time starts at ``epoch``.
public struct Timestamp: Hashable, Sendable, BitwiseCopyable {
    /// Nanoseconds since 1970-01-01T00:00:00Z, without leap seconds.
    public var nanosecondsSince1970: Int64

    /// Creates a moment from nanoseconds since 1970-01-01T00:00:00Z.
    @inlinable
    public init(nanosecondsSince1970: Int64) {
        self.nanosecondsSince1970 = nanosecondsSince1970
    }

    /// Creates a moment from seconds since 1970-01-01T00:00:00Z.
    ///
    /// A `Double` of this size resolves about 0.2 µs. Returns nil if the value is not a number or lies outside
    /// ``supported``.
    public init?(secondsSince1970 seconds: Double) {
        // The conversion of a larger Double to Int64 would trap.
        guard seconds.isFinite, abs(seconds) < 9e9 else { return nil }
        // A Double cannot hold all digits of nanoseconds since 1970, so the fraction is converted separately.
        let whole = seconds.rounded(.down)
        self.init(
            nanosecondsSince1970: Int64(clamping: whole) * 1_000_000_000
                + Int64(clamping: ((seconds - whole) * 1e9).rounded()))
        guard Timestamp.supported.contains(self) else { return nil }
    }

    /// 1970-01-01T00:00:00Z, the start of a trace without absolute time.
    public static let epoch = Timestamp(nanosecondsSince1970: 0)

    /// The supported times: 1900-01-01 up to 2150-01-01.
    ///
    /// The distance of any two supported times fits into the integer. A time outside comes from a broken clock or a
    /// wrong unit.
    public static let supported: Range<Timestamp> = {
        let first = Timestamp(nanosecondsSince1970: -2_208_988_800_000_000_000)
        return first..<Timestamp(nanosecondsSince1970: 5_680_281_600_000_000_000)
    }()

    /// Seconds from `earlier` to this moment; negative if `earlier` is later.
    @inlinable
    public func seconds(since earlier: Timestamp) -> Double {
        let (difference, overflow) = nanosecondsSince1970.subtractingReportingOverflow(earlier.nanosecondsSince1970)
        return overflow
            ? (Double(nanosecondsSince1970) - Double(earlier.nanosecondsSince1970)) * 1e-9
            : Double(difference) * 1e-9
    }

    /// The moment `seconds` after this one, to the nearest nanosecond.
    ///
    /// The result saturates at the ends of the integer's range.
    @inlinable
    public func advanced(bySeconds seconds: Double) -> Timestamp {
        let nanoseconds = Int64(exactly: (seconds * 1e9).rounded()) ?? (seconds < 0 ? .min : .max)
        let (sum, overflow) = nanosecondsSince1970.addingReportingOverflow(nanoseconds)
        return Timestamp(nanosecondsSince1970: overflow ? (nanoseconds < 0 ? .min : .max) : sum)
    }
}

extension Timestamp: Codable {
    /// Reads the nanoseconds since 1970.
    ///
    /// - Throws: `DecodingError` if the value is no integer.
    public init(from decoder: any Decoder) throws {
        self.init(nanosecondsSince1970: try decoder.singleValueContainer().decode(Int64.self))
    }

    /// Writes the nanoseconds since 1970 as one integer.
    ///
    /// - Throws: `EncodingError` of the encoder.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(nanosecondsSince1970)
    }
}

extension Timestamp: Comparable {
    /// Orders moments by time.
    @inlinable
    public static func < (left: Timestamp, right: Timestamp) -> Bool {
        left.nanosecondsSince1970 < right.nanosecondsSince1970
    }
}

extension Range where Bound == Timestamp {
    /// The length of the range in seconds.
    public var seconds: Double { upperBound.seconds(since: lowerBound) }
}
