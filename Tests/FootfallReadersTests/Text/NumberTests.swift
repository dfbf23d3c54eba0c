import FootfallReaders
import TestSupport
import Testing

@Suite("A number as text")
struct NumberTests {
    private func read(_ text: String, separator: Character = ".") -> DecimalNumber? {
        let bytes = Array(text.utf8)
        return DecimalNumber(bytes.span, 0..<bytes.count, separator: separator.asciiValue ?? 0)
    }

    @Test("is rounded to the nearest nanosecond")
    func nanoseconds() {
        let seconds = [
            ("1.0000000004", 1_000_000_000), ("1.0000000005", 1_000_000_001), ("-1.0000000005", -1_000_000_001),
            ("0.02", 20_000_000), ("1e-10", 0), ("5e-10", 1), ("1767322805.123456789", 1_767_322_805_123_456_789),
            ("9223372036.854775807", Int64.max), ("0e99", 0), ("12e-99", 0),
        ]
        for (text, expected) in seconds { #expect(read(text)?.nanoseconds(power: 9) == expected, "\(text)") }
        #expect(read("1.5")?.nanoseconds(power: 6) == 1_500_000)
        for text in ["9223372036.854775808", "1e30", "99999999999999999999", "nan"] {
            #expect(read(text)?.nanoseconds(power: 9) == nil, "\(text)")
        }
    }

    @Test("of up to 19 digits is the nearest Double")
    func doubles() {
        var generator = SeededGenerator(seed: 15)
        for digits in 1...19 {
            for _ in 0..<200 {
                let bound = (0..<digits).reduce(UInt64(1)) { product, _ in product * 10 }
                let mantissa = UInt64.random(in: 0..<bound, using: &generator)
                let exponent = Int.random(in: -330...310, using: &generator)
                for text in ["\(mantissa)e\(exponent)", "-\(mantissa)e\(exponent % 25)", "\(mantissa)"] {
                    #expect(read(text)?.double == Double(text), "\(text)")
                }
                let point = Int.random(in: 0...digits, using: &generator)
                var decimals = String(mantissa)
                decimals = String(repeating: "0", count: digits - decimals.count) + decimals
                decimals.insert(".", at: decimals.index(decimals.startIndex, offsetBy: point))
                #expect(read(decimals)?.double == Double("0" + decimals + "0"), "\(decimals)")
            }
        }
    }

    @Test("can have a sign, a decimal separator and an exponent")
    func spellings() {
        for (text, expected) in [
            ("+5", 5), ("\u{2212}2.5", -2.5), ("5.", 5), (".5", 0.5), ("1E3", 1000), ("1e\u{2212}1", 0.1),
        ] {
            #expect(read(text)?.double == expected, "\(text)")
        }
        #expect(read("1,5", separator: ",")?.double == 1.5)
        #expect(read("12345678901234567890123")?.double == 1.234567890123456789e22)
        #expect(read("12")?.isWhole == true)
        #expect(read("12.0")?.isWhole == false)
    }

    @Test("can be NaN or infinite in the spelling of any logger")
    func notFinite() throws {
        for text in ["nan", "NaN", "-nan", "NA", "inf", "-Inf", "Infinity", "∞", "-∞", "ovf"] {
            let number = try #require(read(text), "\(text)")
            #expect(!number.isFinite)
            #expect(number.double.isNaN)
            #expect(!number.isWhole)
        }
    }

    @Test("has nothing around it")
    func refused() {
        for text in ["", "-", ".", "1.2.3", "--1", "1e", "1e+", "0x1F", "12V", " 1", "nano", "i", "n/a", "1 2"] {
            #expect(read(text) == nil, "\(text)")
        }
    }
}
