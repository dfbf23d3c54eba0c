import Foundation
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

/// A folder for one test, removed with it.
final class Folder: Sendable {
    let url = FileManager.default.temporaryDirectory.appending(path: "footfall-\(UUID().uuidString)")

    init() throws { try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true) }

    deinit { try? FileManager.default.removeItem(at: url) }
}

extension Document {
    /// A trace that is shipped.
    static func trace(_ name: String) -> URL { root.appending(path: "SensorTraces/\(name).csv") }
}
