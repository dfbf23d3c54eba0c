/// A name in a line, which may be that of a device or a person.
struct DeviceName: Hashable, Sendable {
    enum Place: Hashable, Sendable {
        /// The value of a key or a label that says so, such as `device`.
        case key(String)
        /// The words before the first value, such as `Sensor 1`, or those of them with letters.
        case words, letters
        /// A number before the text, such as `[1]`.
        case number

        var isStated: Bool { if case .key = self { true } else { false } }

        /// Whether names at this place are certainly those of devices: words that differ, or numbers behind a word that
        /// says so. Other numbers may be the places in a list.
        func isCertain(_ names: [DeviceName]) -> Bool {
            if case .key(let key) = self, key.lowercased() != "id", !Self.isTag(key) { return true }
            let words = Set(names.map { $0.name.filter(\.isLetter) })
            return words.count > 1 || words.contains { ColumnName($0).namesDevice }
        }

        /// Whether whole numbers behind a key may tell sensors apart, as the types of Android's events do.
        static func isTag(_ key: String) -> Bool {
            ["type", "sensortype", "kind", "s"].contains(ColumnName(key).plain)
        }
    }

    var name: String
    var place: Place

    /// Whether the name states no other sensor. The letters g and m are those of a gyroscope and a magnetometer.
    var mayBeOfAcceleration: Bool {
        ColumnName(name).otherSensor == nil && !["g", "m"].contains(name.lowercased())
    }
}

/// The vectors of one of several devices, as the lines write them, so that ``GravityCheck`` finds their unit.
struct DeviceSeries {
    let device: DeviceName
    private(set) var layout: TextLayout
    let vectors: [SIMD3<Float>]
    /// The unit in which they are gravity.
    let unit: AccelerationScale?
    /// The number of fields.
    private let width: Int?

    /// The most devices of a stream, as of a table whose series take turns.
    static let most = 16

    init(_ device: DeviceName, _ layout: TextLayout, _ lines: [TextLine], _ parts: [JSONLine.Part]) {
        (self.device, self.layout, width) = (device, layout, lines.first?.fields.count)
        (self.layout.scale, self.layout.coding) = (.g, CountCoding())
        var reader = TextReader(self.layout)
        vectors = zip(lines, parts).compactMap { reader.vector($0, $1) }
        unit = GravityCheck(vectors).scale
    }

    /// Whether a device sends acceleration like another. The words before the values may be those of another thing,
    /// which has another form or unit, or fewer lines.
    func isLike(_ other: DeviceSeries) -> Bool {
        guard unit != nil, !device.place.isStated else { return unit != nil }
        return unit == other.unit && width == other.width && vectors.count * 2 >= other.vectors.count
            && ColumnName.filters(in: device.name) == ColumnName.filters(in: other.device.name)
    }
}

extension TextLine {
    /// What may name the device of a line; beside its keys, where it has three numbers.
    func devices(_ part: JSONLine.Part) -> [DeviceName] {
        guard fields.count(where: { $0.number != nil }) >= 3 else { return part.devices }
        let text = part.text.span
        var devices = part.devices
        for field in fields where !field.labelRange.isEmpty && field.number?.isWhole ?? false {
            let label = text.string(field.labelRange)
            guard ColumnName(label).namesDevice || DeviceName.Place.isTag(label) else { continue }
            devices.append(DeviceName(name: text.string(field.range), place: .key(label)))
        }
        if let number { devices.append(DeviceName(name: text.string(number), place: .number)) }
        let first = fields.firstIndex { field in
            if case .word = field.content { false } else { ColumnName(text.string(field.labelRange)).timeRank == nil }
        }
        guard let first else { return devices }
        let before = first > 0 && fields[0].number != nil ? fields[first - 1].range.upperBound : start
        var words = text.string(before..<fields[first].range.lowerBound).split { !$0.isLetter && !$0.isNumber }
        var second = fields[first].label
        second?.place = 1
        let isAxis = second != nil && !fields.contains { $0.label == second }
        if isAxis, let last = words.last, ColumnName(String(last)).axis != nil { words.removeLast() }
        for (place, words) in [(.words, words), (.letters, words.filter { $0.contains(where: \.isLetter) })]
            as [(DeviceName.Place, [Substring])] where !words.isEmpty
        {
            devices.append(DeviceName(name: words.joined(separator: " "), place: place))
        }
        return devices
    }
}
