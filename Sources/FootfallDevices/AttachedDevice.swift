#if canImport(Darwin)
    internal import Darwin
#else
    internal import Glibc
#endif

/// Something on this machine that could be read live: a serial port or an accelerometer, with what the kernel knows of it.
///
/// Whether a serial port has an accelerometer behind it, only listening to it can tell.
public struct AttachedDevice: Hashable, Sendable {
    /// Where to find it. A serial port has its name in `/dev/serial/by-id` where there is one: it stays when ports change.
    public var address: DeviceAddress
    /// The file of the device, such as `/dev/ttyUSB0`.
    public var path: String
    /// What it calls itself.
    public var name: String?
    /// Who made it.
    public var manufacturer: String?
    /// The kernel's driver.
    public var driver: String?
    /// The USB vendor and product, such as `1a86:7523`.
    public var usbIdentifier: String?
    /// Readings a second that an accelerometer is set to.
    public var sampleRate: Double?
    /// Whether this process may use it.
    public var isPermitted: Bool

    /// All there are, serial ports first.
    ///
    /// - Parameter root: Where `/sys` and `/dev` are found.
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
            // Virtual terminals have no device behind them; a UART of type 0 is not there.
            guard ports.has(name + "/device"), ports.text(name + "/type") != "0" else { return nil }
            let path = "\(root)/dev/\(name)"
            let resolved = AttributeFolder(path: root + "/dev").target(name) ?? path
            let usb = usbFolder(ports.target(name + "/device"), root)
            let identifiers = [usb?.text("idVendor"), usb?.text("idProduct")].compactMap { $0 }
            return AttachedDevice(
                address: .serial(path: stableNames[resolved] ?? path), path: path, name: usb?.text("product"),
                manufacturer: usb?.text("manufacturer"),
                driver: ports.target(name + "/device/driver").map { lastComponent($0) },
                usbIdentifier: identifiers.count == 2 ? identifiers.joined(separator: ":") : nil, sampleRate: nil,
                isPermitted: access(path, R_OK | W_OK) == 0)
        }
    }

    /// The folder of the USB device that a port belongs to: a few levels up, where the vendor is.
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
        let devices = AttributeFolder(path: root + IIODevice.folder)
        return devices.names.compactMap { name in
            guard name.hasPrefix("iio:device"), let number = Int(name.dropFirst("iio:device".count)),
                let accelerometer = IIOAccelerometer(AttributeFolder(path: "\(devices.path)/\(name)"))
            else { return nil }
            return AttachedDevice(
                address: .iio(number), path: "\(root)/dev/\(name)", name: accelerometer.name, manufacturer: nil,
                driver: devices.target(name + "/device/driver").map { lastComponent($0) }, usbIdentifier: nil,
                sampleRate: accelerometer.sampleRate,
                isPermitted: access("\(accelerometer.folder.path)/in_accel_x_raw", R_OK) == 0)
        }
    }

    private static func lastComponent(_ path: String) -> String {
        path.split(separator: "/").last.map(String.init) ?? path
    }
}
