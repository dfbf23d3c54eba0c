/// The band-pass of activity counts at 30 Hz, from 0.29 to 1.63 Hz, as the transposed direct form II. See
/// ``CountFilter``.
struct CountBandPass: Sendable {
    typealias Axes = CountFilter.Axes

    /// The published coefficients of the input and of the output.
    private let b = SIMD8(
        -0.009341062898525, -0.025470289659360, -0.004235264826105, 0.044152415456420, 0.036493718347760,
        -0.011893961934740, -0.022917390623150, -0.006788163862310)
    private let a = SIMD8(
        1, -3.63367395910957, 5.03689812757486, -3.09612247819666, 0.50620507633883, 0.32421701566682,
        -0.15685485875559, 0.0194913020589)
    /// The state. An array of it would make each value slower.
    private var (s0, s1, s2, s3, s4, s5, s6) = (Axes(), Axes(), Axes(), Axes(), Axes(), Axes(), Axes())

    private var isStarted = false

    /// Filters the next value. The first one counts as one that has lasted for ever.
    mutating func filter(_ value: Axes) -> Axes {
        if !isStarted { rest(at: value) }
        return advance(value)
    }

    private mutating func rest(at value: Axes) {
        isStarted = true
        let result = value * (b.sum() / a.sum())
        s6 = value * b[7] - result * a[7]
        s5 = s6 + value * b[6] - result * a[6]
        s4 = s5 + value * b[5] - result * a[5]
        s3 = s4 + value * b[4] - result * a[4]
        s2 = s3 + value * b[3] - result * a[3]
        s1 = s2 + value * b[2] - result * a[2]
        s0 = s1 + value * b[1] - result * a[1]
    }

    private mutating func advance(_ value: Axes) -> Axes {
        let result = s0 + value * b[0]
        s0 = s1 + value * b[1] - result * a[1]
        s1 = s2 + value * b[2] - result * a[2]
        s2 = s3 + value * b[3] - result * a[3]
        s3 = s4 + value * b[4] - result * a[4]
        s4 = s5 + value * b[5] - result * a[5]
        s5 = s6 + value * b[6] - result * a[6]
        s6 = value * b[7] - result * a[7]
        return result
    }
}
