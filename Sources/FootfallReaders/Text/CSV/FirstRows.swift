internal import Footfall

/// The first rows of a table, for the facts about three of its columns.
struct FirstRows {
    let times: [Timestamp?]
    let names: [String]
    let isEmpatica: Bool
    let options: TraceOptions

    /// The facts about numbers, and about the same as counts with another zero, or without a sign; nil where they are
    /// none, as of an Empatica.
    func facts(
        _ vectors: [SIMD3<Float>?], _ columns: CSVColumns
    ) -> (plain: SensorDecision.Facts, counts: SensorDecision.Facts?) {
        let search = search(vectors, columns)
        let plain = facts(vectors, columns, search)
        guard !isEmpatica || options.zero != nil, var found = search.find() else { return (plain, nil) }
        if options.unit == nil, found.evidence == .option { found.evidence = .header }
        var counts = facts(vectors.map { $0.map(found.coding.vector) }, columns, search)
        (counts.counts, counts.isZeroGiven) = (found, options.zero != nil)
        return (plain, counts)
    }

    private func search(_ vectors: [SIMD3<Float>?], _ columns: CSVColumns) -> CountSearch {
        let known = times.compactMap(\.self)
        let length = (known.max() ?? .epoch).seconds(since: known.min() ?? .epoch)
        let second = length > 0 ? Int(clamping: (Double(known.count) / length).rounded()) : GravityCheck.block
        let isVoltage = columns.axes.allSatisfy { axis in
            names.title(axis).flatMap { ColumnName($0).unit }.map(ColumnName.isVoltage) ?? false
        }
        return CountSearch(
            vectors.compactMap(\.self), second: second, zero: options.zero, scale: options.unit ?? titled(columns),
            isVoltage: isVoltage)
    }

    private func facts(
        _ vectors: [SIMD3<Float>?], _ columns: CSVColumns, _ search: CountSearch
    ) -> SensorDecision.Facts {
        let titles = columns.axes.compactMap(names.title)
        let isGiven = options.columns != nil || options.isGravityApart || !columns.gravity.isEmpty
        // The unit may be unknown, but most values are about the size of gravity. Rows that are out of all proportion
        // are dropped later, so they are no evidence.
        let lengths = vectors.compactMap { $0.map { SIMD3<Double>($0).length } }
        let most = Double(PlausibleAcceleration.limitG) * (lengths.upperMedian() ?? 0)
        var blocks = MotionBlocks()
        for (time, vector) in zip(times, vectors) {
            guard let time, let vector = vector.map(SIMD3<Double>.init), most == 0 || vector.length <= most else {
                continue
            }
            blocks.add(time, vector)
        }
        blocks.finish()
        var claim = isGiven ? .given : SensorClaim(axes: titles, names, fileName: options.fileName)
        if columns.areNamedLinear { claim = columns.isROS ? .silent : .other(.linearAcceleration) }
        return SensorDecision.Facts(
            claim: claim, option: options.unit, titled: isEmpatica ? .counts(perG: 64) : titled(columns),
            check: GravityCheck(vectors.compactMap(\.self)), blocks: blocks.blocks,
            middle: search.numberWithoutGravity, mayHaveZero: search.mayHaveZero,
            hasRate: columns.times.isEmpty, mayChange: columns.hasMoreAxes)
    }

    /// The unit that the title of the first axis states, or the cells.
    private func titled(_ columns: CSVColumns) -> AccelerationScale? {
        let title = columns.axes.first.flatMap(names.title).map(ColumnName.init)
        return (title?.accelerationUnit ?? options.cellUnit).map(AccelerationScale.unit)
    }
}
