internal import Footfall
public import Foundation
internal import GRDB

/// One state of a history: all answers of a snapshot agree with each other, also while another process records.
///
/// A snapshot is valid inside the closure of ``MotionHistory/read(_:)``.
public struct HistorySnapshot {
    /// The file; nil for a history in memory.
    public let url: URL?
    let db: Database

    /// All sources, in the order of their names.
    ///
    /// - Throws: ``HistoryError``.
    /// - Complexity: O(log *n*) for each source.
    public func sources() throws -> [SourceInfo] {
        try SourceRow.all(db).compactMap { try SourceSnapshot(row: $0, history: self).info() }
    }

    /// One source: the named one or, without a name, the only one. In an empty history, a source without a name has
    /// empty answers.
    ///
    /// - Throws: ``HistoryError``, such as ``HistoryError/Reason/unknownSource(_:known:)`` and
    ///   ``HistoryError/Reason/severalSources(_:)``.
    public func source(_ name: String? = nil) throws -> SourceSnapshot {
        SourceSnapshot(row: try SourceRow.find(name, at: url, db), history: self)
    }

    /// How long the history keeps events.
    ///
    /// - Throws: ``HistoryError``.
    public var retention: Retention {
        get throws { try db.retention() }
    }

    /// The version of the file's format.
    ///
    /// - Throws: ``HistoryError``.
    public var formatVersion: Int {
        get throws { Int(try Schema.version(of: db)) }
    }

    /// A number that grows with every change by any process.
    ///
    /// - Throws: ``HistoryError``.
    /// - Complexity: O(1).
    public var revision: Int {
        get throws { Int(try db.integer("SELECT revision FROM history") ?? 0) }
    }
}
