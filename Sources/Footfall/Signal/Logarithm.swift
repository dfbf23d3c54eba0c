/// The natural logarithms of eight positive, normal numbers at once, right to about the last bit.
///
/// A number is m · 2ᵉ with m between √½ and √2, and log m is 2 artanh s, s = (m − 1) / (m + 1). As |s| < 0.172, five terms
/// of the series of artanh leave an error below 10⁻⁹.
func logarithm(_ numbers: SIMD8<Float>) -> SIMD8<Float> {
    /// The bits of √½, and how many of them are those of the fraction.
    let root: Int32 = 0x3F35_04F3
    let fraction: Int32 = 23
    let bits = unsafeBitCast(numbers, to: SIMD8<Int32>.self)
    let exponents = (bits &- root) &>> fraction
    let m = unsafeBitCast(bits &- exponents &<< fraction, to: SIMD8<Float>.self)
    let s = (m - 1) / (m + 1)
    let square = s * s
    var series = square / 9 + SIMD8(repeating: 1 / 7)
    series = series * square + SIMD8(repeating: 1 / 5)
    series = series * square + SIMD8(repeating: 1 / 3)
    series = series * square + SIMD8(repeating: 1)
    return SIMD8<Float>(exponents) * 0.693_147_18 + 2 * s * series
}

/// The natural logarithms of two positive numbers.
func logarithm(_ numbers: SIMD2<Float>) -> SIMD2<Float> {
    var eight = SIMD8<Float>(repeating: 1)
    eight.lowHalf.lowHalf = numbers
    return logarithm(eight).lowHalf.lowHalf
}
