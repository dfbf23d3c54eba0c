internal import Footfall
internal import Synchronization

/// The batches of a device that wait for the analysis.
///
/// The analysis takes all waiting batches at once and makes one update of them. An `AsyncStream` of batches would need
/// an update for each batch. In a fast replay, many of these updates would combine new settled events with old
/// provisional ones. The queue also waits until the device is closed, which `merge` of swift-async-algorithms does not.
final class LiveQueue: Sendable {
    /// The interval between two signals of the timer, so that a silent device is checked, too.
    private static let interval = Duration.milliseconds(250)
    /// The number of waiting batches from which on the reader waits for the analysis, which bounds the memory.
    private static let capacity = 64

    /// A class, because a `Mutex` cannot be copied into the task that appends batches.
    private final class Contents: Sendable {
        let batches = Mutex<(waiting: [SampleBatch], end: Result<Void, any Error>?)>(([], nil))
    }

    /// A signal that batches wait, that the device has ended, or that a check is due.
    let signals: AsyncStream<Void>
    private let contents = Contents()
    private let space: AsyncStream<Void>.Continuation
    private let tasks: [Task<Void, Never>]

    init(_ device: some MotionDevice) {
        let (signals, signal) = AsyncStream<Void>.makeStream(bufferingPolicy: .bufferingNewest(1))
        let (spaces, space) = AsyncStream<Void>.makeStream(bufferingPolicy: .bufferingNewest(1))
        (self.signals, self.space) = (signals, space)
        let reader = Task { [contents] in
            var spaces = spaces.makeAsyncIterator()
            let end: Result<Void, any Error>
            do {
                for try await batch in device.batches() {
                    let count = contents.batches.withLock { batches in
                        batches.waiting.append(batch)
                        return batches.waiting.count
                    }
                    signal.yield()
                    if count >= Self.capacity { await spaces.next() }
                }
                end = .success(())
            } catch {
                end = .failure(error)
            }
            contents.batches.withLock { $0.end = end }
            signal.yield()
        }
        let timer = Task {
            while (try? await Task.sleep(for: Self.interval, tolerance: Self.interval / 5)) != nil { signal.yield() }
        }
        tasks = [reader, timer]
    }

    deinit { stop() }

    func stop() {
        for task in tasks { task.cancel() }
        space.finish()
    }

    func waitForEnd() async {
        for task in tasks { await task.value }
    }

    /// Takes all waiting batches, and the end of the device if it has ended.
    func takeAll() -> ([SampleBatch], end: Result<Void, any Error>?) {
        defer { space.yield() }
        return contents.batches.withLock { batches in
            defer { batches.waiting.removeAll() }
            return (batches.waiting, batches.end)
        }
    }
}
