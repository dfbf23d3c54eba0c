/// Joins short texts to pieces of about 64 KB, so that few system calls write them.
package struct OutputBuffer {
    /// The size of a piece in bytes.
    static let capacity = 65536

    private var piece: [UInt8] = []

    package init() {}

    /// Adds a text. `out` receives a complete piece.
    package mutating func add(_ text: String, to out: ([UInt8]) -> Void) {
        piece.append(contentsOf: text.utf8)
        if piece.count >= Self.capacity { flush(to: out) }
    }

    /// Adds the bytes of a text.
    package mutating func add(_ bytes: [UInt8], to out: ([UInt8]) -> Void) {
        piece.append(contentsOf: bytes)
        if piece.count >= Self.capacity { flush(to: out) }
    }

    /// Passes on the rest.
    package mutating func flush(to out: ([UInt8]) -> Void) {
        if !piece.isEmpty { out(piece) }
        piece.removeAll(keepingCapacity: true)
    }
}
