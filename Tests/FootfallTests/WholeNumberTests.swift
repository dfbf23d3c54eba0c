import Footfall
import Testing

@Suite("A conversion to an integer")
struct WholeNumberTests {
    @Test("has a result for every number")
    func total() {
        for value in [2.9, -2.9, 0, 9.2e18, -9.2e18] {
            #expect(Double(Int(clamping: value)) == value.rounded(.towardZero))
        }
        #expect(Int(clamping: Double.infinity) == .max && Int64(clamping: -Double.infinity) == .min)
        #expect(Int(clamping: 0x1p63) == .max && Int(clamping: -0x1p63) == .min && Int(clamping: 1e300) == .max)
        #expect(Int(clamping: Double.nan) == 0 && UInt8(clamping: Float.nan) == 0)
        #expect(UInt8(clamping: 255.9) == 255 && UInt8(clamping: 256.0) == 255 && UInt8(clamping: -1.0) == 0)
        #expect(Int32(clamping: Float(3e9)) == .max && UInt32(clamping: 4e9) == 4_000_000_000)
    }
}
