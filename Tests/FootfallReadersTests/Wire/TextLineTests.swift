import Footfall
import FootfallReaders
import TestSupport
import Testing

@Suite("Text lines")
struct TextLineTests {
    /// The lines of a stream, one for each value.
    func lines(_ count: Int = 80, _ line: (Int, SIMD3<Float>) -> String) -> [String] {
        (0..<count).map { line($0, Sway.vector($0)) }
    }

    func fixed(_ value: Float, _ digits: Int = 3) -> String {
        let scale = [1, 10, 100, 1000, 10000][digits]
        let whole = Int((value * Float(scale)).rounded())
        let fraction = String(abs(whole % scale) + scale).dropFirst()
        return (whole < 0 ? "-" : "") + "\(abs(whole) / scale)" + (digits > 0 ? "." + fraction : "")
    }

    func joined(_ vector: SIMD3<Float>, _ separator: String = ",", times factor: Float = 1, digits: Int = 3)
        -> String
    {
        (0..<3).map { fixed(vector[$0] * factor, digits) }.joined(separator: separator)
    }

    func expectSway(
        _ decoded: Decoded, count: Int = 80, within tolerance: Float = 0.003,
        _ location: SourceLocation = #_sourceLocation
    ) {
        #expect(decoded.readings.count == count, sourceLocation: location)
        for (index, vector) in decoded.vectors.enumerated() {
            #expect(
                isClose(vector, Sway.vector(index), within: tolerance), "reading \(index)", sourceLocation: location)
            if !isClose(vector, Sway.vector(index), within: tolerance) { break }
        }
    }

    // MARK: Formats of devices

    @Test("of three numbers are x, y and z", arguments: [",", "\t", " ", ", ", " ; ", ",\t", "  "])
    func bareNumbers(separator: String) {
        let decoded = Decoded(lines: lines { joined($1, separator) })
        expectSway(decoded)
        #expect(decoded.decoder.layout == "text lines: x, y, z in g (columns 1, 2, 3), no time")
    }

    @Test("behind a banner, as Arduino's SimpleAccelerometer prints them")
    func banner() {
        let banner = ["Started", "Accelerometer sample rate = 104.00 Hz", "", "Acceleration in G's", "X\tY\tZ"]
        let decoded = Decoded(lines: banner + lines { joined($1, "\t", digits: 2) }, as: nil)
        #expect(decoded.decoder.recognized == .text)
        expectSway(decoded, within: 0.006)
    }

    @Test("with labels, as for the Arduino plotter")
    func plotter() {
        let decoded = Decoded(
            lines: lines {
                let metres = $1 * 9.80665
                return "AccelX:\(fixed(metres.x)),AccelY:\(fixed(metres.y)),AccelZ:\(fixed(metres.z)), "
                    + "GyroX:0.01,GyroY:0.02,GyroZ:9.81"
            }, as: nil)
        expectSway(decoded)
        #expect(
            decoded.decoder.layout
                == "text lines: x, y, z in m/s² (labels 'AccelX', 'AccelY', 'AccelZ'), no time")
    }

    @Test("of the usual sketch of an MPU-6050, whose acceleration comes first", arguments: [16384, 8192])
    func accelerationAndGyroscope(perG: Int) {
        let banner = ["Initializing I2C devices...", "MPU6050 connection successful"]
        let decoded = Decoded(
            lines: banner + lines { "a/g:\t" + joined($1, "\t", times: Float(perG), digits: 0) + "\t-203\t117\t31" },
            as: nil)
        expectSway(decoded, within: 0.6 / Float(perG))
        #expect(
            decoded.decoder.layout
                == "text lines: x, y, z in counts of 1/\(perG) g (the first three numbers behind 'a/g'), no time")
        // Three numbers behind the same label are acceleration in g.
        let three = Decoded(lines: lines { "a/g:\t" + joined($1, "\t") })
        expectSway(three)
        #expect(three.decoder.layout == "text lines: x, y, z in g (three numbers behind 'a/g'), no time")
    }

    @Test("of an MPU-6050 in motion state its likely unit, and are read once it is given")
    func accelerationInMotion() {
        let moving = lines { index, vector in
            let swing: Float = index.isMultiple(of: 2) ? 1.6 : 0.4
            return "a/g:\t" + joined(vector * swing, "\t", times: 16384, digits: 0) + "\t-203\t117\t31"
        }
        let decoded = Decoded(lines: moving, as: nil)
        #expect(decoded.readings.isEmpty)
        #expect(decoded.decoder.quality.problem?.description.contains("unit=") == true)
        let told = Decoded(lines: moving, as: .text, text: TextLineOptions(scale: .counts(perG: 16384)))
        #expect(told.readings.count == 80)
    }

    @Test("that cannot be read are quoted, those with numbers first")
    func examples() {
        let chat = (20..<40).map { "temp is \($0) degrees" }
        let decoded = Decoded(lines: ["boot", "ready", "go"] + chat, as: nil)
        #expect(decoded.readings.isEmpty)
        #expect(decoded.decoder.quality.refusedExamples == ["temp is 20 degrees", "temp is 21 degrees"])
    }

    @Test("in sentences, as Adafruit's basic_readings prints them, with rotation on separate lines")
    func sentences() {
        let decoded = Decoded(
            lines: lines {
                let metres = $1 * 9.80665
                return "Acceleration X: \(fixed(metres.x)), Y: \(fixed(metres.y)), Z: \(fixed(metres.z)) m/s^2\r\n"
                    + "Rotation X: 0.01, Y: 0.00, Z: 9.80 rad/s\r\nTemperature: 25.10 degC\r\n"
            }, as: nil)
        expectSway(decoded)
        #expect(decoded.decoder.quality.refusedLines == 0)
    }

    @Test("with a unit are read alone, where others have raw values behind the same labels, as of Adafruit's MMA8451")
    func rawBesideUnit() {
        let decoded = Decoded(
            lines: lines {
                let (raw, metres) = ($1 * 4096, $1 * 9.80665)
                return "X:\t\(fixed(raw.x, 0))\tY:\t\(fixed(raw.y, 0))\tZ:\t\(fixed(raw.z, 0))\t\r\n"
                    + "X: \t\(fixed(metres.x))\tY: \t\(fixed(metres.y))\tZ: \t\(fixed(metres.z))\tm/s^2 \r\n"
                    + "Portrait Up Front\r\n"
            }, as: nil)
        expectSway(decoded)
        // A unit on other lines is not that of the labels: 21.33 counts of an MMA7660 are 1 g.
        let other = Decoded(
            lines: lines {
                let counts = $1 * 21.33
                return "x = \(fixed(counts.x, 0))\ny = \(fixed(counts.y, 0))\nz = \(fixed(counts.z, 0))\n"
                    + "\(fixed($1.x)) g\n\(fixed($1.y)) g\n\(fixed($1.z)) g"
            }, as: nil)
        #expect(other.readings.isEmpty && other.decoder.quality.problem != nil)
    }

    @Test("with one label each, as for Teleplot, with and without times")
    func teleplot() {
        let plain = lines { ">ax:\(fixed($1.x))\n>ay:\(fixed($1.y))\n>az:\(fixed($1.z))§g\n>temp:25" }
        expectSway(Decoded(lines: plain))
        let timed = lines { index, vector in
            (0..<3).map { ">acc\(["x", "y", "z"][$0]):\(1_627_551_892_437 + index * 20):\(fixed(vector[$0]))|g" }
                .joined(separator: "\n")
        }
        let decoded = Decoded(lines: timed)
        expectSway(decoded)
        #expect(decoded.milliseconds.prefix(3) == [1_627_551_892_437, 1_627_551_892_457, 1_627_551_892_477])
    }

    @Test("of an OpenLog Artemis: a header, a date, a time of day past midnight, a delimiter at the end")
    func openLog() {
        let header = "rtcDate,rtcTime,aX,aY,aZ,gX,gY,gZ,mX,mY,mZ,imu_degC,output_Hz,"
        let rows = lines { index, vector in
            let hundredths = (8_639_970 + index * 2) % 8_640_000
            let time = [hundredths / 360_000, hundredths / 6000 % 60, hundredths / 100 % 60, hundredths % 100].map {
                String($0 + 100).dropFirst()
            }
            return "11/20/2026,\(time[0]):\(time[1]):\(time[2]).\(time[3]),\(joined(vector, times: 1000, digits: 2)),"
                + "0.10,0.20,-0.30,12.0,-4.5,30.1,25.31,49.9,"
        }
        let decoded = Decoded(lines: [header] + rows, as: nil)
        expectSway(decoded)
        #expect(
            decoded.decoder.layout
                == "text lines: x, y, z in mg (columns 'aX', 'aY', 'aZ'), time of day (column 'rtcTime')")
        let times = decoded.milliseconds.compactMap { $0 }
        #expect(zip(times.dropFirst(), times).allSatisfy { $0 - $1 == 20 })
    }

    @Test("of the Axivity STREAM command, in counts", arguments: [(256, false), (4096, true)])
    func axivity(perG: Int, hasGyroscope: Bool) {
        let decoded = Decoded(
            lines: lines { joined($1, times: Float(perG), digits: 0) + (hasGyroscope ? ",12,-34,56" : "") }, as: nil)
        expectSway(decoded, within: 0.6 / Float(perG))
        #expect(decoded.decoder.layout?.contains("counts of 1/\(perG) g (columns 1, 2, 3)") == true)
    }

    @Test("of an x-IMU3, angular rate before acceleration, among its other messages")
    func ximu3() {
        let text = lines {
            "I,\($0 * 20_000),0.1000,0.9000,-0.3000,\(joined($1, digits: 4))\nQ,\($0 * 20_000),1.0,0.0,0.0,0.0\nT,1,25.0"
        }
        let decoded = Decoded(lines: text, as: .text)
        expectSway(decoded)
        #expect(decoded.milliseconds.prefix(3) == [0, 20, 40])
        #expect(decoded.decoder.quality.refusedLines == 0)
        #expect(Decoded(lines: text, as: nil).decoder.recognized == .ximu3)
    }

    @Test("of Sensorstream, with a number before each sensor, in datagrams without a new line")
    func sensorstream() {
        var decoder = WireDecoder()
        var readings: [WireReading] = []
        for index in 0..<80 {
            let vector = joined(Sway.vector(index), ", ", times: 9.80665)
            let gyroscope = index % 2 == 0 ? ", 4, 0.01, 0.02, 9.8, 5, 20, 30, 40" : ""
            decoder.decode(Array("\(16419 + index).54023, 3, \(vector)\(gyroscope)".utf8), into: &readings)
            decoder.endDatagram(into: &readings)
        }
        decoder.finish(into: &readings)
        #expect(decoder.recognized == .text)
        #expect(readings.count == 79)
        #expect(isClose(readings.last.map { SIMD3($0.x, $0.y, $0.z) }, Sway.vector(79), within: 0.003))
        #expect(decoder.layout?.contains("behind sensor number 3") == true)
    }

    @Test(
        "in many other shapes",
        arguments: [
            "T %x %y %z", "{\"ax\":%x,\"ay\":%y,\"az\":%z}", "{\"accel\":{\"x\":%x,\"y\":%y,\"z\":%z},\"temp\":25.5}",
            "[%x, %y, %z]", "acc: %x %y %z gyro: 1 2 3", "a/g:\t%x\t%y\t%z\t0\t0\t0", "x=%x y=%y z=%z",
            "X: %x Y: %y Z: %z", "aX = %x | aY = %y | aZ = %z", "$%x,%y,%z", "# %x %y %z", "ACC,%x,%y,%z\nGYR,9,8,7",
            "\u{1B}[32m%x,%y,%z\u{1B}[0m", "\u{0}%x,%y,%z\u{0}", "\"%x\",\"%y\",\"%z\"", "%x,%y,%z,",
            "Accel: X: %x Y: %y Z: %z", "ay:%y,az:%z,ax:%x", "%x g\t%y g\t%z g", "raw_x:%x raw_y:%y raw_z:%z",
        ])
    func shapes(shape: String) {
        let decoded = Decoded(
            lines: lines {
                shape.replacing("%x", with: fixed($1.x)).replacing("%y", with: fixed($1.y))
                    .replacing("%z", with: fixed($1.z))
            })
        expectSway(decoded)
    }

    @Test("with decimal commas, if semicolons or tabs separate values", arguments: [";", "\t", "; "])
    func decimalCommas(separator: String) {
        expectSway(Decoded(lines: lines { joined($1, separator).replacing(".", with: ",") }))
    }

    @Test("with the minus sign U+2212")
    func unicodeMinus() {
        expectSway(Decoded(lines: lines { joined($1).replacing("-", with: "\u{2212}") }))
    }

    // MARK: Columns, time and units

    @Test(
        "with a time have the unit that fits its intervals",
        arguments: [(TimeUnit.seconds, 0.02), (.milliseconds, 20), (.microseconds, 20000), (.nanoseconds, 2e7)])
    func timeUnits(unit: TimeUnit, step: Double) {
        let decoded = Decoded(
            lines: lines { index, vector in
                let time = 5 + Double(index) * step
                return (step < 1 ? fixed(Float(time)) : "\(Int(time))") + "," + joined(vector)
            })
        expectSway(decoded)
        #expect(decoded.decoder.layout?.hasSuffix("time in \(unit.rawValue) (column 1)") == true)
        let times = decoded.readings.compactMap(\.deviceTime)
        #expect(times.count == 80)
        #expect(zip(times.dropFirst(), times).allSatisfy { abs($0 - $1 - 20_000_000) < 1_100_000 })
    }

    @Test("of 4, 6, 7 or 10 numbers without an increasing first one start with x, y, z")
    func widths() {
        expectSway(Decoded(lines: lines { joined($1) + ",25.\(10 + $0 % 3)" }))
        expectSway(Decoded(lines: lines { joined($1) + ",1.5,-2.5,0.5" }))
        let seven = Decoded(lines: lines { "\($0 * 10)," + joined($1) + ",1.5,-2.5,0.5" })
        expectSway(seven)
        #expect(seven.readings.allSatisfy { $0.deviceTime != nil })
        expectSway(Decoded(lines: lines { "\($0 * 10)," + joined($1) + ",1.5,-2.5,0.5,30.0,40.0,50.0" }))
    }

    @Test("of six numbers with the angular rate first are read whole, whichever axis is vertical", arguments: 0..<3)
    func angularRateFirst(turn: Int) throws {
        func turned(_ vector: SIMD3<Float>) -> SIMD3<Float> {
            SIMD3(vector[turn], vector[(turn + 1) % 3], vector[(turn + 2) % 3])
        }
        let decoded = Decoded(
            lines: lines { index, vector in
                let rate = SIMD3(Float(index % 7), Float(-index % 5), Float(index % 3)) / 50
                return joined(rate) + "," + joined(turned(vector) * 9.80665)
            })
        #expect(decoded.decoder.layout == "text lines: x, y, z in m/s² (columns 4, 5, 6), no time")
        #expect(decoded.readings.count == 80)
        #expect(isClose(decoded.vectors.last, turned(Sway.vector(79)), within: 0.003))
        // And of a log without titles.
        let log = Walk.lines { index in
            let rate = (0..<3).map { String(Double((index * 37 + $0 * 11) % 41 - 20) / 100) }
            let text = Walk.text(index)
            return Walk.joined([Walk.seconds(index)] + rate + (0..<3).map { text[(turn + $0) % 3] })
        }
        let trace = try ReadTrace(text: log)
        #expect(trace.layout.table?.axisColumns.map(\.number) == [5, 6, 7])
    }

    @Test("with a line number have no time")
    func counter() {
        let decoded = Decoded(lines: lines { "\($0)," + joined($1) })
        expectSway(decoded)
        #expect(decoded.readings.allSatisfy { $0.deviceTime == nil })
    }

    @Test("continue when micros() overflows")
    func wrap() {
        let decoded = Decoded(lines: lines { "\(UInt32.max - 500_000 &+ UInt32($0) &* 20_000)," + joined($1) })
        let times = decoded.readings.compactMap(\.deviceTime)
        #expect(times.count == 80)
        #expect(zip(times.dropFirst(), times).allSatisfy { $0 - $1 == 20_000_000 })
    }

    @Test("below a header have its columns and units, in any order")
    func header() {
        let decoded = Decoded(
            lines: ["millis;gX;gY;gZ;Accel Z (m/s^2);Accel Y (m/s^2);Accel X (m/s^2)"]
                + lines { "\($0 * 10);9;8;7;\(joined(SIMD3($1.z, $1.y, $1.x), ";", times: 9.80665))" }, as: nil)
        expectSway(decoded)
        #expect(decoded.milliseconds.prefix(2) == [0, 10])
    }

    @Test("follow the options")
    func options() {
        let rows = lines { "7,\($0 * 4),9,\(joined($1, times: 100))" }
        let options = TextLineOptions(
            columns: SensorColumns("2,4,5,6"), scale: .counts(perG: 100), timeUnit: .milliseconds)
        let decoded = Decoded(lines: rows, text: options)
        expectSway(decoded)
        #expect(decoded.milliseconds.prefix(2) == [0, 4])
        let named = Decoded(
            lines: lines { "p:\(fixed($1.x)) q:\(fixed($1.y)) r:\(fixed($1.z)) when:\($0)" },
            text: TextLineOptions(columns: SensorColumns("when, p, q, r"), timeUnit: .seconds))
        expectSway(named)
        #expect(named.milliseconds.prefix(2) == [0, 1000])
    }

    @Test("are recognized after a second at rest, or at once with all options")
    func latency() {
        var decoder = WireDecoder(.text)
        var readings: [WireReading] = []
        let line = Array("0.02,-0.01,1.00\n".utf8)
        for _ in 0..<17 { decoder.decode(line, into: &readings) }
        #expect(readings.count == 16)
        decoder.decode(line, into: &readings)
        #expect(readings.count == 17)
    }

    @Test("are recognized during a walk or a run", arguments: [Float(1), 9.80665, 1000])
    func motion(perG: Float) {
        var generator = SeededGenerator(seed: 7)
        let rows = (0..<100).map { index -> String in
            let stride = Float.random(in: -0.9...1.2, using: &generator)
            return joined(SIMD3(0.3 * stride, 0.4 * stride, 1 + stride), times: perG)
        }
        #expect(Decoded(lines: rows).readings.count == 100)
    }
}
