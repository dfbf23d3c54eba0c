// The elementary functions. One file imports the library of C, whose name differs between systems.

#if canImport(Darwin)
    internal import Darwin
#else
    internal import Glibc
#endif

func logarithm(_ number: Float) -> Float { log(number) }

func exponential(_ power: Float) -> Float { exp(power) }

/// The probability of log-odds.
func logistic(_ logOdds: Float) -> Float { 1 / (1 + exp(-logOdds)) }

func sine(_ angle: Float) -> Float { sin(angle) }

func sine(_ angle: Double) -> Double { sin(angle) }

func cosine(_ angle: Float) -> Float { cos(angle) }

func cosine(_ angle: Double) -> Double { cos(angle) }

/// The angle of a vector, −π to π.
func direction(_ vector: SIMD2<Float>) -> Float { atan2(vector.y, vector.x) }

/// The natural logarithms of eight positive, normal numbers, accurate to about the last bit. A number is m · 2ᵉ with m
/// between √½ and √2, and log m is 2 artanh s, s = (m − 1) / (m + 1). As |s| < 0.172, five terms of the series of
/// artanh leave an error below 10⁻⁹.
func logarithm(_ numbers: SIMD8<Float>) -> SIMD8<Float> {
    /// The bits of √½, and the number of fraction bits.
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

/// e to the power of eight numbers, accurate to about the last bit; 0 if the result is below the least normal number.
/// With n the integer nearest to x / log 2, eˣ is 2ⁿ · eʳ with |r| < 0.347. Eight terms of the series leave an error
/// below 10⁻⁸.
func exponential(_ numbers: SIMD8<Float>) -> SIMD8<Float> {
    /// The range of x for which 2ⁿ is a normal number.
    let (least, most): (Float, Float) = (-87, 88)
    /// The sum of a number and this one has the nearest integer in the last bits of its fraction.
    let rounder: Float = 0x1.8p23
    /// log 2 in two parts; n times the first part is exact.
    let (log2, rest): (Float, Float) = (0x1.62e4p-1, 0x1.7f7d1cp-20)
    let isTiny = numbers .< least
    let x = numbers.replacing(with: most, where: numbers .> most)
    let rounded = x * 1.442_695_04 + rounder
    let n = rounded - rounder
    let r = (x - n * log2) - n * rest
    var series = r / 5040 + SIMD8(repeating: 1 / 720)
    series = series * r + SIMD8(repeating: 1 / 120)
    series = series * r + SIMD8(repeating: 1 / 24)
    series = series * r + SIMD8(repeating: 1 / 6)
    series = series * r + SIMD8(repeating: 0.5)
    series = series * r + SIMD8(repeating: 1)
    series = series * r + SIMD8(repeating: 1)
    let bits = unsafeBitCast(rounded, to: SIMD8<Int32>.self) &- Int32(bitPattern: rounder.bitPattern)
    let power = unsafeBitCast((bits &+ 127) &<< 23, to: SIMD8<Float>.self)
    return (series * power).replacing(with: 0, where: isTiny)
}

/// The hyperbolic tangents of eight numbers: tanh x = 1 − 2 / (1 + exp 2x). Never inlined, so that the compiler keeps
/// whole vectors where the caller needs single lanes.
@inline(never)
func hyperbolicTangent(_ numbers: SIMD8<Float>) -> SIMD8<Float> { 1 - 2 / (1 + exponential(2 * numbers)) }

/// The area hyperbolic sines of eight numbers: arsinh x = log(|x| + √(x² + 1)), with the sign of x. Never inlined, so
/// that the compiler keeps whole vectors where the caller needs single lanes.
@inline(never)
func areaHyperbolicSine(_ numbers: SIMD8<Float>) -> SIMD8<Float> {
    let isNegative = numbers .< 0
    let sizes = numbers.replacing(with: -numbers, where: isNegative)
    let results = logarithm(sizes + (sizes * sizes + 1).squareRoot())
    return results.replacing(with: -results, where: isNegative)
}
