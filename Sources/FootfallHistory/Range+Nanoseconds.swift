internal import Footfall

extension Range where Bound == Timestamp {
    /// The range between two moments in nanoseconds since 1970.
    init(_ nanoseconds: Range<Int64>) {
        let start = Timestamp(nanosecondsSince1970: nanoseconds.lowerBound)
        self = start..<Timestamp(nanosecondsSince1970: nanoseconds.upperBound)
    }

    /// The length of the range.
    var nanoseconds: Int64 { upperBound.nanosecondsSince1970 - lowerBound.nanosecondsSince1970 }
}
