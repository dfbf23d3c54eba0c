internal import Footfall

/// Reads one format of trace, batch by batch. There is one reader per format.
protocol TraceReader: ~Copyable, Sendable {
    /// How the file is read.
    var layout: TraceLayout { get }
    /// Assumptions about the file that a user should check, in sentences.
    var notes: [ParameterText] { get }
    /// The dropped rows and records of the part read so far.
    var warnings: [TraceWarning] { get }
    /// The share of the file that has been read, 0…1.
    var progress: Double { get }
    /// The lines of the first steps back in time that may be those of a clock; see `RowReader.leastStepBack`.
    var linesOfStepsBack: [Int] { get }
    /// The next samples, at most `SampleColumns.room`; nil at the end of the file.
    ///
    /// - Parameter spare: A batch that is no longer used; its memory may be written again.
    mutating func nextBatch(reusing spare: consuming SampleBatch) throws(TraceError) -> SampleBatch?
}

extension TraceReader where Self: ~Copyable {
    var linesOfStepsBack: [Int] { [] }
}
