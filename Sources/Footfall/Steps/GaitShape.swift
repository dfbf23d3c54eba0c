/// The shape of the motion in a window: how far it lies along one direction, and the form of its wave.
///
/// A pedal turns a thigh about one axis and its wave is even. The contact of a foot is a short crest in a longer wave, and a leg
/// moves in several directions.
struct GaitShape: Sendable {
    /// The size of a line that counts in full, relative to the root of the sum of squares. A sine has 7.
    private static let strong: Float = 5

    /// The deviations of the magnitude, weighted by the window.
    private(set) var magnitudes: [Float]
    /// From 1/3, alike in all directions, to 1, along one direction.
    private var anisotropy: Float = 0
    private var skewness: Float = 0
    private var sumOfSquares: Float = 0

    init(windowLength: Int) {
        magnitudes = Array(repeating: 0, count: windowLength)
    }

    /// Measures the weighted deviations of x, y, z and the magnitude.
    mutating func load(_ window: ArraySlice<SIMD4<Float>>) {
        let values = window.span
        var magnitudes = magnitudes.mutableSpan
        // The sums of the squares, and of the products x·y, y·z, z·x and the cube of the magnitude.
        var (squares, products) = (SIMD4<Float>(), SIMD4<Float>())
        for index in values.indices {
            let value = values[index]
            let square = value * value
            squares += square
            products += value * SIMD4(value.y, value.z, value.x, square.w)
            magnitudes[index] = value.w
        }
        let trace = squares.x + squares.y + squares.z + 1e-9
        let (axes, pairs) = (squares * squares, products * products)
        anisotropy = (axes.x + axes.y + axes.z + 2 * (pairs.x + pairs.y + pairs.z)) / (trace * trace)
        sumOfSquares = squares.w + 1e-9
        skewness = products.w / (sumOfSquares * sumOfSquares.squareRoot()) * Float(window.count).squareRoot()
    }

    /// Writes the features to the inputs from `index` on.
    ///
    /// - Parameter lines: The lines of ``magnitudes`` at ½ and 1 times a cadence.
    func write(_ lines: SpectralLines, to inputs: inout GaitFeatures.Inputs, from index: Int) {
        let phase = halfPhase(of: lines)
        inputs[index] = anisotropy
        inputs[index + 1] = skewness
        inputs[index + 2] = phase.real
        inputs[index + 3] = phase.imaginary
    }

    /// Twice the phase of the line at half a cadence, relative to that of the line at the cadence, which does not depend on the
    /// time of the window: a complex number, 1 at most, smaller if one of the lines is weak.
    private func halfPhase(of lines: SpectralLines) -> (real: Float, imaginary: Float) {
        let (half, whole) = ((lines.real[0], lines.imaginary[0]), (lines.real[1], lines.imaginary[1]))
        let twice = (half.0 * half.0 - half.1 * half.1, 2 * half.0 * half.1)
        let turned = (twice.0 * whole.0 + twice.1 * whole.1, twice.1 * whole.0 - twice.0 * whole.1)
        let (halfSquare, wholeSquare) = (lines.squares[0], lines.squares[1])
        let weakest = (min(halfSquare, wholeSquare) / sumOfSquares).squareRoot()
        let scale = min(weakest / Self.strong, 1) / (halfSquare * wholeSquare.squareRoot() + 1e-12)
        return (turned.0 * scale, turned.1 * scale)
    }
}
