/// The columns that a reader fills and turns into a batch.
@usableFromInline
package struct SampleColumns {
    /// The most samples of a batch.
    package static let room = 4096

    @usableFromInline var times: [Timestamp]
    @usableFromInline var x: [Float]
    @usableFromInline var y: [Float]
    @usableFromInline var z: [Float]
    @usableFromInline package internal(set) var count = 0

    /// Creates empty columns in the memory of a full batch, or in new memory. A batch that is still held elsewhere
    /// keeps its samples: the first write copies them, as for any array.
    package init(reusing spare: consuming SampleBatch) {
        if spare.count == Self.room {
            (times, x, y, z) = (spare.times, spare.x, spare.y, spare.z)
        } else {
            times = Array(repeating: .epoch, count: Self.room)
            x = Array(repeating: 0, count: Self.room)
            y = x
            z = x
        }
    }

    /// The number of samples for which there is room.
    package var room: Int { SampleColumns.room - count }

    /// Adds `count` samples, or as many as fit. `sample` returns each by its number from 0: nanoseconds since 1970, and
    /// x, y and z in g; the fourth lane is ignored.
    @inlinable @inline(__always)
    package mutating func append(_ count: Int, _ sample: (Int) -> (nanoseconds: Int64, acceleration: SIMD4<Float>)) {
        var index = 0
        append(&index) { index in
            guard index < count else { return nil }
            defer { index += 1 }
            let (nanoseconds, acceleration) = sample(index)
            return AccelerationSample(
                time: Timestamp(nanosecondsSince1970: nanoseconds), x: acceleration.x, y: acceleration.y,
                z: acceleration.z)
        }
    }

    package mutating func removeLast(_ count: Int) {
        self.count -= count
    }

    /// Adds a sample; there must be room.
    package mutating func append(_ sample: AccelerationSample) {
        append(1) { _ in (sample.time.nanosecondsSince1970, SIMD4(sample.x, sample.y, sample.z, 0)) }
    }

    /// Adds samples until the columns are full or `next` returns nil.
    ///
    /// - Parameter state: What changes from sample to sample. Variables that `next` captures would be stored for each
    ///   sample.
    @inlinable @inline(__always)
    package mutating func append<State>(_ state: inout State, asLongAs next: (inout State) -> AccelerationSample?) {
        SampleColumns.append(&count, &times, &x, &y, &z, &state, asLongAs: next)
    }

    @inlinable @inline(__always)
    static func append<State>(
        _ count: inout Int, _ times: inout [Timestamp], _ x: inout [Float], _ y: inout [Float], _ z: inout [Float],
        _ state: inout State, asLongAs next: (inout State) -> AccelerationSample?
    ) {
        var times = times.mutableSpan
        var x = x.mutableSpan
        var y = y.mutableSpan
        var z = z.mutableSpan
        precondition(count >= 0 && x.count == times.count && y.count == times.count && z.count == times.count)
        // Local copies stay in registers.
        var (index, current) = (count, state)
        while index < times.count, let sample = next(&current) {
            times[unchecked: index] = sample.time
            x[unchecked: index] = sample.x
            y[unchecked: index] = sample.y
            z[unchecked: index] = sample.z
            index &+= 1
        }
        (count, state) = (index, current)
    }

    /// The last sample's acceleration; nil when there is none.
    package var last: SIMD4<Float>? {
        count > 0 ? SIMD4(x[count - 1], y[count - 1], z[count - 1], 0) : nil
    }

    /// The samples as a batch; nil without samples.
    package consuming func batch() -> SampleBatch? {
        guard count > 0 else { return nil }
        times.removeLast(room)
        x.removeLast(room)
        y.removeLast(room)
        z.removeLast(room)
        return SampleBatch(times: times, x: x, y: y, z: z)
    }
}
