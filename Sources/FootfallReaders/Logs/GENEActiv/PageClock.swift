/// Computes the times of the pages of a GENEActiv recording.
///
/// A page states the time of its first sample to half a second. Pages follow each other without a pause, so their times
/// are on a line: the least squares line through all pages so far, and through all pages of the opening. After a few
/// minutes the line moves by less than a sample. A page off the line starts a new one: the logger paused, or its clock
/// was set.
struct PageClock: Sendable {
    /// The number of samples in a page.
    static let samplesPerPage = 300
    /// The largest distance of a page from the line, in seconds: twice the rounding of times.
    private static let largestError = 1.0
    /// The largest relative deviation of the real rate from the nominal one.
    private static let largestRateError = 0.02

    /// The first page of the line.
    private var origin: (page: Int64, seconds: Double)?
    /// The pages of the line: their count, and the sums of their numbers and times since the first, squares and
    /// products.
    private var count = 0.0
    private var sumX = 0.0
    private var sumY = 0.0
    private var sumXX = 0.0
    private var sumXY = 0.0
    /// The last page of the line.
    private var latest = Int64.min
    /// The next page, and its start.
    private var next: (page: Int64, seconds: Double)?
    /// The length of a page at the nominal rate, in seconds.
    private let usualLength: Double

    init(sampleRate: Double) {
        usualLength = Double(PageClock.samplesPerPage) / sampleRate
    }

    /// Adds a page to the line, unless it is part of it. False for a page off the line.
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

    /// Starts a new line.
    mutating func restart() {
        self = PageClock(usualLength: usualLength)
    }

    private init(usualLength: Double) {
        self.usualLength = usualLength
    }

    /// The length of a page, in seconds.
    private var length: Double {
        let spread = count * sumXX - sumX * sumX
        guard spread > 0 else { return usualLength }
        let slope = (count * sumXY - sumX * sumY) / spread
        // Over a few pages, the rounding dominates.
        return abs(slope / usualLength - 1) < PageClock.largestRateError ? slope : usualLength
    }

    /// The start of a page, in seconds on the logger's clock, and its length.
    ///
    /// A page starts at the end of the page before it and ends on the line, so that times do not jump when the line
    /// moves.
    mutating func span(of page: Int64) -> (start: Double, length: Double) {
        let end = start(of: page + 1)
        var span = (start: start(of: page), length: length)
        if let next, next.page == page, abs((end - next.seconds) / length - 1) < 0.5 {
            span = (next.seconds, end - next.seconds)
        }
        next = (page + 1, span.start + span.length)
        return span
    }

    /// The start of a page on the line, in seconds on the logger's clock.
    private func start(of page: Int64) -> Double {
        guard let origin, count > 0 else { return 0 }
        let mean = (sumY - length * sumX) / count
        return origin.seconds + mean + length * Double(page - origin.page)
    }
}
