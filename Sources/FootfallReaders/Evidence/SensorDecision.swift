internal import Footfall

/// Decides from all evidence whether three columns of a table are acceleration with gravity, and in which unit.
package struct SensorDecision {
    package private(set) var unit: AccelerationScale
    package private(set) var evidence: TableLayout.Evidence
    /// What a user should know.
    package private(set) var notes: [ParameterText] = []
    /// How the numbers stand for accelerations.
    package private(set) var coding = CountCoding()
    /// Whether the values alone show that the columns are acceleration with gravity.
    private(set) var isCertain = false
    /// The reason to refuse the columns; nil if they are read.
    package private(set) var refusal: Refusal?

    struct Facts {
        /// What the names state.
        var claim: SensorClaim
        /// The unit that the caller gives, or the title of the first axis states.
        var option: AccelerationScale?
        var titled: AccelerationScale?
        /// The first vectors, for the unit.
        var check: GravityCheck
        /// How the numbers were found to stand for accelerations; nil for signed numbers.
        var counts: CountSearch.Finding?
        var isZeroGiven = false
        /// The values over all of the log that is examined.
        var blocks: [MotionBlocks.Block]
        /// The number about which the values stay, as those of a sensor without gravity do; nil for other values.
        var middle: Float?
        /// Whether the numbers may have an unknown zero, where none was found.
        var mayHaveZero = false
        /// Counts that were refused, for a caller who insists.
        var refusedCounts: CountSearch.Finding?
        /// Whether other zeros and scales would fit the numbers as well, so that the values need a higher score.
        var isFitted: Bool {
            guard let counts else { return mayHaveZero }
            return counts.evidence == .assumption && counts.coding.span == nil && !isZeroGiven
        }
        /// Whether the times follow from a known rate.
        var hasRate = false
        /// Whether a few seconds of a steady vector may be followed by acceleration.
        var mayChange = false
    }

    /// The decision for acceleration whose gravity is in another table, in the unit of that.
    init(unit: AccelerationScale) { (self.unit, evidence) = (unit, .values) }

    init(_ facts: Facts) {
        self.init(weighing: facts)
        if refusal != nil, coding.isPlain, let counts = facts.refusedCounts {
            (unit, coding) = (counts.scale, counts.coding)
        }
        guard evidence == .assumption, facts.counts == nil else { return }
        notes.append(
            "the values fit gravity in no unit for certain; they were read in \(unit), so the median |a| is "
                + "\(facts.check.median(in: unit)) g")
    }

    /// Decides by the facts about numbers as counts, if they may be some. If these are refused and their zero is not
    /// given, the facts about the `plain` numbers decide.
    static func weighing(
        _ plain: @autoclosure () -> Facts, or counts: Facts?
    ) -> (facts: Facts, decision: SensorDecision) {
        if let counts {
            let decision = SensorDecision(counts)
            if counts.isZeroGiven || decision.refusal == nil { return (counts, decision) }
        }
        var plain = plain()
        plain.refusedCounts = counts?.counts
        return (plain, SensorDecision(plain))
    }

    private init(weighing facts: Facts) {
        let check = facts.check
        if let counts = facts.counts { coding = counts.coding }
        if let counts = facts.counts, !facts.isZeroGiven { notes.append(counts.note) }
        if let unit = facts.option {
            (self.unit, evidence) = (unit, .option)
            if facts.counts == nil { noteContradiction(check) }
            return
        }
        if let counts = facts.counts {
            (unit, evidence) = (counts.scale, counts.evidence)
        } else if let unit = facts.titled {
            (self.unit, evidence) = (unit, .header)
            noteContradiction(check)
        } else if facts.mayChange, check.isInconclusive {
            (unit, evidence) = (.g, .assumption)
            return
        } else {
            (unit, evidence, refusal) = Self.unit(facts)
        }
        if let middle = facts.middle, facts.counts?.coding.span == nil, evidence != .header, facts.claim != .given {
            let insisting = CountSearch.insisting(onZero: middle)
            (unit, coding, refusal) = (insisting.scale, insisting.coding, Refusal(.noGravity(about: middle)))
        }
        guard refusal == nil, evidence != .assumption || facts.counts != nil, facts.claim != .given,
            let motion = MotionEvidence(facts.blocks, in: check.scale(insteadOf: unit) ?? unit)
        else { return }
        let certain = facts.isFitted ? SensorClaim.certainOfFitted : SensorClaim.certain
        isCertain = motion.logOdds >= certain
        let isNamed = facts.claim == .acceleration
        let least =
            isNamed ? facts.claim.leastLogOdds : max(facts.claim.leastLogOdds, facts.isFitted ? certain : -.infinity)
        if motion.logOdds < least {
            refusal = Self.refusal(facts, motion, unit, least: least)
        } else if facts.claim == .other(.linearAcceleration) {
            notes.append("the names say that gravity is missing, but the values have it (\(motion.text(least: least)))")
        } else if !isCertain {
            let oddity = motion.oddity(facts.blocks, in: unit)
            let odds = motion.text(least: certain)
            notes.append("this may not be acceleration with gravity (\(oddity); \(odds)), but the names say so")
            if evidence == .values { evidence = .assumption }
        }
        if refusal == nil, evidence == .values, facts.counts == nil, facts.mayHaveZero {
            evidence = .assumption
            notes.append(
                "the numbers are positive and about equal on all axes; if they are counts with a zero, give \(.zero())")
        }
    }

    // MARK: Unit

    private static func unit(_ facts: Facts) -> (AccelerationScale, TableLayout.Evidence, Refusal?) {
        switch facts.check.find(isLast: true) {
        case .scale(let unit): return (unit, .values, nil)
        case .unclear: return (.g, .assumption, nil)
        case .refused(let objection):
            let weighed = facts.check.scales.compactMap { scale in
                MotionEvidence(facts.blocks, in: scale).map { (scale: scale, logOdds: $0.logOdds) }
            }
            let best = weighed.max { $0.logOdds < $1.logOdds }
            if let best, best.logOdds >= SensorClaim.certain, facts.check.isUsual(in: best.scale) {
                return (best.scale, .values, nil)
            }
            if facts.claim == .given { return (best?.scale ?? .g, .assumption, nil) }
            if let best, best.logOdds >= facts.claim.leastLogOdds, facts.check.isPossible(in: best.scale) {
                return (best.scale, .assumption, nil)
            }
            return (facts.check.nearestScale, .values, Refusal(objection))
        }
    }

    private mutating func noteContradiction(_ check: GravityCheck) {
        guard let instead = check.scale(insteadOf: unit) else { return }
        notes.append(
            "the \(evidence.rawValue) says \(unit), but the values look like \(instead): there the median |a| is "
                + "\(check.median(in: instead)) g, not \(check.median(in: unit)) g; to read them so, give \(.unit(instead))"
        )
    }

    // MARK: Refusals

    private static func refusal(
        _ facts: Facts, _ motion: MotionEvidence, _ unit: AccelerationScale, least: Float
    ) -> Refusal {
        let odds = motion.text(least: least)
        if case .other(let sensor) = facts.claim { return Refusal(sensor, "the name of the file (\(odds))") }
        if let sign = MotionEvidence.signOfGravityAlone(facts.blocks) { return Refusal(.gravity, sign) }
        return Refusal(
            "acceleration without gravity, or another sensor (\(motion.oddity(facts.blocks, in: unit)); \(odds))",
            remedy: "choose the file of the accelerometer")
    }
}

/// What the names around three columns state about their sensor.
enum SensorClaim: Equatable {
    /// The caller names the columns, or gravity comes from other columns. Nothing is left to decide.
    case given
    /// A title or the name of the file states the accelerometer.
    case acceleration
    /// A title is usual for accelerometers, such as `ax` or `val_x`, or states a unit of acceleration. Acceleration
    /// without gravity has such titles too.
    case likely
    /// No name states what the columns are.
    case silent
    /// The name of the file states another sensor, and no title contradicts it.
    case other(SensorKind)

    /// Weighs the titles of the axes, `all` titles of the table, and the name of the file.
    init(axes titles: [String], _ all: [String], fileName: String?) {
        let names = titles.map(ColumnName.init)
        var file = fileName.flatMap { SensorKind(fileName: $0) }
        // Sensor Logger's Accelerometer.csv has no gravity.
        let isOfSensorLogger = all.starts(with: ["time", "seconds_elapsed"])
        if isOfSensorLogger, fileName?.lowercased().hasPrefix("accelerometer.") ?? false { file = nil }
        let isUsual = names.contains { name in
            name.accelerationUnit != nil || ["a", "val", "value"].contains(name.axis?.rest)
        }
        if titles.contains(where: { SensorKind(title: $0) == .accelerometer }) {
            self = .acceleration
        } else if let file, file != .accelerometer {
            self = .other(file)
        } else if file == .accelerometer, !names.isEmpty {
            self = .acceleration
        } else {
            self = isUsual ? .likely : .silent
        }
    }

    /// The least log-odds, by the values, of columns that are read. The bounds come from the first confusion of
    /// `Notebooks/sensor_check.py`. Of excerpts of 2 to 240 s from its training data, the shipped network decides 2 to
    /// 3 in 1,000 wrongly at the bound of ``silent``.
    var leastLogOdds: Float {
        switch self {
        case .given: -.infinity
        case .acceleration: -8
        case .likely: -1
        case .silent: 0
        case .other: 5
        }
    }

    /// The fewest seconds of values that are sure where the titles say that gravity is missing.
    static let fewestSecondsAgainstTitles = 20

    /// The log-odds above which no warning is needed.
    static let certain: Float = 0

    /// The same for numbers whose zero and scale are fitted to them. Of 82 cuts of a minute as counts of 10 to 16 bits,
    /// 2 of acceleration have less, and 14 of 43 of other sensors that fit too.
    static let certainOfFitted: Float = 4
}
