/// A parser of one protocol. Its caller keeps the bytes of an incomplete frame.
protocol StreamParser: Sendable {
    /// The counts so far.
    var quality: WireQuality { get }
    /// The detected layout in one line; nil until it is known.
    var layout: String? { get }
    /// The moment at which the device's clock showed zero; nil until the stream states it.
    var clockOrigin: ClockOrigin? { get }

    /// Reads the complete frames or lines in `bytes` and returns the number of bytes read.
    ///
    /// - Parameter isEnd: Whether the stream ends with these bytes.
    mutating func parse(_ bytes: Span<UInt8>, isEnd: Bool, into readings: inout [WireReading]) -> Int
    /// Ends the stream after the last call of ``parse(_:isEnd:into:)``.
    mutating func finish(into readings: inout [WireReading])
    /// Clears the state of an incomplete frame after a disconnection.
    mutating func reset()
}

extension StreamParser {
    mutating func finish(into readings: inout [WireReading]) {}
    mutating func reset() {}
}
