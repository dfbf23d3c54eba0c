/// Why a trace could not be read: the problem, its place and the remedy.
public struct TraceError: Error, Hashable, Sendable {
    /// The kind of failure; the command has an exit code for each.
    public enum Kind: Hashable, Sendable {
        /// The file is missing, its permissions forbid reading, or reading failed (exit code 66).
        case unreadable
        /// The content of the file cannot be used (exit code 65).
        case badData
    }

    /// The kind of failure.
    public var kind: Kind
    /// The path of the file, as the caller gave it.
    public var path: String
    /// The line of the problem, counted from 1; nil if it concerns the whole file.
    public var line: Int?
    /// The problem, in one clause.
    public var problem: ParameterText
    /// The remedy, in one clause. It names the properties of ``TraceOptions`` that help.
    public var remedy: ParameterText?

    /// Creates an error.
    public init(
        _ kind: Kind, path: String, line: Int? = nil, problem: ParameterText, remedy: ParameterText? = nil
    ) {
        self.kind = kind
        self.path = path
        self.line = line
        self.problem = problem
        self.remedy = remedy
    }
}

extension TraceError: CustomStringConvertible {
    /// The error in one line, such as `walk.csv:12: no column for y; name the columns with 'columns'`.
    public var description: String { message.description }

    /// The place, the problem and the remedy.
    package var message: ParameterText {
        let place = line.map { "\(path):\($0)" } ?? path
        return "\(place): \(problem)" + (remedy.map { "; \($0)" } ?? "")
    }
}

extension Refusal {
    /// The refusal of the file at a path.
    func error(in path: String) -> TraceError {
        TraceError(.badData, path: path, line: line, problem: problem, remedy: remedy)
    }
}
