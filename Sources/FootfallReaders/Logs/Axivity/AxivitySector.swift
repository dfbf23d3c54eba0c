internal import Footfall

/// A sector of a recording of an Axivity AX3 or AX6: up to 120 samples, and the time of one of them on the device's
/// clock.
///
/// The layout follows the manufacturer's notes (Open Movement, `ax3-technical.md`). Numbers are little-endian.
struct AxivitySector {
    /// The encoding of its samples.
    enum Packing: Equatable {
        /// Three numbers of ten bits and a common exponent in 32 bits.
        case bits
        /// Numbers of 16 bits: how many per sample, and the index of the first one of acceleration.
        case words(each: Int, first: Int)
    }

    static let size = 512
    static let mostSamples = 120
    /// The offset of the samples, and their size in bytes.
    static let samplesOffset = 30
    private static let samplesSize = 480

    /// The number of the sector; a missing number means lost sectors.
    let sequence: UInt32
    /// The number of its samples.
    let count: Int
    /// The nominal rate, in samples per second. Real rates deviate by up to 3 %.
    let hertz: Double
    /// The range in g; nil for an old device that does not state it.
    let range: Double?
    let packing: Packing
    /// In °C.
    let temperature: Float
    /// One unit of a sample, in g.
    let scale: Float
    /// The time of the sample numbered ``clockSample``, in nanoseconds since 1970 on the device's clock.
    let clock: Int64
    /// Negative or beyond the end where the clock ticked outside the sector.
    let clockSample: Int
    /// Whether the clock has a resolution of a second, as in the oldest devices.
    let isClockCoarse: Bool

    enum Reading {
        case samples(AxivitySector)
        /// Something other than samples.
        case other
        case bad(TraceWarning.Kind)
    }

    static func read(_ bytes: Span<UInt8>) -> Reading {
        guard bytes.has(samplesSignature, at: 0), bytes.littleEndian(UInt16.self, at: 2) == 508 else {
            return otherSignatures.contains { bytes.has($0, at: 0) } ? .other : .bad(.damaged)
        }
        // The oldest format has neither a rate code nor a checksum.
        guard bytes[24] == 0 || checksum(bytes) == 0 else { return .bad(.damaged) }
        guard bytes.littleEndian(UInt16.self, at: 28) > 0 else { return .other }
        guard let clock = CivilTime(axivity: bytes.littleEndian(UInt32.self, at: 14))?.nanoseconds else {
            return .bad(.unreadableTime)
        }
        guard let sector = AxivitySector(bytes, clock) else { return .bad(.damaged) }
        return .samples(sector)
    }

    private static let samplesSignature = Array("AX".utf8)
    /// Other sectors that some devices write.
    private static let otherSignatures = ["UB", "SI", "GX"].map { Array($0.utf8) }

    /// The sum of the sector's words, 0 without damage.
    private static func checksum(_ bytes: Span<UInt8>) -> UInt16 {
        var sum: UInt16 = 0
        for offset in stride(from: 0, to: size, by: 2) { sum &+= bytes.littleEndian(UInt16.self, at: offset) }
        return sum
    }

    /// Creates a sector from its fields; nil for impossible fields.
    private init?(_ bytes: Span<UInt8>, _ clock: Int64) {
        let rateCode = bytes[24]
        let offset = Int(bytes.littleEndian(Int16.self, at: 26))
        let fractionWord = bytes.littleEndian(UInt16.self, at: 4)
        let fraction = fractionWord & 0x8000 == 0 ? 0 : Int(fractionWord & 0x7FFF) << 1
        isClockCoarse = rateCode == 0
        hertz = rateCode == 0 ? Double(offset) : 3200 / Double(1 << (15 - Int(rateCode & 15)))
        range = rateCode == 0 ? nil : Double(16 >> (rateCode >> 6))
        sequence = bytes.littleEndian(UInt32.self, at: 10)
        // Ten bits from −50 °C on, 75 / 256 °C each.
        temperature = Float(bytes.littleEndian(UInt16.self, at: 20) & 0x3FF) * 75 / 256 - 50
        count = Int(bytes.littleEndian(UInt16.self, at: 28))
        self.clock = clock + Int64(fraction) * 1_000_000_000 / 65536
        // The device states the sample of a whole second; the fraction moves both forward.
        clockSample = rateCode == 0 ? 0 : offset + (fraction * Int(clamping: hertz)) >> 16

        let axes = Int(bytes[25] >> 4)
        let unitCode = bytes.littleEndian(UInt16.self, at: 18) >> 13
        switch (bytes[25] & 15, axes) {
        case (0, 3):
            packing = .bits
            scale = 1.0 / 256
        case (2, 3):
            packing = .words(each: 3, first: 0)
            scale = 1 / Float(UInt32(256) << UInt32(unitCode))
        case (2, 6), (2, 9):
            // Rotation comes before acceleration.
            packing = .words(each: axes, first: 3)
            scale = 1 / Float(UInt32(256) << UInt32(unitCode))
        default:
            return nil
        }
        let sampleSize = packing == .bits ? 4 : axes * 2
        guard count * sampleSize <= AxivitySector.samplesSize, hertz > 0 else { return nil }
    }

    /// Adds the samples numbered `range` to `columns`, timed by `line`.
    ///
    /// - Parameter first: The index of the first number of acceleration; nil for the documented one.
    func decode(
        _ bytes: Span<UInt8>, _ range: Range<Int>, _ line: AxivityClock.Line, first: Int? = nil,
        into columns: inout SampleColumns
    ) {
        let scale = self.scale
        let start = range.lowerBound
        switch packing {
        case .bits:
            columns.append(range.count) { index in
                let sample = start + index
                let word = bytes.littleEndian(UInt32.self, at: AxivitySector.samplesOffset + sample * 4)
                let bits = Int32(bitPattern: word)
                let exponent = Int32(word >> 30)
                let values = (SIMD4<Int32>(bits << 22, bits << 12, bits << 2, 0) &>> 22) &<< exponent
                return (line.nanoseconds(of: sample), SIMD4<Float>(values) * scale)
            }
        case .words(let each, let usualFirst):
            let base = AxivitySector.samplesOffset + (first ?? usualFirst) * 2
            columns.append(range.count) { index in
                let sample = start + index
                let values = SIMD4(bytes.int16Vector(at: base + sample * each * 2), 0)
                return (line.nanoseconds(of: sample), SIMD4<Float>(values) * scale)
            }
        }
    }
}

extension CivilTime {
    /// The date and time that an Axivity device packs into 32 bits; nil when a field is out of its range.
    init?(axivity packed: UInt32) {
        func field(_ shift: UInt32, _ bits: UInt32) -> Int { Int((packed >> shift) & ((1 << bits) - 1)) }
        let (hour, minute, second) = (field(12, 5), field(6, 6), field(0, 6))
        guard hour < 24, minute < 60, second < 60 else { return nil }
        self.init(
            date: CivilDate(year: 2000 + field(26, 6), month: field(22, 4), day: field(17, 5)),
            nanosecondOfDay: Int64((hour * 60 + minute) * 60 + second) * 1_000_000_000)
    }
}
