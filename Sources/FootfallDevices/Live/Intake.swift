internal import Footfall
internal import Synchronization

/// Takes in the batches of a device, and rings when there are some or when it is time to look.
///
/// A device that is read faster than it is analysed, as in a replay, is made to wait.
final class Intake: Sendable {
    /// How often to ring when nothing comes.
    private static let interval = Duration.milliseconds(250)
    /// Batches that may wait.
    private static let capacity = 64

    private struct Contents {
        var batches: [SampleBatch] = []
        var end: Result<Void, any Error>?
    }

    /// Rings when there is something to take, and now and then.
    let bell: AsyncStream<Void>
    private let ring: AsyncStream<Void>.Continuation
    private let contents = Shared(Contents())
    private let room: AsyncStream<Void>.Continuation
    private let tasks: [Task<Void, Never>]

    /// Starts a device.
    init(_ device: any MotionDevice) {
        let (bell, ring) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))
        let (freed, room) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))
        (self.bell, self.ring, self.room) = (bell, ring, room)
        let contents = contents
        let reader = Task {
            var space = freed.makeAsyncIterator()
            do {
                for try await batch in device.batches() {
                    let waiting = contents.value.withLock { contents in
                        contents.batches.append(batch)
                        return contents.batches.count
                    }
                    ring.yield()
                    if waiting >= Self.capacity { await space.next() }
                }
                contents.value.withLock { $0.end = .success(()) }
            } catch {
                contents.value.withLock { $0.end = .failure(error) }
            }
            ring.yield()
        }
        let ticker = Task {
            while (try? await Task.sleep(for: Self.interval, tolerance: Self.interval / 5)) != nil { ring.yield() }
        }
        tasks = [reader, ticker]
    }

    deinit { stop() }

    /// Stops the device.
    func stop() {
        for task in tasks { task.cancel() }
        room.finish()
    }

    /// Waits until a device that was stopped, or has ended, is let go.
    func waitForEnd() async {
        for task in tasks { await task.value }
    }

    /// Hands out all batches that have come in, and whether and how the device has ended.
    func takeAll() -> ([SampleBatch], end: Result<Void, any Error>?) {
        defer { room.yield() }
        return contents.value.withLock { contents in
            defer { contents.batches.removeAll() }
            return (contents.batches, contents.end)
        }
    }
}

/// A value that is shared between tasks.
private final class Shared<Value: ~Copyable>: Sendable {
    let value: Mutex<Value>

    init(_ value: consuming sending Value) { self.value = Mutex(value) }
}
