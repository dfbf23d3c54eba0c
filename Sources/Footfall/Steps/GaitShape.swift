/// The shape of the motion in a window: how far it lies along one direction, and the form of its wave.
///
/// A pedal turns a thigh about one axis and its wave is even. The contact of a foot is a short crest in a longer wave,
/// and a leg moves in several directions.
struct GaitShape: Sendable {
    /// The number of features.
    static let count = 6
    /// The size of a line that counts in full, relative to the root of the sum of squares. A sine has 7.
    private static let strong: Float = 5

    /// From 1/3, alike in all directions, to 1, along one direction.
    private var anisotropy: Float = 0
    private var skewness: Float = 0
    private var sumOfSquares: Float = 0

    /// Measures the weighted deviations of x, y, z and the magnitude.
    init(_ window: ArraySlice<SIMD4<Float>>) {
        let values = window.span
        // The sums of the squares, and of the products x·y, y·z, z·x and the cube of the magnitude.
        var (squares, products) = (SIMD4<Float>(), SIMD4<Float>())
        for index in values.indices {
            let value = values[index]
            let square = value * value
            squares += square
            products += value * SIMD4(value.y, value.z, value.x, square.w)
        }
        let trace = squares.x + squares.y + squares.z + 1e-9
        let (axes, pairs) = (squares * squares, products * products)
        anisotropy = (axes.x + axes.y + axes.z + 2 * (pairs.x + pairs.y + pairs.z)) / (trace * trace)
        sumOfSquares = squares.w + 1e-9
        skewness = products.w / (sumOfSquares * sumOfSquares.squareRoot()) * Float(window.count).squareRoot()
    }

    /// Writes the features to the inputs from `index` on.
    ///
    /// - Parameter lines: The lines of the window at a cadence.
    func write(_ lines: SpectralLines, to inputs: inout GaitFeatures.Inputs, from index: Int) {
        let (half, whole, double) = (lines.half[3], lines.whole[3], lines.double[3])
        let (stride, step) = (phase(of: half, relativeTo: whole), phase(of: whole, relativeTo: double))
        inputs[index] = anisotropy
        inputs[index + 1] = skewness
        inputs[index + 2] = stride.real
        inputs[index + 3] = stride.imaginary
        inputs[index + 4] = step.real
        inputs[index + 5] = step.imaginary
    }

    /// Twice the phase of a line of the magnitude, minus the phase of the line at twice its frequency. This difference
    /// does not depend on the time of the window.
    ///
    /// - Returns: A complex number with this angle. Its size is at most 1, and smaller if one of the lines is weak.
    private func phase(of line: Complex, relativeTo double: Complex) -> Complex {
        let weakest = (min(line.squaredSize, double.squaredSize) / sumOfSquares).squareRoot()
        let scale = min(weakest / Self.strong, 1) / (line.squaredSize * double.squaredSize.squareRoot() + 1e-12)
        return (line.squared * double.conjugate).scaled(by: scale)
    }
}
