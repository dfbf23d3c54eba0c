/// A line of titles.
struct TextHeader {
    /// The titles, without blanks around them.
    let titles: [String]
    private let isSeparated: Bool

    /// Takes a line apart. Titles may hold blanks where something else separates them.
    init(_ line: [UInt8]) {
        let marks = ",;\t".utf8
        let isSeparated = line.contains { marks.contains($0) }
        let separator: (UInt8) -> Bool = { isSeparated ? marks.contains($0) : $0 == UInt8(ascii: " ") }
        self.isSeparated = isSeparated
        titles = line.split(whereSeparator: separator).map { String(decoding: $0, as: UTF8.self) }
            .map { $0.split(separator: " ").joined(separator: " ") }.filter { !$0.isEmpty }
    }

    /// Whether the titles name the three axes of something: what a person says does not.
    var hasAxes: Bool {
        let names = titles.map { ColumnName($0) }
        return names.contains { name in
            guard let rest = name.axis?.rest else { return false }
            return ColumnName.Axis.allCases.allSatisfy { axis in
                names.contains { $0.axis.map { $0 == (axis, rest) } ?? false }
            }
        }
    }

    /// Whether these are three words or more that something separates.
    var isList: Bool {
        isSeparated && titles.count >= 3 && titles.allSatisfy { !$0.contains(" ") && $0.utf8.first?.isLetter == true }
    }
}
