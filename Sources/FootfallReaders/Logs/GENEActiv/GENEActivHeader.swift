internal import Footfall

/// The content of the lines above the pages of a GENEActiv recording.
struct GENEActivHeader: Sendable {
    /// Units of 1/100 per g along x, y and z.
    let gain: SIMD4<Float>
    /// The offset that is subtracted from 100 times the units.
    let offset: SIMD4<Float>
    /// Samples per second, as set.
    let sampleRate: Double
    let serialNumber: String
    /// How far the logger's clock is ahead of UTC, in seconds.
    let utcOffset: Int64?
    /// The largest acceleration that can be measured, in g.
    let range: Double?

    /// The line that begins each page, and ends the header.
    static let pageTitle = Array("Recorded Data".utf8)

    /// Reads `Key:value` lines; values may be padded with blanks or zero bytes.
    ///
    /// - Throws: ``Refusal`` when what is needed to read samples is missing.
    init(_ text: String) throws(Refusal) {
        var values: [String: String] = [:]
        for line in text.split(whereSeparator: \.isNewline) {
            let parts = line.split(separator: ":", maxSplits: 1)
            guard parts.count == 2 else { continue }
            values[parts[0].lowercased()] = String(parts[1].filter { $0 != "\0" })
        }
        func number(_ key: String) -> Double? {
            values[key].flatMap { $0.split(separator: " ").first }.flatMap { Double($0) }
        }
        var gain = SIMD4<Float>(repeating: 1)
        var offset = SIMD4<Float>()
        for (index, axis) in ["x", "y", "z"].enumerated() {
            guard let gains = number("\(axis) gain"), gains > 0, let offsets = number("\(axis) offset") else {
                throw Refusal(
                    "a GENEActiv recording without its calibration (\(axis) gain, \(axis) offset)",
                    remedy: "extract it again")
            }
            gain[index] = Float(gains)
            offset[index] = Float(offsets)
        }
        guard let rate = number("measurement frequency"), rate >= 1, rate <= 1000 else {
            throw Refusal(
                "a GENEActiv recording without its measurement frequency", remedy: "extract it again")
        }
        self.gain = gain
        self.offset = offset
        sampleRate = rate
        serialNumber = String((values["device unique serial code"] ?? "").printable.prefix(40))
        utcOffset = values["time zone"].flatMap(GENEActivHeader.seconds)
        range = values["accelerometer range"].flatMap { $0.split(separator: " ").last }.flatMap { Double($0) }
    }

    /// The seconds in text such as `GMT +01:00`.
    private static func seconds(_ zone: String) -> Int64? {
        let text = zone.filter { !$0.isWhitespace }.lowercased()
        guard text.hasPrefix("gmt") || text.hasPrefix("utc") else { return nil }
        let parts = text.dropFirst(3).split { !$0.isNumber }.map { Int64($0) ?? 99 }
        guard let hours = parts.first else { return 0 }
        let minutes = parts.count > 1 ? parts[1] : 0
        guard hours <= 18, minutes < 60 else { return nil }
        return (hours * 3600 + minutes * 60) * (text.contains("-") ? -1 : 1)
    }
}
