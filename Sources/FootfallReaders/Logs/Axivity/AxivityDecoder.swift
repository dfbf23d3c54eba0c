internal import Footfall
internal import Foundation

/// Decodes the recordings of Axivity AX3 and AX6 (`.cwa`): a header, then sectors of samples.
struct AxivityDecoder: RecordingDecoder {
    static let mostSamples = AxivitySector.mostSamples
    private static let headerSize = 1024
    private static let headerSignature = Array("MD".utf8) + [0xFC, 0x03]

    private let device: String
    private let options: TraceOptions
    private var clock = AxivityClock()
    private var sampleRate: Double?
    private var range: Double?
    /// The offset at the start of the recording, because the clock does not follow daylight saving.
    private var utcOffset: UTCOffset
    /// The number of samples to come in which acceleration and rotation are exchanged.
    private var swapped = 0
    private(set) var temperature: Float?
    private(set) var battery: Float?
    private(set) var notes: [ParameterText] = []
    private(set) var tally = WarningCounts()

    /// Whether the file begins with the header of such a recording, or with sectors where the header is missing.
    static func reads(_ source: borrowing LineSource) -> Bool {
        let bytes = source.bytes.span.extracting(source.unread)
        let head = bytes.extracting(0..<min(bytes.count, 8 * AxivitySector.size))
        return bytes.has(headerSignature, at: 0) || AxivitySector.first(in: head) != nil
    }

    /// Takes the header from the opening of a source.
    init(_ source: inout LineSource, _ options: TraceOptions) {
        let device = AxivityDecoder.device(source)
        if device != nil { source.advance(to: source.unread.lowerBound + AxivityDecoder.headerSize) }
        self.device = device ?? "AX3 or AX6"
        self.options = options
        utcOffset = UTCOffset(options, atLocalSecond: 0)
        let sectors = source.bytes.span.extracting(source.unread)
        swapped = AxisSwap.sampleCount(sectors)
        if let sector = AxivitySector.first(in: sectors) { learn(sector) }
        notes = utcOffset.notes(options)
        if swapped > 0 {
            notes.append(
                "acceleration and rotation are exchanged in the first \(swapped) samples; they were put in order")
        }
        notes += options.notesOnRecording
    }

    /// The device's model and number; nil if the header is missing.
    private static func device(_ source: borrowing LineSource) -> String? {
        let header = source.bytes.span.extracting(source.unread)
        guard header.count >= headerSize, header.has(headerSignature, at: 0) else { return nil }
        let low = UInt32(header.littleEndian(UInt16.self, at: 5))
        let high = UInt32(header.littleEndian(UInt16.self, at: 11))
        let model = header[4] == 0x64 ? "AX6" : "AX3"
        return "\(model) \(high == 0xFFFF ? low : (high << 16) | low)"
    }

    var layout: RecordingLayout {
        RecordingLayout(
            device: device, sampleRate: sampleRate, range: range, utcOffset: Int(utcOffset.seconds),
            utcOffsetEvidence: utcOffset.evidence)
    }

    private mutating func learn(_ sector: AxivitySector) {
        sampleRate = sector.hertz
        range = sector.range
        utcOffset = UTCOffset(options, atLocalSecond: sector.clock / 1_000_000_000)
    }

    mutating func read(_ source: borrowing LineSource, into columns: inout SampleColumns) -> Int? {
        guard source.unread.count >= AxivitySector.size else { return nil }
        let bytes = source.bytes.span.extracting(source.unread.prefix(AxivitySector.size))
        switch AxivitySector.read(bytes) {
        case .bad(let kind): tally.note(kind, .byte(source.offset))
        case .other: break
        case .samples(let sector):
            if sampleRate == nil { learn(sector) }
            var line = clock.line(of: sector)
            line.time -= utcOffset.seconds * 1_000_000_000
            let early = min(swapped, sector.count)
            if early > 0 { sector.decode(bytes, 0..<early, line, first: 0, into: &columns) }
            sector.decode(bytes, early..<sector.count, line, into: &columns)
            swapped -= early
            (temperature, battery) = (sector.temperature, sector.battery)
        }
        return AxivitySector.size
    }

    mutating func finish(_ source: borrowing LineSource) {
        if !source.unread.isEmpty { tally.note(.cutShort, nil) }
    }
}

/// The first seconds of some AX6 recordings, in which acceleration and rotation are exchanged. Such a recording begins
/// with acceleration before rotation. After some hundred samples, one triple is written twice. From then on the order
/// is as documented: rotation before acceleration. In the documented order, the first seconds look like free fall.
enum AxisSwap {
    /// The number of samples at the start with exchanged triples, given the first sectors. It is 0 unless a triple is
    /// written twice and, before it, the triples in the place of rotation have the magnitude of gravity.
    static func sampleCount(_ sectors: Span<UInt8>) -> Int {
        var row = 0
        var magnitudes = SIMD2<Float>()
        var previous: SIMD3<Int16>?
        for start in stride(from: 0, through: sectors.count - AxivitySector.size, by: AxivitySector.size) {
            let sectorBytes = sectors.extracting(start..<start + AxivitySector.size)
            guard case .samples(let sector) = AxivitySector.read(sectorBytes) else { continue }
            guard case .words(let each, first: 3) = sector.packing, row < longest else { return 0 }
            for sample in 0..<sector.count {
                let place = AxivitySector.samplesOffset + sample * each * 2
                let front = sectorBytes.int16Vector(at: place)
                let back = sectorBytes.int16Vector(at: place + 6)
                if previous == front, row > 0 {
                    let means = magnitudes / Float(row)
                    return abs(means[0] - 1) < abs(means[1] - 1) ? row : 0
                }
                magnitudes += SIMD2(SIMD3<Float>(front).length, SIMD3<Float>(back).length) * sector.scale
                previous = back
                row += 1
            }
        }
        return 0
    }

    /// The number of samples to search. The repeated triple was observed after 128 and 1024.
    private static let longest = 2000
}

/// Computes the times of the samples of Axivity sectors. Each sector states the time of one of its samples on the
/// device's clock. Two consecutive sectors give the real rate. The first sector, and one after a loss, uses the nominal
/// rate.
struct AxivityClock: Sendable {
    /// Equally spaced times.
    struct Line {
        /// The time of the sample numbered `sample`, in nanoseconds since 1970.
        var time: Int64
        var sample: Int
        /// Nanoseconds from one sample to the next.
        var period: Double

        /// The time of a sample by its number, in nanoseconds since 1970.
        @inline(__always)
        func nanoseconds(of index: Int) -> Int64 { time &+ Int64(clamping: Double(index &- sample) * period) }
    }

    private var previous: (sequence: UInt32, clock: Int64, sample: Int)?
    /// The expected start of the next sector, on the device's clock.
    private var expected: Int64?

    /// The times of a sector's samples, on the device's clock.
    mutating func line(of sector: AxivitySector) -> Line {
        let follows = previous.map { $0.sequence &+ 1 == sector.sequence } ?? false
        var line = Line(time: sector.clock, sample: sector.clockSample, period: 1e9 / sector.hertz)
        if sector.isClockCoarse {
            // The clock is truncated to a second, so the time follows from the sector before, within that second.
            let second = sector.clock...sector.clock + 1_000_000_000
            line.time =
                follows ? min(max(expected ?? sector.clock, second.lowerBound), second.upperBound) : sector.clock
        } else if follows, let previous {
            let period = Double(sector.clock - previous.clock) / Double(sector.clockSample - previous.sample)
            // A larger deviation means that the clock was set.
            if period.isFinite, abs(period / line.period - 1) < AxivityClock.largestError { line.period = period }
        }
        previous = (sector.sequence, sector.clock, sector.clockSample - sector.count)
        expected = line.nanoseconds(of: sector.count)
        return line
    }

    /// The largest relative deviation of the real rate from the nominal one. Devices run up to 3 % slow.
    private static let largestError = 0.2
}

/// A sector of a recording of an Axivity AX3 or AX6: up to 120 samples, and the time of one of them on the device's
/// clock. The layout follows the manufacturer's notes (Open Movement, `ax3-technical.md`). Numbers are little-endian.
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
    let count: Int
    /// The nominal rate, in samples per second. Real rates deviate by up to 3 %.
    let hertz: Double
    /// The range in g; nil for an old device that does not state it.
    let range: Double?
    let packing: Packing
    /// In °C.
    let temperature: Float
    /// In V; nil if the device does not state it.
    let battery: Float?
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

    /// The first sector with samples; nil if there is none.
    static func first(in sectors: Span<UInt8>) -> AxivitySector? {
        for start in stride(from: 0, through: sectors.count - size, by: size) {
            if case .samples(let sector) = read(sectors.extracting(start..<start + size)) { return sector }
        }
        return nil
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
        // The byte is a number of ten bits less 512; 1024 would be 6 V.
        battery = bytes[23] == 0 ? nil : (Float(bytes[23]) + 512) * 6 / 1024
        count = Int(bytes.littleEndian(UInt16.self, at: 28))
        self.clock = clock + Int64(fraction) * 1_000_000_000 / 65536
        // The device states the sample at a whole second. The fraction moves the time and the sample forward.
        clockSample = rateCode == 0 ? 0 : offset + (fraction * Int(clamping: hertz)) >> 16

        let axes = Int(bytes[25] >> 4)
        let unitCode = bytes.littleEndian(UInt16.self, at: 18) >> 13
        switch (bytes[25] & 15, axes) {
        case (0, 3): (packing, scale) = (.bits, 1.0 / 256)
        case (2, 3), (2, 6), (2, 9):
            // Rotation, if any, comes before acceleration.
            packing = .words(each: axes, first: axes == 3 ? 0 : 3)
            scale = 1 / Float(UInt32(256) << UInt32(unitCode))
        default: return nil
        }
        let sampleSize = packing == .bits ? 4 : axes * 2
        guard count * sampleSize <= AxivitySector.samplesSize, hertz > 0 else { return nil }
    }

    /// Adds the samples numbered `range` to `columns`, timed by `line`. Acceleration starts with the number `first`;
    /// nil for the documented one.
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
