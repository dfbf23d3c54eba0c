internal import Footfall

/// Parses the messages of an x-IMU3, binary and text, from USB, serial lines, sockets and `.ximu3` logs. Layout: x-io
/// Technologies, "x-IMU3 User Manual", communication protocol. Every message ends with a new line, which occurs only
/// there. Its first byte gives its kind. There is no checksum: a message is valid if it has the length of its kind and
/// values within the range of the sensor.
struct XIMU3Parser: StreamParser {
    /// In bytes; the device's answers are shorter.
    private static let longestMessage = 4096
    private static let inertial = UInt8(ascii: "I")
    /// The first byte of a binary message is its letter with this bit set.
    private static let binaryBit: UInt8 = 0x80
    private static let escape: UInt8 = 0xDB
    private static let escapedNewline: UInt8 = 0xDC
    private static let escapedEscape: UInt8 = 0xDD
    /// The length of letter, time, angular rate and acceleration.
    private static let inertialLength = 1 + 8 + 24
    /// The range of the accelerometer is ±16 g; calibration may extend it slightly.
    private static let limitG: Float = 20
    /// The range of the gyroscope is ±2000 °/s.
    private static let limitDegreesPerSecond: Float = 4000

    private(set) var quality = WireQuality()
    /// Messages with acceleration.
    private(set) var inertialMessages = 0
    private(set) var clockOrigin: ClockOrigin?
    private var isDiscarding = false
    /// The wall time from the device, until a message gives the time on its clock.
    private var wallTime: Timestamp?
    private var message: [UInt8] = []

    mutating func reset() {
        isDiscarding = false
        wallTime = nil
    }

    mutating func parse(_ bytes: Span<UInt8>, isEnd: Bool, into readings: inout [WireReading]) -> Int {
        var start = 0
        for position in bytes.indices where bytes[position] == ASCII.newline {
            if isDiscarding {
                quality.skippedBytes += position + 1 - start
                isDiscarding = false
            } else if position - start <= Self.longestMessage {
                read(bytes, start..<position, into: &readings)
            } else {
                quality.skippedBytes += position + 1 - start
            }
            start = position + 1
        }
        if isDiscarding || bytes.count - start > Self.longestMessage {
            quality.skippedBytes += bytes.count - start
            isDiscarding = true
            start = bytes.count
        }
        return start
    }

    private mutating func read(_ bytes: Span<UInt8>, _ range: Range<Int>, into readings: inout [WireReading]) {
        guard let first = range.first.map({ bytes[$0] }) else {
            quality.skippedBytes += 1
            return
        }
        switch first {
        case UInt8(ascii: "{"):
            quality.frames += 1
            wallTime = Self.wallTime(bytes, range) ?? wallTime
        case UInt8(ascii: "A")...UInt8(ascii: "Z"): readText(bytes, range, into: &readings)
        case UInt8(ascii: "A") | Self.binaryBit...UInt8(ascii: "Z") | Self.binaryBit:
            readBinary(bytes, range, into: &readings)
        case UInt8(ascii: "^"):
            // A forwarded message of another device.
            quality.frames += 1
        default: quality.skippedBytes += range.count + 1
        }
    }

    private mutating func readBinary(_ bytes: Span<UInt8>, _ range: Range<Int>, into readings: inout [WireReading]) {
        guard unstuff(bytes, range), let first = message.first else {
            quality.damagedFrames += 1
            return
        }
        guard first == Self.inertial | Self.binaryBit else {
            quality.frames += 1
            return
        }
        guard message.count == Self.inertialLength,
            let time = Int64(exactly: message.span.littleEndian(UInt64.self, at: 1))
        else {
            quality.damagedFrames += 1
            return
        }
        let gyroscope = message.span.floatVector(at: 9)
        let accelerometer = message.span.floatVector(at: 21)
        emit(microseconds: time, gyroscope: gyroscope, accelerometer: accelerometer, &readings)
    }

    /// Removes the byte stuffing and stores the result in `message`. Returns false after an invalid escape.
    private mutating func unstuff(_ bytes: Span<UInt8>, _ range: Range<Int>) -> Bool {
        message.removeAll(keepingCapacity: true)
        var isEscaped = false
        for index in range {
            let byte = bytes[index]
            switch (isEscaped, byte) {
            case (false, Self.escape): isEscaped = true
            case (false, _): message.append(byte)
            case (true, Self.escapedNewline): message.append(ASCII.newline)
            case (true, Self.escapedEscape): message.append(Self.escape)
            default: return false
            }
            if byte != Self.escape { isEscaped = false }
        }
        return !isEscaped
    }

    private mutating func readText(_ bytes: Span<UInt8>, _ range: Range<Int>, into readings: inout [WireReading]) {
        let end = bytes[range.upperBound - 1] == UInt8(ascii: "\r") ? range.upperBound - 1 : range.upperBound
        guard range.count >= 2, bytes[range.lowerBound + 1] == UInt8(ascii: ",") else {
            quality.skippedBytes += range.count + 1
            return
        }
        guard bytes[range.lowerBound] == Self.inertial else {
            quality.frames += 1
            return
        }
        guard let (time, values) = Self.inertialValues(bytes, range.lowerBound + 2..<end) else {
            quality.damagedFrames += 1
            return
        }
        emit(
            microseconds: time, gyroscope: SIMD3(values[0], values[1], values[2]),
            accelerometer: SIMD3(values[3], values[4], values[5]), &readings)
    }

    /// Microseconds and six values, separated by commas.
    private static func inertialValues(_ bytes: Span<UInt8>, _ range: Range<Int>) -> (Int64, SIMD8<Float>)? {
        var values = SIMD8<Float>.zero
        var time: Int64?
        var field = 0
        var start = range.lowerBound
        for position in range.lowerBound...range.upperBound {
            guard position == range.upperBound || bytes[position] == UInt8(ascii: ",") else { continue }
            guard field < 7, let number = DecimalNumber(bytes, start..<position) else { return nil }
            if field == 0 {
                guard number.isWhole, let microseconds = number.nanoseconds(power: 0) else { return nil }
                time = microseconds
            } else {
                values[field - 1] = Float(number.double)
            }
            field += 1
            start = position + 1
        }
        guard field == 7, let time else { return nil }
        return (time, values)
    }

    private mutating func emit(
        microseconds: Int64, gyroscope: SIMD3<Float>, accelerometer: SIMD3<Float>, _ readings: inout [WireReading]
    ) {
        let (time, overflow) = microseconds.multipliedReportingOverflow(by: 1000)
        let isWithinRange = (0..<3).allSatisfy {
            abs(accelerometer[$0]) <= Self.limitG && abs(gyroscope[$0]) <= Self.limitDegreesPerSecond
        }
        guard !overflow, time >= 0, isWithinRange else {
            quality.damagedFrames += 1
            return
        }
        if let wallTime, time < Timestamp.supported.upperBound.nanosecondsSince1970 {
            let origin = wallTime.nanosecondsSince1970 - time
            clockOrigin = ClockOrigin(time: Timestamp(nanosecondsSince1970: origin), isLocal: true)
            self.wallTime = nil
        }
        quality.frames += 1
        inertialMessages += 1
        quality.add(accelerometer, at: time, to: &readings)
    }

    // MARK: Wall time

    /// The time in `{"time":"2026-01-02 03:04:05"}`; nil in other messages.
    private static func wallTime(_ bytes: Span<UInt8>, _ range: Range<Int>) -> Timestamp? {
        let text = bytes.string(range).filter { !$0.isWhitespace || $0 == " " }
        guard text.hasPrefix("{\"time\":") else { return nil }
        let numbers = text.split { !$0.isNumber }.compactMap { Int($0) }
        guard numbers.count >= 6 else { return nil }
        return Timestamp(
            year: numbers[0], month: numbers[1], day: numbers[2], hour: numbers[3], minute: numbers[4],
            second: numbers[5])
    }

    var layout: String? {
        inertialMessages > 0 ? "x-IMU3 inertial messages: x, y, z in g, time in µs since power on" : nil
    }
}
