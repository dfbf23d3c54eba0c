// The header documents these functions, under their names in C.
// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation, AlwaysUseLowerCamelCase

public import CFootfall
internal import Footfall
internal import FootfallHistory
internal import Foundation

extension CalendarBucket {
    /// The bucket of a number in C; nil for the whole range. Throws ``CallFailure`` for a number that is none.
    fileprivate static func bucket(_ number: Int) throws -> CalendarBucket? {
        switch number {
        case FOOTFALL_WHOLE: nil
        case FOOTFALL_BY_HOUR: .hour
        case FOOTFALL_BY_DAY: .day
        case FOOTFALL_BY_WEEK: .week
        case 1...1440: .minutes(number)
        default:
            throw CallFailure(
                "by is \(number)",
                remedy: "write FOOTFALL_WHOLE, FOOTFALL_BY_HOUR, FOOTFALL_BY_DAY, FOOTFALL_BY_WEEK or 1 to 1440 minutes"
            )
        }
    }
}

extension footfall_count {
    fileprivate init(_ count: StepCount) {
        self.init(
            start: count.range.lowerBound.nanosecondsSince1970, end: count.range.upperBound.nanosecondsSince1970,
            steps: Int64(count.count), coverage: count.coverage, is_truncated: count.isTruncated ? 1 : 0, padding: 0)
    }
}

/// Throws ``CallFailure`` for a range that ends before it starts.
private func range(_ start: Int64, _ end: Int64) throws -> Range<Timestamp> {
    guard start <= end else { throw CallFailure("the range ends before it starts") }
    return Timestamp(nanosecondsSince1970: start)..<Timestamp(nanosecondsSince1970: end)
}

@c @implementation public func footfall_history_open(
    _ path: UnsafePointer<CChar>?, _ is_read_only: Int32, _ error: UnsafeMutablePointer<footfall_error>?
) -> OpaquePointer? {
    pointer(error) {
        guard let path else { throw CallFailure("the path is NULL") }
        let url = URL(filePath: String(cString: path))
        return retain(is_read_only == 0 ? try MotionHistory(at: url) : try MotionHistory(reading: url))
    }
}

@c @implementation public func footfall_history_destroy(_ history: OpaquePointer?) {
    (try? object(history, as: MotionHistory.self))?.close()
    release(history, as: MotionHistory.self)
}

@c @implementation public func footfall_history_record(
    _ history: OpaquePointer?, _ events: OpaquePointer?, _ source: UnsafePointer<CChar>?,
    _ time_zone: UnsafePointer<CChar>?, _ error: UnsafeMutablePointer<footfall_error>?
) -> Int32 {
    status(error) {
        guard let source else { throw CallFailure("the source is NULL", remedy: "name the wearer or the device") }
        let (history, name) = (try object(history, as: MotionHistory.self), String(cString: source))
        let zone = try time_zone.map { try FootfallC.zone(named: String(cString: $0)) }
        let isKnown = try history.sources().contains { $0.name == name }
        let events = try object(events, as: Events.self).events
        // All logs without a date begin in 1970, where one would replace another.
        let outcome = try history.record(
            events, from: name, timeZone: zone ?? (isKnown ? nil : .gmt), replaces: events.first?.isDated ?? true)
        guard let latest = outcome.latestSetAside else { return FOOTFALL_OK }
        var failure = CallFailure(
            "events ahead of the clock (up to \(latest.description.prefix(19))Z) are not recorded: \(outcome.setAside)",
            remedy: "set the clock of the computer or correct the times; the command records them with --accept-future")
        failure.status = Int32(FOOTFALL_BAD_DATA)
        throw failure
    }
}

@c @implementation public func footfall_history_source(
    _ history: OpaquePointer?, _ error: UnsafeMutablePointer<footfall_error>?
) -> UnsafeMutablePointer<CChar>? {
    pointer(error) { text(try object(history, as: MotionHistory.self).read { try $0.source().name ?? "" }) }
}

@c @implementation public func footfall_history_extent(
    _ history: OpaquePointer?, _ source: UnsafePointer<CChar>?, _ extent: UnsafeMutablePointer<footfall_span>?,
    _ error: UnsafeMutablePointer<footfall_error>?
) -> Int32 {
    extent?.pointee = footfall_span()
    return status(error) {
        let history = try object(history, as: MotionHistory.self)
        let source = source.map { String(cString: $0) }
        if let kept = try history.read({ try $0.source(source).info()?.keptRange }) {
            extent?.pointee = footfall_span(kept)
        }
        return FOOTFALL_OK
    }
}

@c @implementation public func footfall_history_steps(
    _ history: OpaquePointer?, _ source: UnsafePointer<CChar>?, _ start: Int64, _ end: Int64, _ by: Int32,
    _ count: UnsafeMutablePointer<Int>?, _ error: UnsafeMutablePointer<footfall_error>?
) -> UnsafeMutablePointer<footfall_count>? {
    count?.pointee = 0
    return pointer(error) {
        let history = try object(history, as: MotionHistory.self)
        let (range, source) = (try range(start, end), source.map { String(cString: $0) })
        let counts =
            try CalendarBucket.bucket(Int(by)).map { try history.steps(in: range, by: $0, from: source) }
            ?? [try history.steps(in: range, from: source)]
        count?.pointee = counts.count
        return counts.map { footfall_count($0) }.copied().baseAddress
    }
}

@c @implementation public func footfall_counts_free(_ counts: UnsafeMutablePointer<footfall_count>?) {
    counts?.deallocate()
}

@c @implementation public func footfall_history_events(
    _ history: OpaquePointer?, _ source: UnsafePointer<CChar>?, _ start: Int64, _ end: Int64,
    _ error: UnsafeMutablePointer<footfall_error>?
) -> OpaquePointer? {
    pointer(error) {
        let history = try object(history, as: MotionHistory.self)
        let (range, source) = (try range(start, end), source.map { String(cString: $0) })
        return retain(
            try history.read { snapshot in
                let source = try snapshot.source(source)
                let steps = try source.stepTimes(in: range).map { MotionEvent.step(Step(time: $0)) }
                let segments = try source.pieces(in: range).map { MotionEvent.segment($0) }
                // A gap lies between samples: not before the first of the source, nor after the last.
                let kept = try source.keptRange.map { try source.coverage(in: range.clamped(to: $0)) }
                return Events(steps + segments + (kept?.gaps ?? []).map { MotionEvent.gap($0) })
            })
    }
}
