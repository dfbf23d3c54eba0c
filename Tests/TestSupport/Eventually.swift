import Foundation

/// The waits between two checks of a condition, in milliseconds. They add up to a minute, the time-out of all tests.
///
/// Checks are counted, and not the time: a busy machine may let a process wait for long before it runs again.
private let pauses = (0..<3100).map { min($0 / 10 + 1, 20) }

/// Waits until a condition holds, on this thread. Returns whether it does.
package func blockUntil(_ condition: () throws -> Bool) rethrows -> Bool {
    for pause in pauses {
        if try condition() { return true }
        usleep(UInt32(pause) * 1000)
    }
    return try condition()
}

/// Waits until a condition holds, while other tasks run. Returns whether it does.
nonisolated(nonsending) package func eventually(_ condition: () throws -> Bool) async throws -> Bool {
    for pause in pauses {
        if try condition() { return true }
        try await Task.sleep(for: .milliseconds(pause))
    }
    return try condition()
}
