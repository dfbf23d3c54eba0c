/// Why a trace could not be read: what is wrong, where, and what to do about it.
public struct TraceError: Error, Hashable, Sendable {
    /// What sort of failure it is; a command turns it into its exit code.
    public enum Kind: Hashable, Sendable {
        /// The file is missing, may not be read, or reading it failed (exit code 66).
        case unreadable
        /// The file was read, and what it holds cannot be used (exit code 65).
        case badData
    }

    /// What sort of failure it is.
    public var kind: Kind
    /// The file, as it was given.
    public var path: String
    /// The line the problem is on, counted from 1, where one line is to blame.
    public var line: Int?
    /// What is wrong, in one clause.
    public var problem: String
    /// What to do about it, in one clause. Options are called by their names in ``TraceOptions``.
    public var remedy: String?

    /// Creates an error.
    public init(_ kind: Kind, path: String, line: Int? = nil, problem: String, remedy: String? = nil) {
        self.kind = kind
        self.path = path
        self.line = line
        self.problem = problem
        self.remedy = remedy
    }
}

extension TraceError: CustomStringConvertible {
    /// The error in one line, such as `walk.csv:12: no column named y; name the columns with the option columns`.
    public var description: String {
        let place = line.map { "\(path):\($0)" } ?? path
        return "\(place): \(problem)" + (remedy.map { "; \($0)" } ?? "")
    }
}

/// What is wrong with the contents of a trace, before it is known which file they came from.
struct Refusal: Error {
    var line: Int?
    var problem: String
    var remedy: String?

    init(_ problem: String, remedy: String? = nil, line: Int? = nil) {
        self.line = line
        self.problem = problem
        self.remedy = remedy
    }

    func error(in path: String) -> TraceError {
        TraceError(.badData, path: path, line: line, problem: problem, remedy: remedy)
    }
}
