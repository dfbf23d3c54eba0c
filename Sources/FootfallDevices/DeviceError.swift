#if canImport(Darwin)
    internal import Darwin
#else
    internal import Glibc
#endif

/// Why a device could not be used: what happened, to which device, and what to do about it.
public struct DeviceError: Error, Hashable, Sendable {
    /// The kinds of failure a program may want to tell apart.
    public enum Reason: Hashable, Sendable {
        /// There is no such device, or nobody answers at the address.
        case missing
        /// The device may not be read. With the group that may, as far as it is known.
        case notPermitted(group: String?)
        /// Another program has it open.
        case busy
        /// There is something of that name, but it is not a device of this kind.
        case notADevice(String)
        /// A serial port cannot be set to this speed.
        case unknownBaud(Int)
        /// An address that cannot be read.
        case malformedAddress
        /// Anything else, in the system's words.
        case failed(String)
    }

    /// What happened.
    public var reason: Reason
    /// The device it happened to.
    public var device: String

    /// Creates an error.
    public init(_ reason: Reason, device: String) {
        self.reason = reason
        self.device = device
    }
}

extension DeviceError: CustomStringConvertible {
    /// What happened, to which device, and what to do.
    public var description: String { "\(device): \(what) \(remedy)" }

    private var what: String {
        switch reason {
        case .missing: "there is no such device, or it does not answer."
        case .notPermitted: "no permission."
        case .busy: "another program is using it."
        case .notADevice(let kind): "is \(kind), not a device."
        case .unknownBaud(let baud): "a serial port has no speed of \(baud) baud."
        case .malformedAddress: "cannot be read as a device."
        case .failed(let message): "\(message)."
        }
    }

    private var remedy: String {
        switch reason {
        case .missing: "Plug it in or start it; “footfall devices” lists what is there."
        case .notPermitted(let group?):
            "Join the group \(group), “sudo usermod -aG \(group) $USER”, and log in again."
        case .notPermitted(nil): "A udev rule can give it to you; see the page on running as a service."
        case .busy: "Close that program, or a modem manager that probes new ports."
        case .notADevice: "A recording is read by “footfall analyze”, or by “footfall live --replay”."
        case .unknownBaud: "Common are \(SerialPort.commonSpeeds)."
        case .malformedAddress:
            "Write a serial port such as /dev/ttyUSB0, - for standard input, udp://:5555, tcp://host:port or iio:0."
        case .failed: "Check the device and its cable."
        }
    }
}

extension DeviceError {
    /// Puts a code of the system in the terms of a device.
    init(code: Int32, device: String) {
        switch code {
        case ENOENT, ENXIO, ENODEV, ECONNREFUSED, EHOSTUNREACH, ENETUNREACH, ETIMEDOUT, EIO:
            self.init(.missing, device: device)
        case EACCES, EPERM: self.init(.notPermitted(group: Self.group(of: device)), device: device)
        case EBUSY, EADDRINUSE, EWOULDBLOCK: self.init(.busy, device: device)
        default: self.init(.failed(String(cString: strerror(code))), device: device)
        }
    }

    /// The group that may read a file, unless that is everybody's or the administrator's.
    private static func group(of path: String) -> String? {
        var status = stat()
        guard stat(path, &status) == 0, status.st_gid != 0, let entry = getgrgid(status.st_gid) else { return nil }
        return String(cString: entry.pointee.gr_name)
    }
}
