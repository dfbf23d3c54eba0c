public import Footfall
public import FootfallWire

/// A device that sends bytes: over a serial port, a pipe, UDP or TCP.
///
/// What arrives is recognised within two seconds, or taken for what it is said to be, and put on the host's clock.
///
/// ```swift
/// var device = WireDevice(.serial(path: "/dev/ttyUSB0"), baud: 9600)
/// device.onNotice = { print($0) }
/// for try await update in LiveMotion(device) { print(update.steps) }
/// ```
///
/// A serial port that is unplugged, or a server that hangs up, is tried again until it is back; the time between is a gap
/// in the samples. Only what is missing, busy or forbidden at the start is an error.
public struct WireDevice: MotionDevice {
    /// The speed of a serial port unless it is told: what most sketches and enclosed sensors use.
    public static let usualBaud = 115_200

    /// Where the device is.
    public let address: DeviceAddress
    private let baud: Int
    private let wire: WireProtocol?
    private let text: TextLineOptions
    private let clock: HostClock

    /// Told what the device has to say besides its samples, on a thread of the device.
    public var onNotice: (@Sendable (DeviceNotice) -> Void)?
    /// Given every byte as it arrives, on a thread of the device; for keeping what was sent.
    public var onBytes: (@Sendable ([UInt8]) -> Void)?
    /// Sent to the device whenever it has been opened, to set it up; see ``/FootfallWire/WireProtocol/configuration(rate:)``.
    /// Empty: nothing is ever sent.
    public var setup: [WireCommand] = []

    /// Creates a device, which is not touched before its batches are asked for.
    ///
    /// - Parameters:
    ///   - address: Where it is. For ``DeviceAddress/iio(_:)`` there is ``IIODevice``; here it is not found.
    ///   - baud: The speed of a serial port; elsewhere it does not matter.
    ///   - wire: What it sends; nil to recognise it.
    ///   - text: What is known beforehand about lines of text.
    public init(
        _ address: DeviceAddress, baud: Int = usualBaud, protocol wire: WireProtocol? = nil,
        text: TextLineOptions = TextLineOptions()
    ) {
        self.init(address, baud: baud, protocol: wire, text: text, clock: HostClock())
    }

    /// Creates a device on a host with another clock.
    package init(
        _ address: DeviceAddress, baud: Int = usualBaud, protocol wire: WireProtocol? = nil,
        text: TextLineOptions = TextLineOptions(), clock: HostClock
    ) {
        self.address = address
        self.baud = baud
        self.wire = wire
        self.text = text
        self.clock = clock
    }

    /// The address.
    public var name: String { address.description }

    /// Opens the device and returns its samples as they come.
    ///
    /// The sequence throws ``DeviceError`` when the device cannot be opened. It ends when a pipe does.
    public func batches() -> AsyncThrowingStream<SampleBatch, any Error> {
        let source = WireSource(
            opener: ByteOpener(address: address, baud: baud, setup: setup), decoder: WireDecoder(wire, text: text),
            onBytes: onBytes)
        return DeviceLoop.run(source, clock: clock, onNotice: onNotice)
    }
}
