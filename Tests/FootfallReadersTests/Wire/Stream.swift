import Footfall
import FootfallReaders
import Testing

/// The same hundred readings in each protocol and each of its forms.
struct Stream: Sendable, CustomTestStringConvertible {
    var testDescription: String
    var wire: WireProtocol
    /// Frames, or groups of frames, with one reading each.
    var frames: [[UInt8]]
    /// Whether frames have a checksum.
    var isChecked = true
    /// The bytes of a frame that hold its reading.
    var body: @Sendable ([UInt8]) -> Range<Int>

    init(
        _ name: String, _ wire: WireProtocol, isChecked: Bool = true,
        body: @escaping @Sendable ([UInt8]) -> Range<Int> = { $0.indices }, _ frame: (Int, SIMD3<Float>) -> [UInt8]
    ) {
        testDescription = name
        self.wire = wire
        self.isChecked = isChecked
        self.body = body
        frames = (0..<100).map { frame($0, Sway.milligravity($0)) }
    }

    /// The second of four frames of 11 bytes.
    private static let witmotionBody: @Sendable ([UInt8]) -> Range<Int> = { _ in 11..<22 }
    /// Header, payload and checksum of the first message, without a signature.
    private static let mavlink2Body: @Sendable ([UInt8]) -> Range<Int> = { 0..<Int($0[1]) + 12 }

    static let all: [Stream] = [
        Stream("text", .text, isChecked: false) { Array("\($0 * 20),\($1.x),\($1.y),\($1.z)\r\n".utf8) },
        Stream("text with labels", .text, isChecked: false) {
            Array("ms:\($0 * 20) ax:\($1.x) ay:\($1.y) az:\($1.z)\n".utf8)
        },
        Stream("WitMotion", .witmotion) { Encode.witmotion(acceleration: $1) },
        Stream("WitMotion with all its frames", .witmotion, body: witmotionBody) {
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
        Stream("MAVLink 2", .mavlink, body: mavlink2Body) {
            Encode.mavlink2(116, extra: 76, Encode.scaledIMU($1, milliseconds: UInt32($0) * 20), isSigned: $0 % 3 == 0)
        },
        Stream("MAVLink with HIGHRES_IMU", .mavlink, body: mavlink2Body) {
            Encode.mavlink2(105, extra: 93, Encode.highresIMU($1 * 9.80665, microseconds: UInt64($0) * 20_000))
                + Encode.mavlink1(0, extra: 50, [1, 2, 3, 4, 5, 6, 7, 8, 9])
        },
    ]

    var bytes: [UInt8] { frames.flatMap { $0 } }
}
