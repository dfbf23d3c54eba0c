/// A line with an object of JSON as lines of labels and numbers, one for each sample in it.
/// `{"t":7,"acc":{"x":0.1,"y":0.2,"z":0.9}}` becomes `t:7 acc x:0.1 acc y:0.2 acc z:0.9`. An array of three numbers
/// stays behind its label. Arrays of samples, and arrays of the same length behind x, y and z, become a line for each
/// sample, all with the time of the object.
package struct JSONLine {
    /// A line for one sample.
    package struct Part: Sendable {
        package var text: [UInt8]
        /// The number of the sample, and how many share the time; 0 of 1 for a sample with a time of its own.
        package var index = 0
        package var count = 1
        /// The devices that texts of the object name, the outermost first.
        var devices: [DeviceName] = []
    }

    /// The most nested objects and arrays.
    private static let deepest = 12
    /// The most samples of one object.
    private static let mostSamples = 1024

    private indirect enum Value {
        case number(Range<Int>)
        case string(Range<Int>)
        case object([(key: String, value: Value)])
        case array([Value])
        case other
    }

    private let text: [UInt8]
    private var position: Int

    /// The lines of the first object or array of objects in a line; nil when there is none, or it is damaged.
    package static func parts(_ text: [UInt8]) -> [Part]? {
        guard let start = text.firstIndex(where: { $0 == UInt8(ascii: "{") }) else { return nil }
        let isArray = text[..<start].last { !$0.isBlank } == UInt8(ascii: "[")
        let before = isArray ? text[..<start].lastIndex(of: UInt8(ascii: "[")) ?? start : start
        var line = JSONLine(text, before)
        guard let value = line.value(depth: 0) else { return nil }
        var objects: [Members] = []
        switch value {
        case .object(let members): objects = [members]
        case .array(let values):
            for case .object(let members) in values { objects.append(members) }
        default: return nil
        }
        let prefix = text[..<min(before, LinePrefix(text.span).end)]
        var parts = objects.flatMap { line.parts(of: $0) }
        for index in parts.indices { parts[index].text.insert(contentsOf: prefix, at: 0) }
        return parts.isEmpty ? nil : parts
    }

    private init(_ text: [UInt8], _ start: Int) { (self.text, position) = (text, start) }

    // MARK: Reading

    private mutating func skipBlanks() {
        while position < text.count, text[position].isBlank { position += 1 }
    }

    private mutating func skip(_ mark: UInt8) -> Bool {
        skipBlanks()
        guard position < text.count, text[position] == mark else { return false }
        position += 1
        return true
    }

    private mutating func value(depth: Int) -> Value? {
        skipBlanks()
        guard position < text.count, depth < Self.deepest else { return nil }
        switch text[position] {
        case UInt8(ascii: "{"):
            return elements(to: UInt8(ascii: "}")) { $0.member(depth: depth + 1) }.map(Value.object)
        case UInt8(ascii: "["):
            return elements(to: UInt8(ascii: "]")) { $0.value(depth: depth + 1) }.map(Value.array)
        case ASCII.quote: return string().map(Value.string)
        default:
            let start = position
            while position < text.count, !",]}".utf8.contains(text[position]), !text[position].isBlank { position += 1 }
            guard start < position else { return nil }
            return DecimalNumber(text.span, start..<position) == nil ? .other : .number(start..<position)
        }
    }

    private mutating func string() -> Range<Int>? {
        let start = position + 1
        position = start
        while position < text.count, text[position] != ASCII.quote {
            position += text[position] == UInt8(ascii: "\\") ? 2 : 1
        }
        guard position < text.count else { return nil }
        position += 1
        return start..<position - 1
    }

    /// The elements between commas up to the byte that closes their list; nil where one is damaged.
    private mutating func elements<Element>(
        to close: UInt8, _ next: (inout JSONLine) -> Element?
    ) -> [Element]? {
        position += 1
        if skip(close) { return [] }
        var elements: [Element] = []
        repeat {
            guard let element = next(&self) else { return nil }
            elements.append(element)
        } while skip(ASCII.comma)
        return skip(close) ? elements : nil
    }

    private mutating func member(depth: Int) -> (key: String, value: Value)? {
        skipBlanks()
        guard position < text.count, text[position] == ASCII.quote, let key = string(), skip(ASCII.colon),
            let value = value(depth: depth)
        else { return nil }
        return (text.span.string(key), value)
    }

    // MARK: Samples

    private typealias Members = [(key: String, value: Value)]

    private func parts(of members: Members) -> [Part] {
        let count = min(samples(in: members, "") ?? 1, Self.mostSamples)
        var parts: [Part] = []
        for index in 0..<count {
            var line = Line()
            append(members, "", index, of: count, to: &line)
            let bytes = line.letters + line.others
            guard !bytes.isEmpty else { continue }
            var part = Part(text: bytes, devices: line.devices)
            if !line.hasOwnTime { (part.index, part.count) = (index, count) }
            parts.append(part)
        }
        return parts
    }

    /// The labels and numbers of a sample. Labels of one letter come first, so that they belong to no other label.
    private struct Line {
        var letters: [UInt8] = []
        var others: [UInt8] = []
        /// Whether a time is that of the sample, not of the object.
        var hasOwnTime = false
        var devices: [DeviceName] = []

        mutating func add(_ label: String, _ values: [UInt8]) {
            let text = label.utf8 + [ASCII.colon] + values + [ASCII.space]
            if label.utf8.count == 1 { letters += text } else { others += text }
        }
    }

    /// The number of samples that share the other members; nil for one.
    private func samples(in members: Members, _ path: String) -> Int? {
        for (key, value) in members {
            let name = Self.join(path, key)
            switch value {
            case .object(let members):
                if let count = samples(in: members, name) { return count }
            case .array(let values):
                if Self.areSamples(values, name) { return values.count }
                if let list = Self.vectors(values, name) { return list }
            default: break
            }
        }
        return nil
    }

    /// Whether each value belongs to another sample: vectors, objects, or the numbers of one axis.
    private static func areSamples(_ values: [Value], _ name: String) -> Bool {
        guard values.count > 0 else { return false }
        let areCompound = values.allSatisfy {
            switch $0 {
            case .object: true
            case .array(let inner): inner.count >= 3
            default: false
            }
        }
        if areCompound { return true }
        return values.count > 1 && areNumbers(values) && ColumnName(name).axisQuantity != nil
    }

    private static func areNumbers(_ values: [Value]) -> Bool {
        values.allSatisfy { if case .number = $0 { true } else { false } }
    }

    /// The number of vectors in one list of numbers, three for each; nil for fewer than three.
    private static func vectors(_ values: [Value], _ name: String) -> Int? {
        guard values.count >= 9, values.count.isMultiple(of: 3), areNumbers(values) else { return nil }
        let quantity = ColumnName.quantity(ColumnName(name).plain)
        return quantity == .acceleration || quantity == .likelyAcceleration ? values.count / 3 : nil
    }

    private func append(_ members: Members, _ path: String, _ index: Int, of count: Int, to line: inout Line) {
        let path = Self.join(path, sensor(members))
        let unit = unit(members)
        for (key, value) in members {
            let title = ColumnName(key)
            if title.namesDevice, let name = device(value) {
                line.devices.append(DeviceName(name: name, place: .key(key)))
            }
            // A time is that of all sensors beside it.
            let name = title.timeRank == nil ? Self.join(path, key) : Self.plain(key)
            append(value, name, unit, index, of: count, to: &line)
        }
    }

    private func append(
        _ value: Value, _ name: String, _ unit: String?, _ index: Int, of count: Int, to line: inout Line
    ) {
        switch value {
        case .number(let range):
            let unit = ColumnName(name).axis == nil ? nil : unit
            line.add(name, Array(text[range]) + (unit.map { [ASCII.space] + $0.utf8 } ?? []))
        case .string(let range):
            if let clock = clock(range, name) { line.add(name, clock) }
        case .object(let members): append(members, name, index, of: count, to: &line)
        case .array(let values):
            if count > 1, let list = Self.vectors(values, name), list == count {
                append(.array(Array(values[3 * index..<3 * index + 3])), name, unit, index, of: 1, to: &line)
            } else if count == values.count, Self.areSamples(values, name) || isTime(values, name, count) {
                let before = line.letters.count + line.others.count
                append(values[index], name, unit, 0, of: 1, to: &line)
                let isAdded = line.letters.count + line.others.count > before
                if isTime(values, name, count) || hasTime(values[index]) && isAdded { line.hasOwnTime = true }
            } else if Self.areNumbers(values), !Self.areSamples(values, name), !values.isEmpty {
                let numbers = values.prefix(16).map { value -> [UInt8] in
                    if case .number(let range) = value { text[range] + [ASCII.space] } else { [] }
                }
                line.add(name, numbers.flatMap { $0 } + (unit.map { Array($0.utf8) } ?? []))
            }
        case .other: break
        }
    }

    private func isTime(_ values: [Value], _ name: String, _ count: Int) -> Bool {
        count > 1 && Self.areNumbers(values) && ColumnName(name).timeRank != nil
    }

    private func hasTime(_ value: Value) -> Bool {
        guard case .object(let members) = value else { return false }
        return members.contains { ColumnName($0.key).timeRank != nil }
    }

    // MARK: Strings

    /// The sensor that a string names, such as `"sensor": "accelerometer"`.
    private func sensor(_ members: Members) -> String {
        for case (_, .string(let range)) in members where range.count < 40 {
            let name = text.span.string(range)
            if Self.isSensor(name) { return Self.plain(name) }
        }
        return ""
    }

    private static func isSensor(_ name: String) -> Bool {
        !name.utf8.contains(where: \.isDigit)
            && (SensorKind(title: name) != nil || ["acc", "accel"].contains(name.lowercased()))
    }

    /// The name of a device; nil for another value, and for the name of a sensor.
    private func device(_ value: Value) -> String? {
        guard case .string(let range) = value, !range.isEmpty, range.count < 40 else { return nil }
        let name = text.span.string(range)
        return Self.isSensor(name) ? nil : Self.plain(name)
    }

    private func unit(_ members: Members) -> String? {
        for case (let key, .string(let range)) in members where ["unit", "units"].contains(key.lowercased()) {
            let unit = text.span.string(range).lowercased()
            if ColumnName.accelerationUnit(unit) != nil { return unit }
        }
        return nil
    }

    /// A number or a date-time in quotes, in one word.
    private func clock(_ range: Range<Int>, _ name: String) -> [UInt8]? {
        let range = text.span.trimmed(range)
        guard !range.isEmpty, range.count <= 40 else { return nil }
        if DecimalNumber(text.span, range) != nil { return Array(text[range]) }
        guard Field.isDateOrTime(text.span, range) else { return nil }
        return text[range].map { $0 == ASCII.space ? UInt8(ascii: "T") : $0 }
    }

    private static func join(_ path: String, _ key: String) -> String {
        let key = plain(key)
        return path.isEmpty ? key : key.isEmpty ? path : path + " " + key
    }

    /// A key without what separates fields and labels.
    private static func plain(_ key: String) -> String {
        String(decoding: key.utf8.map { " \t,;:=|{}[]\"".utf8.contains($0) ? UInt8(ascii: "_") : $0 }, as: UTF8.self)
    }
}

extension [UInt8] {
    /// How many more braces open than close. A brace in a text counts, too.
    var openBraces: Int {
        reduce(0) { $0 + ($1 == UInt8(ascii: "{") ? 1 : $1 == UInt8(ascii: "}") ? -1 : 0) }
    }
}
