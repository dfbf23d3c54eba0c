internal import Footfall

/// Reads lines of text.
struct TextLineParser: Sendable {
    private(set) var quality = WireQuality()
    private let options: TextLineOptions
    private var isFirstLine = true
    private var held: [SIMD3<Float>] = []
    private var scale: AccelerationScale?

    init(_ options: TextLineOptions) {
        self.options = options
        scale = options.scale
    }

    mutating func reset() { isFirstLine = true }

    var layout: String? { scale.map { "text lines: x, y, z in \($0)" } }

    /// Reads the whole lines in `bytes`, and returns how many bytes they are.
    mutating func parse(_ bytes: Span<UInt8>, into readings: inout [WireReading]) -> Int {
        var start = 0
        for position in bytes.indices where bytes[position] == UInt8(ascii: "\n") {
            if isFirstLine { isFirstLine = false } else { read(bytes, start..<position, into: &readings) }
            start = position + 1
        }
        return start
    }

    private mutating func read(_ bytes: Span<UInt8>, _ line: Range<Int>, into readings: inout [WireReading]) {
        var values: [Float] = []
        var fieldStart = line.lowerBound
        for position in line.lowerBound...line.upperBound {
            if position == line.upperBound || [0x20, 0x09, 0x2C, 0x0D, 0x3B].contains(bytes[position]) {
                if position > fieldStart {
                    guard let number = TextNumber(bytes, fieldStart..<position) else {
                        quality.refusedLines += 1
                        return
                    }
                    values.append(Float(number.value))
                }
                fieldStart = position + 1
            }
        }
        guard values.count == 3 else { return }
        quality.frames += 1
        let vector = SIMD3(values[0], values[1], values[2])
        guard let scale else {
            held.append(vector)
            if held.count == 16 { learn(into: &readings) }
            return
        }
        emit(vector, scale, into: &readings)
    }

    private mutating func emit(_ vector: SIMD3<Float>, _ scale: AccelerationScale, into readings: inout [WireReading]) {
        guard let reading = WireReading(vector * scale.inG, at: nil) else { return }
        quality.readings += 1
        readings.append(reading)
    }

    private mutating func learn(into readings: inout [WireReading]) {
        let lengths = held.map { ($0 * $0).sum().squareRoot() }.sorted()
        let scales: [AccelerationScale] = [
            .unit(.g), .unit(.metresPerSecondSquared), .unit(.mg), .counts(perG: 256),
            .counts(perG: 4096), .counts(perG: 16384),
        ]
        let scale = scales.first { (0.7...1.3).contains(lengths[8] * $0.inG) }
        if let scale {
            self.scale = scale
            for vector in held { emit(vector, scale, into: &readings) }
        }
        held.removeAll()
    }
}
