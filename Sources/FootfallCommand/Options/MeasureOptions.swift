import ArgumentParser
import FootfallMeasures
import FootfallReport

/// The options of the measures of days.
struct MeasureOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp("The wear of a valid day in the tables, such as 16h (default: 10h).", valueName: "duration"),
        transform: QueryValue.duration)
    var validDay = DayMeasures.leastWear

    func validate() throws {
        if !(0...86_400).contains(validDay) {
            throw ValidationError("--valid-day: a day has at most 24 h. Write a shorter duration, such as 10h.")
        }
    }
}
