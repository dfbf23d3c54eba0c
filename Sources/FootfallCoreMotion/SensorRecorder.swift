internal import Footfall
internal import FootfallReaders
public import Foundation

/// Records the samples of the device in memory, and returns those of a range.
public final class SensorRecorder: Sendable {
    /// The longest recording and the longest range of a query, in seconds: 12 h, as in Core Motion.
    public static let longestDuration: TimeInterval = 43_200

    private let access: CoprocessorAccess

    /// Creates a recorder of a coprocessor; nil for ``MotionCoprocessor/default``.
    public init(_ coprocessor: MotionCoprocessor? = nil) {
        access = CoprocessorAccess(coprocessor)
    }

    /// Whether there are samples, which need a device.
    public static func isAccelerometerRecordingAvailable() -> Bool { MotionCoprocessor.default?.isLive == true }
    /// Whether the history may be read.
    public static func authorizationStatus() -> AuthorizationStatus { .current }

    /// Records the samples from now on. A recording that already lasts longer goes on.
    ///
    /// - Parameter duration: Seconds of samples, at most ``longestDuration``. A sample takes 20 bytes.
    public func recordAccelerometer(forDuration duration: TimeInterval) {
        guard duration > 0 else { return }
        (try? access.coprocessor)?.samples.record(seconds: min(duration, Self.longestDuration))
    }

    /// The recorded samples of a range, both bounds included; nil without any, and for a range that ends before it
    /// starts or is longer than ``longestDuration``.
    public func accelerometerData(from start: Date, to end: Date) -> SensorDataList? {
        guard start <= end, end.timeIntervalSince(start) <= Self.longestDuration,
            let coprocessor = try? access.coprocessor
        else { return nil }
        let range = Timestamp(start)...Timestamp(end)
        let batches = coprocessor.samples.recorded.enumerated().compactMap { number, batch in
            let samples = SampleBatch(batch.filter { range.contains($0.time) })
            return samples.isEmpty ? nil : (identifier: UInt64(number), samples: samples)
        }
        return batches.isEmpty ? nil : SensorDataList(batches: batches)
    }
}
