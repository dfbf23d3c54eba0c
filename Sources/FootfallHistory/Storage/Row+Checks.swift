internal import Footfall
internal import GRDB

// Damage of a single byte can change any stored value, so each value is checked where it is read. A value that no
// recording writes is damage, and an error of SQLite's kind for it.

extension DatabaseError {
    /// The error for a stored value that no recording writes.
    static func damaged(_ value: String) -> DatabaseError {
        DatabaseError(resultCode: .SQLITE_CORRUPT, message: value)
    }
}

extension Row {
    /// An integer.
    func integer(_ index: Int) throws -> Int64 {
        guard let value = try optionalInteger(index) else { throw DatabaseError.damaged("a value is missing") }
        return value
    }

    /// An integer, or nil for NULL.
    func optionalInteger(_ index: Int) throws -> Int64? {
        let value: DatabaseValue = self[index]
        switch value.storage {
        case .int64(let integer): return integer
        case .null: return nil
        default: throw DatabaseError.damaged("a value is not an integer")
        }
    }

    /// A moment of ``/Footfall/Timestamp/supported``, or the end of it.
    func moment(_ index: Int) throws -> Int64 {
        try StoredTime.checked(try integer(index))
    }

    /// The start of a time that has no earlier limit: `Int64.min`, also for a limit before all supported times.
    func start(_ index: Int) throws -> Int64 {
        let moment = try integer(index)
        return moment <= StoredTime.first ? .min : try StoredTime.checked(moment)
    }

    /// A text.
    func text(_ index: Int) throws -> String {
        let value: DatabaseValue = self[index]
        guard case .string(let text) = value.storage else { throw DatabaseError.damaged("a value is not a text") }
        return text
    }

    /// A finite number.
    func number(_ index: Int) throws -> Double {
        let value: DatabaseValue = self[index]
        guard case .double(let number) = value.storage, number.isFinite else {
            throw DatabaseError.damaged("a value is not a number")
        }
        return number
    }

    /// A probability, or nil for NULL. A mean may exceed 1 by the error of its sum.
    func probability(_ index: Int) throws -> Double? {
        let value: DatabaseValue = self[index]
        switch value.storage {
        case .null: return nil
        case .double(let number) where (-1e-6...1 + 1e-6).contains(number): return Swift.min(Swift.max(number, 0), 1)
        default: throw DatabaseError.damaged("a probability is outside 0…1")
        }
    }
}

/// The range of stored times.
enum StoredTime {
    /// The first supported time.
    static let first = Timestamp.supported.lowerBound.nanosecondsSince1970
    /// The end of the supported times. A range may end here.
    static let end = Timestamp.supported.upperBound.nanosecondsSince1970

    /// Returns a moment of the supported times, or their end.
    ///
    /// - Throws: An error for damage if the moment is outside.
    static func checked(_ moment: Int64) throws -> Int64 {
        guard (first...end).contains(moment) else { throw DatabaseError.damaged("a time is outside 1900 to 2150") }
        return moment
    }
}
