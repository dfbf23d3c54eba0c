internal import Footfall
internal import FootfallWire

/// A sector of a recording by an Axivity AX3 or AX6: up to 120 samples, and what the device's clock showed at one of them.
///
/// The layout follows the manufacturer's notes (Open Movement, `ax3-technical.md`). Numbers are little-endian.
struct AxivitySector {
    /// How its samples are written.
    enum Packing: Equatable {
        /// Three numbers of ten bits and a common exponent in 32 bits.
        case bits
        /// Numbers of 16 bits, so many for each sample, those of acceleration beginning at one of them.
        case words(each: Int, first: Int)
    }

    static let size = 512
    /// The most samples that a sector holds.
    static let mostSamples = 120
    /// Where samples begin, and how many bytes of them there are.
    static let samplesOffset = 30
    private static let samplesSize = 480

    /// Counts sectors; one that does not follow tells of a loss.
    let sequence: UInt32
    /// How many samples it holds.
    let count: Int
    /// Samples per second as set. Real rates are off by up to 3 %.
    let hertz: Double
    /// The largest acceleration that can be measured, in g; nil where an old device does not say.
    let range: Double?
    let packing: Packing
    /// What one unit of a sample is in g.
    let scale: Float
    /// What the device's clock showed when the sample numbered ``clockSample`` was taken, in nanoseconds since 1970 on
    /// that clock.
    let clock: Int64
    /// Negative or past the end where the clock ticked outside the sector.
    let clockSample: Int
    /// Whether the clock was only read to the second, as the oldest devices do.
    let isClockCoarse: Bool

    /// What a sector turned out to be.
    enum Reading {
        case samples(AxivitySector)
        /// Something other than samples.
        case other
        case bad(TraceWarning.Kind)
    }

    /// Reads the sector that `bytes` hold.
    static func read(_ bytes: Span<UInt8>) -> Reading {
        guard bytes.has(samplesSignature, at: 0), bytes.littleEndian(UInt16.self, at: 2) == 508 else {
            return otherSignatures.contains { bytes.has($0, at: 0) } ? .other : .bad(.damaged)
        }
        // The oldest format, which has no rate code, has no checksum either.
        guard bytes[24] == 0 || checksum(bytes) == 0 else { return .bad(.damaged) }
        guard bytes.littleEndian(UInt16.self, at: 28) > 0 else { return .other }
        guard let clock = CivilTime(axivity: bytes.littleEndian(UInt32.self, at: 14))?.nanoseconds else {
            return .bad(.unreadableTime)
        }
        guard let sector = AxivitySector(bytes, clock) else { return .bad(.damaged) }
        return .samples(sector)
    }

    private static let samplesSignature = Array("AX".utf8)
    /// Sectors that some devices write between those of samples.
    private static let otherSignatures = ["UB", "SI", "GX"].map { Array($0.utf8) }

    /// The sum of the sector's words, which is 0 where nothing was damaged.
    private static func checksum(_ bytes: Span<UInt8>) -> UInt16 {
        var sum: UInt16 = 0
        for offset in stride(from: 0, to: size, by: 2) { sum &+= bytes.littleEndian(UInt16.self, at: offset) }
        return sum
    }

    /// Creates a sector from its fields; nil when they are none that a device writes.
    private init?(_ bytes: Span<UInt8>, _ clock: Int64) {
        let rateCode = bytes[24]
        let offset = Int(bytes.littleEndian(Int16.self, at: 26))
        let fractionWord = bytes.littleEndian(UInt16.self, at: 4)
        let fraction = fractionWord & 0x8000 == 0 ? 0 : Int(fractionWord & 0x7FFF) << 1
        isClockCoarse = rateCode == 0
        hertz = rateCode == 0 ? Double(offset) : 3200 / Double(1 << (15 - Int(rateCode & 15)))
        range = rateCode == 0 ? nil : Double(16 >> (rateCode >> 6))
        sequence = bytes.littleEndian(UInt32.self, at: 10)
        count = Int(bytes.littleEndian(UInt16.self, at: 28))
        self.clock = clock + Int64(fraction) * 1_000_000_000 / 65536
        // The device ticks on whole seconds and gives the sample of the tick; the fraction moves both onward.
        clockSample = rateCode == 0 ? 0 : offset + (fraction * Int(hertz)) >> 16

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
    /// - Parameter first: Where numbers of 16 bits hold the acceleration; nil for where they should.
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
                let place = base + sample * each * 2
                let values = SIMD4<Int16>(
                    bytes.littleEndian(Int16.self, at: place), bytes.littleEndian(Int16.self, at: place + 2),
                    bytes.littleEndian(Int16.self, at: place + 4), 0)
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
