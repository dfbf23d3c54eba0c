internal import Footfall
internal import FootfallAnswers
internal import FootfallTables

/// A picture of the agreement of counted and true steps: four panels over the recordings of an evaluation.
package struct AgreementPicture {
    /// One recording.
    package struct Point {
        /// The name, which appears when a pointer rests on the point.
        package let name: String
        /// The true steps.
        package let truth: Double
        /// The counted steps.
        package let counted: Double
        /// The mean true cadence in steps a minute; nil if unknown.
        package let cadence: Double?
        /// Whether it is a run.
        let isRunning: Bool

        /// Creates a point from a recording.
        package init(name: String, truth: Double, counted: Double, cadence: Double?, isRunning: Bool) {
            (self.name, self.truth, self.counted) = (name, truth, counted)
            (self.cadence, self.isRunning) = (cadence, isRunning)
        }

        var error: Double { counted - truth }
        var percent: Double { 100 * error / truth }
        var color: String { isRunning ? Palette.color(of: .running) : Palette.signal }
        var hint: String {
            "\(name): true \(truth.formatted(decimals: 0)), counted \(counted.formatted(decimals: 0))"
        }
    }

    private let points: [Point]
    private let limits: (lower: Double, bias: Double, upper: Double)?
    private var canvas = SVGCanvas()

    private static let width = 800.0
    private static let height = 720.0

    /// Creates a picture.
    ///
    /// - Parameters:
    ///   - points: The recordings, each with at least one true step.
    ///   - limits: Bias and limits of agreement, in steps.
    package init(points: [Point], limits: (lower: Double, bias: Double, upper: Double)?) {
        (self.points, self.limits) = (points, limits)
    }

    /// The picture as an SVG document.
    package func document(title: String) -> String {
        var picture = self
        picture.draw(title)
        let limits = limits.map {
            "Bias \($0.bias.formatted(decimals: 1)) steps, limits of agreement \($0.lower.formatted(decimals: 1)) to "
                + "\($0.upper.formatted(decimals: 1)) steps."
        }
        return picture.canvas.document(
            width: Self.width, height: Self.height, title: title,
            description: "The agreement of counted and true steps of \(points.count) recordings. \(limits ?? "")")
    }

    private mutating func draw(_ title: String) {
        canvas.text(title, x: 20, y: 26, size: 15, color: Palette.ink, isBold: true)
        canvas.text("a dot per recording; runs in orange", x: 780, y: 26, anchor: .end)
        drawDifferences(in: Frame(left: 65, right: 385, top: 70, bottom: 335))
        drawCounts(in: Frame(left: 465, right: 780, top: 70, bottom: 335))
        drawCadences(in: Frame(left: 65, right: 385, top: 415, bottom: 680))
        drawCumulative(in: Frame(left: 465, right: 780, top: 415, bottom: 680))
    }

    // MARK: Panels

    /// Bland and Altman: the error over the mean of true and counted steps.
    private mutating func drawDifferences(in frame: Frame) {
        let dots = points.map { (x: ($0.truth + $0.counted) / 2, y: $0.error, point: $0) }
        let lines = limits.map { [$0.upper, $0.bias, $0.lower] } ?? []
        let panel = drawPanel(
            frame, "Bland–Altman", x: "mean of true and counted steps", y: "counted − true (steps)",
            horizontal: Self.axis(ofCounts: dots.map(\.x)), vertical: Self.axis(dots.map(\.y) + lines + [0]))
        for (value, name) in zip(lines, ["upper limit", "bias", "lower limit"]) {
            let y = panel.y(value)
            canvas.path(
                "M\(SVGCanvas.point(frame.left, y))H\(SVGCanvas.number(frame.right))",
                stroke: name == "bias" ? Palette.ink : Palette.frame, width: 1.2)
            canvas.text("\(name) \(value.formatted(decimals: 1))", x: frame.right, y: y - 4, size: 10, anchor: .end)
        }
        drawDots(dots.map { (panel.x($0.x), panel.y($0.y), $0.point) })
    }

    private mutating func drawCounts(in frame: Frame) {
        let values = points.flatMap { [$0.truth, $0.counted] }
        let panel = drawPanel(
            frame, "true against counted", x: "true steps", y: "counted steps", horizontal: Self.axis(ofCounts: values),
            vertical: Self.axis(ofCounts: values))
        let ends = [values.min() ?? 0, values.max() ?? 1]
        canvas.path(
            "M\(SVGCanvas.point(panel.x(ends[0]), panel.y(ends[0])))L\(SVGCanvas.point(panel.x(ends[1]), panel.y(ends[1])))",
            stroke: Palette.frame, width: 1.2)
        drawDots(points.map { (panel.x($0.truth), panel.y($0.counted), $0) })
    }

    private mutating func drawCadences(in frame: Frame) {
        let dots = points.compactMap { point in point.cadence.map { (x: $0, y: point.percent, point: point) } }
        let panel = drawPanel(
            frame, "error by cadence", x: "true cadence (steps/min)", y: "error (%)",
            horizontal: Self.axis(dots.map(\.x)), vertical: Self.axis(dots.map(\.y) + [0]))
        drawDots(dots.map { (panel.x($0.x), panel.y($0.y), $0.point) })
    }

    /// The sum of the errors of all recordings up to each: a bias is a slope, chance is a walk around 0.
    private mutating func drawCumulative(in frame: Frame) {
        let sums = points.reduce(into: [0.0]) { sums, point in sums.append((sums.last ?? 0) + point.error) }
        let panel = drawPanel(
            frame, "cumulative error", x: "recordings, in the order of the manifest", y: "Σ counted − true (steps)",
            horizontal: Self.axis([0, Double(points.count)]), vertical: Self.axis(sums))
        let line = sums.enumerated().map { SVGCanvas.point(panel.x(Double($0.offset)), panel.y($0.element)) }
        canvas.path("M" + line.joined(separator: "L"), stroke: Palette.signal, width: 1.6)
    }

    // MARK: Axes

    private struct Frame {
        let left: Double
        let right: Double
        let top: Double
        let bottom: Double
    }

    /// A frame with its axes.
    private struct Scale {
        let frame: Frame
        let horizontal: NumberTicks
        let vertical: NumberTicks

        func x(_ value: Double) -> Double {
            frame.left + horizontal.share(of: value) * (frame.right - frame.left)
        }

        func y(_ value: Double) -> Double {
            frame.bottom - vertical.share(of: value) * (frame.bottom - frame.top)
        }
    }

    /// The axis of some numbers.
    private static func axis(_ values: [Double]) -> NumberTicks {
        NumberTicks(values.min() ?? 0, values.max() ?? 1, about: 5)
    }

    /// The axis of counts, from walks of twenty steps to days of ten thousand.
    private static func axis(ofCounts values: [Double]) -> NumberTicks {
        NumberTicks(countsFrom: values.min() ?? 1, to: values.max() ?? 2)
    }

    private mutating func drawPanel(
        _ frame: Frame, _ title: String, x: String, y: String, horizontal: NumberTicks, vertical: NumberTicks
    ) -> Scale {
        let scale = Scale(frame: frame, horizontal: horizontal, vertical: vertical)
        canvas.text(title, x: frame.left, y: frame.top - 12, size: 12, color: Palette.ink, isBold: true)
        for value in scale.vertical.values {
            let line = "M\(SVGCanvas.point(frame.left, scale.y(value)))H\(SVGCanvas.number(frame.right))"
            canvas.path(line, stroke: value == 0 ? Palette.hatch : Palette.grid)
            let text = value.formatted(decimals: scale.vertical.decimals)
            canvas.text(text, x: frame.left - 6, y: scale.y(value) + 4, anchor: .end)
        }
        for value in scale.horizontal.values {
            let text = value.formatted(decimals: scale.horizontal.decimals)
            canvas.path("M\(SVGCanvas.point(scale.x(value), frame.bottom))v4", stroke: Palette.frame)
            canvas.text(text, x: scale.x(value), y: frame.bottom + 16, anchor: .middle)
        }
        canvas.text(x, x: (frame.left + frame.right) / 2, y: frame.bottom + 32, anchor: .middle)
        canvas.text(y, x: frame.left - 48, y: (frame.top + frame.bottom) / 2, anchor: .middle, isUpright: true)
        return scale
    }

    private mutating func drawDots(_ dots: [(x: Double, y: Double, point: Point)]) {
        for dot in dots {
            canvas.rectangle(
                x: dot.x - 2, y: dot.y - 2, width: 4, height: 4, fill: dot.point.color, hint: dot.point.hint)
        }
    }
}
