/// Gives the pages of a GENEActiv recording their times.
///
/// A page says when its first sample was taken, but only to half a second. Pages follow each other without a pause, so
/// their times lie on a line: the least squares line through all pages up to now, those of the opening of the file included
/// from the start. One pass over the file is enough, and after a few minutes the line moves less than a sample. A page that
/// lies off the line begins a new one: the logger paused, or its clock was set.
struct PageClock: Sendable {
    /// How many samples a page holds.
    static let samplesPerPage = 300
    /// How far a page may lie off the line, in seconds: twice what times are rounded to.
    private static let largestError = 1.0
    /// How far the real rate may be off the one that was set.
    private static let largestRateError = 0.02

    /// The first page of the line.
    private var origin: (page: Int64, seconds: Double)?
    /// The pages of the line: how many, and the sums of their numbers and times after the first, squares and products.
    private var count = 0.0
    private var sumX = 0.0
    private var sumY = 0.0
    private var sumXX = 0.0
    private var sumXY = 0.0
    /// The last page that was taken into the line.
    private var latest = Int64.min
    /// The page that follows the last one that was timed, and where it has to begin.
    private var next: (page: Int64, seconds: Double)?
    /// Seconds that a page lasts at the rate that was set.
    private let usualLength: Double

    init(sampleRate: Double) {
        usualLength = Double(PageClock.samplesPerPage) / sampleRate
    }

    /// Takes a page into the line, if it is not yet in it. False where it lies off the line.
    mutating func take(page: Int64, seconds: Double) -> Bool {
        guard page > latest else { return true }
        if origin != nil, abs(seconds - start(of: page)) > PageClock.largestError { return false }
        let origin = self.origin ?? (page, seconds)
        self.origin = origin
        let (x, y) = (Double(page - origin.page), seconds - origin.seconds)
        count += 1
        sumX += x
        sumY += y
        sumXX += x * x
        sumXY += x * y
        latest = page
        return true
    }

    /// Forgets the line.
    mutating func restart() {
        self = PageClock(usualLength: usualLength)
    }

    private init(usualLength: Double) {
        self.usualLength = usualLength
    }

    /// Seconds that a page lasts.
    private var length: Double {
        let spread = count * sumXX - sumX * sumX
        guard spread > 0 else { return usualLength }
        let slope = (count * sumXY - sumX * sumY) / spread
        // Over a few pages, half a second of rounding is much.
        return abs(slope / usualLength - 1) < PageClock.largestRateError ? slope : usualLength
    }

    /// When the first sample of a page was taken, in seconds on the logger's clock, and how long the page lasts.
    ///
    /// A page begins where the one before it ended and ends where the line says, so that the line may move without a jump.
    mutating func span(of page: Int64) -> (start: Double, length: Double) {
        let end = start(of: page + 1)
        var span = (start: start(of: page), length: length)
        if let next, next.page == page, abs((end - next.seconds) / length - 1) < 0.5 {
            span = (next.seconds, end - next.seconds)
        }
        next = (page + 1, span.start + span.length)
        return span
    }

    /// When the line says that the first sample of a page was taken, in seconds on the logger's clock.
    private func start(of page: Int64) -> Double {
        guard let origin, count > 0 else { return 0 }
        let mean = (sumY - length * sumX) / count
        return origin.seconds + mean + length * Double(page - origin.page)
    }
}
