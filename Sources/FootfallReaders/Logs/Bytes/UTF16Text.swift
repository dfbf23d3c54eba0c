
/// Converts text in UTF-16, as spreadsheets write it, to UTF-8.
struct UTF16Text {
    private let isBigEndian: Bool
    /// Half of a code unit.
    private var half: UInt8?
    /// The first of two code units of one character.
    private var surrogate: UInt16?
    /// Bytes to be returned next.
    private(set) var ready: [UInt8] = []

    /// The bytes that show UTF-16 without a byte-order mark: each second one is 0, and the others are ASCII.
    private static let sample = 16

    /// The beginning of a text in UTF-16; nil for other bytes.
    init?(_ head: UnsafeRawBufferPointer) {
        guard head.count >= 2 else { return nil }
        switch (head[0], head[1]) {
        case (0xFE, 0xFF): isBigEndian = true
        case (0xFF, 0xFE): isBigEndian = false
        default:
            guard head.count >= Self.sample else { return nil }
            func isText(_ offset: Int) -> Bool {
                stride(from: 0, to: Self.sample, by: 2).allSatisfy { place in
                    let byte = head[place + offset]
                    return head[place + 1 - offset] == 0 && (byte == ASCII.tab || (0x20...0x7E).contains(byte))
                }
            }
            guard isText(0) || isText(1) else { return nil }
            isBigEndian = isText(1)
        }
        add(head)
    }

    /// Adds bytes in UTF-16.
    mutating func add(_ bytes: UnsafeRawBufferPointer) {
        var units = surrogate.map { [$0] } ?? []
        surrogate = nil
        units.reserveCapacity(bytes.count / 2 + 1)
        for byte in bytes {
            guard let half else {
                half = byte
                continue
            }
            units.append(isBigEndian ? UInt16(half) << 8 | UInt16(byte) : UInt16(byte) << 8 | UInt16(half))
            self.half = nil
        }
        if let last = units.last, UTF16.isLeadSurrogate(last) { surrogate = units.removeLast() }
        ready += String(decoding: units, as: UTF16.self).utf8
    }

    /// Moves bytes in UTF-8 to `buffer`, and returns how many.
    mutating func take(into buffer: UnsafeMutableRawBufferPointer) -> Int {
        let count = min(ready.count, buffer.count)
        buffer.copyBytes(from: ready[..<count])
        ready.removeFirst(count)
        return count
    }
}
