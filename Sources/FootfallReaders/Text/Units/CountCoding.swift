internal import Footfall

/// How numbers stand for accelerations: the number at 0 g on each axis, and how negative numbers are written.
///
/// The numbers of an analog sensor lie around half of its supply. Other numbers are two's complement, printed without
/// a sign: of 16 bits, 65535 is −1.
public struct CountCoding: Hashable, Sendable {
    /// The numbers at 0 g.
    public var zero: SIMD3<Float>
    /// The bits of two's complement without a sign; nil for numbers with a sign.
    public var unsignedBits: Int?

    /// Creates a coding; without arguments, numbers have a sign, and 0 is 0 g.
    public init(zero: SIMD3<Float> = .zero, unsignedBits: Int? = nil) {
        (self.zero, self.unsignedBits) = (zero, unsignedBits)
    }

    /// Whether numbers have a sign, and 0 is 0 g.
    public var isPlain: Bool { zero == .zero && unsignedBits == nil }

    /// A number of an axis as a signed number of which 0 is 0 g.
    @inline(__always)
    package func value(_ number: Double, axis: Int) -> Double {
        guard let unsignedBits else { return number - Double(zero[axis]) }
        let span = Double(UInt64(1) << UInt64(unsignedBits))
        return number >= span / 2 ? number - span : number
    }

    /// The numbers of three axes as signed numbers of which 0 is 0 g.
    package func vector(_ numbers: SIMD3<Float>) -> SIMD3<Float> {
        guard !isPlain else { return numbers }
        var vector = numbers
        for axis in 0..<3 { vector[axis] = Float(value(Double(numbers[axis]), axis: axis)) }
        return vector
    }
}

extension CountCoding: CustomStringConvertible {
    /// The coding in words, such as `with zero at 338`; empty for numbers with a sign.
    public var description: String {
        if let unsignedBits { return "two's complement of \(unsignedBits) bits without a sign" }
        return zero == .zero ? "" : "with zero at \(zeroText)"
    }

    /// One number where all axes have the same, else three with commas between them, as the option takes them.
    package var zeroText: String {
        let numbers = (0..<3).map { axis in
            Int(exactly: zero[axis]).map(String.init) ?? GravityCheck.text(zero[axis])
        }
        return Set(numbers).count == 1 ? numbers[0] : numbers.joined(separator: ",")
    }
}

extension CountCoding {
    /// Reads the number at 0 g of all axes, such as `338`, or of each, such as `338,331,345`; nil for other text.
    public init?(zero text: String) {
        let numbers = text.split(separator: ",", omittingEmptySubsequences: false).map { Float(String($0.trimmed)) }
        let known = numbers.compactMap(\.self)
        guard known.count == numbers.count, known.count == 1 || known.count == 3, known.allSatisfy(\.isFinite)
        else { return nil }
        self.init(zero: known.count == 1 ? SIMD3(repeating: known[0]) : SIMD3(known))
    }
}
