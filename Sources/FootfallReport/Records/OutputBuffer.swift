/// Joins short texts to pieces of about 64 KB, so that few system calls write them.
package struct OutputBuffer {
    /// The size of a piece in bytes.
    private static let capacity = 65536

    private let out: (String) -> Void
    private var piece = ""

    /// - Parameter out: Receives the pieces.
    package init(to out: @escaping (String) -> Void) {
        self.out = out
    }

    /// Adds a text.
    package mutating func add(_ text: String) {
        piece += text
        if piece.utf8.count >= Self.capacity { flush() }
    }

    /// Passes on the rest.
    package mutating func flush() {
        if !piece.isEmpty { out(piece) }
        piece = ""
    }
}
