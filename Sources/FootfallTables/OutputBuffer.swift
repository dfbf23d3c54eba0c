/// Joins short texts to chunks of about 64 KB, so that few system calls write them.
package struct OutputBuffer {
    /// The size of a chunk in bytes.
    static let capacity = 65536

    private var chunk: [UInt8] = []

    package init() {}

    /// Adds a text. `out` receives a complete chunk.
    package mutating func add(_ text: String, to out: ([UInt8]) -> Void) {
        chunk.append(contentsOf: text.utf8)
        if chunk.count >= Self.capacity { flush(to: out) }
    }

    /// Adds the bytes of a text.
    package mutating func add(_ bytes: [UInt8], to out: ([UInt8]) -> Void) {
        chunk.append(contentsOf: bytes)
        if chunk.count >= Self.capacity { flush(to: out) }
    }

    /// Passes on the rest.
    package mutating func flush(to out: ([UInt8]) -> Void) {
        if !chunk.isEmpty { out(chunk) }
        chunk.removeAll(keepingCapacity: true)
    }
}
