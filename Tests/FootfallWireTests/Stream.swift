import Footfall
import FootfallWire
import Testing

/// A stream of each protocol: the same hundred readings, each way of writing them.
struct Stream: Sendable, CustomTestStringConvertible {
    var testDescription: String
    var wire: WireProtocol
    /// Frames with one reading each, and whatever stands before it.
    var frames: [[UInt8]]
    /// Whether a checksum tells damage.
    var isChecked = true

    init(_ name: String, _ wire: WireProtocol, isChecked: Bool = true, _ frame: (Int, SIMD3<Float>) -> [UInt8]) {
        testDescription = name
        self.wire = wire
        self.isChecked = isChecked
        frames = (0..<100).map { frame($0, Sway.milligravity($0)) }
    }

    static let all: [Stream] = [
        Stream("text", .text, isChecked: false) { Array("\($0 * 20),\($1.x),\($1.y),\($1.z)\r\n".utf8) },
        Stream("text with labels", .text, isChecked: false) {
            Array("ms:\($0 * 20) ax:\($1.x) ay:\($1.y) az:\($1.z)\n".utf8)
        },
        Stream("WitMotion", .witmotion) { Encode.witmotion(acceleration: $1) },
        Stream("WitMotion with all its frames", .witmotion) {
            Encode.witmotion(timeOfDay: $0 * 20) + Encode.witmotion(acceleration: $1)
                + Encode.witmotion(0x52, [0, 1, 2, 3, 4, 5, 6, 7]) + Encode.witmotion(0x53, [9, 9, 9, 9, 9, 9, 9, 9])
        },
        Stream("WitMotion on Bluetooth", .witmotion, isChecked: false) { Encode.record($1) },
        Stream("WitMotion on an SD card", .witmotion, isChecked: false) { Encode.record($1, timeOfDay: $0 * 20) },
        Stream("WitMotion on Wi-Fi", .witmotion, isChecked: false) { Encode.packet($1, timeOfDay: $0 * 20) },
        Stream("Xsens", .xsens) {
            Encode.xsens(SIMD3<Double>($1) * 9.80665, ticks: UInt32($0 * 200), format: UInt16($0 % 4))
        },
        Stream("x-IMU3", .ximu3, isChecked: false) { Encode.ximu3($1, microseconds: UInt64($0) * 20_000) },
        Stream("x-IMU3 in text", .ximu3, isChecked: false) {
            Array("I,\($0 * 20_000),0.1,0.2,0.3,\($1.x),\($1.y),\($1.z)\n".utf8)
        },
        Stream("MAVLink 1", .mavlink) {
            Encode.mavlink1(27, extra: 144, Encode.rawIMU($1, microseconds: UInt64($0) * 20_000))
        },
        Stream("MAVLink 2", .mavlink) {
            Encode.mavlink2(116, extra: 76, Encode.scaledIMU($1, milliseconds: UInt32($0) * 20), isSigned: $0 % 3 == 0)
        },
        Stream("MAVLink with HIGHRES_IMU", .mavlink) {
            Encode.mavlink2(105, extra: 93, Encode.highresIMU($1 * 9.80665, microseconds: UInt64($0) * 20_000))
                + Encode.mavlink1(0, extra: 50, [1, 2, 3, 4, 5, 6, 7, 8, 9])
        },
    ]

    var bytes: [UInt8] { frames.flatMap { $0 } }
}
