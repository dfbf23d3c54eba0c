internal import Footfall
internal import FootfallReaders
internal import Foundation

/// The buffer of an IIO device, from which the kernel returns readings with their times.
final class IIOBuffer: Sendable {
    /// The capacity in readings.
    private static let length = 256
    /// The bytes of one read.
    static let chunk = 1 << 14

    let handle: Handle
    let scan: IIOScan
    private let settings: [Setting]

    private struct Setting {
        var folder: AttributeFolder
        var name: String
        var before: String
    }

    struct Unavailable: Error {
        var reason: String
    }

    init(_ accelerometer: IIOAccelerometer, number: Int, root: String) throws(Unavailable) {
        let folder = accelerometer.folder
        let buffer = AttributeFolder(path: folder.path + "/buffer")
        let elements = AttributeFolder(
            path: folder.path + (folder.has("scan_elements") ? "/scan_elements" : "/buffer0"))
        guard buffer.has("enable"), elements.has("in_accel_x_en") else {
            throw Unavailable(reason: "the driver has no buffer")
        }
        guard buffer.text("enable") != "1" else { throw Unavailable(reason: "another program uses its buffer") }
        var settings: [Setting] = []
        do throws(Unavailable) {
            for axis in IIOAccelerometer.axes { try Self.set("in_accel_\(axis)_en", "1", in: elements, &settings) }
            if elements.has("in_timestamp_en") { try Self.set("in_timestamp_en", "1", in: elements, &settings) }
            try Self.setTrigger(accelerometer, number: number, root: root, &settings)
            if buffer.has("length") { try Self.set("length", "\(Self.length)", in: buffer, &settings) }
            scan = try Self.layout(elements)
            try Self.set("enable", "1", in: buffer, &settings)
            let path = "\(root)/dev/iio:device\(number)"
            let descriptor = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC)
            guard descriptor >= 0 else { throw Unavailable(reason: "\(path): \(String(cString: strerror(errno)))") }
            handle = Handle(descriptor)
            self.settings = settings
        } catch {
            Self.undo(settings)
            throw error
        }
    }

    deinit { Self.undo(settings) }

    func readings(in scans: ArraySlice<UInt8>, of accelerometer: IIOAccelerometer) -> [WireReading] {
        let axes = IIOAccelerometer.axes.compactMap { scan.elements["in_accel_\($0)"] }
        guard axes.count == 3 else { return [] }
        return stride(from: scans.startIndex, to: scans.endIndex, by: scan.size).map { start in
            let bytes = scans[start..<start + scan.size]
            let time = scan.elements["in_timestamp"]?.value(in: bytes)
            return accelerometer.reading(axes.map { Double($0.value(in: bytes)) }, at: time)
        }
    }

    private static func set(
        _ name: String, _ value: String, in folder: AttributeFolder, _ settings: inout [Setting]
    ) throws(Unavailable) {
        let before = folder.text(name) ?? ""
        guard before != value else { return }
        let code = folder.set(name, to: value)
        guard code == 0 else {
            throw Unavailable(reason: "\(folder.path)/\(name): \(String(cString: strerror(code)))")
        }
        settings.append(Setting(folder: folder, name: name, before: before))
    }

    /// Restores attributes in reverse order. The last one, `enable`, locks all others while it is set.
    private static func undo(_ settings: [Setting]) {
        for setting in settings.reversed() where !setting.before.isEmpty {
            _ = setting.folder.set(setting.name, to: setting.before)
        }
    }

    /// Selects a trigger, the device's own if possible. A device without the attribute needs none.
    private static func setTrigger(
        _ accelerometer: IIOAccelerometer, number: Int, root: String, _ settings: inout [Setting]
    ) throws(Unavailable) {
        let trigger = AttributeFolder(path: accelerometer.folder.path + "/trigger")
        guard let current = trigger.text("current_trigger"), current.isEmpty else { return }
        let devices = AttributeFolder(path: root + IIOAccelerometer.devices)
        let names = devices.names.filter { $0.hasPrefix("trigger") }.compactMap { devices.text($0 + "/name") }
        let own = names.first { $0 == "\(accelerometer.name)-dev\(number)" }
        guard let name = own ?? names.first(where: { $0.hasPrefix(accelerometer.name) }) ?? names.first else {
            throw Unavailable(reason: "there is no trigger for it")
        }
        try set("current_trigger", name, in: trigger, &settings)
    }

    /// The layout of all enabled channels, including those that another program enabled.
    private static func layout(_ elements: AttributeFolder) throws(Unavailable) -> IIOScan {
        var channels: [(name: String, index: Int, element: IIOScan.Element)] = []
        for file in elements.names where file.hasSuffix("_en") && elements.text(file) == "1" {
            let name = String(file.dropLast("_en".count))
            guard let index = elements.text(name + "_index").flatMap({ Int($0) }),
                let type = elements.text(name + "_type"), let element = IIOScan.Element(type)
            else { throw Unavailable(reason: "the format of its channel \(name) is unknown") }
            channels.append((name, index, element))
        }
        return IIOScan(channels)
    }
}

/// The layout of a scan, which is one reading of all enabled channels.
///
/// Linux's `Documentation/ABI/testing/sysfs-bus-iio` defines it: channels are in the order of their index, each at a
/// multiple of its own size. The scan is a multiple of the largest.
struct IIOScan: Sendable {
    /// The format of a value: `[be|le]:[s|u]bits/storagebits[Xrepeat][>>shift]`.
    struct Element: Sendable {
        var isBigEndian: Bool
        var isSigned: Bool
        var bits: Int
        var bytes: Int
        var count: Int
        var shift: Int
        var offset = 0

        /// Parses a format; nil for an unknown one.
        init?(_ type: String) {
            let format = #/(be|le):(s|u)([0-9]{1,4})/([0-9]{1,4})(?:X([0-9]{1,4}))?(?:>>([0-9]{1,4}))?/#
            guard let match = type.wholeMatch(of: format), let bits = Int(match.3), let storage = Int(match.4)
            else { return nil }
            isBigEndian = match.1 == "be"
            isSigned = match.2 == "s"
            count = match.5.flatMap { Int($0) } ?? 1
            shift = match.6.flatMap { Int($0) } ?? 0
            guard count > 0, [8, 16, 32, 64].contains(storage), bits > 0, shift + bits <= storage else { return nil }
            (self.bits, bytes) = (bits, storage / 8)
        }

        func value(in scan: ArraySlice<UInt8>) -> Int64 {
            let start = scan.startIndex + offset
            let stored = scan[start..<start + bytes]
            let ordered = isBigEndian ? Array(stored) : stored.reversed()
            let raw = ordered.reduce(UInt64(0)) { $0 << 8 | UInt64($1) } >> UInt64(shift)
            // Shifting up removes the bits above the value; shifting down extends the sign.
            let top = raw << UInt64(64 - bits)
            return isSigned
                ? Int64(bitPattern: top) >> Int64(64 - bits) : Int64(truncatingIfNeeded: top >> UInt64(64 - bits))
        }
    }

    private(set) var elements: [String: Element] = [:]
    private(set) var size = 0

    init(_ channels: [(name: String, index: Int, element: Element)]) {
        var largest = 1
        for channel in channels.sorted(by: { $0.index < $1.index }) {
            var element = channel.element
            let length = element.bytes * element.count
            element.offset = Self.aligned(size, to: length)
            size = element.offset + length
            largest = max(largest, length)
            elements[channel.name] = element
        }
        size = Self.aligned(size, to: largest)
    }

    private static func aligned(_ offset: Int, to size: Int) -> Int { (offset + size - 1) / size * size }
}
