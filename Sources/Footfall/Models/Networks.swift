/// The weights of a trained network. A notebook writes them to a file, which the compiler embeds. The file has the
/// letters FOOT, the version of the network, the number of its tables and the size of each as 32-bit integers, and then
/// the numbers of all tables as 32-bit floats, all little-endian.
package struct NetworkWeights: Sendable {
    private let tables: [[Float]]

    /// Reads the bytes of a file, of a version and with the sizes of tables that the code is written for. Other bytes
    /// end the process. They are part of the library, and every test of the network reads them.
    package init(_ file: [UInt8], version: UInt32, sizes: [Int]) {
        let bytes = file.span.bytes
        func integer(_ index: Int) -> UInt32 {
            UInt32(littleEndian: bytes.unsafeLoadUnaligned(fromByteOffset: 4 * index, as: UInt32.self))
        }
        let header = [0x544F_4F46, version, UInt32(sizes.count)] + sizes.map(UInt32.init)
        let isWhole = bytes.byteCount == 4 * (header.count + sizes.reduce(0, +))
        precondition(
            isWhole && header.indices.allSatisfy { integer($0) == header[$0] },
            "the weights of a network are not those that the code is written for; write them again with its notebook")
        var next = header.count
        tables = sizes.map { size in
            defer { next += size }
            return (next..<next + size).map { Float(bitPattern: integer($0)) }
        }
    }

    /// The numbers of a table.
    package subscript(table: Int) -> [Float] { tables[table] }
}

/// The weights of ``ActivityClassifier`` and of the probabilities of activities, version 7.
enum ActivityWeights {
    /// Of 16 features, 72 hidden units and six classes.
    private static let file = NetworkWeights(
        PackageResources.activity_weights, version: 7, sizes: [16, 16, 16 * 72, 72, 72 * 6, 6, 6, 3 * 5, 2])

    /// The mean and the standard deviation of each feature over the training data.
    static let mean = file[0]
    static let scale = file[1]
    /// The weights of the hidden units, a row of units for each feature, and the bias of each unit.
    static let hidden = file[2]
    static let hiddenBias = file[3]
    /// The weights of the classes, a row of classes for each hidden unit, and the bias of each class.
    static let output = file[4]
    static let outputBias = file[5]
    /// The log-probability of each class in a quiet window.
    static let quiet = file[6]
    /// For each class but the last: constant, weight of the posterior, weight of the evidence, as log-odds.
    static let confidence = file[7]
    /// The least probabilities of high and of medium confidence.
    static let highConfidence = file[8][0]
    static let mediumConfidence = file[8][1]
}

/// The latest rows of consecutive frames or seconds: numbers in groups of eight.
struct RowSeries<let groups: Int>: Sendable {
    /// More than a network reads, and the rows that are removed at once.
    private static var most: Int { 256 }
    private static var removed: Int { 128 }

    private var start: Int64 = 0
    private(set) var values: [SIMD8<Float>] = []

    /// The rows of a range that are still to be appended. A range that does not follow the known rows replaces them.
    mutating func missing(of range: Range<Int64>) -> Range<Int64> {
        if values.count > Self.most * groups {
            values.removeFirst(Self.removed * groups)
            start += Int64(Self.removed)
        }
        let end = start + Int64(values.count / groups)
        guard range.lowerBound >= start, range.lowerBound <= end else {
            values.removeAll(keepingCapacity: true)
            start = range.lowerBound
            return range
        }
        return end..<max(end, range.upperBound)
    }

    mutating func append(_ row: InlineArray<groups, SIMD8<Float>>) {
        for group in row.indices { values.append(row[group]) }
    }

    /// The position of the first group of a row.
    func position(of row: Int64) -> Int { Int(row - start) * groups }
}

/// Layers that each add to a row what a ``RectifiedLayer`` makes of it and of two others, with growing gaps (dilated
/// convolutions; van den Oord et al., *WaveNet*, arXiv:1609.03499). Each row is computed once.
struct DilatedLayers<let groups: Int>: Sendable {
    private let gaps: [Int64]
    private let layers: [RectifiedLayer<groups>]
    /// The gaps from a row to the first of the three that make it. The row itself is the last, or lies between.
    private let before: Int64
    /// The first rows, and those after each layer, as far as they are known.
    private var levels: [RowSeries<groups>]

    /// Creates layers from tables of weights, beginning with a first one. Of the three rows, the first is `before` gaps
    /// before the row that they make.
    init(gaps: [Int64], before: Int64, _ weights: NetworkWeights, from first: Int) {
        self.gaps = gaps
        self.before = before
        layers = gaps.indices.map { RectifiedLayer(weights[first + 2 * $0], bias: weights[first + 2 * $0 + 1]) }
        levels = Array(repeating: RowSeries(), count: gaps.count + 1)
    }

    /// The sizes of the tables of weights.
    static func sizes(gaps: [Int64]) -> [Int] { gaps.flatMap { _ in [3 * 64 * groups * groups, 8 * groups] } }

    /// The rows after all layers.
    var last: RowSeries<groups> { levels[gaps.count] }

    /// The rows that are to be computed for a range after all layers: the first rows, and those after each layer.
    mutating func missing(for range: Range<Int64>) -> [Range<Int64>] {
        var needed = range
        var missing: [Range<Int64>] = []
        for level in levels.indices.reversed() {
            let own = needed.isEmpty ? needed : levels[level].missing(of: needed)
            missing.append(own)
            guard level > 0 else { break }
            let gap = gaps[level - 1]
            needed = own.isEmpty ? own : own.lowerBound - before * gap..<own.upperBound + (2 - before) * gap
        }
        return missing.reversed()
    }

    /// Appends the next first row.
    mutating func append(_ row: InlineArray<groups, SIMD8<Float>>) { levels[0].append(row) }

    /// Computes missing rows, after all missing first rows are appended.
    mutating func compute(_ missing: [Range<Int64>]) {
        for (level, layer) in layers.enumerated() {
            let (known, gap) = (levels[level], gaps[level])
            for row in missing[level + 1] {
                let first = row - before * gap
                var sums = layer.outputs(
                    of: known.values.span,
                    from: [
                        known.position(of: first), known.position(of: first + gap), known.position(of: first + 2 * gap),
                    ])
                let own = known.position(of: row)
                for group in sums.indices { sums[group] += known.values[own + group] }
                levels[level + 1].append(sums)
            }
        }
    }
}

/// A layer of rectified linear units. Numbers come in groups of eight. The sums of a group fit into registers.
struct RectifiedLayer<let groups: Int>: Sendable {
    private let bias: InlineArray<groups, SIMD8<Float>>
    /// The weights of each input.
    private let weights: [InlineArray<groups, SIMD8<Float>>]

    /// Arranges weights, which are a row of units for each input.
    init(_ weights: [Float], bias: [Float]) {
        func units(_ row: ArraySlice<Float>) -> InlineArray<groups, SIMD8<Float>> {
            InlineArray { group in
                SIMD8(row[(row.startIndex + 8 * group)..<(row.startIndex + 8 * (group + 1))])
            }
        }
        self.bias = units(bias[...])
        self.weights = stride(from: 0, to: weights.count, by: 8 * groups).map { units(weights[$0..<$0 + 8 * groups]) }
    }

    /// The output of each unit for inputs from some positions on, an equal number from each.
    func outputs<let parts: Int>(
        of inputs: Span<SIMD8<Float>>, from positions: InlineArray<parts, Int>
    ) -> InlineArray<groups, SIMD8<Float>> {
        var sums = bias
        let (weights, count) = (weights.span, weights.count / 8 / parts)
        precondition(8 * count * parts == weights.count)
        for part in 0..<parts {
            let own = inputs.extracting(positions[part]..<positions[part] + count)
            let ownWeights = weights.extracting(8 * count * part..<8 * count * (part + 1))
            for index in own.indices {
                // In bounds: eight times as many weights as inputs.
                let input = own[unchecked: index]
                for lane in 0..<8 {
                    for group in 0..<groups {
                        sums[group] += ownWeights[unchecked: 8 &* index &+ lane][group] * input[lane]
                    }
                }
            }
        }
        for group in 0..<groups { sums[group].replace(with: 0, where: sums[group] .< 0) }
        return sums
    }
}
