internal import Footfall

/// A command to a device.
public struct WireCommand: Hashable, Sendable {
    /// The bytes to send.
    public var bytes: [UInt8]
    /// The purpose in a few words.
    public var purpose: String
    /// The pause before the next command, in seconds.
    public var pause: Double

    /// Creates a command.
    public init(bytes: [UInt8], purpose: String, pause: Double = 0.2) {
        self.bytes = bytes
        self.purpose = purpose
        self.pause = pause
    }
}

extension WireProtocol {
    /// The commands that make a device send acceleration about `rate` times a second, with a time where the device has
    /// one.
    ///
    /// If the device does not have this rate, they set the next higher one, or the highest. Some devices store the
    /// settings permanently, so send the commands only on request. Nil for text lines, which have no commands, and for
    /// a rate out of range.
    ///
    /// - Parameter rate: Readings per second, in hertz, 0.01…10,000.
    public func configuration(rate: Double) -> [WireCommand]? {
        guard (0.01...10_000).contains(rate) else { return nil }
        switch self {
        case .text: return nil
        case .witmotion: return WitMotionParser.configuration(rate: rate)
        case .xsens: return XsensParser.configuration(rate: rate)
        case .ximu3: return XIMU3Parser.configuration(rate: rate)
        case .mavlink: return MAVLinkParser.configuration(rate: rate)
        }
    }
}

extension WitMotionParser {
    /// Registers of the standard protocol: `FF AA register low high`.
    static func configuration(rate: Double) -> [WireCommand] {
        func write(_ register: UInt8, _ value: UInt16, _ purpose: String) -> WireCommand {
            WireCommand(
                bytes: [0xFF, 0xAA, register, UInt8(truncatingIfNeeded: value), UInt8(value >> 8)], purpose: purpose)
        }
        // Slower rates show no gait.
        let rates: [(hertz: Double, code: UInt16)] = [(10, 0x06), (20, 0x07), (50, 0x08), (100, 0x09), (200, 0x0B)]
        let choice = rates.first { $0.hertz >= rate } ?? (200, 0x0B)
        let timeAndAcceleration: UInt16 = 0b11
        return [
            write(0x69, 0xB588, "unlock"),
            write(0x02, timeAndAcceleration, "send time and acceleration"),
            write(0x03, choice.code, "send \(Int(clamping: choice.hertz)) times a second"),
            write(0x00, 0, "store these settings"),
        ]
    }
}

extension XsensParser {
    /// Configuration mode sets the outputs; measurement mode sends them.
    static func configuration(rate: Double) -> [WireCommand] {
        func message(_ identifier: UInt8, _ data: [UInt8], _ purpose: String) -> WireCommand {
            let checked = [singleDevice, identifier, UInt8(data.count)] + data
            return WireCommand(bytes: [preamble] + checked + [0 &- checked.reduce(0, &+)], purpose: purpose)
        }
        func output(_ quantity: UInt16, _ hertz: UInt16) -> [UInt8] {
            [UInt8(quantity >> 8), UInt8(quantity & 0xFF), UInt8(hertz >> 8), UInt8(hertz & 0xFF)]
        }
        let hertz = UInt16(clamping: min(rate.rounded(.up), 2000))
        // All ones is the rate of an item in every message.
        let outputs = output(0x1020, 0xFFFF) + output(0x1060, 0xFFFF) + output(0x4020, hertz)
        return [
            message(0x30, [], "go to configuration"),
            message(0xC0, outputs, "send packet counter, time and acceleration \(hertz) times a second"),
            message(0x10, [], "go to measurement"),
        ]
    }
}

extension XIMU3Parser {
    /// The sensor samples at 400 Hz. A message is the mean of as many samples as the divisor.
    static func configuration(rate: Double) -> [WireCommand] {
        let divisor = max(1, min(400, Int(clamping: 400 / rate)))
        func setting(_ text: String, _ purpose: String) -> WireCommand {
            WireCommand(bytes: Array("{\(text)}\n".utf8), purpose: purpose)
        }
        return [
            setting(
                "\"inertial_message_rate_divisor\":\(divisor)", "send acceleration \(400 / divisor) times a second"),
            setting("\"apply\":null", "apply these settings"),
        ]
    }
}

extension MAVLinkParser {
    /// COMMAND_LONG with MAV_CMD_SET_MESSAGE_INTERVAL for RAW_IMU and HIGHRES_IMU. An autopilot has at least one of
    /// them.
    static func configuration(rate: Double) -> [WireCommand] {
        [(27, "RAW_IMU"), (105, "HIGHRES_IMU")].map { identifier, name in
            WireCommand(
                bytes: commandLong(511, [Float(identifier), Float((1_000_000 / rate).rounded())]),
                purpose: "send \(name) every \(Int(clamping: (1_000_000 / rate).rounded())) µs")
        }
    }

    private static func commandLong(_ command: UInt16, _ parameters: [Float]) -> [UInt8] {
        let (identifier, extra): (UInt8, UInt8) = (76, 152)
        // From a ground station to every system and component.
        let (groundStation, component): (UInt8, UInt8) = (255, 190)
        var payload: [UInt8] = []
        for index in 0..<7 {
            let bits = (index < parameters.count ? parameters[index] : 0).bitPattern
            payload += (0..<4).map { UInt8(truncatingIfNeeded: bits >> ($0 * 8)) }
        }
        payload += [UInt8(command & 0xFF), UInt8(command >> 8), 0, 0, 0]
        let checked = [UInt8(payload.count), 0, groundStation, component, identifier] + payload
        let checksum = checksum(checked.span, 0..<checked.count, extra)
        return [0xFE] + checked + [UInt8(checksum & 0xFF), UInt8(checksum >> 8)]
    }
}
