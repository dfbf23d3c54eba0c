import ArgumentParser
import Foundation

/// Time zones and times on the command line.
enum Zone {
    /// The zone of a name; nil without a name.
    static func parse(_ name: String?) throws -> TimeZone? {
        guard let name else { return nil }
        guard let zone = TimeZone(identifier: name) else {
            throw ValidationError("--tz \(name): no such time zone. Write a name such as Europe/Berlin or UTC.")
        }
        return zone
    }

    /// The moment of a time expression; see ``TimeExpression``.
    static func read(_ text: String, in zone: TimeZone, now: Date = Date()) throws -> Date {
        do {
            return try TimeExpression(timeZone: zone, now: now).date(from: text)
        } catch let error as TimeExpression.Invalid {
            throw ValidationError(error.description)
        }
    }
}
