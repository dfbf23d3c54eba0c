internal import FootfallWire

/// A device as its thread sees it: opened, waited on, read, and opened again. Keeps what was learnt over a reconnection.
protocol DeviceSource: Sendable {
    /// Connects, for the first time or once more.
    mutating func open() throws(DeviceError)

    /// Lets go of the device.
    mutating func close()

    /// What to wait on; negative for a device that does not announce its readings.
    var descriptor: Int32 { get }

    /// Nanoseconds from one reading to the next of a device that does not announce them.
    var interval: Int64? { get }

    /// The speed of a serial port, which may be the wrong one.
    var baud: Int? { get }

    /// Takes in all that has arrived and appends the readings in it.
    ///
    /// - Returns: How many bytes they were.
    /// - Throws: When nothing more will come of this connection; what was appended is good.
    mutating func receive(into readings: inout [WireReading]) throws(Loss) -> Int

    /// What there is to say, if it is new.
    mutating func takeNotices() -> [DeviceNotice]

    /// What has become of the bytes so far, if there are any.
    var quality: WireQuality? { get }
}

/// How a connection ends.
enum Loss: Error {
    /// There is nothing more to come.
    case ended
    /// Something came between; it may come back.
    case broken(String)
}
