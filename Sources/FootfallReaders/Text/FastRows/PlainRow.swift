internal import Footfall

/// The fields of a row that ``FastRowReader`` reads.
struct PlainRow {
    /// The time of a row.
    struct Time {
        /// The start and the end of the field.
        var start: Int
        var end: Int
        /// The number in it that changes from row to row: all of it, or the seconds of a date-time.
        var number: PlainNumber
        /// In nanoseconds: of a number of 1 without decimals, of the row since 1970, and what the number is below.
        var unit: Int64
        var moment: Int64
        var limit: Int64
    }

    /// Nil in a table without times.
    var time: Time?
    /// The three numbers, in the order of the columns.
    var x: PlainNumber
    var y: PlainNumber
    var z: PlainNumber
    /// The start of the next row.
    var next: Int

    /// The lengths of the fields without a minus, and the numbers of decimals.
    var shape: SIMD8<Int> {
        SIMD8(
            x.characters.count, y.characters.count, z.characters.count, time.map { $0.end - $0.start } ?? 0,
            x.decimals, y.decimals, z.decimals, time?.number.decimals ?? 0)
    }
}
