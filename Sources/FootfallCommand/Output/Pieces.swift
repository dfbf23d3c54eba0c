/// Makes, of many short texts, few pieces that are worth a call of the system, and never one text of all.
struct Pieces {
    /// A piece is handed over when it has this many bytes.
    private static let size = 65536

    private let out: (String) -> Void
    private var piece = ""

    /// - Parameter out: Takes the pieces.
    init(to out: @escaping (String) -> Void) {
        self.out = out
    }

    /// Adds a text.
    mutating func add(_ text: String) {
        piece += text
        if piece.utf8.count >= Self.size { flush() }
    }

    /// Hands over what there is.
    mutating func flush() {
        if !piece.isEmpty { out(piece) }
        piece = ""
    }
}
