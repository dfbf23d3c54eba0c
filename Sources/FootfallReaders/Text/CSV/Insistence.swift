extension Refusal {
    /// The refusal with the options that have its columns read all the same.
    ///
    /// - Parameters:
    ///   - titles: The titles of the table.
    ///   - unit: The unit that the options give.
    func insisting(_ titles: [String], _ unit: AccelerationScale, needsRate: Bool) -> Refusal {
        guard let columns, columns.axes.count == 3 else { return self }
        func column(_ index: Int) -> SensorColumns.Column { SensorColumns.Column(at: index, in: titles) }
        let axes = columns.axes.map(column)
        let choice = SensorColumns(time: columns.times.first.map(column), x: axes[0], y: axes[1], z: axes[2])
        var refusal = self
        let options: [ParameterText.Parameter] = [.columns(choice), .unit(unit)] + (needsRate ? [.sampleRate()] : [])
        refusal.remedy =
            (remedy.map { "\($0); " } ?? "") + "to read these columns all the same, give \(options)"
            + (needsRate ? " HERTZ" : "")
        refusal.columns = nil
        return refusal
    }
}
