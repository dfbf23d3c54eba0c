import Footfall
import FootfallReaders
import Foundation
import Testing

/// A walk of forty seconds at 50 Hz with a sensor at a wrist that swings, in g.
enum SwingingWalk {
    static let count = 2000

    static func g(_ row: Int) -> SIMD3<Double> {
        let time = Double(row) / 50
        let (swing, turn) = (0.4 * sin(2 * .pi * 0.9 * time), 0.9 * sin(2 * .pi * time / 30))
        let bounce = 1 + 0.3 * sin(2 * .pi * 1.8 * time) + 0.1 * sin(2 * .pi * 3.6 * time + 1)
        let down = SIMD3(sin(swing), cos(swing) * sin(turn), cos(swing) * cos(turn))
        return down * bounce + SIMD3(0.15 * cos(2 * .pi * 0.9 * time), 0, 0.02 * sin(Double(row)))
    }

    /// A table of the walk, with the three numbers as `number` writes an axis.
    static func table(_ header: String = "time,x,y,z", _ number: (_ axis: Int, _ g: Double) -> String) -> String {
        Walk.lines(header, rows: 0..<count) { row in
            let g = g(row)
            return Walk.joined([String(format: "%.2f", Double(row) / 50)] + (0..<3).map { number($0, g[$0]) })
        }
    }

    /// The largest error of an axis in g, at the median over the samples.
    static func error(of samples: [AccelerationSample]) -> Double {
        let errors = samples.enumerated().map { row, sample in
            let g = g(row)
            return max(abs(Double(sample.x) - g.x), abs(Double(sample.y) - g.y), abs(Double(sample.z) - g.z))
        }.sorted()
        return errors.isEmpty ? .infinity : errors[errors.count / 2]
    }
}

@Suite("Counts whose zero is not 0 g")
struct ZeroTests {
    /// A sensor at the input of a converter: its zeros and its counts per g.
    struct Board: Sendable, CustomTestStringConvertible {
        var testDescription: String
        var zero: SIMD3<Double>
        var perG: Double
        var top: Double

        func table(_ header: String = "time,x,y,z") -> String {
            SwingingWalk.table(header) { axis, g in
                "\(Int(min(top, max(0, zero[axis] + g * perG)).rounded()))"
            }
        }
    }

    /// The data sheets of the ADXL335, ADXL326 and MMA7361 (Analog Devices, NXP), at the converters of an Arduino Uno
    /// (10 bits, 5 V or 3.3 V), an ESP32 (12 bits) and an ADS1115 (16 bits); the offsets of the axes are within theirs.
    static let boards = [
        Board(testDescription: "ADXL335, Uno at 5 V", zero: [338, 338, 338], perG: 67.6, top: 1023),
        Board(testDescription: "ADXL335, Uno at 3.3 V", zero: [512, 512, 512], perG: 102.3, top: 1023),
        Board(testDescription: "ADXL335, zeros of its own", zero: [331, 344, 338], perG: 67, top: 1023),
        Board(testDescription: "ADXL335, ESP32", zero: [1861, 1861, 1861], perG: 372, top: 4095),
        Board(testDescription: "ADXL335, ESP32, zeros of its own", zero: [1840, 1905, 1850], perG: 370, top: 4095),
        Board(testDescription: "ADXL335, 16 bits", zero: [21_626, 21_626, 21_626], perG: 4325, top: 65_535),
        Board(testDescription: "MMA7361 at 1.5 g, Uno at 3.3 V", zero: [512, 512, 512], perG: 248, top: 1023),
        Board(testDescription: "ADXL326, Uno at 5 V", zero: [338, 338, 338], perG: 12.9, top: 1023),
    ]

    @Test("are found, in counts and in volts", arguments: boards)
    func found(board: Board) throws {
        let trace = try ReadTrace(text: board.table())
        #expect(trace.samples.count == SwingingWalk.count)
        #expect(SwingingWalk.error(of: trace.samples) < 0.2, "\(trace.layout) \(trace.notes)")
        #expect(trace.layout.table?.coding.zero != .zero)
        #expect(trace.notes.contains { $0.contains("zero") && $0.contains("unit=") }, "\(trace.notes)")
        #expect(trace.areUnitsAssumed == [trace.layout.unitEvidence == .assumption])
    }

    @Test("are found again in a stream, as the sensor turns", arguments: boards)
    func stream(board: Board) throws {
        var decoder = WireDecoder(.text)
        var readings: [WireReading] = []
        func error(of rows: Range<Int>) -> Double {
            let errors = rows.map { row in
                let error = SIMD3<Double>(readings[row].vector) - SwingingWalk.g(row)
                return (error * error).sum().squareRoot()
            }
            return errors.sorted()[rows.count / 2]
        }
        // A stream begins with a line that may be cut.
        decoder.decode(Array(board.table("9").utf8), into: &readings)
        #expect(readings.count == SwingingWalk.count && decoder.isUnitAssumed)
        #expect(error(of: 1200..<1800) < 0.2, "\(decoder.layout ?? "")")
        #expect(error(of: 1200..<1800) <= error(of: 0..<500) + 0.01)
        #expect(decoder.quality.problem == nil)
    }

    @Test("are stated again only where they move by a tenth of 1 g")
    func statements() throws {
        // Found as 338; after 512 readings as 337,331,335; after 1024 as 337,329,336.
        let board = Board(testDescription: "other zeros", zero: [350, 325, 338], perG: 67.6, top: 1023)
        var decoder = WireDecoder(.text)
        var (readings, layouts): ([WireReading], [String]) = ([], [])
        for line in board.table("9").split(separator: "\n") {
            decoder.decode(Array("\(line)\n".utf8), into: &readings)
            if let layout = decoder.layout, layout != layouts.last { layouts.append(layout) }
        }
        #expect(layouts.count == 2 && readings.count == SwingingWalk.count, "\(layouts)")
    }

    @Test("are given, with or without their scale, for all axes or each")
    func given() throws {
        let board = Self.boards[2]
        let zero = SIMD3<Float>(331, 344, 338)
        let scaled = try ReadTrace(text: board.table(), TraceOptions(unit: .counts(perG: 67), zero: zero))
        #expect(SwingingWalk.error(of: scaled.samples) < 0.01)
        #expect(scaled.layout.table?.unitEvidence == .option)
        let measured = try ReadTrace(text: board.table(), TraceOptions(zero: zero))
        #expect(SwingingWalk.error(of: measured.samples) < 0.1, "\(measured.layout)")
        #expect(CountCoding(zero: "331,344,338")?.zero == zero && CountCoding(zero: "338")?.zero == [338, 338, 338])
        #expect(CountCoding(zero: "338,1") == nil && CountCoding(zero: "x") == nil)
    }

    @Test("are not sought where a title or an option states the unit, or numbers have a sign")
    func stated() throws {
        let board = Self.boards[1]
        let titled = try ReadTrace(text: board.table("time,x (mg),y (mg),z (mg)"))
        #expect(titled.layout.table?.coding.isPlain == true)
        let chosen = try ReadTrace(text: board.table(), TraceOptions(unit: .mg))
        #expect(chosen.layout.table?.coding.isPlain == true)
        let signed = try ReadTrace(text: SwingingWalk.table { "\(Int(($1 * 1000).rounded()))" })
        #expect(signed.layout.table?.unit == .mg && signed.layout.table?.coding.isPlain == true)
        #expect(SwingingWalk.error(of: signed.samples) < 0.001)
    }
}

@Suite("Counts of a sensor without gravity")
struct CountsWithoutGravityTests {
    /// The zero of a converter, and the numbers that stand for 1 g of the walk without gravity.
    struct Board: Sendable, CustomTestStringConvertible {
        var testDescription: String
        var zero: Double
        var perG: Double

        func numbers(_ row: Int) -> [String] {
            let g = SwingingWalk.g(row)
            // Without the mean of two strides, which is gravity.
            let slow = (-55...55).reduce(SIMD3<Double>.zero) { $0 + SwingingWalk.g(row + $1) } / 111
            return (0..<3).map { "\(Int((zero + perG * (g[$0] - slow[$0])).rounded()))" }
        }
    }

    static let boards = [
        Board(testDescription: "10 bits", zero: 512, perG: 400),
        Board(testDescription: "12 bits", zero: 2048, perG: 512),
        Board(testDescription: "16 bits", zero: 32_768, perG: 8192),
        Board(testDescription: "10 bits, half of 3.3 V at 5 V", zero: 338, perG: 100),
    ]

    @Test("are refused, with the options that have them read all the same", arguments: boards)
    func table(board: Board) throws {
        let text = Walk.lines("time,x,y,z", rows: 0..<SwingingWalk.count) { row in
            Walk.joined([String(format: "%.2f", Double(row) / 50)] + board.numbers(row))
        }
        let error = try #require(throws: TraceError.self) { try ReadTrace(text: text) }
        #expect(error.description.contains("without gravity") && error.description.contains("zero="), "\(error)")
        let options = TraceOptions(
            columns: SensorColumns("time,x,y,z"), unit: .counts(perG: Float(board.perG)),
            zero: SIMD3(repeating: Float(board.zero)))
        #expect(try ReadTrace(text: text, options).samples.count == SwingingWalk.count)
    }

    @Test("are refused in the lines of a program", arguments: boards)
    func lines(board: Board) throws {
        let lines = (0..<SwingingWalk.count).map { row in
            let numbers = board.numbers(row)
            return "X: \(numbers[0]) Y: \(numbers[1]) Z: \(numbers[2])"
        }
        let error = try #require(throws: TraceError.self) {
            try ReadTrace(text: lines.joined(separator: "\n"), TraceOptions(sampleRate: 50))
        }
        #expect(error.description.contains("without gravity"), "\(error)")
    }
}

@Suite("Two's complement without a sign")
struct UnsignedTests {
    /// A sensor's width in bits, its counts per g, and the bits in front of which its numbers stand.
    struct Format: Sendable, CustomTestStringConvertible {
        var testDescription: String
        var bits: Int
        var perG: Double
        var shift = 0
    }

    /// MPU-6050 (jarzebski/Arduino-MPU6050#7), the left-aligned 12 bits of a LIS3DH, MMA8452 with 12 bits, MMA8451 with
    /// 14, ADXL345 with 10, MMA7455 with 8.
    static let formats = [
        Format(testDescription: "16 bits", bits: 16, perG: 16_384),
        Format(testDescription: "12 bits, left-aligned", bits: 16, perG: 1024, shift: 4),
        Format(testDescription: "10 bits, left-aligned", bits: 16, perG: 256, shift: 6),
        Format(testDescription: "12 bits", bits: 12, perG: 1024),
        Format(testDescription: "14 bits", bits: 14, perG: 4096),
        Format(testDescription: "10 bits", bits: 10, perG: 256),
        Format(testDescription: "8 bits", bits: 8, perG: 64),
    ]

    @Test("is read with its sign", arguments: formats)
    func read(format: Format) throws {
        let text = SwingingWalk.table("time,ax,ay,az") { _, g in
            let count = Int((g * format.perG).rounded()) << format.shift
            return "\(count & (1 << format.bits - 1))"
        }
        let trace = try ReadTrace(text: text)
        #expect(trace.layout.table?.coding.span == exp2(Double(format.bits)), "\(trace.layout)")
        #expect(SwingingWalk.error(of: trace.samples) < 0.02, "\(trace.layout)")
        #expect(trace.notes.contains { $0.contains("without a sign") })
    }

    /// mokhwasomssi/stm32_hal_icm20948#3 and sparkfun/SparkFun_MMA8452Q_Arduino_Library#10: programs that divide words
    /// without a sign by the counts per g.
    @Test(
        "is read with its sign in a unit, by its title or without",
        arguments: [
            ("time,ax,ay,az", 4.0, 1.0), ("time,ax (g),ay (g),az (g)", 8, 1), ("time,ax,ay,az", 4, 9.80665),
        ])
    func units(header: String, range: Double, perG: Double) throws {
        let text = SwingingWalk.table(header) { _, g in
            String(format: "%.4f", (g - range * (g / range).rounded(.down)) * perG)
        }
        let trace = try ReadTrace(text: text)
        #expect(trace.layout.table?.coding.isPlain == false, "\(trace.layout)")
        #expect(SwingingWalk.error(of: trace.samples) < 0.001, "\(trace.layout)")
        #expect(trace.notes.contains { $0.contains("without a sign") })
    }
}
