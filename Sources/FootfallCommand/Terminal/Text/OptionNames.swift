import FootfallLive
import FootfallReaders
import FootfallServer
import FootfallSimulator
import FootfallStudy

// Libraries speak of parameters. This file alone says which options of the command help instead.

extension ParameterText {
    /// The text with the options of the command.
    var asOptions: String {
        text(separator: " ") { parameter in parameter.arguments.map(\.shellWord).joined(separator: " ") }
    }
}

extension ParameterText {
    /// What helps a trace without a date that would replace another one in a history.
    static let forUndatedTrace: ParameterText = "give its --start, or --after-last to append it, or another --source"
}

extension DeviceError {
    /// The device, the problem and the command that helps.
    var asCommands: String {
        switch reason {
        case .missing where !isOnNetwork:
            "\(device): there is no such device, or it does not answer. Connect or start it; 'footfall devices' lists the "
                + "devices of this machine."
        case .notADevice(let kind):
            "\(device): it is \(kind) and cannot be read live. Read a recording with 'footfall analyze' or 'footfall live "
                + "--replay'."
        case .notPermitted(nil):
            "\(device): no permission. Add the udev rule that 'footfall devices --rule \(device.shellWord)' prints for a serial "
                + "port; see the page on running as a service."
        case .missing, .notPermitted, .busy, .unknownBaud, .malformedAddress, .failed: description
        }
    }
}

extension FileError {
    /// The file, the problem and the option that helps.
    var asOptions: String { access == .replacingForeign ? description + "; --force replaces it" : description }
}

extension SimulationError {
    /// The option, its value and the possible ones.
    var asOptions: String {
        guard case .outOfRange(let name, let value, let possible) = self else { return description }
        return "--\(name == "sampleRate" ? "rate" : name) \(value): it must be \(possible)"
    }
}

extension ServerError {
    /// The problem and the options that help.
    var asOptions: String {
        switch reason {
        case .needsToken: "\(problem). Give a --token-file, or --no-token to let everyone read."
        case .cannotListen: "\(problem). Choose another --listen address."
        case .addressInUse, .socketInUse: "\(problem). Stop it, or choose another --listen address."
        case .unreadableToken, .forbiddenToken, .exposedToken, .weakToken: description
        }
    }
}

extension String {
    /// The text as one word of a command line.
    var shellWord: String {
        let isPlain = !isEmpty && allSatisfy { $0.isLetter || $0.isNumber || "_-.,:/=+%@".contains($0) }
        return isPlain ? self : "'" + replacing("'", with: "'\\''") + "'"
    }
}

extension ParameterText.Parameter {
    /// The option, and its value if the text proposes one.
    var arguments: [String] {
        switch self {
        case .columns: ["--columns"] + (value.map { [$0] } ?? [])
        case .unit(.metresPerSecondSquared): ["--unit", "mss"]
        case .unit: ["--unit"] + (value.map { [$0] } ?? [])
        case .zero: ["--zero"] + (value.map { [$0] } ?? [])
        case .timeUnit(.microseconds): ["--time-unit", "us"]
        case .timeUnit: ["--time-unit"] + (value.map { [$0] } ?? [])
        case .sampleRate: ["--rate"] + (value.map { [$0] } ?? [])
        case .timeZone: ["--tz"] + (value.map { [$0] } ?? [])
        case .start: ["--start"]
        case .rows: ["--where"] + (value.map { [$0] } ?? [])
        case .each: ["--each"] + (value.map { [$0] } ?? [])
        case .baud: ["--baud"]
        }
    }
}
