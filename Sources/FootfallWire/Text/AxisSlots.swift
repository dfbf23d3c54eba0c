/// Puts x, y and z together where they stand behind labels, on one line or on several.
struct AxisSlots: Sendable {
    private var values = SIMD3<Float>.zero
    private var filled = SIMD3<Int32>.zero

    /// Takes the values of a line, and returns the vector when it is whole.
    mutating func take(_ line: TextLine, _ axes: [TextLabel]) -> SIMD3<Float>? {
        guard line.isLabelled else { return nil }
        for field in line.fields {
            guard let label = field.label, let number = field.number else { continue }
            for axis in 0..<3 where axes[axis] == label {
                // A value that comes again before the others have come begins another vector.
                if filled[axis] == 1 { filled = .zero }
                values[axis] = Float(number.double)
                filled[axis] = 1
            }
        }
        guard filled == .one else { return nil }
        filled = .zero
        return values
    }

    mutating func clear() { filled = .zero }
}
