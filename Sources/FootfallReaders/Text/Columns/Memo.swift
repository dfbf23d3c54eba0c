internal import Synchronization

/// Results for texts that come again. The labels of a log stand in each of its lines, and it takes 30 µs to find what a
/// label names.
final class Memo<Result: Sendable>: Sendable {
    /// The most results that are kept, more than a log has labels, and the longest text, in bytes.
    private let (most, longest) = (1024, 64)

    /// By the bytes, because texts of different bytes may be equal.
    private let known = Mutex<[[UInt8]: Result]>([:])

    /// The result for a text, which is computed if it is not known.
    func result(of text: String, _ compute: (String) -> Result) -> Result {
        guard text.utf8.count <= longest else { return compute(text) }
        let key = Array(text.utf8)
        if let result = known.withLock({ $0[key] }) { return result }
        let result = compute(text)
        known.withLock { known in
            if known.count >= most { known.removeAll(keepingCapacity: true) }
            known[key] = result
        }
        return result
    }
}
