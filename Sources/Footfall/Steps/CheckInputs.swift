/// The Fourier sums of five series at ½, 1 and 2 times a frequency.
struct SpectralLines {
    /// A complex number for each of four series.
    struct Line {
        fileprivate(set) var real = SIMD4<Float>()
        fileprivate(set) var imaginary = SIMD4<Float>()

        /// The complex number of a series.
        subscript(series: Int) -> Complex { Complex(real: real[series], imaginary: imaginary[series]) }

        @inline(__always)
        fileprivate mutating func add(_ value: SIMD4<Float>, _ cosine: Float, _ sine: Float) {
            real += value * cosine
            imaginary += value * sine
        }
    }

    /// The sums of the four series: x, y, z and the magnitude.
    private(set) var half = Line()
    private(set) var whole = Line()
    private(set) var double = Line()
    /// The squares of the sums of the fifth series, in this order.
    private(set) var squares = SIMD4<Float>()

    /// Computes the sums of four series and a fifth one of the same length, at a frequency per value.
    init(at frequency: Float, of four: ArraySlice<SIMD4<Float>>, and fifth: [Float]) {
        let (four, fifth) = (four.span, fifth.span)
        precondition(four.count == fifth.count)
        let turn = Self.unit(at: SIMD4(0.5, 1, 2, 0) * frequency * (2 * .pi))
        // The phase of each of the three frequencies, and the sums of the fifth series at them.
        var (real, imaginary) = (SIMD4<Float>(repeating: 1), SIMD4<Float>())
        var (fifthReal, fifthImaginary) = (SIMD4<Float>(), SIMD4<Float>())
        for index in four.indices {
            // In bounds: both have the same count.
            let value = four[unchecked: index]
            half.add(value, real[0], imaginary[0])
            whole.add(value, real[1], imaginary[1])
            double.add(value, real[2], imaginary[2])
            fifthReal += fifth[unchecked: index] * real
            fifthImaginary += fifth[unchecked: index] * imaginary
            (real, imaginary) = (
                real * turn.real - imaginary * turn.imaginary, real * turn.imaginary + imaginary * turn.real
            )
        }
        squares = fifthReal * fifthReal + fifthImaginary * fifthImaginary
    }

    /// Numbers of size 1 at negative angles; the last lane stays 0. Never inlined, so that the compiler keeps whole
    /// vectors.
    @inline(never)
    private static func unit(at angles: SIMD4<Float>) -> (real: SIMD4<Float>, imaginary: SIMD4<Float>) {
        var (real, imaginary) = (SIMD4<Float>(), SIMD4<Float>())
        for lane in 0..<3 {
            real[lane] = cosine(angles[lane])
            imaginary[lane] = -sine(angles[lane])
        }
        return (real, imaginary)
    }
}

struct Complex {
    var real: Float
    var imaginary: Float

    /// The square of the absolute value.
    var squaredSize: Float { real * real + imaginary * imaginary }

    var conjugate: Complex { Complex(real: real, imaginary: -imaginary) }

    func scaled(by factor: Float) -> Complex { Complex(real: real * factor, imaginary: imaginary * factor) }

    static func * (left: Complex, right: Complex) -> Complex {
        Complex(
            real: left.real * right.real - left.imaginary * right.imaginary,
            imaginary: left.real * right.imaginary + left.imaginary * right.real)
    }

    static func - (left: Complex, right: Complex) -> Complex {
        Complex(real: left.real - right.real, imaginary: left.imaginary - right.imaginary)
    }
}

/// The motion above the low-pass in a window: its level, its peakedness, and the share that beats with the steps. Each
/// initial contact shakes the body above 5 Hz. A pedal does not, and a road shakes all the time.
struct GaitRoughness: Sendable {
    /// Added to amplitudes, in g, to limit logarithms and shares: about the noise of a good sensor.
    private static let floor: Float = 2e-3

    private let hann: [Float]
    /// The deviations of the amplitude from its mean, weighted by the window.
    private(set) var deviations: [Float]
    /// The mean square of the amplitude, in g², without the gain for a slow sensor.
    private(set) var power: Float = 0
    private var logLevel: Float = 0
    private var logPeakedness: Float = 0
    /// The sum of the weighted amplitudes, which makes shares of the beats.
    private var sum: Float = 0

    init(windowLength: Int) {
        hann = GaitSpectrum.hann(windowLength)
        deviations = Array(repeating: 0, count: windowLength)
    }

    /// Measures the window around a value, which may extend beyond the signal at either end, in what the low-pass
    /// removes. Its fourth lane is the amplitude.
    mutating func load(_ parts: SplitSignal, around center: Int64) {
        let signal = parts.highPassed
        let start = center - Int64(hann.count / 2)
        let present = (start..<start + Int64(hann.count)).clamped(to: signal.range)
        let first = Int(present.lowerBound - start)
        let (slice, weights) = (signal.slice(present), hann)
        let (samples, hann) = (slice.span, weights.span)
        // The weights, and the weighted amplitudes, squares and fourth powers.
        var sums = SIMD4<Float>(1e-9, 0, 0, 0)
        for index in samples.indices {
            let amplitude = samples[index][3]
            let square = amplitude * amplitude
            sums += hann[first + index] * SIMD4(1, amplitude, square, square * square)
        }
        let mean = sums / sums[0]
        power = mean[2] / (parts.gain * parts.gain)
        let level = mean[2].squareRoot() + Self.floor
        logLevel = logarithm(level)
        let (square, least) = (level * level, Self.floor * Self.floor)
        logPeakedness = 0.5 * logarithm((mean[3] + least * least) / (square * square))
        sum = sums[0] * (mean[1] + Self.floor)
        var values = deviations.mutableSpan
        for index in values.indices { values[index] = 0 }
        for index in samples.indices { values[first + index] = hann[first + index] * (samples[index][3] - mean[1]) }
    }

    /// The five features, given the lines of ``deviations`` at ½, 1 and 2 times a cadence.
    func features(_ lines: SpectralLines) -> [Float] {
        // The share of the amplitude that beats at each of them.
        let beats = lines.squares.squareRoot() / sum
        return [logLevel, logPeakedness, beats[0], beats[1], beats[2]]
    }
}

/// The shape of the motion in a window: how far it lies along one direction, and the form of its wave. A pedal turns a
/// thigh about one axis and its wave is even. The contact of a foot is a short crest in a longer wave, and a leg moves
/// in several directions.
struct GaitShape: Sendable {
    /// The ratio of a spectral line to the root of the sum of squares from which its phase has full weight. A sine has
    /// a ratio of 7.
    private static let strong: Float = 5

    /// How far the motion lies along one direction: 1/3 if it is alike in all of them, 1 on a straight line.
    private let anisotropy: Float
    private let skewness: Float
    private let sumOfSquares: Float

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

    /// The six features, given the lines of the window at a cadence.
    func features(_ lines: SpectralLines) -> [Float] {
        let (half, whole, double) = (lines.half[3], lines.whole[3], lines.double[3])
        let (stride, step) = (phase(of: half, relativeTo: whole), phase(of: whole, relativeTo: double))
        return [anisotropy, skewness, stride.real, stride.imaginary, step.real, step.imaginary]
    }

    /// A complex number whose angle is twice the phase of a line of the magnitude, minus the phase of the line at twice
    /// its frequency, which does not depend on the time of the window. Its size is at most 1, and smaller if one of the
    /// lines is weak.
    private func phase(of line: Complex, relativeTo double: Complex) -> Complex {
        let weakest = (min(line.squaredSize, double.squaredSize) / sumOfSquares).squareRoot()
        let scale = min(weakest / Self.strong, 1) / (line.squaredSize * double.squaredSize.squareRoot() + 1e-12)
        return (line * line * double.conjugate).scaled(by: scale)
    }
}

/// The directions in which a rhythm moves, relative to gravity and to each other. A foot that strikes the ground pushes
/// the body up, and with it a sensor at any place. An arm or a leg swings to and fro once in two steps, in another
/// direction. A hand at work moves along its own path, and each of its beats is like the next.
enum GaitDirection {
    /// The line of the three axes at a multiple of the cadence.
    private struct Motion {
        let real: SIMD3<Float>
        let imaginary: SIMD3<Float>
        /// The direction of gravity.
        let up: SIMD3<Float>
        /// The power, and the motion along gravity.
        let power: Float
        let vertical: Complex
        /// The sum of the squares of the complex axes. Its size is the power if all motion is along one direction.
        let square: Complex

        init(_ line: SpectralLines.Line, _ up: SIMD3<Float>) {
            (real, imaginary, self.up) = (SIMD3(line.real), SIMD3(line.imaginary), up)
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
        var turning: Float {
            let normal = SIMD3(
                real.y * imaginary.z - real.z * imaginary.y, real.z * imaginary.x - real.x * imaginary.z,
                real.x * imaginary.y - real.y * imaginary.x)
            let size = 2 * (normal * up).sum() / power
            return size * size
        }

        /// Twice the phase between the motions along gravity and across it, weighted by their sizes.
        var tilt: Complex {
            let rise = vertical * vertical
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

    /// The fourteen features, given the lines of the axes at a cadence and the mean of the axes in the window, which
    /// has the direction of gravity.
    static func features(_ lines: SpectralLines, mean: SIMD4<Float>) -> [Float] {
        let mean = SIMD3(mean)
        let up = mean / ((mean * mean).sum().squareRoot() + 1e-9)
        let (half, whole, double) = (Motion(lines.half, up), Motion(lines.whole, up), Motion(lines.double, up))
        return [
            half.verticalShare, whole.verticalShare, double.verticalShare,
            half.straightness, whole.straightness, double.straightness,
            half.turning, half.tilt.real, half.tilt.imaginary, half.likeness(to: whole),
            whole.turning, whole.tilt.real, whole.tilt.imaginary, whole.likeness(to: double),
        ]
    }
}

extension SIMD3 where Scalar: SIMDScalar {
    /// The first three lanes.
    fileprivate init(_ four: SIMD4<Scalar>) { self.init(four.x, four.y, four.z) }
}
