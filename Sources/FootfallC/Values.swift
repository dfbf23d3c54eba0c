// The header documents these functions, under their names in C.
// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation, AlwaysUseLowerCamelCase

internal import CFootfall
internal import FootfallReaders
internal import Foundation

/// The time zone with a name, such as Europe/Berlin, or with an offset.
///
/// - Throws: ``CallFailure`` for an unknown name.
func zone(named name: String) throws -> TimeZone {
    guard let zone = TimeZone(named: name) else {
        throw CallFailure("there is no time zone “\(name)”", remedy: "write one such as Europe/Berlin or UTC")
    }
    return zone
}

/// A copy of a text, which C frees with `footfall_free`; NULL for nil.
func text(_ text: String?) -> UnsafeMutablePointer<CChar>? { text.flatMap { strdup($0) } }

@c @implementation public func footfall_free(_ text: UnsafeMutablePointer<CChar>?) { free(text) }

@c @implementation public func footfall_abi_version() -> UInt32 { UInt32(FOOTFALL_ABI_VERSION) }
