import Foundation
import Synchronization
import Testing

/// The lines that a snippet prints.
final class Printed: Sendable {
    private let storage = Mutex<[String]>([])

    var lines: [String] { storage.withLock { $0 } }

    func callAsFunction(_ items: [Any]) {
        let line = items.map { "\($0)" }.joined(separator: " ")
        storage.withLock { $0.append(line) }
    }
}

/// A suite of snippets, which stores what they print.
protocol Snippets: Sendable {
    var printed: Printed { get }
}

extension Snippets {
    func print(_ items: Any...) { printed(items) }
}

extension Trait where Self == ConditionTrait {
    /// Skips the test of a missing serial port where a sensor is attached under the name that the documentation uses.
    static var needsNoSerialPort: Self {
        .disabled(if: FileManager.default.fileExists(atPath: "/dev/ttyUSB0"), "a sensor is attached at /dev/ttyUSB0")
    }
}
