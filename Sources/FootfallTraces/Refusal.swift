internal import FootfallText

/// A problem with the content of a trace, before the path of the file is added.
struct Refusal: Error {
    var line: Int?
    var problem: ParameterText
    var remedy: ParameterText?
    /// The columns that are read all the same if the caller names them; nil where that does not help.
    var columns: CSVColumns?

    init(
        _ problem: ParameterText, remedy: ParameterText? = nil, line: Int? = nil, columns: CSVColumns? = nil
    ) {
        self.line = line
        self.problem = problem
        self.remedy = remedy
        self.columns = columns
    }

    func error(in path: String) -> TraceError {
        TraceError(.badData, path: path, line: line, problem: problem, remedy: remedy)
    }
}

extension Refusal {
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
        let statement = sensor == .position ? "a position" : "another sensor (\(sensor.rawValue))"
        self.init(
            "\(evidence) states \(statement), not the accelerometer",
            remedy: "choose the file of the accelerometer", line: line, columns: columns)
    }
}
