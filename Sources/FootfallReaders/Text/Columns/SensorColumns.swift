/// The columns of a table, or the fields of a line, that hold time and acceleration.
public struct SensorColumns: Hashable, Sendable {
    /// A column, by its title or label, or by its number.
    public enum Column: Hashable, Sendable {
        /// The column with this title. Case, blanks, punctuation and a unit in brackets are ignored.
        case named(String)
        /// The column with this number, counted from 1.
        case number(Int)
    }

    /// The column of times; nil when there is none.
    public var time: Column?
    /// The column of acceleration along x.
    public var x: Column
    /// The column of acceleration along y.
    public var y: Column
    /// The column of acceleration along z.
    public var z: Column

    /// Creates a choice of columns.
    public init(time: Column?, x: Column, y: Column, z: Column) {
        (self.time, self.x, self.y, self.z) = (time, x, y, z)
    }

    /// Creates a choice of columns from a list such as `time,x,y,z` or `1,3,4,5`, or without a time `x,y,z`.
    ///
    /// An entry of digits only is the number of a column, counted from 1. Returns nil unless there are three or four
    /// entries, for the number 0, and for a column that is named twice.
    public init?(_ list: String) {
        let entries = list.split(separator: ",", omittingEmptySubsequences: false).map {
            $0.split(whereSeparator: \.isWhitespace).joined(separator: " ")
        }
        let columns = entries.compactMap(Column.init)
        guard (3...4).contains(entries.count), Set(columns).count == entries.count else { return nil }
        self.init(
            time: columns.count == 4 ? columns[0] : nil,
            x: columns[columns.count - 3], y: columns[columns.count - 2], z: columns[columns.count - 1])
    }
}

extension SensorColumns {
    /// Whether the axes are numbers of columns.
    var isOfNumbers: Bool { if case .number = x { true } else { false } }

    /// The columns at positions, counted from 0, by their titles where those alone name them.
    init(time: Int?, axes: [Int], in titles: [String]) {
        func column(_ index: Int) -> Column { Column(at: index, in: titles) }
        self.init(time: time.map(column), x: column(axes[0]), y: column(axes[1]), z: column(axes[2]))
    }

    /// The axes of a device that lines name, such as `B x,B y,B z`.
    init(device name: String) {
        self.init(time: nil, x: .named("\(name) x"), y: .named("\(name) y"), z: .named("\(name) z"))
    }
}

extension SensorColumns: CustomStringConvertible {
    /// The choice as ``init(_:)`` reads it, such as `time,x,y,z`.
    public var description: String {
        [time, x, y, z].compactMap { $0.map { "\($0)" } }.joined(separator: ",")
    }
}

extension SensorColumns.Column: CustomStringConvertible {
    /// The title, or the position as ``SensorColumns/init(_:)`` reads it.
    public var description: String {
        switch self {
        case .named(let name): name
        case .number(let number): "\(number)"
        }
    }

    /// The column at a position, counted from 0: by its title where the title alone names it in a list of columns.
    package init(at index: Int, in titles: [String]) {
        let title = titles.indices.contains(index) ? titles[index].split(whereSeparator: \.isWhitespace) : []
        let name = title.joined(separator: " ")
        let isName = !name.isEmpty && Int(name) == nil && !name.contains { ",=\"'".contains($0) }
        self =
            isName && Self.named(name).index(in: titles, width: titles.count) == index
            ? .named(name) : .number(index + 1)
    }
}

extension SensorColumns.Column {
    /// Reads a title or, of digits only, a number. Nil for an empty text, and for a number below 1.
    package init?(_ text: String) {
        let number = Int(text)
        guard !text.isEmpty, number ?? 1 > 0 else { return nil }
        self = number.map { .number($0) } ?? .named(text)
    }

    /// The position of the column, counted from 0, in a table of `width` columns; nil when the table does not have it.
    /// An equal title has priority over one that differs in case, blanks, punctuation or unit.
    package func index(in titles: [String], width: Int) -> Int? {
        switch self {
        case .number(let number):
            return number > 0 && number <= width ? number - 1 : nil
        case .named(let name):
            let (exact, plain) = (name.lowercased(), ColumnName(name).plain)
            return titles.firstIndex { $0.lowercased() == exact } ?? titles.firstIndex { ColumnName($0).plain == plain }
        }
    }
}
