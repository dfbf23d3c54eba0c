public import FootfallWire

/// What a device has to say besides its samples.
public enum DeviceNotice: Hashable, Sendable {
    /// It is open, for the first time or again.
    case opened
    /// What arrives has been understood; in words, with the columns and the unit.
    case recognized(WireProtocol, layout: String?)
    /// It is open, but nothing has been arriving for some seconds.
    case silent
    /// Bytes arrive, but for some seconds none of them could be used.
    case unreadable(bytes: Int, baud: Int?)
    /// Samples arrive again.
    case resumed
    /// The connection is lost, for a reason; it is tried again and again.
    case lost(String)
    /// Something else is sending, too; it is not listened to.
    case ignored(sender: String)
    /// Samples were lost, because nobody took them in time.
    case overrun(samples: Int)
    /// How the device is read, when it is not the way that was hoped for, or why it may not be.
    case remark(String)
    /// What has become of the bytes so far. Comes about once a second.
    case quality(WireQuality)
}

extension DeviceNotice: CustomStringConvertible {
    /// The notice as a sentence without its subject, the device.
    public var description: String {
        switch self {
        case .opened: "open"
        case .recognized(let wire, let layout): layout ?? "\(wire)"
        case .silent: "nothing arrives; is it switched on and sending, and is this the right port?"
        case .unreadable(let bytes, nil): "\(bytes) bytes arrived, but nothing that is known"
        case .unreadable(let bytes, let baud?):
            "\(bytes) bytes arrived at \(baud) baud, but nothing that is known; try another --baud, such as "
                + (baud == 9600 ? "115200" : "9600")
        case .resumed: "sends again"
        case .lost(let reason): "lost: \(reason); waiting for it to come back"
        case .ignored(let sender): "\(sender) sends as well, and is not listened to"
        case .overrun(let samples): "\(samples) samples were lost, because nobody took them in time"
        case .remark(let text): text
        case .quality(let quality): "\(quality.readings) readings in \(quality.bytes) bytes"
        }
    }
}
