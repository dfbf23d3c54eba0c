internal import Footfall

/// How a row is spelled: how many characters each of its numbers has, apart from a minus, and where their separators
/// are. Most rows have the pattern of the row above, and their times differ in the last digits only. So the minus signs
/// alone decide where the fields end, and ``CharacterLanes`` compares and converts all numbers at once.
struct RowPattern: Sendable {
    /// The shape of the rows with this pattern.
    private(set) var shape = SIMD8<Int>()
    /// The characters of the three numbers, and the last characters of the time, which are read as digits.
    private var xLength = 0
    private var yLength = 0
    private var zLength = 0
    private var timeLength = 0
    /// The words that end with x, y, z and the digits of the time, and the words before those.
    private var last = CharacterLanes()
    private var earlier = CharacterLanes()
    private var earlierWeights = SIMD4<UInt64>()
    /// Whether an axis has characters in its earlier word.
    private var isLong = false
    /// Whether all digits are exact as `Float`. A quotient of such numbers is the quotient of `Double`, rounded to
    /// `Float`.
    private var isExact = false
    /// 10^decimals of each axis.
    private var divisors = SIMD4<Double>(repeating: 1)
    private var exactDivisors = SIMD4<Float>(repeating: 1)
    /// The acceleration of the number 1, in g, for each combination of minus signs: a bit for each axis, that of x the
    /// lowest.
    private var signedScales = [SIMD4<Float>](repeating: SIMD4(), count: 8)

    /// The characters of the time before its digits and behind them.
    private var prefix = ConstantCharacters()
    private var suffix = ConstantCharacters()
    /// The time where the digits are 0, and the weight of the last digit, in nanoseconds. The digits are below `limit`.
    private var zero: Int64 = 0
    private var tick: Int64 = 1
    private var limit: Int64 = 0
    /// The separator behind the time, or the end of the row above where there is no time.
    private var byteBehindTime: UInt8 = 0
    private var timeSeparators = 0
    /// The largest number of bytes that are loaded from the start of a row. Without a pattern, no row is as long.
    private var reach = Int.max

    /// The bytes before a row that may be loaded.
    private static let margin = 32

    /// A pattern that no row has.
    init() {}

    /// Learns the pattern of `row`. If its numbers are longer than the words, or could be implausible accelerations,
    /// the pattern fits no row.
    init(_ text: Span<UInt8>, _ row: PlainRow, _ layout: RowLayout, scale: Float) {
        let axes = [row.x, row.y, row.z]
        shape = row.shape
        (xLength, yLength, zLength) = (shape[0], shape[1], shape[2])
        isLong = axes.contains { $0.characters.count > 8 }
        isExact = axes.allSatisfy { $0.count <= 7 }
        for (lane, axis) in axes.enumerated() {
            divisors[lane] = PowersOfTen.doubles[axis.decimals]
            for minuses in signedScales.indices {
                signedScales[minuses][lane] = minuses >> lane & 1 == 1 ? -scale : scale
            }
            expect(text, axis.characters, in: lane)
        }
        exactDivisors = SIMD4<Float>(divisors)
        byteBehindTime = layout.separators.row
        if let time = row.time {
            (byteBehindTime, timeSeparators) = (layout.separators.field, 1)
            timeLength = min(8, time.number.characters.count)
            prefix = ConstantCharacters(time.number.end - timeLength - time.start)
            suffix = ConstantCharacters(time.end - time.number.end)
            tick = time.unit / Int64(PowersOfTen.integers[time.number.decimals])
            expect(text, time.number.end - timeLength..<time.number.end, in: 3)
        }
        earlierWeights = last.weights
        if let time = row.time { follow(text, time) } else { limit = 1 }
        guard axes.allSatisfy({ $0.characters.count <= 16 && $0.largest * scale <= PlausibleAcceleration.limitG }),
            prefix.length <= 24, suffix.length <= 8
        else { return }
        // A sign and a separator for each field, and the end of the row.
        reach = shape[0] + shape[1] + shape[2] + shape[3] + 8
    }

    /// Expects the last 16 of `characters`.
    private mutating func expect(_ text: Span<UInt8>, _ characters: Range<Int>, in lane: Int) {
        for (distance, place) in characters.suffix(16).reversed().enumerated() {
            if distance < 8 {
                last.expect(text[place], at: 7 - distance, in: lane)
            } else {
                earlier.expect(text[place], at: 15 - distance, in: lane)
            }
        }
    }

    /// Takes the constant characters from the time of a row of this shape.
    mutating func follow(_ text: Span<UInt8>, _ time: PlainRow.Time) {
        let (number, supported) = (time.number, Timestamp.supported)
        limit = 0
        guard time.start >= RowPattern.margin, number.sign == 0 else { return }
        prefix.take(text, number.end - timeLength)
        suffix.take(text, time.end)
        let span = earlierWeights.w
        let digits = Int64(number.digits % span)
        let constant = Int64(number.digits / span * span) * tick
        zero = time.moment - digits * tick
        guard supported.contains(Timestamp(nanosecondsSince1970: zero)) else { return }
        let room = supported.upperBound.nanosecondsSince1970 - zero
        limit = min(Int64(span), (time.limit - constant) / tick, room / tick)
    }

    /// Reads the row at `start`; returns nil for another pattern. `end` is behind the third number.
    @inline(__always)
    func read(
        _ text: Span<UInt8>, at start: Int, _ layout: RowLayout
    ) -> (moment: Int64, values: SIMD4<Float>, end: Int)? {
        // No byte outside `text` is loaded: `reach` is the sum of all lengths and of what may be between them.
        let latest = text.count &- reach
        guard start >= RowPattern.margin, let timeStart = layout.skip(layout.skips.x, text, start) else { return nil }
        let digitsStart = timeStart &+ prefix.length
        let timeEnd = digitsStart &+ timeLength
        let fieldEnd = timeEnd &+ suffix.length
        let nextField = fieldEnd &+ timeSeparators
        guard let xStart = layout.skip(layout.skips.y, text, nextField), xStart <= latest else { return nil }
        let xSign = RowPattern.sign(text, xStart)
        let xEnd = xStart &+ xSign &+ xLength
        let ySign = RowPattern.sign(text, xEnd &+ 1)
        let yEnd = xEnd &+ 1 &+ ySign &+ yLength
        let zSign = RowPattern.sign(text, yEnd &+ 1)
        let zEnd = yEnd &+ 1 &+ zSign &+ zLength

        var misfits = SIMD4<UInt64>()
        var digits = last.integers(
            SIMD4(
                text.word(before: xEnd), text.word(before: yEnd), text.word(before: zEnd), text.word(before: timeEnd)),
            &misfits)
        if isLong {
            let words = SIMD4(
                text.word(before: xEnd &- 8), text.word(before: yEnd &- 8), text.word(before: zEnd &- 8), 0)
            digits &+= (earlier.integers(words, &misfits) & 0xFFFF_FFFF) &* (earlierWeights & 0xFFFF_FFFF)
        }
        let halves = misfits.lowHalf | misfits.highHalf
        var misfit = (halves[0] | halves[1]) & 0x8080_8080_8080_8080
        misfit |= prefix.misfit(text, digitsStart) | (suffix.length > 0 ? suffix.misfit(text, fieldEnd) : 0)
        misfit |= UInt64(
            (text[unchecked: nextField &- 1] ^ byteBehindTime) | (text[unchecked: xEnd] ^ layout.separators.field)
                | (text[unchecked: yEnd] ^ layout.separators.field))
        let time = Int64(truncatingIfNeeded: digits.w)
        guard misfit == 0, time < limit else { return nil }
        return (time &* tick &+ zero, values(digits, minuses: xSign &+ 2 &* ySign &+ 4 &* zSign), zEnd)
    }

    /// 1 for a minus, else 0. The signs of acceleration are random, so they must not decide a branch.
    @inline(__always)
    private static func sign(_ text: Span<UInt8>, _ position: Int) -> Int {
        text[unchecked: position] == UInt8(ascii: "-") ? 1 : 0
    }

    /// The three numbers, in g, with the combination of minuses of this number in ``signedScales``.
    @inline(__always)
    private func values(_ digits: SIMD4<UInt64>, minuses: Int) -> SIMD4<Float> {
        var numbers = SIMD4<Float>()
        if isExact {
            let lowest = unsafeBitCast(digits, to: SIMD8<UInt32>.self).evenHalf
            numbers = SIMD4<Float>(SIMD4<Int32>(truncatingIfNeeded: lowest)) / exactDivisors
        } else {
            // Number by number: most processors have no instruction that makes a vector of these.
            for lane in 0..<3 {
                numbers[lane] = Float(Double(Int64(truncatingIfNeeded: digits[lane])) / divisors[lane])
            }
        }
        // In bounds: the sum of three signs with the weights 1, 2 and 4. The sum with 0 makes 0 of −0.
        return numbers * signedScales.span[unchecked: minuses] + SIMD4()
    }
}

/// Characters that are the same in each row, at most 24.
private struct ConstantCharacters: Sendable {
    let length: Int
    /// The words that end with the last character, and the bytes of them to compare.
    private var words = SIMD4<UInt64>()
    private var masks = SIMD4<UInt64>()

    init(_ length: Int = 0) {
        self.length = length
        for distance in 0..<min(length, 24) { masks[distance / 8] |= 0xFF << UInt64(8 * (7 - distance % 8)) }
    }

    /// Takes the characters before `end`.
    mutating func take(_ text: Span<UInt8>, _ end: Int) {
        words = SIMD4(text.word(before: end), text.word(before: end &- 8), text.word(before: end &- 16), 0) & masks
    }

    /// Returns 0 if the characters before `end` are these.
    @inline(__always)
    func misfit(_ text: Span<UInt8>, _ end: Int) -> UInt64 {
        let misfit = (text.word(before: end) ^ words.x) & masks.x
        guard length > 8 else { return misfit }
        return misfit | (text.word(before: end &- 8) ^ words.y) & masks.y
            | (text.word(before: end &- 16) ^ words.z) & masks.z
    }
}

extension Span<UInt8> {
    /// The eight bytes before `end`, the first of them the lowest, without a check.
    @inline(__always)
    fileprivate func word(before end: Int) -> UInt64 {
        UInt64(littleEndian: bytes.unsafeLoadUnaligned(fromUncheckedByteOffset: end &- 8, as: UInt64.self))
    }
}

/// The digits and the constant characters expected in eight characters of four fields, one field in each lane. All
/// lanes are compared and turned into integers at once, without a loop and without a branch.
struct CharacterLanes: Sendable {
    /// The bytes that are compared. The first character is the lowest byte.
    private var mask = SIMD4<UInt64>()
    /// The bytes that they are compared with: `0` for a digit, else the constant character.
    private var expected = SIMD4<UInt64>()
    /// The addends to the differences. A byte that differs too much carries into its highest bit: a digit may differ by
    /// 9, a constant character by 0.
    private var slack = SIMD4<UInt64>()
    /// The powers of ten of the digits in even and in odd places, within their half of the lane.
    private var evenWeights = SIMD16<UInt16>()
    private var oddWeights = SIMD16<UInt16>()
    /// The power of ten of the first half of each lane.
    private var halfWeights = SIMD4<UInt64>(repeating: 1)
    private var digitCounts = SIMD4<Int>()

    /// The power of ten of a character before each lane.
    var weights: SIMD4<UInt64> {
        var weights = SIMD4<UInt64>()
        for lane in weights.indices { weights[lane] = PowersOfTen.integers[digitCounts[lane]] }
        return weights
    }

    /// Expects any digit in the place of a digit, and any other character as it is. The last character of a lane comes
    /// first.
    mutating func expect(_ character: UInt8, at place: Int, in lane: Int) {
        let shift = UInt64(place * 8)
        mask[lane] |= 0xFF << shift
        guard character.isDigit else {
            expected[lane] |= UInt64(character) << shift
            slack[lane] |= 0x7F << shift
            return
        }
        expected[lane] |= UInt64(ASCII.zero) << shift
        slack[lane] |= 0x76 << shift
        let isInFirstHalf = place < 4
        let weight = UInt16(PowersOfTen.integers[digitCounts[lane]] / (isInFirstHalf ? halfWeights[lane] : 1))
        if place.isMultiple(of: 2) {
            evenWeights[lane * 4 + place / 2] = weight
        } else {
            oddWeights[lane * 4 + place / 2] = weight
        }
        digitCounts[lane] += 1
        if !isInFirstHalf { halfWeights[lane] *= 10 }
    }

    /// Returns the integers of the digits in `words`. Sets the highest bit of some byte of `misfits` where a character
    /// is not as expected; the integers have no meaning then.
    @inline(__always)
    func integers(_ words: SIMD4<UInt64>, _ misfits: inout SIMD4<UInt64>) -> SIMD4<UInt64> {
        let differences = (words ^ expected) & mask
        misfits |= (differences &+ slack) | differences
        let pairs = unsafeBitCast(differences, to: SIMD16<UInt16>.self)
        let sums = (pairs & 0xFF) &* evenWeights &+ (pairs &>> 8) &* oddWeights
        let twos = unsafeBitCast(sums, to: SIMD8<UInt32>.self)
        let halves = unsafeBitCast((twos &+ (twos &>> 16)) & 0xFFFF, to: SIMD4<UInt64>.self)
        // The masks show the compiler that a product of 32-bit halves is enough.
        return (halves & 0xFFFF) &* (halfWeights & 0xFFFF) &+ (halves &>> 32)
    }
}

/// The positions of the time and the three numbers in the rows of a table, and the bytes between the fields.
struct RowLayout: Sendable {
    /// The bytes between fields, before decimals and after rows.
    struct Separators: Sendable {
        var field: UInt8
        var decimal: UInt8
        var row: UInt8
        /// The longest row, in bytes, without its separator.
        var longestRow: Int
    }

    let separators: Separators
    let hasTime: Bool
    /// The numbers of fields to skip before the time and before each number.
    let skips: SIMD4<Int>
    /// The places of x, y and z among the three numbers; nil for the usual order.
    private let order: SIMD4<Int>?

    /// Returns nil if the time follows an axis.
    init?(time: Int?, axes: [Int], _ separators: Separators) {
        let sorted = axes.sorted()
        var next = 0
        var skips = SIMD4<Int>()
        if let time { (skips[0], next) = (time, time + 1) }
        for (index, column) in sorted.enumerated() {
            guard column >= next else { return nil }
            skips[index + 1] = column - next
            next = column + 1
        }
        let order = axes.map { sorted.firstIndex(of: $0) ?? 0 }
        self.order = order == [0, 1, 2] ? nil : SIMD4(order[0], order[1], order[2], 0)
        hasAdjacentAxes = skips.z == 0 && skips.w == 0
        (self.separators, self.skips, hasTime) = (separators, skips, time != nil)
    }

    /// Whether the three numbers are neighbors.
    let hasAdjacentAxes: Bool

    /// The sample with the three numbers of a row, in g, in the order of the columns.
    @inline(__always)
    func sample(_ time: Timestamp, _ values: SIMD4<Float>) -> AccelerationSample {
        guard let order else { return AccelerationSample(time: time, x: values.x, y: values.y, z: values.z) }
        return AccelerationSample(time: time, x: values[order.x], y: values[order.y], z: values[order.z])
    }

    /// Returns the start of the field that is `count` fields after the one at `start`; nil if the row ends before it,
    /// or a field is quoted.
    @inline(__always)
    func skip(_ count: Int, _ text: Span<UInt8>, _ start: Int) -> Int? {
        var position = start
        var count = count
        while count > 0 {
            count &-= 1
            while position < text.count, text[position] != separators.field {
                guard text[position] != separators.row, text[position] != UInt8(ascii: "\"") else { return nil }
                position &+= 1
            }
            position &+= 1
        }
        return position
    }

    /// Returns the start of the next row; `end` is behind the last number of the row at `start`. Nil if another byte is
    /// there, or the row is too long.
    @inline(__always)
    func nextRow(_ text: Span<UInt8>, behind end: Int, start: Int) -> Int? {
        var position = end
        if position < text.count, text[position] != separators.row {
            if text[position] == separators.field {
                while position < text.count, text[position] != separators.row { position &+= 1 }
            } else if text[position] == UInt8(ascii: "\r"), separators.row == UInt8(ascii: "\n") {
                position &+= 1
            }
        }
        guard position < text.count, text[position] == separators.row, position &- start <= separators.longestRow
        else { return nil }
        return position &+ 1
    }
}
