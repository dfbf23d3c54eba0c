internal import Foundation
import Testing

/// Lines as programs print them, one kind after the other, with the place where it was found.
package struct ProgramLines: Sendable, CustomTestStringConvertible {
    /// What the lines state about the times of their samples.
    package enum Time: Sendable { case none, sinceStart, timeOfDay, since1970 }

    package var testDescription: String
    package var time: Time
    /// The largest difference between a value and what is written, in g.
    package var tolerance: Float
    /// The number of samples in one line.
    package var packet = 1
    private let line: @Sendable (Int, SIMD3<Double>) -> String

    private init(
        _ name: String, _ time: Time = .none, within tolerance: Float = 0.011,
        _ line: @escaping @Sendable (Int, SIMD3<Double>) -> String
    ) {
        (testDescription, self.time, self.tolerance, self.line) = (name, time, tolerance, line)
    }

    /// The lines of samples that are 20 ms apart, in g.
    package func text(_ samples: [SIMD3<Float>], end: String = "\r\n") -> String {
        samples.enumerated().map { line($0.offset, SIMD3<Double>($0.element)) }.filter { !$0.isEmpty }
            .map { $0.split(separator: "\n", omittingEmptySubsequences: false).joined(separator: end) + end }.joined()
    }

    private static func xyz(_ v: SIMD3<Double>, _ format: String, times factor: Double = 1) -> String {
        var (text, isAxis) = ([UInt8](), false)
        text.reserveCapacity(format.utf8.count + 12)
        for byte in format.utf8 {
            if isAxis {
                append(v[Int(byte) - Int(UInt8(ascii: "x"))] * factor, to: &text)
            } else if byte != UInt8(ascii: "%") {
                text.append(byte)
            }
            isAxis = byte == UInt8(ascii: "%")
        }
        return String(decoding: text, as: UTF8.self)
    }

    /// Appends a number with two decimals. `String(format:)` takes a hundred times as long.
    private static func append(_ value: Double, to text: inout [UInt8]) {
        let hundredths = Int((value * 100).rounded())
        if hundredths < 0 { text.append(UInt8(ascii: "-")) }
        text += String(hundredths.magnitude / 100).utf8
        text += [UInt8(ascii: ".")] + padded(Int(hundredths.magnitude % 100), 2).utf8
    }

    /// A number with zeros before it.
    private static func padded(_ number: Int, _ width: Int) -> String {
        let digits = String(number)
        return String(repeating: "0", count: max(0, width - digits.utf8.count)) + digits
    }

    private static func counts(_ v: SIMD3<Double>) -> [Int] { (0..<3).map { Int((v[$0] * 16384).rounded()) } }
    private static func hex(_ v: SIMD3<Double>) -> [String] {
        counts(v).map { count in
            let digits = String(count & 0xFFFF, radix: 16, uppercase: true)
            return String(repeating: "0", count: 4 - digits.utf8.count) + digits
        }
    }
    private static func clock(_ index: Int) -> String {
        "09:30:\(padded(index / 50, 2)).\(padded(index % 50 * 20, 3))"
    }
    private static func day(_ index: Int) -> String { "2024-05-13 " + clock(index) }
    private static let metres = 9.80665
    /// A quaternion that turns.
    private static func quaternion(_ index: Int, times factor: Double) -> String {
        let angle = Double(index) / 90
        return [cos(angle), 0.6 * sin(angle), 0.8 * sin(angle), 0].map { String(format: "%.3f", $0 * factor) }
            .joined(separator: ",")
    }

    package static let all: [ProgramLines] = monitors + loggers + labels + rows + objects + found

    /// Serial monitors and terminal programs, which write the time before each line.
    private static let monitors: [ProgramLines] = [
        // Arduino IDE 1.8 and 2, “Show timestamp”.
        ProgramLines("Arduino IDE", .timeOfDay) { clock($0) + " -> " + xyz($1, "aX: %x aY: %y aZ: %z") },
        ProgramLines("Arduino IDE, bare numbers", .timeOfDay) { clock($0) + " -> " + xyz($1, "%x,%y,%z") },
        // PlatformIO, `monitor_filters = time`.
        ProgramLines("PlatformIO", .timeOfDay) { clock($0) + " > " + xyz($1, "ax=%x, ay=%y, az=%z") },
        // minicom, Tera Term and tio write the time in brackets.
        ProgramLines("minicom", .since1970) { "[" + day($0) + "] " + xyz($1, "X: %x Y: %y Z: %z") },
        ProgramLines("minicom, bare numbers", .since1970) { "[" + day($0) + "] " + xyz($1, "%x %y %z") },
        ProgramLines("Tera Term", .timeOfDay) { "[Mon May 13 " + clock($0) + " 2024] " + xyz($1, "%x,%y,%z") },
        // CoolTerm, and `ts '%Y-%m-%dT%H:%M:%.S'` of moreutils.
        ProgramLines("CoolTerm", .since1970) { day($0) + " " + xyz($1, "AccX:%x AccY:%y AccZ:%z") },
        ProgramLines("ISO 8601", .since1970) {
            day($0).replacingOccurrences(of: " ", with: "T") + "Z " + xyz($1, "ax: %x ay: %y az: %z")
        },
        // `ts '%.s'` of moreutils.
        ProgramLines("seconds since 1970", .since1970) {
            String(format: "%.3f ", 1_715_592_600 + Double($0) / 50) + xyz($1, "ax: %x ay: %y az: %z")
        },
        // grabserial: the time since the start, and since the line above.
        ProgramLines("grabserial", .sinceStart) {
            String(format: "[%.6f 0.020000] ", Double($0) / 50) + xyz($1, "ax: %x ay: %y az: %z")
        },
        // RIOT's pyterm.
        ProgramLines("pyterm", .since1970) {
            day($0).replacingOccurrences(of: ".", with: ",") + " # "
                + xyz($1, "Acceleration [in g] X: %x, Y: %y, Z: %z")
        },
        // SEGGER RTT viewer: the number of a terminal, which is no time.
        ProgramLines("RTT viewer") { "00> " + xyz($1, "X: %x Y: %y Z: %z") },
        ProgramLines("RTT viewer, bare numbers") { "00> " + xyz($1, "%x,%y,%z") },
    ]

    /// Logging libraries, which write a time, a level and a tag.
    private static let loggers: [ProgramLines] = [
        // ESP-IDF, esp_log; the colors are those of its monitor.
        ProgramLines("ESP-IDF", .sinceStart) {
            "\u{1B}[0;32mI (\(300 + $0 * 20)) mpu6050: " + xyz($1, "acce_x:%x, acce_y:%y, acce_z:%z") + "\u{1B}[0m"
        },
        ProgramLines("ESP-IDF, tags that name sensors", .sinceStart) {
            let stamp = "I (\(300 + $0 * 20)) "
            return stamp + "accel: " + xyz($1, "%x, %y, %z") + "\n" + stamp + "gyro: 70.10, -30.20, 9.80"
        },
        // arduino-esp32, log_i.
        ProgramLines("Arduino for the ESP32", .sinceStart) {
            String(format: "[%6d][I][main.cpp:42] loop(): ", 300 + $0 * 20) + xyz($1, "X: %x, Y: %y, Z: %z")
        },
        // Zephyr, CONFIG_LOG_BACKEND_UART: ms and µs.
        ProgramLines("Zephyr", .timeOfDay) {
            let clock = clock($0).replacingOccurrences(of: "09:30", with: "00:00")
            return "[" + clock + ",567] \u{1B}[0m<inf> main: " + xyz($1, "x=%x y=%y z=%z") + "\u{1B}[0m"
        },
        // Zephyr, samples/sensor/lsm6dsl.
        ProgramLines("Zephyr, LSM6DSL") {
            xyz($1, "accel x:%x ms/2 y:%y ms/2 z:%z ms/2", times: metres) + "\ngyro x:0.10 dps y:0.20 dps z:0.30 dps"
        },
        // Zephyr, samples/sensor/lis2dh.
        ProgramLines("Zephyr, LIS2DH", .sinceStart) {
            "#\($0 + 1) @ \(300 + $0 * 20) ms: " + xyz($1, "x %x , y %y , z %z", times: metres)
        },
        // nRF5 SDK, NRF_LOG_INFO.
        ProgramLines("nRF5 SDK") { "<info> app: " + xyz($1, "X: %x, Y: %y, Z: %z") },
        // adb logcat -v threadtime.
        ProgramLines("Android", .timeOfDay) {
            "05-13 " + clock($0) + "  1234  5678 I Sensor: " + xyz($1, "x=%x y=%y z=%z", times: metres)
        },
        // Python, logging.basicConfig with asctime, name and levelname, and without.
        ProgramLines("Python", .since1970) {
            day($0).replacingOccurrences(of: ".", with: ",") + " - imu - INFO - " + xyz($1, "ax=%x ay=%y az=%z")
        },
        ProgramLines("Python, root") { "INFO:root:" + xyz($1, "ax=%x ay=%y az=%z") },
    ]

    private static let labels: [ProgramLines] = [
        // GY-521 sketches: AcX = … | AcY = … .
        ProgramLines("AcX", within: 0.0001) {
            let v = counts($1)
            return "AcX = \(v[0]) | AcY = \(v[1]) | AcZ = \(v[2]) | Tmp = 27.12 | GyX = -50 | GyY = 30 | GyZ = 12"
        },
        // Adafruit_BNO055, rawdata and sensorapi: Accl: x= … | y= … | z= … .
        ProgramLines("Accl", within: 0.002) { xyz($1, "Accl: x= %x |  y= %y |  z= %z", times: metres) },
        // Adafruit_MPU6050, basic_readings.
        ProgramLines("Adafruit", within: 0.002) {
            xyz($1, "Acceleration X: %x, Y: %y, Z: %z m/s^2", times: metres)
                + "\nRotation X: -0.05, Y: 9.80, Z: 0.00 rad/s\nTemperature: 27.65 degC\n"
        },
        // CircuitPython, adafruit_lsm9ds1.
        ProgramLines("CircuitPython", within: 0.002) {
            xyz($1, "Acceleration (m/s^2): (%x,%y,%z)", times: metres)
                + "\nMagnetometer (gauss): (0.10,0.20,0.30)\nGyroscope (rad/sec): (0.1,9.8,0.3)"
        },
        // SparkFun_ICM-20948, Example1_Basics.
        ProgramLines("SparkFun", within: 0.0001) {
            "Scaled. Acc (mg) [ " + xyz($1, "%x, %y, %z", times: 1000)
                + " ], Gyr (DPS) [  00001.00, -00002.00,  00980.00 ], Mag (uT) [  00010.00,  00020.00,  00030.00 ]"
        },
        // Arduino's plotter keeps its scale with constants; the x of Max is no axis.
        ProgramLines("bounds of a plot", within: 0.002) {
            xyz($1, "Min:-20 Max:20 X:%x Y:%y Z:%z", times: metres)
        },
        ProgramLines("bounds of a plot, with commas", within: 0.002) {
            xyz($1, "max_x:20,min_x:-20,x:%x,y:%y,z:%z", times: metres)
        },
        ProgramLines("one axis a line") { xyz($1, "X: %x\nY: %y\nZ: %z") },
        ProgramLines("one axis a line below the name of the sensor") {
            xyz($1, "Accelerometer:\n  X: %x\n  Y: %y\n  Z: %z\nGyroscope:\n  X: 12.2\n  Y: 3.2\n  Z: 0.1")
        },
        ProgramLines("a list of axes in the label") { xyz($1, "Accel (x, y, z): %x, %y, %z") },
        ProgramLines("the name of the chip") { xyz($1, "MPU6050 X=%x Y=%y Z=%z") },
        ProgramLines("bars") { xyz($1, "X:%x|Y:%y|Z:%z") },
        ProgramLines("units at the numbers") { xyz($1, "ax=%xg ay=%yg az=%zg gx=1.0dps gy=2.0dps gz=3.0dps") },
        ProgramLines("a time with a label", .sinceStart) { "time: \($0 * 20) " + xyz($1, "x: %x y: %y z: %z") },
    ]

    private static let rows: [ProgramLines] = [
        // micro:bit, print(accelerometer.get_values()).
        ProgramLines("a tuple", within: 0.002) { xyz($1, "(%x, %y, %z)", times: metres) },
        ProgramLines("words before numbers") { xyz($1, "GYR 1.1 2.2 9.8 ACC %x %y %z MAG 10 20 30") },
        ProgramLines("a tag and a time", .sinceStart) {
            "ACC,\($0 * 20)," + xyz($1, "%x,%y,%z") + "\nGYR,\($0 * 20),0.10,0.20,9.80"
        },
        ProgramLines("a tag beside those of angles and acceleration without gravity") {
            xyz($1, "accel\t%x\t%y\t%z") + "\nypr\t1.10\t-2.20\t9.80\nareal\t0.10\t0.80\t0.60"
        },
        // NMEA 0183, as VectorNav writes it: a checksum behind an asterisk.
        ProgramLines("a checksum") { xyz($1, "$VNACC,%x,%y,%z*65") },
        // x-io and Adafruit_BNO055 print a quaternion before the vectors.
        ProgramLines("a quaternion before the acceleration") {
            quaternion($0, times: 1) + "," + xyz($1, "%x,%y,%z")
        },
        ProgramLines("a quaternion of integers with a name", within: 0.0001) {
            let v = counts($1)
            return "quat," + quaternion($0, times: 16384) + ",acc,\(v[0]),\(v[1]),\(v[2])"
        },
        // printf("%04X").
        ProgramLines("hexadecimal words", within: 0.0001) { "ACC " + hex($1).joined(separator: " ") },
        ProgramLines("hexadecimal words with labels", within: 0.0001) {
            let v = hex($1)
            return "X: 0x\(v[0]) Y: 0x\(v[1]) Z: 0x\(v[2])"
        },
        // Arduino, Serial.print(value, HEX).
        ProgramLines("hexadecimal words of 32 bits", within: 0.0001) {
            counts($1).map { String(UInt32(truncatingIfNeeded: $0), radix: 16, uppercase: true) }
                .joined(separator: "\t")
        },
    ]

    /// Lines of public sketches and samples.
    private static let found: [ProgramLines] = [
        // Mjrovai/Sensor_DataLogger, XIAO_IMU_ACC_Test.
        ProgramLines("the axes of the first sensor") { xyz($1, "\nAccelerometer:\n X1 = %x\n Y1 = %y\n Z1 = %z") },
        // STMicroelectronics, lsm6dsox_fifo: a time behind the axes.
        ProgramLines("ST, FIFO", .sinceStart) {
            xyz($1, "Acceleration [mg]:%x\t%y\t%z", times: 1000) + " T \(1000 + $0 * 20).0 ms"
        },
        // The same drivers without a time, with two more sensors.
        ProgramLines("ST, three sensors", within: 0.0001) {
            xyz($1, "Acceleration [mg]:%x\t%y\t%z", times: 1000)
                + "\nAngular rate [mdps]:120.00\t-30.00\t980.00\nTemperature [degC]: 25.50"
        },
        // InfluxDB's line protocol, as Telegraf writes it.
        ProgramLines("InfluxDB", .since1970) {
            "imu,host=rpi,device=mpu6050 " + xyz($1, "ax=%x,ay=%y,az=%z")
                + ",temp=23.4 \(1_715_592_600_000 + $0 * 20)000000"
        },
        // mosquitto_sub -v.
        ProgramLines("MQTT", .since1970) {
            #"sensors/wrist/imu {"ts": \#(1_715_592_600_000 + $0 * 20), "ax": "# + xyz($1, #"%x, "ay": %y, "az": %z}"#)
        },
        // A Raspberry Pi's Sense HAT: two sensors whose axes share a name.
        ProgramLines("names that axes share") {
            xyz($1, "gyro X  1.00  Y -2.00  Z  0.98 accel X %x  Y %y  Z %z vector  1.00")
        },
        // DavidArmstrong/SCL3300#8.
        ProgramLines("the axis before the sensor") {
            xyz($1, "X Accelerometer: %x\tY Accelerometer: %y\tZ Accelerometer: %z")
        },
        // imusensor of Python.
        ProgramLines("semicolons between labels", within: 0.002) {
            xyz($1, "Accel x: %x ; Accel y: %y ; Accel z: %z", times: metres)
                + "\nGyro  x: 0.02 ; Gyro  y: -0.05 ; Gyro  z: 9.80\nMag x: 20.1 ; Mag y: -5.2 ; Mag z: 40.3"
        },
        // Arduino_BHY2.
        ProgramLines("words before the axes", within: 0.0001) {
            let v = counts($1)
            return "acceleration: XYZ values - X: \(v[0])   Y: \(v[1])   Z: \(v[2])"
        },
        ProgramLines("units between labels") { xyz($1, "X-axis: %x g Y-axis: %y g Z-axis: %z g") },
        // CircuitPython: print(time.monotonic(), sensor.acceleration).
        ProgramLines("a tuple behind a time", .sinceStart, within: 0.002) {
            String(format: "%.3f ", 100 + Double($0) / 50) + xyz($1, "(%x, %y, %z)", times: metres)
        },
        // Zephyr, samples/sensor/bmi270: `printf("%d.%06d")` of the two parts of a number, each with its sign.
        ProgramLines("two parts of a number", within: 0.0001) { _, v in
            let values = (0..<3).map { place -> String in
                let micro = Int((v[place] * metres * 1e6).rounded())
                return String(format: "%d.%06d", micro / 1_000_000, micro % 1_000_000)
            }
            return "AX: \(values[0]); AY: \(values[1]); AZ: \(values[2]); GX: 0.010000; GY: 0.020000; GZ: 0.000003;"
        },
        // atsss/arduino, p5js.
        ProgramLines("a label before two sensors") { xyz($1, "sensors: %x,%y,%z,-30.20,20.10,-15.30") },
        // A Nunchuk's joystick before its sensor.
        ProgramLines("a joystick before the acceleration", within: 0.0001) {
            let v = counts($1)
            return "joy:127,-130  acc:\(v[0]),\(v[1]),\(v[2])  but:0,0"
        },
        // The frames of Serial Studio, and those of "Serial Input Basics" in Arduino's forum.
        ProgramLines("a frame of Serial Studio") { xyz($1, "/*%x,%y,%z*/") },
        ProgramLines("a frame in angle brackets") { xyz($1, "<%x,%y,%z>") },
        // A count of the lines before the first label, and after a sign.
        ProgramLines("a count before labels") { "Sample \($0): " + xyz($1, "ax=%x ay=%y az=%z pitch=1.2") },
        ProgramLines("a count before letters") { "Reading #\($0): " + xyz($1, "x=%x y=%y z=%z") },
        // Razor 9DOF's AHRS firmware in the mode `#osrt`, in 1/256 g.
        ProgramLines("letters of the sensors") { index, v in
            let counts = (0..<3).map { "\(Int((v[$0] * 256).rounded())).00" }.joined(separator: ",")
            return "#A-R=\(counts)\n#M-R=12.00,30.00,-200.00\n#G-R=1.00,-2.00,\(index % 9).00"
        },
        // The tutorial of an ADXL335 at Last Minute Engineers: counts, and what they mean.
        ProgramLines("counts before the same in g") { _, v in
            let counts = (0..<3).map { String(512 + Int((v[$0] * 102.3).rounded())) }.joined(separator: ", ")
            return counts + xyz(v, " :: %xG, %yG, %zG")
        },
    ]

    /// Objects of JSON.
    private static let objects: [ProgramLines] = [
        ProgramLines("JSON") { xyz($1, #"{"ax": %x, "ay": %y, "az": %z, "gx": 0.1, "gy": 9.8}"#) },
        ProgramLines("JSON, nested", .since1970) {
            #"{"ts": \#(String(format: "%.3f", 1_715_592_600 + Double($0) / 50)), "acc": "#
                + xyz($1, #"{"x": %x, "y": %y, "z": %z}, "gyro": {"x": 0.1, "y": 9.8, "z": 0}}"#)
        },
        ProgramLines("JSON, arrays", .sinceStart) {
            #"{"t": \#($0 * 20), "gyr": [1, 9.8, 3], "acc": [\#(xyz($1, "%x, %y, %z"))]}"#
        },
        ProgramLines("JSON, a time in words", .since1970) {
            #"{"time": "\#(day($0))", "x": "# + xyz($1, #"%x, "y": %y, "z": %z}"#)
        },
        ProgramLines("JSON, a unit", .sinceStart, within: 0.0001) {
            #"{"ts": \#($0 * 20), "unit": "mg", "x": "# + xyz($1, #"%x, "y": %y, "z": %z}"#, times: 1000)
        },
        ProgramLines("JSON, the name of the sensor", .sinceStart) {
            let time = #""ts": \#($0 * 20)"#
            return #"{"sensor": "accelerometer", \#(time), "# + xyz($1, #""x": %x, "y": %y, "z": %z}"#)
                + "\n" + #"{"sensor": "gyroscope", \#(time), "x": 0.1, "y": 9.8, "z": 0.3}"#
        },
        ProgramLines("JSON over several lines", .sinceStart) {
            "{\n  \"ts\": \($0 * 20),\n  \"acc\": [\n" + xyz($1, "    %x,\n    %y,\n    %z") + "\n  ]\n}"
        },
        ProgramLines("a dictionary of Python") { xyz($1, "{'acc': {'x': %x, 'y': %y, 'z': %z}, 'gyro': {'x': 9.8}}") },
    ]

    /// The same vector ten times in one object, whose time is that of the last.
    package static let packets: [ProgramLines] = [
        packet("an array of arrays") { v in "\"acc\": [" + list(xyz(v, "[%x, %y, %z]")) + "]" },
        packet("an array of objects") { v in "\"samples\": [" + list(xyz(v, #"{"x": %x, "y": %y, "z": %z}"#)) + "]" },
        packet("an array for each axis") { v in
            ["x", "y", "z"].map { "\"\($0)\": [" + list(xyz(v, "%\($0)")) + "]" }.joined(separator: ", ")
        },
    ]

    private static func list(_ text: String) -> String { Array(repeating: text, count: 10).joined(separator: ", ") }

    private static func packet(_ name: String, _ body: @escaping @Sendable (SIMD3<Double>) -> String) -> ProgramLines {
        var lines = ProgramLines(name, .sinceStart) { "{\"t\": \($0 * 200), " + body($1) + "}" }
        lines.packet = 10
        return lines
    }

    /// Lines of other sensors, and what their refusal says.
    package static let others: [(lines: ProgramLines, words: String)] = [
        (
            ProgramLines("a gyroscope by its labels") { xyz($1, "gx:%x gy:%y gz:%z") },
            "no acceleration among the labels"
        ),
        (ProgramLines("a gyroscope by a tag") { xyz($1, "GYR,%x,%y,%z") }, "gyroscope"),
        (ProgramLines("a rotation") { xyz($1, "Rotation X: %x, Y: %y, Z: %z rad/s") }, "no acceleration"),
        (ProgramLines("a magnetometer") { xyz($1, "Mag (uT) [ %x, %y, %z ]") }, "magnetometer"),
        (ProgramLines("acceleration without gravity") { xyz($1, "linear: x=%x y=%y z=%z") }, "without gravity"),
        (ProgramLines("angles") { xyz($1, "pitch: %x roll: %y yaw: %z") }, "no acceleration"),
        // MPU6050_DMP6: degrees, and acceleration without gravity in two frames.
        (ProgramLines("ypr") { xyz($1, "ypr\t%x\t%y\t%z", times: metres) }, "orientation"),
        (ProgramLines("areal") { xyz($1, "areal\t%x\t%y\t%z", times: 1000) }, "without gravity"),
        (ProgramLines("aworld") { xyz($1, "aworld\t%x\t%y\t%z", times: 1000) }, "without gravity"),
        (ProgramLines("lin_acc") { xyz($1, "lin_acc: %x, %y, %z", times: metres) }, "no acceleration"),
        (
            ProgramLines("a quaternion") { index, _ in
                let q = quaternion(index, times: 1).split(separator: ",")
                return "w: \(q[3]) x: \(q[0]) y: \(q[1]) z: \(q[2])"
            }, "no acceleration"
        ),
    ]
}
