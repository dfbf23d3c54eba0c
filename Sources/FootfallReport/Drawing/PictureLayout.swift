/// The width of a report's pictures, and the number of their labels: wide for desktops, paper and files, narrow for
/// phones. A page holds both and shows the one that fits.
struct PictureLayout {
    /// The name in style sheets.
    let name: String
    let width: Double
    /// The left and the right end of panels. The numbers of the axes are on the left.
    let left: Double
    let right: Double
    /// The greatest number of labels on an axis: times of day, times of day with seconds, dates, dates with their year.
    let mostTimes: Int
    let mostLongTimes: Int
    let mostDates: Int
    let mostLongDates: Int
    /// The greatest number of days with a label for each bar.
    let mostDays: Int

    static let wide = PictureLayout(
        name: "wide", width: 800, left: 60, right: 770, mostTimes: 9, mostLongTimes: 8, mostDates: 7,
        mostLongDates: 7, mostDays: 10)
    static let narrow = PictureLayout(
        name: "narrow", width: 380, left: 54, right: 362, mostTimes: 5, mostLongTimes: 4, mostDates: 4,
        mostLongDates: 3, mostDays: 6)

    /// The hours between the labels of a day.
    var hoursPerTick: Int { mostTimes >= 9 ? 3 : 6 }

    func panel(top: Double, bottom: Double) -> Panel { Panel(left: left, right: right, top: top, bottom: bottom) }
}
