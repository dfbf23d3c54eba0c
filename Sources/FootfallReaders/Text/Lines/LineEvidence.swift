package import Footfall

extension SensorDecision {
    /// The decision for the values of lines that a program writes, by the same evidence as for a table.
    ///
    /// - Parameters:
    ///   - layout: The layout of the lines.
    ///   - samples: The values in the unit of the lines, with their times.
    ///   - options: What the caller states.
    ///   - fileName: The name of the file, which may state the sensor.
    package init(
        _ layout: TextLayout, _ samples: [(time: Timestamp, vector: SIMD3<Float>)], _ options: TextLineOptions,
        fileName: String?
    ) {
        let length = samples.last.map { $0.time.seconds(since: samples[0].time) } ?? 0
        let second = length > 0 ? Int(clamping: (Double(samples.count) / length).rounded()) : GravityCheck.block
        let counts =
            layout.stated == nil
            ? samples.map(\.vector).coding(second: second, options) : nil
        func facts(_ counts: CountSearch.Finding?) -> Facts {
            let vectors = samples.map { counts?.coding.vector($0.vector) ?? $0.vector }
            var blocks = MotionBlocks()
            for (sample, vector) in zip(samples, vectors) { blocks.add(sample.time, SIMD3<Double>(vector)) }
            blocks.finish()
            let claim: SensorClaim =
                options.columns != nil ? .given : SensorClaim(axes: layout.titles, layout.titles, fileName: fileName)
            return Facts(
                claim: claim, option: options.scale, titled: layout.stated.map(AccelerationScale.unit),
                check: GravityCheck(vectors), counts: counts, isZeroGiven: options.zero != nil, blocks: blocks.blocks)
        }
        let decision = SensorDecision(facts(counts))
        self = counts == nil || options.zero != nil || decision.refusal == nil ? decision : SensorDecision(facts(nil))
    }
}

/// Whether a line may be one that a program writes, not the row of a table.
package enum LineOrigin: Sendable {
    /// A program, which says what the numbers are.
    case labeled
    /// A program, or several sensors in one row of bare numbers.
    case program
    case table

    /// The fewest numbers in a row of several sensors: a quaternion and an acceleration.
    private static let several = 7

    package init(_ text: [UInt8]) {
        let object = Array("{\"".utf8)
        let isObject = text.indices.contains { text.span.has(object, at: $0) }
        let plain = text.filter { $0 != ASCII.quote }
        let line = TextLine(plain)
        let lead = line.fields.first.flatMap { first -> ColumnName? in
            if case .word = first.content { ColumnName(plain.span.string(first.range)) } else { nil }
        }
        if line.isLabeled || isObject || lead?.otherSensor != nil {
            self = .labeled
            return
        }
        let escape: UInt8 = 0x1B
        let isBracketed = plain.first.map { "([".utf8.contains($0) } ?? false
        let isProgram =
            lead != nil || line.stamp != nil || isBracketed || text.contains(escape)
            || HexForm.isPossible(in: plain) || line.fields.count { $0.number != nil } >= Self.several
        self = isProgram ? .program : .table
    }

    /// The most titles that are compared, since each is compared with every other.
    private static let mostTitles = 64

    /// Whether a line has the titles of a table: names of axes between commas, semicolons or tabs.
    package static func isHeader(_ text: [UInt8]) -> Bool {
        let titles = text.filter { $0 != ASCII.quote }.split(whereSeparator: { ",;\t".utf8.contains($0) })
        guard (3...mostTitles).contains(titles.count), !text.contains(where: { ":=".utf8.contains($0) }) else {
            return false
        }
        return ColumnName.haveAxes(titles.map { ColumnName(String(decoding: $0, as: UTF8.self)) })
    }
}

extension [SIMD3<Float>] {
    /// How the numbers of lines stand for accelerations; nil for signed numbers of which 0 is 0 g.
    ///
    /// A sensor at rest may write the same numbers with and without a sign, so gravity in signed numbers has priority.
    func coding(
        second: Int = GravityCheck.block, _ options: TextLineOptions
    ) -> CountSearch.Finding? {
        let found = CountSearch(self, second: second, zero: options.zero, scale: options.scale).find()
        guard let found, found.coding.unsignedBits != nil else { return found }
        if case .scale = GravityCheck(self).find(isLast: true) { return nil }
        return found
    }
}
