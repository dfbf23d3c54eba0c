/// A protocol by which sensors send acceleration over a serial line or a socket, or write it to a raw log.
public enum WireProtocol: String, CaseIterable, Sendable {
    /// Lines of text: bare numbers, `label:value`, a header with columns.
    case text
    /// WitMotion's frames, which begin with 0x55.
    case witmotion
    /// Xsens MTData2 messages.
    case xsens
    /// Messages of the x-io x-IMU3, binary or text.
    case ximu3
    /// MAVLink 1 and 2.
    case mavlink
}

extension WireProtocol: CustomStringConvertible {
    /// The name of the protocol for a person.
    public var description: String {
        switch self {
        case .text: "text lines"
        case .witmotion: "WitMotion"
        case .xsens: "Xsens MTData2"
        case .ximu3: "x-IMU3"
        case .mavlink: "MAVLink"
        }
    }
}
