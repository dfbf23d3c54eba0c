internal import Footfall
internal import FootfallWire

/// What an accelerometer of the IIO subsystem says about itself in sysfs.
struct IIOAccelerometer: Sendable {
    /// The axes, in order.
    static let axes = ["x", "y", "z"]

    let folder: AttributeFolder
    /// What the driver calls it.
    let name: String
    /// What is added to a raw value, and what it is then multiplied with for m/s².
    private let offsets: [Double]
    private let scales: [Double]
    /// How it is mounted, row by row.
    private let mounting: [Double]

    /// Reads what an accelerometer says; nil when the folder is none's.
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

    /// A reading of raw values.
    func reading(_ raw: [Double], at deviceTime: Int64?) -> WireReading {
        let value = (0..<3).map { (raw[$0] + offsets[$0]) * scales[$0] }
        let unit = Double(AccelerationUnit.metresPerSecondSquared.inG)
        let g = (0..<3).map { row in Float(unit * (0..<3).reduce(0) { $0 + mounting[3 * row + $1] * value[$1] }) }
        return WireReading(deviceTime: deviceTime, x: g[0], y: g[1], z: g[2])
    }

    /// The attribute that holds the rate.
    private var rateName: String? {
        ["in_accel_sampling_frequency", "sampling_frequency"].first { folder.has($0) }
    }

    /// Readings a second, as it is set; nil when it does not say.
    var sampleRate: Double? { rateName.flatMap { folder.number($0) }.flatMap { $0 > 0 ? $0 : nil } }

    /// Sets the smallest rate it offers that is no less than one, or the largest there is.
    func setSampleRate(atLeast rate: Double) {
        guard let rateName, let offered = folder.text(rateName + "_available") else { return }
        let rates = offered.split(separator: " ").filter { Double($0) ?? 0 > 0 }
        let best = rates.first { Double($0) ?? 0 >= rate } ?? rates.last
        if let best { _ = folder.set(rateName, to: String(best)) }
    }
}
