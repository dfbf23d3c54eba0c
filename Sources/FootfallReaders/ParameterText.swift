/// A text that names parameters, such as a remedy that proposes a unit.
///
/// The parameters are typed, so that each interface can name them in its own way. ``description`` names those of Swift,
/// as in “give unit='mg'”. The command says “give --unit mg” instead.
public struct ParameterText: Hashable, Sendable {
    /// A parameter of `TraceOptions`, ``TextLineOptions`` or a serial port, with the value that the text proposes, if
    /// any.
    public enum Parameter: Hashable, Sendable {
        /// The columns to read.
        case columns(SensorColumns? = nil)
        /// The unit of acceleration.
        case unit(AccelerationScale? = nil)
        /// The number at 0 g.
        case zero(CountCoding? = nil)
        /// The unit of a column of times.
        case timeUnit(TimeUnit? = nil)
        /// Samples per second.
        case sampleRate(Double? = nil)
        /// The name of the zone of date-times without a zone.
        case timeZone(String? = nil)
        /// The time of the first sample.
        case start
        /// A condition for rows, such as `user=33`.
        case rows(String? = nil)
        /// A column of which each value is a series.
        case each(String? = nil)
        /// The speed of a serial port.
        case baud
    }

    private enum Part: Hashable {
        case words(String)
        case parameters([Parameter])
    }

    private var parts: [Part] = []

    /// Creates a text that names no parameter.
    public init(_ words: String) { append(.words(words)) }

    /// The text in which an interface names the parameters.
    ///
    /// - Parameters:
    ///   - separator: The text between several parameters in a row.
    ///   - name: Names a parameter and its value.
    public func text(separator: String = ", ", naming name: (Parameter) -> String) -> String {
        parts.map { part in
            switch part {
            case .words(let words): words
            case .parameters(let list): list.map(name).joined(separator: separator)
            }
        }.joined()
    }

    /// One text after another.
    public static func + (left: ParameterText, right: ParameterText) -> ParameterText {
        var sum = left
        for part in right.parts { sum.append(part) }
        return sum
    }

    /// Joins words to words, so that equal texts have equal parts.
    private mutating func append(_ part: Part) {
        switch (parts.last, part) {
        case (_, .words("")): break
        case (.words(let left), .words(let right)): parts[parts.count - 1] = .words(left + right)
        default: parts.append(part)
        }
    }
}

extension ParameterText: CustomStringConvertible {
    /// The text with the names of the parameters in Swift.
    public var description: String { text { $0.text(named: $0.name) } }
}

extension ParameterText: ExpressibleByStringInterpolation {
    /// The parts of an interpolated text.
    public struct StringInterpolation: StringInterpolationProtocol {
        fileprivate var text = ParameterText("")

        /// Creates an empty text.
        public init(literalCapacity: Int, interpolationCount: Int) {}

        /// Appends words.
        public mutating func appendLiteral(_ words: String) { text.append(.words(words)) }
        /// Appends a value in words.
        public mutating func appendInterpolation(_ value: some Any) { appendLiteral("\(value)") }
        /// Appends a text with its parameters.
        public mutating func appendInterpolation(_ other: ParameterText) { text = text + other }
        /// Appends a parameter.
        public mutating func appendInterpolation(_ parameter: Parameter) { appendInterpolation([parameter]) }
        /// Appends several parameters in a row.
        public mutating func appendInterpolation(_ parameters: [Parameter]) { text.append(.parameters(parameters)) }
    }

    /// Creates a text from words.
    public init(stringLiteral words: String) { self.init(words) }
    /// Creates a text from words and parameters.
    public init(stringInterpolation: StringInterpolation) { self = stringInterpolation.text }
}

extension ParameterText.Parameter {
    /// The name of the parameter in Swift.
    public var name: String {
        switch self {
        case .columns: "columns"
        case .unit: "unit"
        case .zero: "zero"
        case .timeUnit: "timeUnit"
        case .sampleRate: "sampleRate"
        case .timeZone: "timeZone"
        case .start: "start"
        case .rows: "rows"
        case .each: "each"
        case .baud: "baud"
        }
    }

    /// The proposed value as text, such as `time,x,y,z`, `m/s²` or `16384`; nil without one.
    public var value: String? {
        switch self {
        case .columns(let columns): columns?.description
        case .unit(.counts(let perG)): Int(exactly: perG).map(String.init) ?? "\(perG)"
        case .unit(let unit): unit?.description
        case .zero(let coding): coding?.zeroText
        case .timeUnit(let unit): unit?.rawValue
        case .sampleRate(let hertz): hertz.map { "\($0)" }
        case .timeZone(let text), .rows(let text), .each(let text): text
        case .start, .baud: nil
        }
    }

    /// The parameter as an argument: `'columns'`, or with a value `columns='time,x,y,z'`, `unit=16384`.
    package func text(named name: String) -> String {
        guard let value else { return "'\(name)'" }
        return "\(name)=" + (Double(value) == nil ? "'\(value)'" : value)
    }
}
