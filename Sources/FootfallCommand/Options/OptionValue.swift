public import ArgumentParser
public import Footfall
import FootfallEvaluation
import FootfallHistory
public import FootfallMeasures
import FootfallReaders
import FootfallServer
public import FootfallSimulator
import FootfallStudy
import FootfallTables
import Foundation

extension Activity: ExpressibleByArgument {}
extension Placement: ExpressibleByArgument {}
extension SensorPlacement: ExpressibleByArgument {}
extension BoutRule: ExpressibleByArgument {}
extension EpochLength: ExpressibleByArgument {}

extension Option {
    /// An option that is a parameter of a query.
    init<Read>(_ parameter: QueryParameter<Read>, short: Character? = nil) where Value == Read? {
        // A time may start with a minus, also behind a short name.
        self.init(
            name: Self.name(of: parameter, short), parsing: .unconditional,
            help: ArgumentHelp(parameter.meaning, valueName: parameter.valueName),
            completion: parameter.completion, transform: parameter.read)
    }

    /// An option that is a parameter of a query and may be repeated.
    init<Read>(wrappedValue: [Read], _ parameter: QueryParameter<Read>) where Value == [Read] {
        self.init(
            wrappedValue: wrappedValue, name: Self.name(of: parameter, nil), parsing: .unconditionalSingleValue,
            help: ArgumentHelp(parameter.meaning, valueName: parameter.valueName), completion: parameter.completion,
            transform: parameter.read)
    }

    /// An option with the name of its value in the help.
    init<Read: ExpressibleByArgument>(_ meaning: String, _ valueName: String, name: NameSpecification = .long)
    where Value == Read? {
        self.init(name: name, help: ArgumentHelp(meaning, valueName: valueName))
    }

    /// An option with the name of its value in the help, and a function that reads it.
    init<Read>(
        _ meaning: String, _ valueName: String, name: NameSpecification = .long,
        _ read: @Sendable @escaping (String) throws -> Read
    ) where Value == Read? {
        self.init(name: name, help: ArgumentHelp(meaning, valueName: valueName), transform: read)
    }

    /// An option that may be repeated.
    init<Read>(
        wrappedValue: [Read], _ meaning: String, _ valueName: String, name: NameSpecification = .long,
        _ read: @Sendable @escaping (String) throws -> Read
    ) where Value == [Read] {
        self.init(
            wrappedValue: wrappedValue, name: name, help: ArgumentHelp(meaning, valueName: valueName),
            transform: read)
    }

    private static func name(of parameter: some NamedParameter, _ short: Character?) -> NameSpecification {
        NameSpecification((short.map { [.customShort($0)] } ?? []) + [.customLong(parameter.name)])
    }
}

extension QueryParameter {
    fileprivate var completion: CompletionKind? { choices.isEmpty ? nil : .list(choices) }
}

/// Values of options. The argument parser puts the option and the invalid value before the message of an error.
enum OptionValue {
    /// A duration, or `forever`.
    static func retention(_ text: String) throws -> Retention {
        let limited = TimeExpression.span(text[...]).flatMap { $0 > 0 ? Retention(seconds: $0) : nil }
        return try require(text == "forever" ? .forever : limited, "a duration such as 30d, or forever")
    }

    /// The steps of a day that the wearer aims at.
    static func goal(_ text: String) throws -> Int {
        try require(Int(text).flatMap { (1...1_000_000).contains($0) ? $0 : nil }, "a number of steps such as 8000")
    }

    /// A factor; infinite for `max`.
    static func speed(_ text: String) throws -> Double {
        let factor = Double(text).flatMap { $0 > 0 && $0.isFinite ? $0 : nil }
        return try require(text == "max" ? .infinity : factor, "a number such as 10, or max")
    }

    /// A limit of a figure of an evaluation.
    static func requirement(_ text: String) throws -> Requirement {
        try require(Requirement(text), "a figure and its limit, such as 'mape<=5' or 'falsePerHour[hands]<=20'")
    }

    /// The file of a picture, which is an SVG document.
    static func picture(_ path: String) throws -> String {
        let ending = (path as NSString).pathExtension.lowercased()
        return try require(ending == "" || ending == "svg" ? path : nil, "the name of an SVG file, such as picture.svg")
    }

    /// A part of the day: a name and times of the clock.
    static func dayPart(_ text: String) throws -> DayPart {
        try require(DayPart(text), "a name and two times of one day, such as 'school 08:00-13:00'")
    }

    /// A published set of cut points by its name, or own ones.
    static func cutPoints(_ text: String) throws -> IntensityCutPoints {
        do {
            if let cutPoints = try IntensityCutPoints(text: text) { return cutPoints }
        } catch {
            throw ValidationError(error.description)
        }
        throw ValidationError(
            "Write a set that 'footfall help cut-points' lists, or a measure and two or three numbers, such as "
                + "enmo:45,100,430 (light, moderate, vigorous in mg), mad:91,414 (moderate, vigorous) or "
                + "counts-y:100,1952,5725 (counts per minute; also counts-vm).")
    }

    /// The start that a time expression denotes; see ``TimeExpression``.
    static func start(_ text: String, in zone: TimeZone) throws -> Timestamp {
        do {
            if let time = try TimeExpression(text).supportedTime(in: zone, now: Date()) { return time }
        } catch {
            throw ValidationError("--start: \(error)")
        }
        throw ValidationError("--start \(text): write a time from 1900 to 2150.")
    }

    /// A condition for the rows of a sensor log.
    static func rows(_ text: String) throws -> RowCondition {
        try require(RowCondition(text), "COLUMN=VALUE, such as user=33, or 2=1 for the second column")
    }

    /// A column of a sensor log.
    static func column(_ text: String) throws -> SensorColumns.Column {
        try require(SensorColumns.Column(text.trimmingCharacters(in: .whitespaces)), "a title, or a number from 1")
    }

    /// Columns of a sensor log, by name or by number from 1.
    static func columns(_ text: String) throws -> SensorColumns {
        guard !text.split(separator: ",").contains(where: { Int($0.trimmingCharacters(in: .whitespaces)) == 0 }) else {
            throw ValidationError("Columns are numbered from 1: write 1,2,3,4 for the first four.")
        }
        return try require(SensorColumns(text), "different columns as time,x,y,z or 1,2,3,4, or without a time x,y,z")
    }

    /// A unit of acceleration, or a number of raw counts per g.
    static func unit(_ text: String) throws -> AccelerationScale {
        let counts = Float(text).flatMap { (0.001...1e6).contains($0) ? AccelerationScale.counts(perG: $0) : nil }
        let units: [String: AccelerationScale] = [
            "g": .g, "mg": .mg, "mss": .metresPerSecondSquared, "m/s2": .metresPerSecondSquared,
            "m/s²": .metresPerSecondSquared,
        ]
        return try require(units[text] ?? counts, "g, mg, mss, or how many counts are one g, such as 16384")
    }

    /// The raw counts at 0 g.
    static func zero(_ text: String) throws -> SIMD3<Float> {
        try require(CountCoding(zero: text)?.zero, "a number such as 338, or one for each axis, such as 338,331,345")
    }

    /// A numeric address of a host, in the form in which the system prints it.
    static func address(_ text: String) throws -> String {
        var name = [CChar](repeating: 0, count: Int(INET6_ADDRSTRLEN))
        let family = text.contains(":") ? AF_INET6 : AF_INET
        var bytes = [UInt8](repeating: 0, count: 16)
        let isValid =
            inet_pton(family, text, &bytes) == 1 && inet_ntop(family, bytes, &name, socklen_t(name.count)) != nil
        let printed = String(decoding: name.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
        return try require(isValid ? printed : nil, "a numeric address, such as 192.168.1.17")
    }

    static func listener(_ text: String) throws -> ServerAddress {
        try require(ServerAddress(text), "127.0.0.1:8321, [::1]:8321, 0.0.0.0:8321 or unix:PATH")
    }

    /// A name of this machine in an address: `ServerAccess` compares it with the name that a client asks for.
    static func host(_ text: String) throws -> String {
        let isName = text.wholeMatch(of: /[A-Za-z0-9_-]+(\.[A-Za-z0-9_-]+)*/) != nil
        return try require(isName ? text : nil, "a name such as pi.lan, without a port; addresses in numbers need none")
    }

    static func timeUnit(_ text: String) throws -> TimeUnit {
        try require(TimeUnit(rawValue: text == "us" ? "µs" : text), "s, ms, us or ns")
    }

    private static func require<Value>(_ value: Value?, _ valid: String) throws -> Value {
        guard let value else { throw ValidationError("Write \(valid).") }
        return value
    }
}
