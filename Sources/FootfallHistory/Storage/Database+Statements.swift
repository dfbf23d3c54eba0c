internal import Footfall
package import GRDB
internal import GRDBSQLite

// All statements use GRDB's cache of prepared statements, because each runs many times.
extension Database {
    func run(_ sql: String, _ arguments: StatementArguments = StatementArguments()) throws {
        try cachedStatement(sql: sql).execute(arguments: arguments)
    }

    func row(_ sql: String, _ arguments: StatementArguments = StatementArguments()) throws -> Row? {
        try Row.fetchOne(cachedStatement(sql: sql), arguments: arguments)
    }

    /// All rows of a result as values. A row is valid only while `value` runs.
    func rows<Value>(
        _ sql: String, _ arguments: StatementArguments = StatementArguments(), _ value: (Row) throws -> Value
    ) throws -> [Value] {
        let cursor = try Row.fetchCursor(cachedStatement(sql: sql), arguments: arguments)
        var values: [Value] = []
        while let row = try cursor.next() { values.append(try value(row)) }
        return values
    }

    /// Passes the integers in the first column of all rows to `take`, through SQLite's C interface: an answer has up to
    /// millions of steps.
    func integers(_ sql: String, _ arguments: [Int64], _ take: (Int64) throws -> Void) throws {
        let statement = try cachedStatement(sql: sql).sqliteStatement
        sqlite3_reset(statement)
        defer {
            sqlite3_reset(statement)
            sqlite3_clear_bindings(statement)
        }
        for (index, argument) in arguments.enumerated() {
            sqlite3_bind_int64(statement, Int32(clamping: index + 1), argument)
        }
        while true {
            switch sqlite3_step(statement) {
            case SQLITE_ROW:
                guard sqlite3_column_type(statement, 0) == SQLITE_INTEGER else {
                    throw DatabaseError.damaged("a value is not an integer")
                }
                try take(sqlite3_column_int64(statement, 0))
            case SQLITE_DONE: return
            default: throw DatabaseError(resultCode: lastErrorCode, message: lastErrorMessage)
            }
        }
    }

    /// The integer in the first column of the first row; nil for an empty or null result.
    func integer(_ sql: String, _ arguments: StatementArguments = StatementArguments()) throws -> Int64? {
        try row(sql, arguments)?.optionalInteger(0)
    }

    /// The moment in the first column of the first row; nil for an empty or null result. Throws an error for damage if
    /// the value is not a supported time.
    func moment(_ sql: String, _ arguments: StatementArguments = StatementArguments()) throws -> Int64? {
        try row(sql, arguments)?.optionalInteger(0).map(StoredTime.checked)
    }

    /// Runs statements that fail with SQLITE_INTERRUPT once `isOver` holds.
    func run<Answer>(until isOver: @escaping () -> Bool, _ body: () throws -> Answer) rethrows -> Answer {
        let end = End(isReached: isOver)
        return try withExtendedLifetime(end) {
            sqlite3_progress_handler(
                sqliteConnection, Self.instructionsPerCheck,
                { $0.map { Unmanaged<Database.End>.fromOpaque($0).takeUnretainedValue().isReached() } == true ? 1 : 0 },
                Unmanaged.passUnretained(end).toOpaque())
            defer { sqlite3_progress_handler(sqliteConnection, 0, nil, nil) }
            return try body()
        }
    }

    /// A condition behind a pointer of SQLite.
    private final class End {
        let isReached: () -> Bool
        init(isReached: @escaping () -> Bool) { self.isReached = isReached }
    }

    /// The instructions of SQLite between two checks, of about 0.1 ms.
    private static let instructionsPerCheck: Int32 = 4096

    /// Inserts rows of one source, or of one log, through SQLite's C interface, up to 32 with each statement. Neither
    /// GRDB's binding of arguments nor one row per statement reaches a million rows per second. `source` is the value
    /// of their first column. `statement` is the beginning of the statement, up to the columns. `columns` is the number
    /// of the other columns. `bind` binds a row's values to a statement, starting at a parameter.
    package func insert<Values>(
        _ rows: [Values], source: Int64, _ statement: String, columns: Int,
        bind: (Values, OpaquePointer, Int32) -> Void
    ) throws {
        var rest = rows[...]
        for count in [32, 1] where rest.count >= count {
            let handle = try cachedStatement(sql: Database.insertion(statement, columns: columns, rows: count))
                .sqliteStatement
            sqlite3_reset(handle)
            defer {
                sqlite3_reset(handle)
                sqlite3_clear_bindings(handle)
            }
            sqlite3_bind_int64(handle, 1, source)
            while rest.count >= count {
                var parameter: Int32 = 2
                for row in rest.prefix(count) {
                    bind(row, handle, parameter)
                    parameter += Int32(columns)
                }
                rest = rest.dropFirst(count)
                guard sqlite3_step(handle) == SQLITE_DONE else {
                    throw DatabaseError(resultCode: lastErrorCode, message: lastErrorMessage)
                }
                sqlite3_reset(handle)
            }
        }
    }

    private static func insertion(_ statement: String, columns: Int, rows: Int) -> String {
        let values = (0..<rows).map { row in
            "(?1" + (0..<columns).map { ", ?\(2 + row * columns + $0)" }.joined() + ")"
        }
        return statement + " VALUES " + values.joined(separator: ", ")
    }

    /// How long the history keeps events.
    func retention() throws -> Retention {
        guard let row = try row("SELECT retention FROM history WHERE id = 1") else {
            throw DatabaseError.damaged("the retention is missing")
        }
        let nanoseconds = try row.optionalInteger(0)
        guard nanoseconds ?? 0 >= 0 else { throw DatabaseError.damaged("the retention is negative") }
        return Retention(nanoseconds: nanoseconds)
    }
}

// Damage of a single byte can change any stored value, so each value is checked where it is read. A value that no
// recording writes is damage, and an error of SQLite's kind for it.

extension DatabaseError {
    /// The error for a stored value that no recording writes.
    static func damaged(_ value: String) -> DatabaseError {
        DatabaseError(resultCode: .SQLITE_CORRUPT, message: value)
    }
}

extension Row {
    func integer(_ index: Int) throws -> Int64 {
        guard let value = try optionalInteger(index) else { throw DatabaseError.damaged("a value is missing") }
        return value
    }

    func optionalInteger(_ index: Int) throws -> Int64? {
        let value: DatabaseValue = self[index]
        switch value.storage {
        case .int64(let integer): return integer
        case .null: return nil
        default: throw DatabaseError.damaged("a value is not an integer")
        }
    }

    /// A moment of ``/Footfall/Timestamp/supported``, or the end of it.
    func moment(_ index: Int) throws -> Int64 { try StoredTime.checked(try integer(index)) }

    /// The start of a time that has no earlier limit: `Int64.min`, also for a limit before all supported times.
    func start(_ index: Int) throws -> Int64 {
        let moment = try integer(index)
        return moment <= StoredTime.first ? .min : try StoredTime.checked(moment)
    }

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
    static let first = Timestamp.supported.lowerBound.nanosecondsSince1970
    /// The end of the supported times. A range may end here.
    static let end = Timestamp.supported.upperBound.nanosecondsSince1970

    /// Returns a moment of the supported times, or their end. Throws an error for damage if the moment is outside.
    static func checked(_ moment: Int64) throws -> Int64 {
        guard (first...end).contains(moment) else { throw DatabaseError.damaged("a time is outside 1900 to 2150") }
        return moment
    }
}
