internal import FootfallReaders

extension ParameterText {
    /// The text with the options of `footfall_trace_options`, which are the arguments of `footfall.read` in Python.
    var inC: String { text { $0.text(named: $0.nameInC) } }
}

extension ParameterText.Parameter {
    /// The name of the option in Python and C. The unit is `per_g` in C, the zone `time_zone`.
    var nameInC: String {
        switch self {
        case .timeUnit: "time_unit"
        case .sampleRate: "rate"
        case .timeZone: "tz"
        case .columns, .unit, .zero, .start, .rows, .each, .baud: name
        }
    }
}
