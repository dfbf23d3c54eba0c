internal import Synchronization

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
