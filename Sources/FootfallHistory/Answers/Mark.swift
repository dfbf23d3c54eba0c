public import Footfall
internal import FootfallReaders
public import Foundation

/// A text that the wearer gave to a moment or to a range, such as `lap` or `with the pram`.
///
/// A mark is no recording: it changes no answer, and a recording of the same time leaves it. Marks may overlap.
public struct Mark: Codable, Hashable, Sendable {
    /// The text.
    public let text: String
    /// The marked time. That of an open mark may still grow. It is empty while nothing is recorded after the mark.
    public let range: Range<Timestamp>
    /// Whether the mark has no end of its own. It then lasts until the next such mark of the source starts, without one
    /// to the newest sample.
    public let isOpen: Bool

    /// The marked time.
    public var interval: DateInterval { DateInterval(range) }

    /// The most Unicode scalars of a text, or of the name of a source. It fits into a parameter of the server.
    package static let longestText = 256

    /// Whether a text can be that of a mark, or the name of a source. SQLite ends a text at a NUL.
    package static func isValid(_ text: String) -> Bool {
        (1...longestText).contains(text.unicodeScalars.count) && !text.utf8.contains(0)
    }
}
