/// The result of a check of a whole history.
public struct HistoryCheck: Hashable, Sendable {
    /// The first problem that was found.
    public struct Problem: Hashable, Sendable, CustomStringConvertible {
        /// The source in whose rows it is; nil for the file as a whole.
        public var source: String?
        /// The problem, such as `the sums do not match the rows`.
        public var text: String
        /// The remedy.
        public var remedy: String

        /// The source, the problem and the remedy.
        public var description: String { "\(source.map { $0 + ": " } ?? "")\(text); \(remedy)" }
    }

    /// The first problem; nil for a sound history.
    public internal(set) var problem: Problem?
    /// The number of sources.
    public internal(set) var sources = 0
    /// The number of steps that answers count.
    public internal(set) var steps = 0
}
