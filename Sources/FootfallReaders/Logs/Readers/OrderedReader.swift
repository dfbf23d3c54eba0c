internal import Footfall

/// Reads ranges of a file's samples in a given order. For a range that lies before the last one, it reads the file
/// again from the beginning.
struct OrderedReader: TraceReader, ~Copyable {
    private var reader: any TraceReader & ~Copyable
    private let open: @Sendable () throws(TraceError) -> any TraceReader & ~Copyable
    private var ranges: [Range<Int>]
    private let total: Int
    private var taken = 0
    /// The number of samples that the reader has returned.
    private var position = 0
    /// A batch of which a part is still to be read, and the number of its first sample.
    private var batch = SampleBatch()
    private var first = 0

    /// - Parameter ranges: The numbers of the samples, counted from 0.
    init(
        _ ranges: [Range<Int>], _ open: @escaping @Sendable () throws(TraceError) -> any TraceReader & ~Copyable
    ) throws(TraceError) {
        self.ranges = ranges.filter { !$0.isEmpty }
        self.open = open
        total = self.ranges.reduce(0) { $0 + $1.count }
        reader = try open()
    }

    var layout: TraceLayout { ask { $0.layout } }
    var notes: [ParameterText] { ask { $0.notes } }
    var warnings: [TraceWarning] { ask { $0.warnings } }
    var linesOfStepsBack: [Int] { ask { $0.linesOfStepsBack } }
    var progress: Double { total == 0 ? 1 : Double(taken) / Double(total) }

    private func ask<Answer>(_ question: (borrowing any TraceReader & ~Copyable) -> Answer) -> Answer {
        question(reader)
    }

    mutating func nextBatch(reusing spare: consuming SampleBatch) throws(TraceError) -> SampleBatch? {
        while let range = ranges.first {
            if range.lowerBound < first {
                reader = try open()
                (batch, first, position) = (SampleBatch(), 0, 0)
            }
            let part = range.clamped(to: first..<position)
            if !part.isEmpty {
                if part.upperBound == range.upperBound {
                    ranges.removeFirst()
                } else {
                    ranges[0] = part.upperBound..<range.upperBound
                }
                taken += part.count
                return batch.samples(part.lowerBound - first..<part.upperBound - first)
            }
            guard let next = try reader.nextBatch(reusing: SampleBatch()) else { return nil }
            (batch, first) = (next, position)
            position += next.count
        }
        return nil
    }
}

extension SampleBatch {
    fileprivate func samples(_ range: Range<Int>) -> SampleBatch {
        var part = SampleBatch(
            times: Array(times[range]), x: Array(x[range]), y: Array(y[range]), z: Array(z[range]))
        (part.isFilled, part.temperature) = (isFilled, temperature)
        return part
    }
}
