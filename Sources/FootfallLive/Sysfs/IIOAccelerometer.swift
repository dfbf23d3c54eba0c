internal import Footfall
internal import FootfallReaders
internal import Foundation

/// The properties of an IIO accelerometer in sysfs.
struct IIOAccelerometer: Sendable {
    static let devices = "/sys/bus/iio/devices"
    static let axes = ["x", "y", "z"]

    let folder: AttributeFolder
    /// The name in the driver.
    let name: String
    /// m/s² = (raw value + offset) · scale, for each axis.
    private let offsets: [Double]
    private let scales: [Double]
    /// The rotation from the sensor to the device, row by row.
    private let mounting: [Double]

    /// Reads the properties; nil when the folder is not that of an accelerometer.
    init?(_ folder: AttributeFolder) {
        guard folder.has("in_accel_x_raw") else { return nil }
        self.folder = folder
        name = folder.text("name") ?? "accelerometer"
        offsets = Self.axes.map { folder.number("in_accel_\($0)_offset") ?? folder.number("in_accel_offset") ?? 0 }
        scales = Self.axes.map { folder.number("in_accel_\($0)_scale") ?? folder.number("in_accel_scale") ?? 1 }
        let names = ["in_accel_mount_matrix", "in_mount_matrix", "mount_matrix"]
        let matrix = names.lazy.compactMap { folder.text($0) }.first ?? ""
        let numbers = matrix.split { ",; \t\n".contains($0) }.compactMap { Double($0) }
        mounting = numbers.count == 9 && numbers.allSatisfy(\.isFinite) ? numbers : [1, 0, 0, 0, 1, 0, 0, 0, 1]
    }

    /// Converts raw values to g.
    func reading(_ raw: [Double], at deviceTime: Int64?) -> WireReading {
        let value = (0..<3).map { (raw[$0] + offsets[$0]) * scales[$0] }
        let unit = Double(AccelerationUnit.metresPerSecondSquared.inG)
        let g = (0..<3).map { row in Float(unit * (0..<3).reduce(0) { $0 + mounting[3 * row + $1] * value[$1] }) }
        return WireReading(deviceTime: deviceTime, x: g[0], y: g[1], z: g[2])
    }

    private var rateName: String? { ["in_accel_sampling_frequency", "sampling_frequency"].first { folder.has($0) } }

    /// The sample rate in hertz; nil when the driver does not have it.
    var sampleRate: Double? { rateName.flatMap { folder.number($0) }.flatMap { $0 > 0 ? $0 : nil } }

    /// Sets the smallest available rate that is at least `rate`, or the largest one. A driver lists the rates in its
    /// own order, or states `[least step most]`.
    func setSampleRate(atLeast rate: Double) {
        guard let rateName, let available = folder.text(rateName + "_available") else { return }
        var rates = available.split { " []".contains($0) }
            .compactMap { text in Double(text).map { (text: String(text), hertz: $0) } }
            .filter { $0.hertz > 0 && $0.hertz.isFinite }
        if available.hasPrefix("[") {
            guard rates.count == 3 else { return }
            let (least, step, most) = (rates[0].hertz, rates[1].hertz, rates[2].hertz)
            let best = min(least + max(0, ((rate - least) / step).rounded(.up)) * step, most)
            rates = [("\(best)", best)]
        }
        let enough = rates.filter { $0.hertz >= rate }
        let best = enough.min { $0.hertz < $1.hertz } ?? rates.max { $0.hertz < $1.hertz }
        if let best { _ = folder.set(rateName, to: best.text) }
    }
}

/// A folder of sysfs: small files with one value each.
struct AttributeFolder: Sendable {
    let path: String

    /// The size of a page, which is the longest attribute of sysfs.
    private static let capacity = 4096

    func has(_ name: String) -> Bool { access("\(path)/\(name)", F_OK) == 0 }

    /// The trimmed text of an attribute; nil when it cannot be read.
    func text(_ name: String) -> String? {
        let descriptor = open("\(path)/\(name)", O_RDONLY | O_CLOEXEC)
        return descriptor < 0 ? nil : Self.text(Handle(descriptor))
    }

    /// The current text of an open attribute.
    static func text(_ handle: Handle) -> String? {
        var bytes = [UInt8](repeating: 0, count: capacity)
        let count = pread(handle.descriptor, &bytes, bytes.count, 0)
        guard count >= 0 else { return nil }
        return String(decoding: bytes.prefix(count), as: UTF8.self).trimmingCharacters(in: .whitespacesAndNewlines)
    }

    func number(_ name: String) -> Double? { text(name).flatMap { Double($0) }.flatMap { $0.isFinite ? $0 : nil } }

    /// Writes an attribute. Returns 0, or the error code of the system.
    func set(_ name: String, to value: String) -> Int32 {
        let descriptor = open("\(path)/\(name)", O_WRONLY | O_TRUNC | O_CLOEXEC)
        guard descriptor >= 0 else { return errno }
        let handle = Handle(descriptor)
        return Handle.write(Array(value.utf8)[...], to: handle.descriptor)
    }

    var names: [String] { FilePath.names(in: path) ?? [] }

    /// The target of a symbolic link; nil when there is none.
    func target(_ name: String) -> String? {
        guard let resolved = realpath("\(path)/\(name)", nil) else { return nil }
        defer { free(resolved) }
        return String(cString: resolved)
    }
}
