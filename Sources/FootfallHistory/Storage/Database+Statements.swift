internal import GRDB
internal import GRDBSQLite

// Every statement here runs many times, so all of them go through GRDB's cache of prepared statements.
extension Database {
    /// Runs a statement that returns nothing.
    func run(_ sql: String, _ arguments: StatementArguments = StatementArguments()) throws {
        try cachedStatement(sql: sql).execute(arguments: arguments)
    }

    /// The first row of an answer.
    func row(_ sql: String, _ arguments: StatementArguments = StatementArguments()) throws -> Row? {
        try Row.fetchOne(cachedStatement(sql: sql), arguments: arguments)
    }

    /// All rows of an answer, each turned into a value while it is at hand.
    func rows<Value>(
        _ sql: String, _ arguments: StatementArguments = StatementArguments(), _ value: (Row) throws -> Value
    ) throws -> [Value] {
        var values: [Value] = []
        let cursor = try Row.fetchCursor(cachedStatement(sql: sql), arguments: arguments)
        while let row = try cursor.next() { values.append(try value(row)) }
        return values
    }

    /// The whole number in the first column of the first row; nil when there is none.
    func integer(_ sql: String, _ arguments: StatementArguments = StatementArguments()) throws -> Int64? {
        try Int64.fetchOne(cachedStatement(sql: sql), arguments: arguments)
    }

    /// Runs a bound statement of SQLite's own to its end and makes it ready for the next values.
    func finish(_ statement: OpaquePointer) throws {
        let code = sqlite3_step(statement)
        guard code == SQLITE_DONE else {
            let error = DatabaseError(resultCode: lastErrorCode, message: lastErrorMessage)
            sqlite3_reset(statement)
            throw error
        }
        sqlite3_reset(statement)
    }
}
