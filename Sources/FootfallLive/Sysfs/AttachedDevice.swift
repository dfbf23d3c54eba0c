internal import Footfall
internal import Foundation

/// A serial port or an accelerometer of this machine, as the kernel describes it.
///
/// A serial port may belong to another kind of device.
public struct AttachedDevice: Hashable, Sendable {
    /// The address. For a serial port it is the name in `/dev/serial/by-id`, if any, which does not change.
    public var address: DeviceAddress
    /// The path of the device, such as `/dev/ttyUSB0`.
    public var path: String
    /// The name of the product.
    public var name: String?
    /// The manufacturer.
    public var manufacturer: String?
    /// The kernel's driver.
    public var driver: String?
    /// The USB vendor and product, such as `1a86:7523`.
    public var usbIdentifier: String?
    /// The serial number on USB; nil without one that tells the device from others of its kind.
    public var usbSerial: String?
    /// The USB port that the device is plugged into, such as `1-1.2`.
    public var usbPort: String?
    /// The sample rate of an accelerometer in hertz.
    public var sampleRate: Double?
    /// Whether this process has permission to use the device.
    public var isPermitted: Bool

    /// All devices, serial ports first.
    ///
    /// - Parameter root: The folder of `sys` and `dev`.
    public static func all(root: String = "/") -> [AttachedDevice] {
        let root = root == "/" ? "" : root
        return serialPorts(root) + accelerometers(root)
    }

    private static func serialPorts(_ root: String) -> [AttachedDevice] {
        let ports = AttributeFolder(path: root + "/sys/class/tty")
        let stable = AttributeFolder(path: root + "/dev/serial/by-id")
        let stableNames = Dictionary(
            stable.names.compactMap { name in stable.target(name).map { ($0, "\(stable.path)/\(name)") } }
        ) { first, _ in first }
        return ports.names.compactMap { name in
            // Virtual terminals have no device. A UART of type 0 does not exist.
            guard ports.has(name + "/device"), ports.text(name + "/type") != "0" else { return nil }
            let path = "\(root)/dev/\(name)"
            let resolved = AttributeFolder(path: root + "/dev").target(name) ?? path
            let usb = usbFolder(ports.target(name + "/device"), root)
            let identifiers = [usb?.text("idVendor"), usb?.text("idProduct")].compactMap { $0 }
            return AttachedDevice(
                address: .serial(path: stableNames[resolved] ?? path), path: path, name: usb?.text("product"),
                manufacturer: usb?.text("manufacturer"),
                driver: ports.target(name + "/device/driver").map { lastComponent($0) },
                usbIdentifier: identifiers.count == 2 ? identifiers.joined(separator: ":") : nil,
                usbSerial: usb?.text("serial").flatMap { isSpecific($0) ? $0 : nil },
                usbPort: usb.map { lastComponent($0.path) }, isPermitted: access(path, R_OK | W_OK) == 0)
        }
    }

    /// Whether a serial number tells a device from others: cheap bridges all have `0001`. Other characters could act in
    /// a udev rule.
    private static func isSpecific(_ serial: String) -> Bool {
        serial.utf8.count >= leastSerialLength
            && serial.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber || "-_.:".contains($0)) }
    }

    /// The characters of a serial number that a maker counts up.
    private static let leastSerialLength = 6

    /// The folder of the USB device of a port: the first parent with a vendor.
    private static func usbFolder(_ path: String?, _ root: String) -> AttributeFolder? {
        var path = path ?? ""
        while path.count > root.count + 1, let slash = path.lastIndex(of: "/") {
            let folder = AttributeFolder(path: path)
            if folder.has("idVendor") { return folder }
            path = String(path[..<slash])
        }
        return nil
    }

    private static func accelerometers(_ root: String) -> [AttachedDevice] {
        let devices = AttributeFolder(path: root + IIOAccelerometer.devices)
        return devices.names.compactMap { name in
            guard name.hasPrefix("iio:device"), let number = Int(name.dropFirst("iio:device".count)),
                let accelerometer = IIOAccelerometer(AttributeFolder(path: "\(devices.path)/\(name)"))
            else { return nil }
            return AttachedDevice(
                address: .iio(number), path: "\(root)/dev/\(name)", name: accelerometer.name,
                driver: devices.target(name + "/device/driver").map { lastComponent($0) },
                sampleRate: accelerometer.sampleRate,
                isPermitted: access("\(accelerometer.folder.path)/in_accel_x_raw", R_OK) == 0)
        }
    }

    /// A rule for udev that gives this serial port alone the name `/dev/footfall`, the group `dialout`, and peace from
    /// ModemManager; nil for an accelerometer.
    ///
    /// A device on USB is known by its serial number, or by its port if it has none of its own.
    public var udevRule: String? {
        guard case .serial = address else { return nil }
        let identifiers = usbIdentifier?.split(separator: ":") ?? []
        let usb =
            identifiers.count == 2
            ? [#"ATTRS{idVendor}=="\#(identifiers[0])""#, #"ATTRS{idProduct}=="\#(identifiers[1])""#] : []
        let name =
            usbSerial.map { #"ATTRS{serial}=="\#($0)""# } ?? usbPort.map { #"KERNELS=="\#($0)""# }
            ?? #"KERNEL=="\#(Self.lastComponent(path))""#
        let key = ([#"SUBSYSTEM=="tty""#] + usb + [name]).joined(separator: ", ")
        return key
            + #", SYMLINK+="footfall", GROUP="dialout", MODE="0660", ENV{ID_MM_DEVICE_IGNORE}="1", TAG+="systemd""#
    }

    private static func lastComponent(_ path: String) -> String {
        path.split(separator: "/").last.map(String.init) ?? path
    }
}
