internal import Footfall
internal import FootfallReaders
internal import Foundation

/// A file without a name whose content is the input of the moment.
private let file: Int32 = {
    var name = Array(FileManager.default.temporaryDirectory.appending(path: "footfall-XXXXXX").path.utf8CString)
    let descriptor = mkstemp(&name)
    unlink(name)
    return descriptor
}()

/// More samples than a small input can hold without inventing them: idle sleep may be long, not endless.
private let mostSamples = 200_000

/// Reads bytes as a trace to its end, or to a refusal. Anything but that is a finding: libFuzzer sees crashes, hangs
/// and memory, and what no sample may be traps here.
public func read(_ bytes: UnsafeRawBufferPointer) {
    ftruncate(file, 0)
    _ = bytes.baseAddress.map { pwrite(file, $0, bytes.count, 0) }
    var count = 0
    do throws(TraceError) {
        var trace = try Trace(contentsOf: URL(filePath: "/proc/self/fd/\(file)"))
        while count < mostSamples, let batch = try trace.nextBatch() {
            precondition(batch.count <= 4096)
            precondition(batch.allSatisfy { $0.x.isFinite && $0.y.isFinite && $0.z.isFinite })
            count += batch.count
        }
        _ = (trace.layout.description, trace.notes, trace.warnings.map(\.description))
        precondition((0...1).contains(trace.progress))
    } catch {
        precondition(!error.description.contains("\n"))
    }
}
