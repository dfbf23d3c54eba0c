internal import Footfall

/// A sine with variable frequency and continuous phase.
struct Oscillator: Sendable {
    private var phase: Double
    private var time = 0.0

    /// Creates an oscillator at `phase`, in turns, at time 0.
    init(phase: Double) {
        self.phase = phase
    }

    /// Advances to `time` in seconds at `frequency` in Hz and returns sine and cosine.
    @inline(__always)
    mutating func advance(to time: Double, frequency: Double) -> (sine: Float, cosine: Float) {
        phase += (time - self.time) * frequency
        phase -= Double(Int(clamping: phase))
        self.time = time
        return (sine(turns: Float(phase)), cosine(turns: Float(phase)))
    }
}

/// The sine of an angle in turns, with an error below 2·10⁻⁷: Taylor's polynomial of degree 11 on ±¼ turn.
///
/// The last bits of the libm functions differ between machines; simulated traces must not.
@inline(__always)
func sine(turns: Float) -> Float {
    var angle = turns - Float(Int32(clamping: turns))
    if angle > 0.5 { angle -= 1 } else if angle < -0.5 { angle += 1 }
    if angle > 0.25 { angle = 0.5 - angle } else if angle < -0.25 { angle = -0.5 - angle }
    let x = angle * (2 * .pi)
    let square = x * x
    let ninth = 1 / 362_880 - square * (1 / 39_916_800)
    return x * (1 + square * (-1 / 6 + square * (1 / 120 + square * (-1 / 5040 + square * ninth))))
}

/// The cosine of an angle in turns, with an error below 2·10⁻⁷.
@inline(__always)
func cosine(turns: Float) -> Float {
    sine(turns: turns + 0.25)
}

/// A smooth step from 0 at 0 to 1 at 1; constant outside.
@inline(__always)
func smoothStep(_ value: Float) -> Float {
    let u = min(max(value, 0), 1)
    return u * u * (3 - 2 * u)
}

extension Float {
    /// An angle in degrees as turns.
    static func degrees(_ degrees: Float) -> Float { degrees / 360 }
}
