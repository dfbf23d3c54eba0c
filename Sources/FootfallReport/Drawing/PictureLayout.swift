/// How wide the pictures of a report are, and what fits: wide for a desk, for paper and for files, narrow for a hand.
/// Both are drawn, and a page shows the one whose letters can be read.
struct PictureLayout {
    /// What it is called in style sheets.
    let name: String
    let width: Double
    /// Where panels begin and end; to the left stand the numbers of their axes.
    let left: Double
    let right: Double
    /// The most labels of an axis there is room for: times of day, times of day with seconds, dates.
    let mostTimes: Int
    let mostLongTimes: Int
    let mostDates: Int
    /// The most days whose bars have room for their steps, and for a label each.
    let mostDays: Int

    static let wide = PictureLayout(
        name: "wide", width: 800, left: 60, right: 770, mostTimes: 9, mostLongTimes: 8, mostDates: 7, mostDays: 10)
    static let narrow = PictureLayout(
        name: "narrow", width: 380, left: 54, right: 362, mostTimes: 5, mostLongTimes: 4, mostDates: 4, mostDays: 7)

    /// A panel between two heights.
    func panel(top: Double, bottom: Double) -> Panel { Panel(left: left, right: right, top: top, bottom: bottom) }
}
