/// Why a trace could not be read: the problem, its place and the remedy.
public struct TraceError: Error, Hashable, Sendable {
    /// The kind of failure; the command has an exit code for each.
    public enum Kind: Hashable, Sendable {
        /// The file is missing, or reading failed (exit code 66).
        case unreadable
        /// The permissions of the file or of its folder forbid reading (exit code 77).
        case notPermitted
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
        (self.kind, self.path, self.line, self.problem, self.remedy) = (kind, path, line, problem, remedy)
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

/// A problem with the content of a file, before its path is added.
package struct Refusal: Error {
    package var line: Int?
    package var problem: ParameterText
    package var remedy: ParameterText?
    /// The columns that are read all the same if the caller names them; nil where that does not help.
    var columns: CSVColumns?
    /// The position of the first row, where it is the newest, so that the rows can be read from the last one on.
    package var newestRow: Int?

    package init(_ problem: ParameterText, remedy: ParameterText? = nil, line: Int? = nil) {
        (self.line, self.problem, self.remedy) = (line, problem, remedy)
    }

    init(_ problem: ParameterText, remedy: ParameterText?, line: Int?, columns: CSVColumns?) {
        self.init(problem, remedy: remedy, line: line)
        self.columns = columns
    }
}

extension Refusal {
    /// The remedy where the content is something else.
    package static let expectation: ParameterText = "a sensor log has rows of time, x, y, z"

    /// Refuses the acceleration of a table.
    init(_ objection: GravityCheck.Objection, line: Int? = nil, columns: CSVColumns? = nil) {
        let remedy: ParameterText =
            switch objection {
            case .noGravity: "export the acceleration with gravity, often called raw or total acceleration"
            case .unknownUnit, .tooMuchMotion:
                "export the acceleration with gravity, or for raw counts give \(.unit()) as the counts per g"
            }
        self.init("\(objection.problem)", remedy: remedy, line: line, columns: columns)
    }

    /// Refuses columns of another sensor, according to `evidence`.
    init(_ sensor: SensorKind, _ evidence: String, line: Int? = nil, columns: CSVColumns? = nil) {
        if sensor == .linearAcceleration {
            self.init(.noGravity(evidence), line: line, columns: columns)
            return
        }
        self.init(
            "\(evidence) states \(sensor.asOther), not the accelerometer",
            remedy: "choose the file of the accelerometer", line: line, columns: columns)
    }
}
