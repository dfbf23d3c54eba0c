import Footfall
import FootfallReaders
import Foundation
import Testing

/// What a well-known logger writes: its header, and the walk in its way.
struct Profile: Sendable, CustomTestStringConvertible {
    var testDescription: String
    var text: String
    var options = TraceOptions()
    var isAbsolute = true
    var layout: String

    init(
        _ name: String, _ text: String, _ options: TraceOptions = TraceOptions(), isAbsolute: Bool = true,
        layout: String
    ) {
        testDescription = name
        self.text = text
        self.options = options
        self.isAbsolute = isAbsolute
        self.layout = layout
    }

    private static func row(_ fields: [String], _ more: [String] = []) -> String { Walk.joined(fields + more) }

    private static let actiGraph = """
        ------------ Data File Created By ActiGraph GT3X+ ActiLife v6.13.4 Firmware v1.2.0 date format M/d/yyyy \
        at 100 Hz  Filter Normal -----------
        Serial Number: TAS1H30182785
        Start Time 10:00:08
        Start Date 10/21/2013
        Epoch Period (hh:mm:ss) 00:00:00
        Download Time 16:05:42
        Download Date 10/22/2013
        Current Memory Address: 0
        Current Battery Voltage: 4.03     Mode = 12
        --------------------------------------------------

        """

    static let known: [Profile] = [
        Profile(
            "Oxford stepcount",
            Walk.lines("time,x,y,z") { row(["2013-10-21 \(Walk.clock($0))"], Walk.text($0)) },
            layout: "time in 'time' as date and time in UTC; axes in 'x', 'y', 'z'; in g"),
        Profile(
            "OxWalk",
            Walk.lines("timestamp,x,y,z,annotation") { row(["2013-10-21 \(Walk.clock($0))"], Walk.text($0) + ["0"]) },
            layout: "time in 'timestamp' as date and time in UTC; axes in 'x', 'y', 'z'; in g"),
        Profile(
            "UK Biobank, accProcess",
            Walk.lines("time,x,y,z,temp") {
                row(["2013-10-21 \(Walk.clock($0))+0100 [Europe/London]"], Walk.text($0) + ["21.5"])
            }.replacingOccurrences(of: " 10:00", with: " 11:00"),
            layout: "time in 'time' as date and time with zone; axes in 'x', 'y', 'z'; in g"),
        Profile(
            "OMGUI with titles",
            Walk.lines(
                "Time, Ax(g), Ay(g), Az(g), Gx(d/s), Gy(d/s), Gz(d/s), LightADC, TemperatureADC, BatteryADC"
            ) { row(["2013-10-21 \(Walk.clock($0))"], Walk.text($0) + ["1.5", "-2", "40", "120", "250", "200"]) },
            layout: "axes in 'Ax(g)', 'Ay(g)', 'Az(g)'; in g (from the header)"),
        Profile(
            "OMGUI, an AX6's, without titles",
            Walk.lines { row(["2013-10-21 \(Walk.clock($0))"], Walk.text($0) + ["1.526", "-2.136", "40.1"]) },
            layout: "time in column 1 as date and time in UTC; axes in column 2, column 3, column 4; in g"),
        Profile(
            "ActiGraph raw",
            actiGraph
                + Walk.lines("Accelerometer X,Accelerometer Y,Accelerometer Z") { Walk.joined(Walk.text($0)) },
            layout: "100.0 samples per second (from the header)"),
        Profile(
            "ActiGraph raw with times",
            actiGraph
                + Walk.lines("Timestamp,Accelerometer X,Accelerometer Y,Accelerometer Z") {
                    row(["10/21/2013 \(Walk.clock($0))"], Walk.text($0))
                },
            layout: "time in 'Timestamp' as date and time in UTC"),
        Profile(
            "ActiGraph raw, decimal comma",
            actiGraph.replacingOccurrences(of: "M/d/yyyy", with: "dd/MM/yyyy")
                .replacingOccurrences(of: "Date 10/21/2013", with: "Date 21/10/2013")
                + Walk.lines("Accelerometer X;Accelerometer Y;Accelerometer Z") {
                    Walk.joined(Walk.comma(Walk.text($0)), ";")
                },
            layout: "decimal comma; 100.0 samples per second (from the header)"),
        Profile(
            "phyphox",
            Walk.lines(
                #""Time (s)","Acceleration x (m/s^2)","Acceleration y (m/s^2)","Acceleration z (m/s^2)","#
                    + #""Absolute acceleration (m/s^2)""#
            ) { index in
                row(
                    [String(format: "%.9E", Double(index) / 100)],
                    Walk.g(index).map { String(format: "%.9E", $0 * 9.80665) } + ["9.8E0"])
            }, isAbsolute: false,
            layout: "time in 'Time (s)' as s since start (from the header)"),
        Profile(
            "phyphox on iOS, decimal comma",
            Walk.lines("\"Time (s)\"\t\"X (m/s^2)\"\t\"Y (m/s^2)\"\t\"Z (m/s^2)\"") {
                Walk.joined(Walk.comma([Walk.seconds($0)] + Walk.metres($0)), "\t")
            }, isAbsolute: false,
            layout: "tab-separated; decimal comma; time in 'Time (s)'"),
        Profile(
            "Sensor Logger",
            Walk.lines("time,seconds_elapsed,z,y,x") {
                row([Walk.epoch($0, zeros: "000000"), Walk.seconds($0)], Walk.metres($0).reversed())
            },
            layout: "time in 'time' as ns since 1970 (from the values); axes in 'x', 'y', 'z'; in m/s²"),
        Profile(
            "SensorLog",
            Walk.lines(
                "loggingTime(txt),loggingSample(N),accelerometerTimestamp_sinceReboot(s),"
                    + "accelerometerAccelerationX(G),accelerometerAccelerationY(G),accelerometerAccelerationZ(G),"
                    + "gyroTimestamp_sinceReboot(s),gyroRotationX(rad/s),gyroRotationY(rad/s),gyroRotationZ(rad/s)"
            ) {
                row(
                    ["2013-10-21 \(Walk.clock($0)) +0200", "\($0)", "9000.5"],
                    Walk.text($0) + ["9000.5", "1", "2", "3"])
            }.replacingOccurrences(of: " 10:00", with: " 12:00"),
            layout: "time in 'loggingTime(txt)' as date and time with zone"),
        Profile(
            "Physics Toolbox",
            "\n" + Walk.lines("time,gFx,gFy,gFz,TgF") { row([Walk.seconds($0)], Walk.text($0) + ["1.0"]) },
            isAbsolute: false, layout: "axes in 'gFx', 'gFy', 'gFz'; in g (from the header)"),
        Profile(
            "Physics Toolbox, clock and decimal comma",
            Walk.lines("time;gFx;gFy;gFz;TgF") {
                Walk.joined(
                    [Walk.clock($0).replacingOccurrences(of: ".", with: ":")]
                        + Walk.comma(Walk.text($0)).map { $0.replacingOccurrences(of: "-", with: "\u{2212}") }
                        + ["\u{2212}\u{221E}"], ";")
            }, isAbsolute: false, layout: "decimal comma; time in 'time' as time of day"),
        Profile(
            "Accelerometer Analyzer",
            Walk.lines { Walk.joined(Walk.metres($0) + ["10"], " ") }, isAbsolute: false,
            layout: "space-separated; time in column 4 as ms since the row above (from the values); axes in column 1"),
        Profile(
            "units on a line of their own",
            "Timestamp;Accel X;Accel Y;Accel Z\nms;[mg];[mg];[mg]\n"
                + Walk.lines { Walk.joined([Walk.epoch($0, zeros: "")] + Walk.mg($0), ";") },
            layout: "time in 'Timestamp (ms)' as ms since 1970 (from the header); axes in 'Accel X (mg)'"),
        Profile(
            "MATLAB",
            Walk.lines("Timestamp,X,Y,Z") { row(["21-Oct-2013 \(Walk.clock($0))"], Walk.metres($0)) },
            layout: "time in 'Timestamp' as date and time in UTC"),
        Profile(
            "Beiwe",
            Walk.lines("timestamp,UTC time,accuracy,x,y,z") {
                row([Walk.epoch($0, zeros: ""), "2013-10-21T\(Walk.clock($0))", "unknown"], Walk.text($0))
            },
            layout: "time in 'timestamp' as ms since 1970 (from the values)"),
        Profile(
            "WISDM v1.1",
            Walk.lines {
                row(["33", "Jogging", "\(49_105_962_326_000 + Walk.milliseconds($0) * 1_000_000)"], Walk.metres($0))
                    + ($0 % 7 == 0 ? ";;" : ";")
            }.replacingOccurrences(of: ";\n33,Jogging,491062", with: ";33,Jogging,491062"),
            isAbsolute: false, layout: "time in column 3 as ns since start (from the values); axes in column 4"),
        Profile(
            "WISDM of 2019",
            Walk.lines {
                row(["1600", "A", "\(252_207_666_810_782 + Walk.milliseconds($0) * 1_000_000)"], Walk.metres($0)) + ";"
            }, isAbsolute: false, layout: "time in column 3 as ns since start (from the values); axes in column 4"),
        Profile(
            "MotionSense",
            Walk.lines(",x,y,z") { row(["\($0)"], Walk.text($0)) }, TraceOptions(sampleRate: 100),
            isAbsolute: false, layout: "100.0 samples per second (from the option); axes in 'x', 'y', 'z'"),
        Profile(
            "MotionSense, gravity apart",
            Walk.lines(
                ",attitude.roll,gravity.x,gravity.y,gravity.z,userAcceleration.x,userAcceleration.y,userAcceleration.z"
            ) { index in
                row(
                    ["\(index)", "1.5", "0.1", "-0.2", "0.5"],
                    zip(Walk.g(index), [0.1, -0.2, 0.5]).map { String(format: "%.6f", $0 - $1) })
            }, TraceOptions(sampleRate: 100), isAbsolute: false,
            layout: "plus gravity in 'gravity.x', 'gravity.y', 'gravity.z'"),
        Profile(
            "x-io",
            Walk.lines(
                "Time (s),Gyroscope X (deg/s),Gyroscope Y (deg/s),Gyroscope Z (deg/s),"
                    + "Accelerometer X (g),Accelerometer Y (g),Accelerometer Z (g)"
            ) { row([Walk.seconds($0), "1", "2", "3"], Walk.text($0)) },
            isAbsolute: false, layout: "axes in 'Accelerometer X (g)'"),
        Profile(
            "x-IMU3",
            Walk.lines(
                "Timestamp (us),Gyroscope X (deg/s),Gyroscope Y (deg/s),Gyroscope Z (deg/s),"
                    + "Accelerometer X (g),Accelerometer Y (g),Accelerometer Z (g)"
            ) { row(["\(Walk.milliseconds($0) * 1000)", "1", "2", "3"], Walk.text($0)) },
            isAbsolute: false, layout: "as µs since start (from the header)"),
        Profile(
            "OpenLog Artemis",
            Walk.lines("rtcDate,rtcTime,aX,aY,aZ,gX,gY,gZ,imu_degC,output_Hz,") {
                row(["10/21/2013", Walk.clock($0)], Walk.mg($0) + ["1", "2", "3", "25.1", "100.0", ""])
            }, layout: "time in 'rtcDate' and 'rtcTime' as date and time in UTC; axes in 'aX', 'aY', 'aZ'; in mg"),
        Profile(
            "MetaWear",
            Walk.lines("epoc (ms),timestamp (+0000),elapsed (s),x-axis (g),y-axis (g),z-axis (g)") {
                row([Walk.epoch($0, zeros: ""), "2013-10-21T10.00.08.0", Walk.seconds($0)], Walk.text($0))
            },
            layout: "time in 'epoc (ms)' as ms since 1970 (from the header); axes in 'x-axis (g)'"),
        Profile(
            "body and total acceleration, axis in the middle",
            Walk.lines("time,body_acc_x_dash,body_acc_y_dash,body_acc_z_dash,acc_x_dash,acc_y_dash,acc_z_dash") {
                row([Walk.epoch($0), "0", "0", "0"], Walk.text($0))
            },
            layout: "axes in 'acc_x_dash', 'acc_y_dash', 'acc_z_dash'"),
        Profile(
            "an index before the time",
            Walk.lines(",timestamp,x,y,z") { row(["\($0)", Walk.epoch($0, zeros: "")], Walk.text($0)) },
            layout: "time in 'timestamp' as ms since 1970"),
        Profile(
            "linear acceleration beside the total",
            Walk.lines("time,linear_acceleration_x,linear_acceleration_y,linear_acceleration_z,acc_x,acc_y,acc_z") {
                row([Walk.epoch($0), "0", "0", "0"], Walk.text($0))
            },
            layout: "axes in 'acc_x', 'acc_y', 'acc_z'"),
        Profile(
            "GENEActiv as text",
            "Device Type,GENEActiv\nMeasurement Frequency,100.0 Hz\nStart Time,2013-10-21 10:00:08:000\n\n"
                + Walk.lines {
                    row(
                        ["2013-10-21 \(Walk.clock($0).replacingOccurrences(of: ".", with: ":"))"],
                        Walk.text($0) + ["12", "0", "21.5"])
                },
            layout: "time in column 1 as date and time in UTC; axes in column 2, column 3, column 4"),
    ]
}

@Suite("Loggers")
struct ProfileTests {
    @Test("write what is read as the same walk", arguments: Profile.known)
    func sameWalk(profile: Profile) throws {
        let trace = try ReadTrace(text: profile.text, profile.options)
        #expect(trace.layout.description.contains(profile.layout), "\(trace.layout)")
        try #require(trace.samples.count == Walk.count, "\(trace.layout) \(trace.warnings)")
        let start = profile.isAbsolute ? Walk.start * 1_000_000_000 : 0
        for (row, sample) in trace.samples.enumerated() {
            let nanoseconds = start + Int64(Walk.milliseconds(row)) * 1_000_000
            let expected = Walk.g(row)
            try #require(sample.time.nanosecondsSince1970 == nanoseconds, "row \(row): \(trace.layout)")
            try #require(abs(Double(sample.x) - expected[0]) < 2e-6, "row \(row): \(trace.layout)")
            try #require(abs(Double(sample.y) - expected[1]) < 2e-6, "row \(row): \(trace.layout)")
            try #require(abs(Double(sample.z) - expected[2]) < 2e-6, "row \(row): \(trace.layout)")
        }
        #expect(trace.warnings.isEmpty)
    }
}
