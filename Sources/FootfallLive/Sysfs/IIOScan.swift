/// The layout of a scan, which is one reading of all enabled channels.
///
/// Linux's `Documentation/ABI/testing/sysfs-bus-iio` defines it: channels are in the order of their index, each at a
/// multiple of its own size. The scan is a multiple of the largest.
struct IIOScan: Sendable {
    /// The format of a value: `[be|le]:[s|u]bits/storagebits[Xrepeat][>>shift]`.
    struct Element: Sendable {
        var isBigEndian: Bool
        var isSigned: Bool
        var bits: Int
        var bytes: Int
        var count: Int
        var shift: Int
        var offset = 0

        /// Parses a format; nil for an unknown one.
        init?(_ type: String) {
            let format = #/(be|le):(s|u)([0-9]{1,4})/([0-9]{1,4})(?:X([0-9]{1,4}))?(?:>>([0-9]{1,4}))?/#
            guard let match = type.wholeMatch(of: format), let bits = Int(match.3), let storage = Int(match.4)
            else { return nil }
            isBigEndian = match.1 == "be"
            isSigned = match.2 == "s"
            count = match.5.flatMap { Int($0) } ?? 1
            shift = match.6.flatMap { Int($0) } ?? 0
            guard count > 0, [8, 16, 32, 64].contains(storage), bits > 0, shift + bits <= storage else { return nil }
            (self.bits, bytes) = (bits, storage / 8)
        }

        func value(in scan: ArraySlice<UInt8>) -> Int64 {
            let start = scan.startIndex + offset
            let stored = scan[start..<start + bytes]
            let ordered = isBigEndian ? Array(stored) : stored.reversed()
            let raw = ordered.reduce(UInt64(0)) { $0 << 8 | UInt64($1) } >> UInt64(shift)
            // Shifting up removes the bits above the value; shifting down extends the sign.
            let top = raw << UInt64(64 - bits)
            return isSigned
                ? Int64(bitPattern: top) >> Int64(64 - bits) : Int64(truncatingIfNeeded: top >> UInt64(64 - bits))
        }
    }

    private(set) var elements: [String: Element] = [:]
    private(set) var size = 0

    init(_ channels: [(name: String, index: Int, element: Element)]) {
        var largest = 1
        for channel in channels.sorted(by: { $0.index < $1.index }) {
            var element = channel.element
            let length = element.bytes * element.count
            element.offset = Self.aligned(size, to: length)
            size = element.offset + length
            largest = max(largest, length)
            elements[channel.name] = element
        }
        size = Self.aligned(size, to: largest)
    }

    private static func aligned(_ offset: Int, to size: Int) -> Int { (offset + size - 1) / size * size }
}
