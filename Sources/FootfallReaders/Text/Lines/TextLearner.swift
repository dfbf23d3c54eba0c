internal import Footfall

/// Learns the layout of a stream from its first lines.
package struct TextLearner {
    package enum Failure: Error {
        /// More lines are needed.
        case unclear
        /// The lines cannot be used, for this reason.
        case refused(ParameterText)
    }

    private let options: TextLineOptions
    private let header: [String]
    /// Whether the stream ends with these lines.
    private let isLast: Bool
    private let form: NumberForm?
    private let lines: [TextLine]
    private let parts: [JSONLine.Part]
    let labels: LineLabels

    /// Learns from cleaned lines with numbers, below the titles of the last header, if any. The stream may end with
    /// them.
    package init(
        _ parts: [JSONLine.Part], header: [String], _ options: TextLineOptions, isLast: Bool, device: String? = nil
    ) {
        (self.parts, self.header, self.options, self.isLast) = (parts, header, options, isLast)
        let form = NumberForm(parts.map(\.text))
        self.form = form
        lines = parts.map { TextLine($0.text, form: form) }
        labels = LineLabels(lines, parts, device: device)
    }

    package func learn() throws(Failure) -> TextLayout {
        if let layout = try learnDevices() { return layout }
        var layout = try places()
        layout.form = form
        layout.isBracketed = parts.count { TextLine.isBracketed($0.text) } * 2 > parts.count
        if layout.time == nil, let (time, zero) = stampForm {
            (layout.time, layout.zero, layout.isStamped) = (time, zero, true)
            layout.timeName = "before the text"
        }
        if layout.time != nil, parts.contains(where: { $0.count > 1 }) {
            layout.packetInterval = packetInterval(layout)
            guard layout.packetInterval != nil || isLast else { throw .unclear }
        }
        return layout
    }

    private func places() throws(Failure) -> TextLayout {
        if lines.count(where: \.isLabeled) * 2 > lines.count {
            if let layout = try learnLabels() { return layout }
            guard let rows = rowsWithOneLabel() else {
                let names = labels.titles.filter { !$0.isEmpty }
                throw refusedAtLast(
                    "no acceleration among the labels \(names.prefix(12).joined(separator: ", ")); \(labels.remedy)")
            }
            var layout = try learnRows(rows)
            layout.isBehindLabel = true
            return layout
        }
        let rows = lines.indices.filter { !lines[$0].isLabeled }
        if lines.count >= 3, rows.allSatisfy({ SensorNumbers.accelerationField(lines[$0]).isRow }) {
            return try learnSensorNumbers(rows)
        }
        return try learnRows(rows)
    }

    /// A refusal, or unclear where more lines may still help.
    private func refusedAtLast(_ reason: ParameterText) -> Failure {
        isLast || lines.count >= GravityCheck.block ? .refused(reason) : .unclear
    }

    // MARK: Rows

    /// Labeled lines with one label before all numbers, such as `acc: 0.1 0.2 0.9`.
    private func rowsWithOneLabel() -> [Int]? {
        let named = labels.titles.filter { !$0.isEmpty }
        guard named.count == 1, ColumnName(named[0]).otherSensor == nil else { return nil }
        let rows = lines.indices.filter { lines[$0].fields.count >= 3 }
        return rows.count * 2 > lines.count ? rows : nil
    }

    /// Rows of one width that have the same word in the field that tells sensors apart, or none.
    private struct Group {
        var width: Int
        var lead: TextLayout.Lead?
        /// The word.
        var name: String?
        /// Rows with three numbers or more.
        var count: Int

        /// Whether the word means acceleration.
        var isOfAcceleration: Bool {
            guard let name else { return false }
            let plain = ColumnName(name).plain
            return name == "I" || ColumnName.quantity(plain) == .acceleration || plain.hasPrefix("imu")
        }

        /// Whether the word means another sensor.
        var isOfOtherSensor: Bool { name.flatMap { ColumnName($0).otherSensor } != nil }
    }

    private func learnRows(_ rows: [Int]) throws(Failure) -> TextLayout {
        // In the order of their first appearance, so that the first of equally frequent groups is used.
        var groups: [Group] = []
        let field = leadField(rows)
        func lead(_ row: Int) -> TextLayout.Lead? {
            lines[row].word(at: field, parts[row].text).map { TextLayout.Lead(field: field, word: $0) }
        }
        func index(_ row: Int) -> Int? {
            let (width, lead) = (lines[row].fields.count, lead(row))
            return groups.firstIndex { $0.width == width && $0.lead == lead }
        }
        for row in rows where lines[row].fields.count(where: { $0.number != nil }) >= 3 {
            if let known = index(row) {
                groups[known].count += 1
            } else {
                let lead = lead(row)
                let name = lead.map { _ in text(row, field) }
                groups.append(Group(width: lines[row].fields.count, lead: lead, name: name, count: 1))
            }
        }
        let most = groups.map(\.count).max() ?? 0
        let candidates = groups.filter { !$0.isOfOtherSensor }.map(\.count).max() ?? most
        guard
            let chosen = groups.firstIndex(where: { $0.isOfAcceleration && $0.count * 8 >= most })
                ?? groups.firstIndex(where: {
                    $0.count + 1 >= candidates && !$0.isOfOtherSensor && $0.count * 8 >= most
                })
                ?? groups.firstIndex(where: { $0.count == most })
        else { throw refusedAtLast("no line has three numbers; print x, y and z in each, such as 0.02,-0.01,1.00") }
        let group = groups[chosen]
        // An x-IMU3 in text mode: letter, µs, angular rate, acceleration.
        if group.name == "I", group.width == 8 {
            return TextLayout(
                places: .row(width: 8, lead: group.lead, axes: [5, 6, 7], time: 1), scale: .g, stated: .g,
                time: .number(.microseconds), axisNames: "x-IMU3 inertial messages")
        }
        return try learn(rows.filter { index($0) == chosen }, group)
    }

    // MARK: Devices

    /// The layout of the lines of one of several devices; nil where lines name none, or one.
    private func learnDevices() throws(Failure) -> TextLayout? {
        let names = zip(lines, parts).map { $0.devices($1) }
        var places: [DeviceName.Place] = []
        for name in names.joined() where !places.contains(name.place) { places.append(name.place) }
        for place in places {
            let devices = names.map { $0.first { $0.place == place } }
            if let layout = try learn(place, devices) { return layout }
        }
        return nil
    }

    /// The same for the names at one place; nil where they do not take turns.
    private func learn(_ place: DeviceName.Place, _ devices: [DeviceName?]) throws(Failure) -> TextLayout? {
        let known = devices.compactMap(\.self)
        let turns = zip(known.dropFirst(), known).count { $0 != $1 }
        var all: [DeviceName] = []
        for device in known where !all.contains(device) && all.count <= DeviceSeries.most { all.append(device) }
        guard (2...DeviceSeries.most).contains(all.count), turns >= all.count, all.count * 2 <= known.count else {
            return nil
        }
        let given = all.first { options.name($0.name) }
        if let given, let columns = options.columns {
            guard labels.chosen(columns) == nil else { return nil }
            all = [given]
        } else {
            all.removeAll { !$0.mayBeOfAcceleration }
            guard all.count > 1 || !all.isEmpty && place.isStated else { return nil }
            guard isLast || lines.count >= GravityCheck.block else { throw .unclear }
        }
        func learner(_ device: DeviceName, isLast: Bool) -> TextLearner {
            let own = parts.indices.filter { devices[$0] == device }.map { parts[$0] }
            let options = options.behind(device.name)
            return TextLearner(own, header: header, options, isLast: isLast, device: device.name)
        }
        let series = all.compactMap { device in
            let learner = learner(device, isLast: true)
            return (try? learner.learn()).map { DeviceSeries(device, $0, learner.lines, learner.parts) }
        }
        // By name, so that a stream that is opened again is read as that of the same device.
        let most = series.map { $0.unit == nil ? 0 : $0.vectors.count }.max() ?? 0
        let frequent = series.filter { $0.unit != nil && $0.vectors.count * 2 >= most }
        guard let own = frequent.min(by: { $0.device.name < $1.device.name }) ?? series.first else { return nil }
        let like = series.filter { $0.device != own.device && $0.isLike(own) }
        if given == nil {
            guard place.isStated || !like.isEmpty else { return nil }
            guard place.isCertain(all) || areApart(series, devices) else { return nil }
        }
        var layout = try learner(own.device, isLast: isLast).learn()
        layout.devices.insert(own.device, at: 0)
        if !layout.axisNames.contains("'\(own.device.name)") { layout.axisNames += " of '\(own.device.name)'" }
        if let other = like.first?.device.name {
            let counts = ([own] + like).map { "\($0.device.name): \($0.vectors.count) lines" }.joined(separator: ", ")
            layout.remark =
                "several series in the first \(lines.count) lines, told apart by a name (\(counts)); only "
                + "\(own.device.name) is read; for \(like.count == 1 ? "the other" : "another"), give "
                + "\(.columns(SensorColumns(device: other)))"
        }
        return layout
    }

    /// Whether each line resembles the last one of its device more than the line above.
    private func areApart(_ series: [DeviceSeries], _ devices: [DeviceName?]) -> Bool {
        let numbers = devices.map { device in series.firstIndex { $0.device == device } ?? series.count }
        var readers = series.map { TextReader($0.layout) }
        let vectors = lines.indices.map { line in
            numbers[line] < series.count ? readers[numbers[line]].vector(lines[line], parts[line]) : nil
        }
        return SeriesCheck(times: lines.map { _ in nil }, vectors: vectors)
            .areApart(numbers, count: series.count + 1)
    }

    /// The field whose word tells sensors apart: the first field that names acceleration in some rows and another
    /// sensor in others, as in `$TIM,12.5,$ACC,…`, or else the first one of the rows.
    private func leadField(_ rows: [Int]) -> Int {
        func names(_ field: Int) -> Set<String> {
            Set(rows.filter { lines[$0].word(at: field, parts[$0].text) != nil }.map { text($0, field) })
        }
        let width = rows.map { lines[$0].fields.count }.max() ?? 0
        return (1..<max(1, width)).first { field in
            let columns = names(field).map { ColumnName($0) }
            return columns.contains { $0.otherSensor != nil }
                && columns.contains { ColumnName.quantity($0.plain) == .acceleration && !$0.plain.isEmpty }
        } ?? 0
    }

    private func text(_ row: Int, _ field: Int) -> String {
        String(decoding: parts[row].text[lines[row].fields[field].range], as: UTF8.self)
    }

    private func learn(_ indices: [Int], _ group: Group) throws(Failure) -> TextLayout {
        let rows = indices.map { lines[$0] }
        let titles = header.count == group.width ? header : []
        let columns = try RowColumns.find(
            rows, width: group.width, header: titles, indices.first.map { parts[$0].text } ?? [], options.columns)
        func title(_ column: Int) -> String? { columns.titles.isEmpty ? nil : columns.titles[column] }
        let named = title(columns.axes[0]).flatMap { ColumnName($0).accelerationUnit }
        let stated =
            named ?? rows.lazy.compactMap { row in columns.axes.lazy.compactMap { row.fields[$0].unit }.first }.first
        let found = try scale(of: rows.compactMap { $0.vector(columns.axes) }, stated: stated)
        let form = columns.time.flatMap { column in
            timeForm(rows.map { $0.fields[column].content }, title(column).flatMap { ColumnName($0).timeUnit })
        }
        func name(_ column: Int) -> String {
            title(column).flatMap { $0.isEmpty ? nil : "'\($0)'" } ?? "\(column + 1)"
        }
        return TextLayout(
            places: .row(
                width: group.width, lead: group.lead, axes: columns.axes, time: form == nil ? nil : columns.time),
            scale: found.scale, coding: found.coding, isUnitAssumed: found.evidence == .assumption, stated: stated,
            time: form?.time, zero: form?.zero ?? .unknown,
            isBesideQuaternion: titles.isEmpty && columns.isBesideQuaternion,
            axisNames: "columns " + columns.axes.map(name).joined(separator: ", "),
            titles: columns.axes.compactMap(title), hasWords: columns.hasWords,
            timeName: columns.time.map { "column " + name($0) })
    }

    private func learnSensorNumbers(_ rows: [Int]) throws(Failure) -> TextLayout {
        let vectors = rows.compactMap { row in
            SensorNumbers.accelerationField(lines[row]).field.flatMap { lines[row].vector([$0, $0 + 1, $0 + 2]) }
        }
        guard !vectors.isEmpty else {
            throw refusedAtLast("the lines do not contain sensor 3, acceleration with gravity")
        }
        let form = timeForm(rows.map { lines[$0].fields[0].content }, nil)
        return TextLayout(
            places: .sensorNumbers, scale: try scale(of: vectors, stated: .metresPerSecondSquared).scale,
            stated: .metresPerSecondSquared, time: form?.time, zero: form?.zero ?? .unknown,
            axisNames: "behind sensor number 3", timeName: "column 1")
    }

    // MARK: Labels

    /// Nil when the labels do not name acceleration.
    private func learnLabels() throws(Failure) -> TextLayout? {
        guard let found = options.columns.map({ labels.chosen($0) }) ?? labels.axes else {
            guard labels.hasAcceleration else { return nil }
            if let missing = options.columns.flatMap({ labels.missing(of: $0) }) {
                let names = labels.titles.filter { !$0.isEmpty }.joined(separator: ", ")
                throw .refused("no label for '\(missing)' among: \(names); \(labels.remedy)")
            }
            throw .refused("\(GravityCheck.Objection.noGravity("by the labels").explanation); \(labels.remedy)")
        }
        let axes = found.axes.map { labels.all[$0] }
        var slots = AxisSlots()
        let vectors = lines.compactMap { slots.take($0, axes) }
        let unit = lines.lazy.compactMap { $0.unit(of: axes) }.first
        let names = found.axes.map { labels.titles[$0] }
        // The g of a/g is the gyroscope.
        let stated = found.isList ? nil : ColumnName(names[0]).accelerationUnit ?? unit
        let counts = try scale(of: vectors, stated: stated)
        let form = found.time.flatMap { index in
            timeForm(
                lines.compactMap { line in line.fields.first { $0.label == labels.all[index] }?.content },
                ColumnName(labels.titles[index]).timeUnit)
        }
        let isTeleplot = lines.allSatisfy { $0.time != nil || !$0.isLabeled }
        let units = lines.filter { $0.hasAll(axes) }.map { $0.unit(of: axes) }
        let withUnit = units.count { $0 != nil }
        let isOneLabel = axes[1].place > 0
        let title = labels.title(of: axes[0])
        let rest = found.rest.flatMap { index in
            ColumnName(labels.titles[index]).timeUnit.map { TextLayout.Rest(label: labels.all[index], unit: $0) }
        }
        return TextLayout(
            places: .labels(axes: axes, time: form == nil ? nil : found.time.map { labels.all[$0] }),
            scale: counts.scale, coding: counts.coding, isUnitAssumed: counts.evidence == .assumption, stated: stated,
            time: isTeleplot ? .number(.milliseconds) : form?.time, rest: rest,
            zero: isTeleplot ? .unknown : form?.zero ?? .unknown,
            needsUnit: withUnit < units.count && withUnit * 4 > units.count,
            axisNames: isOneLabel
                ? "\(found.isList ? "the first " : "")three numbers behind '\(title)'"
                : "labels " + names.map { "'\($0)'" }.joined(separator: ", "),
            titles: isOneLabel ? [title] : names, timeName: found.time.map { "label '\(labels.titles[$0])'" })
    }

    // MARK: Units and times

    /// The scale of the numbers, and how they stand for accelerations.
    private func scale(
        of vectors: [SIMD3<Float>], stated: AccelerationUnit?
    ) throws(Failure) -> CountSearch.Finding {
        func plain(_ scale: AccelerationScale, _ evidence: TableLayout.Evidence) -> CountSearch.Finding {
            CountSearch.Finding(coding: options.coding ?? CountCoding(), scale: scale, evidence: evidence)
        }
        let vectors = vectors.filter { $0.lengthSquared.isFinite }
        if options.coding != nil, let scale = options.scale { return plain(scale, .option) }
        if let stated, options.scale == nil, options.zero == nil {
            guard !vectors.isEmpty else { throw .unclear }
            return plain(.unit(stated), .header)
        }
        // Numbers of which none is negative may have another zero, or no sign. A few of them do not show it.
        let mayBeCoded = options.zero != nil || vectors.allSatisfy { $0.min() >= 0 }
        if mayBeCoded, !vectors.isEmpty {
            guard isLast || vectors.count >= GravityCheck.block else { throw .unclear }
            if let found = vectors.coding(options) { return found }
        }
        if let scale = options.scale {
            guard !vectors.isEmpty else { throw .unclear }
            return plain(scale, .option)
        }
        switch GravityCheck(vectors).find(isLast: isLast) {
        case .scale(let scale):
            return plain(scale, CountSearch(vectors, zero: options.zero).mayHaveZero ? .assumption : .values)
        case .unclear: throw .unclear
        case .refused(let objection): throw .refused(objection.explanation)
        }
    }

    /// The form, unit and zero of a time: by the options, by its title, or by the interval between lines.
    private func timeForm(
        _ contents: [TextLine.Field.Content], _ titled: TimeUnit?
    ) -> (time: TextLayout.Time, zero: TextLayout.Zero)? {
        let clocks = contents.compactMap { if case .clock(let clock) = $0 { clock } else { nil } }
        if let first = clocks.first {
            let isDated = clocks.allSatisfy { $0.nanoseconds != nil }
            return (.clock, isDated ? first.offsetSeconds == nil ? .localEpoch : .epoch : .midnight)
        }
        let values = contents.compactMap { if case .number(let number) = $0 { number.double } else { nil } }
        guard values.count * 2 > contents.count else { return nil }
        let steps = values.differences.filter { $0 > 0 }
        guard let unit = options.timeUnit ?? titled ?? steps.upperMedian().map({ TimeUnit.likeliest(step: $0) })
        else { return nil }
        let isEpoch = values.allSatisfy { CSVTimeBase.epochSeconds.contains($0 * unit.inSeconds) }
        return (.number(unit), isEpoch ? .epoch : .unknown)
    }

    /// The form of the times before the text of most lines; nil if they have none, or it does not increase.
    private var stampForm: (time: TextLayout.Time, zero: TextLayout.Zero)? {
        let contents = lines.compactMap(\.stamp)
        guard contents.count >= 3, contents.count * 2 > lines.count else { return nil }
        let unit = lines.lazy.compactMap(\.stampUnit).first
        let values = contents.compactMap { if case .number(let number) = $0 { number.double } else { nil } }
        if !values.isEmpty {
            // Several lines may have one time.
            let moved = values.differences.filter { $0 != 0 }
            guard values.count == contents.count, RowNumbers.isIncreasing(moved),
                unit != nil || !values.areRowNumbers
            else { return nil }
        }
        return timeForm(contents, unit)
    }

    /// The median interval between the times of lines with several samples, in nanoseconds; nil for one such line.
    private func packetInterval(_ layout: TextLayout) -> Int64? {
        var reader = TextReader(layout)
        let times = zip(lines, parts).filter { $0.1.index == 0 }.compactMap { line, part -> Int64? in
            if case .acceleration(_, let time) = reader.read(line, JSONLine.Part(text: part.text)) { time } else { nil }
        }
        return zip(times.dropFirst(), times).map { $0 &- $1 }.filter { $0 > 0 }.upperMedian()
    }
}
