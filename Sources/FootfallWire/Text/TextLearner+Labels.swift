internal import Footfall

/// What labels tell.
extension TextLearner {
    /// The labels in the order of their first appearance, with what they belong to.
    var labels: [(label: TextLabel, name: String)] {
        var seen: [(label: TextLabel, name: String)] = []
        for (line, text) in zip(lines, texts) where line.isLabelled && seen.count < 64 {
            for field in line.fields {
                guard let label = field.label, !seen.contains(where: { $0.label == label }) else { continue }
                let own = text.span.string(field.labelRange)
                var context = text.span.string(field.contextRange)
                if ColumnName(context).axis?.rest.isEmpty == false { context = String(context.dropLast()) }
                seen.append((label, label.place > 0 ? "" : context.isEmpty ? own : context + " " + own))
            }
        }
        return seen
    }

    var labelNames: [String] { labels.map(\.name).filter { !$0.isEmpty } }

    /// Nil when the labels do not speak of acceleration.
    func learnLabels() -> Outcome? {
        let labels = labels
        let names = labels.map { ColumnName($0.name) }
        guard let axes = labelledAxes(labels, names) else {
            guard ColumnName.triple(names, of: .withoutGravity) != nil else { return nil }
            return .refused(
                "the labels speak of acceleration without gravity; "
                    + "steps need acceleration with gravity, often called raw or total")
        }
        var vectors: [SIMD3<Float>] = []
        var slots = AxisSlots()
        for line in lines {
            if let vector = slots.take(line, axes.map { labels[$0].label }) { vectors.append(vector) }
        }
        let unit = lines.lazy.compactMap { line in
            line.unit.flatMap { unit in axes.contains { labels[$0].label == unit.label } ? unit.unit : nil }
        }.first
        let timeLabel = timeLabel(labels, names)
        return scaled(vectors, stated: names[axes[0]].accelerationUnit ?? unit) { scale in
            let fields = timeLabel.map { index in
                lines.compactMap { line in line.fields.first { $0.label == labels[index].label } }
            }
            let isTeleplot = lines.allSatisfy { $0.time != nil || !$0.isLabelled }
            return TextLayout(
                places: .labels(axes: axes.map { labels[$0].label }, time: timeLabel.map { labels[$0].label }),
                scale: scale,
                time: isTeleplot
                    ? .number(.milliseconds)
                    : fields.flatMap { timeForm($0, titled: timeLabel.flatMap { names[$0].timeUnit }) },
                axisNames: labels[axes[0]].label.place == 0 && labels[axes[1]].label.place > 0
                    ? "three numbers behind '\(labels[axes[0]].name)'"
                    : "labels " + axes.map { "'\(labels[$0].name)'" }.joined(separator: ", "),
                timeName: timeLabel.map { "label '\(labels[$0].name)'" })
        }
    }

    private func labelledAxes(_ labels: [(label: TextLabel, name: String)], _ names: [ColumnName]) -> [Int]? {
        if let chosen = options.columns {
            let axes = [chosen.x, chosen.y, chosen.z].compactMap { index($0, names) }
            return axes.count == 3 ? axes : nil
        }
        if let axes = ColumnName.triple(names, of: .acceleration) ?? ColumnName.triple(names, of: .likelyAcceleration) {
            return axes
        }
        // One label before three numbers.
        guard
            let first = names.firstIndex(where: { !$0.plain.isEmpty && ColumnName.quantity($0.plain) == .acceleration })
        else { return nil }
        let axes = (0..<3).compactMap { place in
            var wanted = labels[first].label
            wanted.place = place
            return labels.firstIndex { $0.label == wanted }
        }
        return axes.count == 3 ? axes : nil
    }

    private func timeLabel(_ labels: [(label: TextLabel, name: String)], _ names: [ColumnName]) -> Int? {
        if let chosen = options.columns { return chosen.time.flatMap { index($0, names) } }
        return names.indices.filter { labels[$0].label.place == 0 && names[$0].timeRank != nil }
            .min { (names[$0].timeRank ?? 0) < (names[$1].timeRank ?? 0) }
    }

    private func index(_ column: TextColumns.Column, _ names: [ColumnName]) -> Int? {
        switch column {
        case .at(let index): names.indices.contains(index) ? index : nil
        case .named(let name): names.firstIndex { $0.plain == ColumnName(name).plain }
        }
    }

    /// Whether the labels speak of acceleration, of whatever sort.
    var speaksOfAcceleration: Bool {
        let labels = labels
        let names = labels.map { ColumnName($0.name) }
        return labelledAxes(labels, names) != nil || ColumnName.triple(names, of: .withoutGravity) != nil
    }
}
