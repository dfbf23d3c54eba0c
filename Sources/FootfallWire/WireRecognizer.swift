/// Tells from what arrives which protocol it is.
///
/// Every protocol's own parser tries. The stricter the proof, the less of it is asked for: two MAVLink or Xsens messages
/// with a good checksum; three WitMotion frames in a row, since 0x55 is a byte like any other and their sum is only eight
/// bits; two x-IMU3 messages of the right length; and for text three lines that look alike.
struct WireRecognizer: Sendable {
    /// Bytes that are kept at most while nothing is recognised: five seconds at 115,200 baud.
    static let most = 1 << 16
    /// How many bytes there have to be for the next look. Looks do not depend on how the bytes are cut.
    private(set) var nextLook = 64

    /// Looks at all bytes so far.
    mutating func look(_ bytes: Span<UInt8>, _ text: TextLineOptions, isEnd: Bool) -> WireProtocol? {
        nextLook += max(64, nextLook / 8)
        var readings: [WireReading] = []
        var mavlink = MAVLinkParser()
        _ = mavlink.parse(bytes, isEnd: isEnd, into: &readings)
        if mavlink.quality.frames >= (isEnd ? 1 : 2) { return .mavlink }
        var xsens = XsensParser()
        _ = xsens.parse(bytes, isEnd: isEnd, into: &readings)
        if xsens.quality.frames >= (isEnd ? 1 : 2) { return .xsens }
        var witmotion = WitMotionParser()
        _ = witmotion.parse(bytes, isEnd: isEnd, into: &readings)
        if witmotion.longestRun >= 3 { return .witmotion }
        var ximu3 = XIMU3Parser()
        _ = ximu3.parse(bytes, into: &readings)
        if ximu3.inertialMessages >= (isEnd ? 1 : 2) { return .ximu3 }
        return TextLineParser.looksLikeText(bytes, text) ? .text : nil
    }

    /// Starts to count anew, where half of what was kept was given up.
    mutating func giveUpHalf() {
        nextLook = WireRecognizer.most / 2 + WireRecognizer.most / 16
    }
}
