/// Joins short texts to pieces of about 64 KB, so that few system calls write them.
package struct OutputBuffer {
    /// The size of a piece in bytes.
    static let capacity = 65536

    private var piece = ""

    package init() {}

    /// Adds a text. `out` receives a complete piece.
    package mutating func add(_ text: String, to out: (String) -> Void) {
        piece += text
        if piece.utf8.count >= Self.capacity { flush(to: out) }
    }

    /// Passes on the rest.
    package mutating func flush(to out: (String) -> Void) {
        if !piece.isEmpty { out(piece) }
        piece = ""
    }
}
