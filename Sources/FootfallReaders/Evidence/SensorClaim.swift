/// What the names around three columns state about their sensor.
enum SensorClaim: Equatable {
    /// The caller names the columns, or gravity comes from other columns. Nothing is left to decide.
    case given
    /// A title or the name of the file states the accelerometer.
    case acceleration
    /// A title is usual for accelerometers, such as `ax` or `val_x`, or states a unit of acceleration. Acceleration
    /// without gravity has such titles too.
    case likely
    /// No name states what the columns are.
    case silent
    /// The name of the file states another sensor, and no title contradicts it.
    case other(SensorKind)

    /// Weighs the titles of the axes and the name of the file.
    ///
    /// - Parameters:
    ///   - titles: The titles of the axes.
    ///   - all: All titles of the table.
    init(axes titles: [String], _ all: [String], fileName: String?) {
        let names = titles.map(ColumnName.init)
        var file = fileName.flatMap { SensorKind(fileName: $0) }
        // Sensor Logger's Accelerometer.csv has no gravity.
        let isOfSensorLogger = all.starts(with: ["time", "seconds_elapsed"])
        if isOfSensorLogger, fileName?.lowercased().hasPrefix("accelerometer.") ?? false { file = nil }
        let isUsual = names.contains { name in
            name.accelerationUnit != nil || ["a", "val", "value"].contains(name.axis?.rest)
        }
        if titles.contains(where: { SensorKind(title: $0) == .accelerometer }) {
            self = .acceleration
        } else if let file, file != .accelerometer {
            self = .other(file)
        } else if file == .accelerometer, !names.isEmpty {
            self = .acceleration
        } else {
            self = isUsual ? .likely : .silent
        }
    }

    /// The least log-odds, by the values, of columns that are read.
    ///
    /// The bounds come from the first confusion of `Notebooks/sensor_check.py`. Of excerpts of 2 to 240 s from its
    /// training data, the shipped network decides 2 to 3 in 1,000 wrongly at the bound of ``silent``.
    var leastLogOdds: Float {
        switch self {
        case .given: -.infinity
        case .acceleration: -8
        case .likely: -1
        case .silent: 0
        case .other: 5
        }
    }

    /// The fewest seconds of values that are sure where the titles say that gravity is missing.
    static let fewestSecondsAgainstTitles = 20

    /// The log-odds above which no warning is needed.
    static let certain: Float = 0
}
