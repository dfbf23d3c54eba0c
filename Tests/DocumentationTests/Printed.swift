import Synchronization

/// What a snippet prints, in lines.
final class Printed: Sendable {
    private let storage = Mutex<[String]>([])

    var lines: [String] { storage.withLock { $0 } }

    func callAsFunction(_ items: [Any]) {
        let line = items.map { "\($0)" }.joined(separator: " ")
        storage.withLock { $0.append(line) }
    }
}

/// Tests of snippets: what they print is kept.
protocol Snippets: Sendable {
    var printed: Printed { get }
}

extension Snippets {
    func print(_ items: Any...) { printed(items) }
}
