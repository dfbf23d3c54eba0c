internal import Footfall
internal import FootfallHistory
internal import Foundation
internal import NIOHTTP1

/// The parameters of a query, which have the names of the command's options.
struct QueryParameters {
    /// The longest value in Unicode scalars, as `maxLength` in JSON Schema.
    static let longestValue = 256

    private let parameters: [Request.Parameter]

    /// Checks the parameters of a query.
    ///
    /// - Throws: ``Problem`` for unknown, repeated and long parameters.
    init(_ parameters: [Request.Parameter], of endpoint: Endpoint) throws {
        try self.init(parameters, known: endpoint.parameters.map(\.rawValue))
    }

    /// Checks the names and the lengths of parameters.
    ///
    /// - Throws: ``Problem`` for unknown, repeated and long parameters.
    init(_ parameters: [Request.Parameter], known: [String]) throws {
        var seen: Set<String> = []
        for (name, value) in parameters {
            guard known.contains(name) else {
                let remedy = known.isEmpty ? "This address has none." : "Write one of \(known.joined(separator: ", "))."
                throw Problem(.badRequest, "There is no such parameter. \(remedy)", parameter: name.limited)
            }
            guard value.unicodeScalars.count <= Self.longestValue else {
                throw Problem(
                    .badRequest, "The value is too long. Write at most \(Self.longestValue) characters.",
                    parameter: name)
            }
            guard seen.insert(name).inserted || name == "activity" else {
                throw Problem(.badRequest, "The parameter occurs twice. Write it once.", parameter: name)
            }
        }
        self.parameters = parameters
    }

    /// The value of a parameter; nil without it.
    ///
    /// - Throws: ``Problem`` for an invalid value.
    func value<Value>(_ name: String, _ read: (String) throws -> Value) throws -> Value? {
        try values(name, read).first
    }

    /// All values of a parameter.
    ///
    /// - Throws: ``Problem`` for an invalid value.
    func values<Value>(_ name: String, _ read: (String) throws -> Value) throws -> [Value] {
        try parameters.filter { $0.name == name }.map {
            try naming(name) { [value = $0.value] in try read(value) }
        }
    }

    /// Names the parameter in the error of a value.
    func naming<Value>(_ name: String, _ read: () throws -> Value) throws -> Value {
        do {
            return try read()
        } catch let error as QueryValue.Invalid {
            throw Problem(.badRequest, error.description, parameter: name)
        } catch let error as TimeExpression.Invalid {
            throw Problem(.badRequest, error.description, parameter: name)
        }
    }

    /// The ends of the range, and the zone of times; nil where the query does not state them.
    ///
    /// - Throws: ``Problem`` for an invalid value.
    func ends() throws -> (since: TimeExpression?, until: TimeExpression?, zone: TimeZone?) {
        (
            try value("since", TimeExpression.init), try value("until", TimeExpression.init),
            try value("tz", Self.zone)
        )
    }

    /// The zone of a name. A name with dots or NUL could be another path in the folder of zones.
    private static func zone(_ name: String) throws -> TimeZone {
        guard !name.contains(".."), !name.utf8.contains(0) else {
            return try QueryValue.require(nil, "the name of a time zone")
        }
        return try QueryValue.zone(name)
    }

    /// Whether a flag is set.
    ///
    /// - Throws: ``Problem`` for a value other than `true` and `false`.
    func flag(_ name: String) throws -> Bool {
        try value(name) { try QueryValue.require(["true": true, "false": false][$0], "true or false") } ?? false
    }
}

extension String {
    /// The beginning of a text from outside, for a message.
    fileprivate var limited: String { String(prefix(40)) }
}
