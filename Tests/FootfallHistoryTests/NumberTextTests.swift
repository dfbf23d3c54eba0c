import FootfallTables
import Testing

@Suite("A number of a table")
struct NumberTextTests {
    @Test(
        "is rounded, and keeps a decimal",
        arguments: [
            (1.26, 1, "1.3"), (1.24, 1, "1.2"), (-1.26, 1, "-1.3"), (1.999, 2, "2.0"), (-0.04, 1, "0.0"),
            (3, 3, "3.0"), (12345.678, 3, "12345.678"), (0.0006, 3, "0.001"),
        ])
    func rounded(number: Double, decimals: Int, text: String) {
        #expect(number.formatted(decimals: decimals) == text)
    }
}
