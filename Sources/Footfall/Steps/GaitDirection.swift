/// The directions in which a rhythm moves, relative to gravity and to each other.
///
/// A foot that strikes the ground pushes the body up, and with it a sensor at any place. An arm or a leg swings to and
/// fro once in two steps, in another direction. A hand at work moves along its own path, and each of its beats is like
/// the next.
enum GaitDirection {
    /// The number of features.
    static let count = 14

    /// The line of the three axes at a multiple of the cadence.
    private struct Motion {
        let real: SIMD3<Float>
        let imaginary: SIMD3<Float>
        /// The power, and that along gravity.
        let power: Float
        let vertical: Complex
        /// The square of the line, without conjugation: as large as the power if all motion is along one direction.
        let square: Complex

        init(_ line: SpectralLines.Line, up: SIMD3<Float>) {
            (real, imaginary) = (SIMD3(line.real), SIMD3(line.imaginary))
            power = (real * real + imaginary * imaginary).sum() + 1e-9
            vertical = Complex(real: (real * up).sum(), imaginary: (imaginary * up).sum())
            square = Complex(
                real: (real * real - imaginary * imaginary).sum(), imaginary: 2 * (real * imaginary).sum())
        }

        /// The share of the power along gravity.
        var verticalShare: Float { vertical.squaredSize / power }

        /// From 0, a circle, to 1, a straight line.
        var straightness: Float { square.squaredSize.squareRoot() / power }

        /// How far the motion is a circle about the direction of gravity.
        func turning(about up: SIMD3<Float>) -> Float {
            let normal = SIMD3(
                real.y * imaginary.z - real.z * imaginary.y, real.z * imaginary.x - real.x * imaginary.z,
                real.x * imaginary.y - real.y * imaginary.x)
            let size = 2 * (normal * up).sum() / power
            return size * size
        }

        /// Twice the phase between the motions along gravity and across it, weighted by their sizes.
        var tilt: Complex {
            let rise = vertical.squared
            return (rise * (square - rise).conjugate).scaled(by: 4 / (power * power))
        }

        /// How far two motions have the same direction and phase, from 0 to 1.
        func likeness(to other: Motion) -> Float {
            let product = Complex(
                real: (real * other.real + imaginary * other.imaginary).sum(),
                imaginary: (imaginary * other.real - real * other.imaginary).sum())
            return (product.squaredSize / (power * other.power)).squareRoot()
        }
    }

    /// Writes the features to the inputs from `index` on.
    ///
    /// - Parameters:
    ///   - lines: The lines of the axes at a cadence.
    ///   - mean: The mean of the axes in the window, which has the direction of gravity.
    static func write(
        _ lines: SpectralLines, mean: SIMD4<Float>, to inputs: inout GaitFeatures.Inputs, from index: Int
    ) {
        let mean = SIMD3(mean)
        let up = mean / ((mean * mean).sum().squareRoot() + 1e-9)
        let (half, whole, double) = (
            Motion(lines.half, up: up), Motion(lines.whole, up: up), Motion(lines.double, up: up)
        )
        inputs[index] = half.verticalShare
        inputs[index + 1] = whole.verticalShare
        inputs[index + 2] = double.verticalShare
        inputs[index + 3] = half.straightness
        inputs[index + 4] = whole.straightness
        inputs[index + 5] = double.straightness
        inputs[index + 6] = half.turning(about: up)
        inputs[index + 7] = half.tilt.real
        inputs[index + 8] = half.tilt.imaginary
        inputs[index + 9] = half.likeness(to: whole)
        inputs[index + 10] = whole.turning(about: up)
        inputs[index + 11] = whole.tilt.real
        inputs[index + 12] = whole.tilt.imaginary
        inputs[index + 13] = whole.likeness(to: double)
    }
}

extension SIMD3 where Scalar: SIMDScalar {
    /// The first three lanes.
    fileprivate init(_ four: SIMD4<Scalar>) { self.init(four.x, four.y, four.z) }
}
