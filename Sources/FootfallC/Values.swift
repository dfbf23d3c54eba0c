// The header documents these functions, under their names in C.
// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation, AlwaysUseLowerCamelCase

internal import CFootfall
internal import FootfallReaders
internal import Foundation
internal import Synchronization

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

/// The object behind an opaque pointer of the C interface. One call at a time uses its state.
final class OpaqueHandle<State: ~Copyable & Sendable>: Sendable {
    let state: Mutex<State>

    init(_ state: consuming sending State) { self.state = Mutex(state) }
}

/// Gives an object to C, which ends it with ``release(_:as:)``.
func retain(_ object: some AnyObject) -> OpaquePointer {
    OpaquePointer(Unmanaged.passRetained(object).toOpaque())
}

/// The object behind a pointer from C.
///
/// - Throws: ``CallFailure`` for a null pointer.
func object<Object: AnyObject>(_ pointer: OpaquePointer?, as type: Object.Type) throws -> Object {
    guard let pointer else {
        throw CallFailure("a handle is NULL", remedy: "check the result of the call that makes it")
    }
    return Unmanaged<Object>.fromOpaque(UnsafeRawPointer(pointer)).takeUnretainedValue()
}

/// Ends an object that C owns.
func release<Object: AnyObject>(_ pointer: OpaquePointer?, as type: Object.Type) {
    guard let pointer else { return }
    Unmanaged<Object>.fromOpaque(UnsafeRawPointer(pointer)).release()
}
