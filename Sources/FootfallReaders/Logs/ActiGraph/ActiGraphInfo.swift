internal import Footfall
internal import Foundation

/// The content of the member `info.txt` of an ActiGraph recording.
struct ActiGraphInfo: Sendable {
    let serialNumber: String
    let deviceType: String
    let firmware: String
    /// Samples per second.
    let sampleRate: Double?
    /// The configured start of the recording, in nanoseconds since 1970 on the logger's clock.
    let start: Int64?
    /// How far the logger's clock is ahead of UTC, in seconds.
    let timeZone: Int64?
    /// Units per g.
    let scale: Double?
    /// The range in g.
    let range: Double?
    /// The voltage of the battery, in V.
    let battery: Float?

    /// Reads lines such as `Sample Rate: 30`. Values may hold colons and decimal commas, and the text may begin with a
    /// byte order mark.
    init(_ text: [UInt8]) {
        var values: [String: String] = [:]
        for line in String(decoding: text, as: UTF8.self).split(whereSeparator: \.isNewline) {
            let parts = line.split(separator: ":", maxSplits: 1)
            guard parts.count == 2 else { continue }
            let key = parts[0].filter { $0.isLetter || $0.isNumber }.lowercased()
            values[key] = parts[1].trimmingCharacters(in: .whitespaces)
        }
        func number(_ key: String) -> Double? {
            values[key].flatMap { Double($0.replacingOccurrences(of: ",", with: ".")) }
        }
        serialNumber = String((values["serialnumber"] ?? "").printable.prefix(40))
        deviceType = String((values["devicetype"] ?? "").printable.prefix(40))
        firmware = values["firmware"] ?? ""
        sampleRate = number("samplerate").flatMap { ActiGraphInfo.rates.contains($0) ? $0 : nil }
        start = values["startdate"].flatMap { Int64($0) }.flatMap(ActiGraphInfo.nanoseconds(ticks:))
        timeZone = values["timezone"].flatMap(ActiGraphInfo.seconds)
        scale = number("accelerationscale").flatMap { ActiGraphInfo.scales.contains($0) ? $0 : nil }
        battery = number("batteryvoltage").flatMap { $0 > 0 && $0 < 100 ? Float($0) : nil }
        range = number("accelerationmax").flatMap { $0 > 0 && $0 < 1000 ? $0 : nil }
    }

    /// Plausible sample rates, in Hz. Loggers have 30…100 Hz.
    static let rates = 1.0...256
    /// Plausible units per g. Loggers have 256 or 341; those with an IMU 2048.
    static let scales = 1.0...65536

    /// Units per g of a logger that does not state them: older ones resolve ±6 g, newer ones ±8 g, in 12 bits.
    var usualScale: Double { ["NEO", "CLE", "MRA"].contains { serialNumber.hasPrefix($0) } ? 341 : 256 }

    /// Whether x and y are rotated by a right angle, as firmware 1.6.0 of one model writes them.
    var isTurned: Bool { serialNumber.hasPrefix("MOS") && firmware == "1.6.0" }

    func layout(sampleRate: Double, _ utcOffset: UTCOffset) -> RecordingLayout {
        let serial = serialNumber.isEmpty ? "ActiGraph" : serialNumber
        return RecordingLayout(
            device: deviceType.isEmpty ? serial : "\(serial) (\(deviceType))", sampleRate: sampleRate, range: range,
            utcOffset: Int(utcOffset.seconds), utcOffsetEvidence: utcOffset.evidence,
            statedOffset: timeZone.map(Int.init))
    }

    /// .NET counts tenths of microseconds since the year 1.
    private static func nanoseconds(ticks: Int64) -> Int64? {
        let (elapsed, underflow) = ticks.subtractingReportingOverflow(621_355_968_000_000_000)
        let (nanoseconds, overflow) = elapsed.multipliedReportingOverflow(by: 100)
        guard !underflow, !overflow, Timestamp.supported.contains(Timestamp(nanosecondsSince1970: nanoseconds)) else {
            return nil
        }
        return nanoseconds
    }

    /// The seconds in text such as `-04:00:00`.
    private static func seconds(_ text: String) -> Int64? {
        let parts = text.drop { $0 == "-" || $0 == "+" }.split(separator: ":").map { Int64($0) ?? -1 }
        guard (2...3).contains(parts.count), (0...18).contains(parts[0]), parts.allSatisfy({ (0..<60).contains($0) })
        else { return nil }
        let seconds = parts[0] * 3600 + parts[1] * 60 + (parts.count > 2 ? parts[2] : 0)
        return text.hasPrefix("-") ? -seconds : seconds
    }
}

/// The conversion of units to g.
struct ActiGraphScale: Sendable {
    private var offset = SIMD4<Float>()
    private var x = SIMD4<Float>()
    private var y = SIMD4<Float>()
    private var z = SIMD4<Float>()

    /// Creates a scale with the same units per g on each axis.
    init(unitsPerG: Double) {
        let gain = Float(1 / unitsPerG)
        x[0] = gain
        y[1] = gain
        z[2] = gain
    }

    /// The factory calibration in the member `calibration.json`, for loggers that do not apply it. Method 2: an offset
    /// for each axis in units, and a symmetric matrix whose diagonal holds hundredths of units per g. The other
    /// elements are the difference to 250 units per g, in hundredths. Nil for another calibration.
    init?(calibration: [String: Any], sampleRate: Double) {
        func value(_ key: String) -> Double? {
            (calibration["\(key)_\(Int(clamping: sampleRate))"] as? NSNumber)?.doubleValue
        }
        func gain(_ key: String) -> Float? { value(key).map { Float(1 / ($0 * 0.01)) } }
        func mixture(_ key: String) -> Float? { value(key).map { Float(1 / ($0 * 0.01 + 250) - 1 / 250) } }
        guard let offsetX = value("offsetX"), let offsetY = value("offsetY"), let offsetZ = value("offsetZ"),
            let xx = gain("sensitivityXX"), let yy = gain("sensitivityYY"), let zz = gain("sensitivityZZ"),
            let xy = mixture("sensitivityXY"), let xz = mixture("sensitivityXZ"), let yz = mixture("sensitivityYZ"),
            [xx, yy, zz, xy, xz, yz].allSatisfy({ $0.isFinite && abs($0) < 1 })
        else { return nil }
        offset = SIMD4(Float(offsetX), Float(offsetY), Float(offsetZ), 0)
        x = SIMD4(xx, xy, xz, 0)
        y = SIMD4(xy, yy, yz, 0)
        z = SIMD4(xz, yz, zz, 0)
    }

    /// The acceleration in g of these units.
    @inline(__always)
    func acceleration(_ units: SIMD4<Float>) -> SIMD4<Float> {
        let from = units - offset
        return x * from[0] + y * from[1] + z * from[2]
    }

    /// The scale of the content of `calibration.json`, and whether the calibration was applied or why not. Both are nil
    /// without a file, and for samples that the logger has calibrated.
    static func calibrated(by content: [UInt8]?, sampleRate: Double) -> (scale: ActiGraphScale?, outcome: String?) {
        guard let content else { return (nil, nil) }
        guard let json = try? JSONSerialization.jsonObject(with: Data(content)), let values = json as? [String: Any]
        else { return (nil, "not applied: it is damaged") }
        if (values["isCalibrated"] as? NSNumber)?.boolValue == true { return (nil, nil) }
        let method = (values["calibrationMethod"] as? NSNumber)?.intValue
        guard method == 2 else { return (nil, "not applied: its method is \(method.map(String.init) ?? "not said")") }
        guard let scale = ActiGraphScale(calibration: values, sampleRate: sampleRate) else {
            return (nil, "not applied: it has no values for \(Int(clamping: sampleRate)) Hz")
        }
        return (scale, "applied")
    }
}
