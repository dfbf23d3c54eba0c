import Footfall
import FootfallMeasures
import FootfallTables
import Foundation

/// A page of `footfall help` about options that several commands have. It is in ASCII, for the manual pages.
enum HelpTopic: String, CaseIterable {
    case cutPoints = "cut-points"
    case units
    case recording

    /// The widest line where the terminal is wider, or where there is none: that of the help of a command.
    private static let mostColumns = 80

    /// The page, in lines that fit the terminal.
    var page: String {
        text.split(separator: "\n", omittingEmptySubsequences: false)
            .flatMap { WrappedText.lines(String($0), width: min(Self.mostColumns, Terminal.lineWidth)) }
            .joined(separator: "\n")
    }

    private var text: String {
        switch self {
        case .cutPoints:
            """
            Cut points of the intensity of physical activity

            A set is valid for the age of the wearer, the placement and the sensor of its study. There is no default: without --cut-points, \
            intensity has no minutes. --cut-points takes the name of a set, or own values: a measure and two or three numbers.

              enmo:45,100,430         light, moderate, vigorous in mg
              mad:91,414              moderate, vigorous in mg
              counts-y:100,1952,5725  counts per minute of the y axis; counts-vm of all axes

            The sets, with their least values of light, moderate and vigorous intensity, in mg, or counts in an epoch of the study:


            """
                + IntensityCutPoints.published.map { set in
                    let values = (set.light.map { [$0] } ?? []) + [set.moderate, set.vigorous]
                    return
                        "  \(set.name)\n    \(set.measure): \(values.map { $0.formatted(decimals: 1, atLeast: 0) }.joined(separator: ", ")); "
                        + "\(set.placement); \(set.age)\n"
                }.joined().asciiText + "\n"
                + Set(IntensityCutPoints.published.map { "  \($0.name.prefix { $0 != "-" }): \($0.source)" }).sorted()
                .joined(separator: "\n").asciiText + """


                    --mvpa-bouts whole counts bouts of moderate to vigorous activity without a break. --mvpa-bouts window is the rule of GGIR, \
                    where 5 min start with 4 min of activity.
                    """
        case .units:
            """
            Columns, units and times of a log or a device

            The content decides which columns are the acceleration, in which unit, and how times are written. 'footfall analyze LOG \
            --explain' prints the choice with its reasons. These options override it.

              --columns time,x,y,z
                  By name or by number from 1, such as t,ax,ay,az or 1,2,3,4; x,y,z for a log without times.
              --unit UNIT
                  g, mg, mss (m/s^2), or how many raw counts are one g, such as 16384.
              --zero COUNT
                  The raw count at 0 g, such as 338, or of each axis, such as 338,331,345.
              --time-unit UNIT
                  Of numeric times: s, ms, us or ns.
              --tz ZONE
                  The zone of times that have none, such as Europe/Berlin or +02:00.

            These are for logs alone. The samples of a device have the time of this machine.

              --rate HERTZ
                  Samples per second, for a log without a column of times. Gaps cannot be found then.
              --start TIME
                  The start of a log without a date, such as 2026-11-20T08:00. For times of day, the date of the first.
              --after-last
                  Start a log without a date after the last event of its source in the history.
              --where COLUMN=VALUE
                  Only the rows with this value in a column, by name or by number, such as user=33 or 2=1.
              --each COLUMN
                  Analyze the rows of each value of a column on their own.
              --lenient
                  Accept a log of which more than a tenth of the rows are dropped.
            """
        case .recording:
            """
            What a history keeps

            A history keeps the last seven days of each source: the wearer or the device that --source names. Ages are measured from the \
            newest recorded time, so that a wrong time in the future would make everything before it old. Such times are set aside.

              --keep DURATION
                  How long to keep events, such as 30d, or forever. The history remembers it.
              --accept-future
                  Also record what is more than ten minutes ahead of the clock. It makes everything before it old.
              --accept-leap
                  Let less than a minute of samples, after an hour or more without any, make older events old. Live \
            devices do so always.

            What a recording replaces or does not keep is printed, and the command exits with 4 or 65.
            """
        }
    }
}

extension IntensityCutPoints {
    /// The measure in words of the help.
    fileprivate var measure: String {
        switch metric {
        case .enmo: "ENMO"
        case .mad: "MAD"
        case .countsY: "counts of the y axis in \(Int(clamping: epochSeconds)) s"
        case .countsVectorMagnitude: "vector magnitude of counts in \(Int(clamping: epochSeconds)) s"
        }
    }
}

extension String {
    /// The text without accents and typographic signs, for manual pages.
    fileprivate var asciiText: String {
        replacing("\u{2013}", with: "-").replacing("\u{B1}", with: "+/-")
            .folding(options: .diacriticInsensitive, locale: nil)
    }
}
