public import Footfall
public import FootfallReaders

/// A device that sends bytes over a serial port, a pipe, UDP or TCP.
///
/// The format is recognized within two seconds, or given. Times are those of the host's clock.
///
/// ```swift
/// var device = WireDevice(.serial(path: "/dev/ttyUSB0"), baud: 9600)
/// device.onNotice = { print($0) }
/// for try await update in LiveMotion(device) { print(update.steps) }
/// ```
///
/// A lost serial port or server is reconnected. The time between is a gap in the samples. A device that is missing,
/// busy or not permitted at the start is an error.
public struct WireDevice: MotionDevice {
    /// The default speed of a serial port, which most sketches and enclosed sensors use.
    public static let defaultBaud = 115_200

    /// The address of the device.
    public let address: DeviceAddress
    private let baud: Int
    private let wire: WireProtocol?
    private let text: TextLineOptions
    /// The clock of the host; tests replace it.
    package var clock = HostClock()

    /// Gets the notices of the device, on the device's thread.
    public var onNotice: (@Sendable (DeviceNotice) -> Void)?
    /// Gets all bytes of the device, on the device's thread.
    public var onBytes: (@Sendable ([UInt8]) -> Void)?
    /// The numeric address of the host whose datagrams are read, such as `192.168.1.17`; nil for any host.
    public var sender: String?
    /// The commands to send each time the device is opened; see ``/FootfallReaders/WireProtocol/configuration(rate:)``.
    public var setup: [WireCommand] = []

    /// Creates a device. It is opened by ``batches()``.
    ///
    /// - Parameters:
    ///   - address: The address. ``DeviceAddress/iio(_:)`` is an error; use ``IIODevice``.
    ///   - baud: The speed of a serial port.
    ///   - wire: The protocol; nil to recognize it.
    ///   - text: The known properties of lines of text.
    public init(
        _ address: DeviceAddress, baud: Int = defaultBaud, protocol wire: WireProtocol? = nil,
        text: TextLineOptions = TextLineOptions()
    ) {
        (self.address, self.baud, self.wire, self.text) = (address, baud, wire, text)
    }

    /// The address.
    public var name: String { address.description }

    /// Opens the device and returns its samples as they arrive.
    ///
    /// The sequence throws ``DeviceError`` when the device cannot be opened. It ends with a pipe.
    public func batches() -> AsyncThrowingStream<SampleBatch, any Error> {
        let source = WireSource(
            address: address, speed: baud, setup: setup, decoder: WireDecoder(wire, text: text), sender: sender,
            clock: clock, onBytes: onBytes)
        return DeviceLoop.run(source, clock: clock, onNotice: onNotice)
    }
}
