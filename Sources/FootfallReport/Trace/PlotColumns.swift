internal import Footfall

/// A trace cut into columns of equal time, each with what there was to see in it.
///
/// There are never more than ``capacity``: when one more would be needed, the columns double their width. Only columns
/// with something in them take room, so a sample whose clock is years off costs one column and no resolution.
struct PlotColumns: Sendable {
    /// Two for each of the picture's pixels, and so half of it at least after a doubling: no edge is blurred.
    static let capacity = 2048
    /// The width at the beginning, as a power of two nanoseconds: 1.05 ms, shorter than from sample to sample at 800
    /// Hz.
    private static let firstShift = 20

    /// What there was to see in the time of a column.
    struct Column: Sendable {
        /// Samples, the extremes of their magnitudes in g, the sum of the magnitudes and of their squares.
        var samples = 0.0
        var least = Double.infinity
        var greatest = -Double.infinity
        var sum = 0.0
        var squares = 0.0
        /// Seconds of each activity, in the order of `Activity.allCases`; those of halts in the course of it apart.
        var moving = SIMD8<Float>()
        var halted = SIMD8<Float>()
        /// Seconds without samples.
        var gap: Float = 0
        /// Steps with a cadence, and the sum of their cadences in steps a minute.
        var cadences = 0.0
        var cadenceSum = 0.0

        mutating func add(_ magnitude: Double) {
            samples += 1
            least = min(least, magnitude)
            greatest = max(greatest, magnitude)
            sum += magnitude
            squares += magnitude * magnitude
        }

        mutating func merge(_ other: Column) {
            samples += other.samples
            least = min(least, other.least)
            greatest = max(greatest, other.greatest)
            sum += other.sum
            squares += other.squares
            moving += other.moving
            halted += other.halted
            gap += other.gap
            cadences += other.cadences
            cadenceSum += other.cadenceSum
        }
    }

    private var columns: [Int64: Column] = [:]
    /// A column is two to this power nanoseconds wide, and begins at a multiple of that.
    private var shift = firstShift

    /// The width of a column in seconds.
    var seconds: Double { Double(Int64(1) << shift) * 1e-9 }

    /// The columns in the order of time that reach into `span`, with the part of it that is theirs.
    func columns(in span: Range<Timestamp>) -> [(range: Range<Timestamp>, column: Column)] {
        columns.sorted { $0.key < $1.key }.compactMap { index, column in
            let start = Timestamp(nanosecondsSince1970: index << shift)
            let end = Timestamp(nanosecondsSince1970: (index + 1) << shift)
            // An instant has no part; its column is shown nevertheless.
            guard start <= span.upperBound, end > span.lowerBound else { return nil }
            return ((start..<end).clamped(to: span), column)
        }
    }

    mutating func add(_ batch: SampleBatch) {
        var (index, column) = (Int64.min, Column())
        for sample in batch.indices {
            let time = batch.times[sample]
            let (x, y, z) = (Double(batch.x[sample]), Double(batch.y[sample]), Double(batch.z[sample]))
            let magnitude = (x * x + y * y + z * z).squareRoot()
            guard Timestamp.supported.contains(time), magnitude.isFinite else { continue }
            if time.nanosecondsSince1970 >> shift != index {
                if column.samples > 0 { merge(column, at: index) }
                (index, column) = (time.nanosecondsSince1970 >> shift, Column())
            }
            column.add(magnitude)
        }
        if column.samples > 0 { merge(column, at: index) }
    }

    mutating func add(_ segment: Segment) {
        guard let lane = Activity.allCases.firstIndex(of: segment.activity) else { return }
        spread(segment.range) { $0.moving[lane] += $1 }
        for halt in segment.halts {
            spread(halt) { column, seconds in
                column.moving[lane] -= seconds
                column.halted[lane] += seconds
            }
        }
    }

    mutating func add(gap: Range<Timestamp>) {
        spread(gap) { $0.gap += $1 }
    }

    mutating func add(_ cadence: Cadence) {
        guard Timestamp.supported.contains(cadence.time) else { return }
        var column = Column()
        column.cadences = 1
        column.cadenceSum = cadence.stepsPerMinute
        merge(column, at: cadence.time.nanosecondsSince1970 >> shift)
    }

    /// Changes every column of a range, given the seconds of it that fall into the column.
    private mutating func spread(_ range: Range<Timestamp>, change: (inout Column, Float) -> Void) {
        let range = range.clamped(to: Timestamp.supported)
        var start = range.lowerBound.nanosecondsSince1970
        let end = range.upperBound.nanosecondsSince1970
        while start < end {
            let index = start >> shift
            let next = min(end, (index + 1) << shift)
            var column = Column()
            change(&column, Float(next - start) * 1e-9)
            merge(column, at: index)
            start = next
        }
    }

    /// Takes in a column, then doubles the width until there is room for one more.
    private mutating func merge(_ column: Column, at index: Int64) {
        columns[index, default: Column()].merge(column)
        while columns.count > Self.capacity {
            shift += 1
            var wider: [Int64: Column] = [:]
            wider.reserveCapacity(Self.capacity)
            for (index, column) in columns { wider[index >> 1, default: Column()].merge(column) }
            columns = wider
        }
    }
}
