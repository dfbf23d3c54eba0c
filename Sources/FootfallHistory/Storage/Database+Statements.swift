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
        try forEach(sql, arguments) { values.append(try value($0)) }
        return values
    }

    /// Goes through all rows of an answer, of which there may be many.
    func forEach(_ sql: String, _ arguments: StatementArguments, _ body: (Row) throws -> Void) throws {
        let cursor = try Row.fetchCursor(cachedStatement(sql: sql), arguments: arguments)
        while let row = try cursor.next() { try body(row) }
    }

    /// The whole number in the first column of the first row; nil when there is none.
    func integer(_ sql: String, _ arguments: StatementArguments = StatementArguments()) throws -> Int64? {
        try Int64.fetchOne(cachedStatement(sql: sql), arguments: arguments)
    }

    /// Inserts rows of one source with SQLite's own calls, many with each statement.
    ///
    /// A million a second is what neither GRDB's binding of arguments nor one row at a time reaches.
    ///
    /// - Parameters:
    ///   - rows: The rows.
    ///   - source: The value of their first column.
    ///   - statement: The beginning of the statement, up to the columns.
    ///   - columns: The number of columns besides the first.
    ///   - bind: Binds a row's values to a statement, from a parameter on.
    func insert<Values>(
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
                try finish(handle)
            }
        }
    }

    private static func insertion(_ statement: String, columns: Int, rows: Int) -> String {
        let values = (0..<rows).map { row in
            "(?1" + (0..<columns).map { ", ?\(2 + row * columns + $0)" }.joined() + ")"
        }
        return statement + " VALUES " + values.joined(separator: ", ")
    }

    /// Runs a bound statement of SQLite's own to its end and makes it ready for the next values.
    private func finish(_ statement: OpaquePointer) throws {
        let code = sqlite3_step(statement)
        guard code == SQLITE_DONE else {
            let error = DatabaseError(resultCode: lastErrorCode, message: lastErrorMessage)
            sqlite3_reset(statement)
            throw error
        }
        sqlite3_reset(statement)
    }
}
