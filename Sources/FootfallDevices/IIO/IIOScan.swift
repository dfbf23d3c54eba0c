/// How the values of one scan of a buffer lie in its bytes.
///
/// The form is that of Linux's `Documentation/ABI/testing/sysfs-bus-iio`: channels in the order of their index, each at a
/// multiple of its own size, the whole a multiple of the largest.
struct IIOScan: Sendable {
    /// One value: `[be|le]:[s|u]bits/storagebits[Xrepeat][>>shift]`.
    struct Element: Sendable {
        var isBigEndian: Bool
        var isSigned: Bool
        var bits: Int
        var bytes: Int
        var count: Int
        var shift: Int
        var offset = 0

        /// Reads the form of a value; nil for one that is not known.
        init?(_ type: String) {
            var rest = type[...]
            func take(_ prefix: String) -> Bool {
                guard rest.hasPrefix(prefix) else { return false }
                rest = rest.dropFirst(prefix.count)
                return true
            }
            func takeNumber() -> Int? {
                let digits = rest.prefix { $0.isASCII && $0.isNumber }
                rest = rest.dropFirst(digits.count)
                return digits.count < 5 ? Int(digits) : nil
            }
            isBigEndian = take("be:")
            guard isBigEndian || take("le:") else { return nil }
            isSigned = take("s")
            guard isSigned || take("u"), let bits = takeNumber(), take("/"), let storage = takeNumber()
            else { return nil }
            count = 1
            if take("X") {
                guard let repeats = takeNumber(), repeats > 0 else { return nil }
                count = repeats
            }
            shift = 0
            if take(">>") {
                guard let distance = takeNumber() else { return nil }
                shift = distance
            }
            guard rest.isEmpty, [8, 16, 32, 64].contains(storage), bits > 0, shift + bits <= storage else { return nil }
            (self.bits, bytes) = (bits, storage / 8)
        }

        /// The value in the bytes of a scan.
        func value(in scan: ArraySlice<UInt8>) -> Int64 {
            let start = scan.startIndex + offset
            let stored = scan[start..<start + bytes]
            let ordered = isBigEndian ? Array(stored) : stored.reversed()
            let raw = ordered.reduce(UInt64(0)) { $0 << 8 | UInt64($1) } >> UInt64(shift)
            // To the top and back down: the upper bits go, the sign spreads.
            let top = raw << UInt64(64 - bits)
            return isSigned
                ? Int64(bitPattern: top) >> Int64(64 - bits) : Int64(truncatingIfNeeded: top >> UInt64(64 - bits))
        }
    }

    /// The elements by the names of their channels.
    private(set) var elements: [String: Element] = [:]
    /// The bytes of a scan.
    private(set) var size = 0

    /// Lays out channels.
    ///
    /// - Parameter channels: Names with the index and the form of each, of all channels that are enabled.
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

    private static func aligned(_ offset: Int, to size: Int) -> Int {
        let rest = offset % max(size, 1)
        return rest == 0 ? offset : offset + size - rest
    }
}
