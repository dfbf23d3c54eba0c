import Foundation

/// More logs, each of another kind of text.
extension FoundTable {
    static let kinds: [FoundTable] = written + timed + joined + tagged + printed

    /// What other programs write around the cells and above the rows.
    private static let written: [FoundTable] = [
        FoundTable(testDescription: "a unit behind each number", head: "Time,X,Y,Z\n") {
            "\(s($0)) s,\(axes($1, " m/s²,", times: metres)) m/s²"
        },
        FoundTable(testDescription: "a unit at each number") { "\(s($0));\(axes($1, "g;"))g" },
        FoundTable(testDescription: "Markdown", head: "# Walk\n\n| t | x | y | z |\n|---|--:|:-:|---|\n") {
            "| \(s($0)) | \(axes($1, " | ")) |"
        },
        // numpy.savetxt(…, header="t x y z").
        FoundTable(testDescription: "titles behind the mark of a comment", head: "# t x y z\n") {
            "\(s($0)) \(axes($1, " "))"
        },
        // X16-1D of Gulf Coast Data Concepts, manual, figure 19.
        FoundTable(
            testDescription: "titles behind a word in a comment",
            head: ";Title, http://www.gcdataconcepts.com, x16-1d, ADXL345\n;Start_time, 2016-01-04, 10:25:14.000\n"
                + ";SampleRate, 50,Hz\n;Headers, time,Ax,Ay,Az\n"
        ) { "\(s($0)),\(counts($1, zero: [0, 0, 0], perG: 2048))" },
        // pandas, to_csv of columns in two levels; merged cells of a spreadsheet.
        FoundTable(
            testDescription: "the sensors above the titles",
            head: ",gyroscope,,,accelerometer,,\nt,x,y,z,x,y,z\n"
        ) { "\(s($0)),\(axes($1 * [0.3, -0.2, 0.1])),\(axes($1))" },
        // OpenBCI_GUI, raw data of a Ganglion.
        FoundTable(
            testDescription: "channels numbered from 0",
            head: "%OpenBCI Raw EXG Data\n%Sample Rate = 50 Hz\nSample Index, EXG Channel 0, Accel Channel 0, "
                + "Accel Channel 1, Accel Channel 2, Timestamp\n"
        ) {
            "\($0 % 256), \($0 % 7).5, \(axes($1, ", ")), \(String(format: "%.3f", 1_715_592_600 + Double($0) / 50))"
        },
    ]

    /// Times in other forms.
    private static let timed: [FoundTable] = [
        // Excel's `mm:ss.00`, across a full hour.
        FoundTable(testDescription: "minutes and seconds", head: "time,x,y,z\n") {
            let seconds = 3590 + $0 / 50
            return String(format: "%02d:%02d.%02d,", seconds / 60 % 60, seconds % 60, $0 % 50 * 2) + axes($1)
        },
        // pandas, to_csv of a TimedeltaIndex.
        FoundTable(testDescription: "durations", head: ",x,y,z\n") {
            String(format: "0 days 00:00:%02d.%06d,", $0 / 50, $0 % 50 * 20_000) + axes($1)
        },
        // R, write.table of a column of POSIXct: without quotes and without a title for the names of rows.
        FoundTable(
            testDescription: "a date-time without quotes behind names of rows", head: "\"time\" \"x\" \"y\" \"z\"\n"
        ) {
            "\"\($0 + 1)\" 2024-05-13 \(clock($0)) \(axes($1, " "))"
        },
        FoundTable(testDescription: "a date-time without quotes between blanks", head: "time x y z\n") {
            "2024-05-13 \(clock($0)) \(axes($1, " "))"
        },
        // pandas, print of a frame with a DatetimeIndex.
        FoundTable(testDescription: "a date-time without a title", head: "               x       y       z\ntime\n") {
            "2024-05-13 \(clock($0))  \(axes($1, "  "))"
        },
        FoundTable(
            testDescription: "a time in three columns", outcome: .advised("sampleRate"),
            head: "hour,minute,second,x,y,z\n"
        ) { "9,30,\(s($0)),\(axes($1))" },
    ]

    /// One axis a row, as reshape2::melt, tidyr and the clients of databases write it.
    private static let joined: [FoundTable] = [
        FoundTable(testDescription: "one axis a row", head: "time,axis,value\n") { row, g in
            (0..<3).map { "\(s(row)),\("xyz".map { $0 }[$0]),\(String(format: "%.4f", g[$0]))" }.joined(separator: "\n")
        },
        FoundTable(testDescription: "one axis of two sensors a row", head: "time;value;name\n") { row, g in
            ["acc_x", "acc_y", "acc_z", "gyr_x", "gyr_y", "gyr_z"].enumerated().map { place, name in
                "\(s(row));\(String(format: "%.4f", g[place % 3] * (place < 3 ? 1 : 0.3)));\(name)"
            }.joined(separator: "\n")
        },
    ]

    /// Rows of several sensors, told apart by a word.
    private static let tagged: [FoundTable] = [
        // The SHAKE SK6: www.dcs.gla.ac.uk/~jhw/socialgravity/inertial_format.html.
        FoundTable(testDescription: "a tag behind the time") {
            let time = String(format: "$TIM,%.3f,", 1_247_663_638 + Double($0) / 50)
            return time
                + "$ACC,\(counts($1, zero: [0, 0, 0], perG: 1000))\n\(time)$MAG,-40,189,462\n\(time)$ARS,-136,-81,-37"
        },
        // maddevsio/mad-location-manager#68: the number of the sensor before the time.
        FoundTable(testDescription: "a number, a time and a tag") {
            let time = 1_588_000_000_000 + ms($0)
            let v = axes($1, " ", times: metres).split(separator: " ")
            return "1 \(time) ACC: x=\(v[0]) y=\(v[1]) z=\(v[2])\n2 \(time) GYR: x=0.01 y=0.02 z=9.80"
        },
        // apache/nuttx#18134, listener of uORB.
        FoundTable(testDescription: "a number in the label") {
            let v = axes($1, " ", times: metres).split(separator: " ")
            let time = 17_979_933_500 + ms($0) * 1000
            return "accel(now:\(time + 20)):timestamp:\(time),x:\(v[0]),y:\(v[1]),z:\(v[2]),temperature:29.15"
        },
        // The SensorReadout app of FHWS: rows of other numbers of fields, and of events above them.
        FoundTable(
            testDescription: "rows of several lengths", outcome: .advised("several series"),
            head: "0;-2;Wed Apr 08 15:35:20 GMT+02:00 2020;Markus;FHWS\n0;50;STANDING;1\n"
        ) {
            let time = ms($0) * 1_000_000
            return "\(time);0;\(axes($1, ";", times: metres))\n\(time);3;0.01;\(Double($0 % 9) / 9);0.1"
                + "\n\(time + 3_000_000);12;0.19;-0.16;-0.65;0.72"
        },
    ]

    /// Text that programs print.
    private static let printed: [FoundTable] = [
        // Python, print(port.readline()).
        FoundTable(testDescription: "bytes of Python") { "b'\(ms($0)),\(axes($1))\\r\\n'" },
        FoundTable(testDescription: "labels in bytes of Python", rate: 50) {
            let v = axes($1, " ").split(separator: " ")
            return "b'aX: \(v[0]) aY: \(v[1]) aZ: \(v[2])\\r\\n'"
        },
        // Python, print(line.split(",")).
        FoundTable(testDescription: "a list of texts of Python") { "['\(ms($0))', '\(axes($1, "', '"))']" },
        // whoenig/crazyflie_ros#159, rostopic echo.
        FoundTable(testDescription: "the messages of ROS") {
            let (second, rest) = (1_715_592_600 + $0 / 50, $0 % 50 * 20_000_000)
            return "header: \n  seq: \($0)\n  stamp: \n    secs: \(second)\n    nsecs: \(rest)\n  frame_id: \"base\"\n"
                + "orientation: \n  x: 0.0\n  y: 0.0\n  z: 0.0\n  w: 0.0\norientation_covariance: [-1.0, 0.0, 0.0, 0.0]\n"
                + "angular_velocity: \n  x: -0.01\n  y: 0.02\n  z: 0.01\nlinear_acceleration: \n"
                + zip("xyz", axes($1, " ", times: metres).split(separator: " ")).map { "  \($0): \($1)\n" }.joined()
                + "---"
        },
        // ros2 topic echo.
        FoundTable(testDescription: "the messages of ROS 2") {
            let (second, rest) = (1_715_592_600 + $0 / 50, $0 % 50 * 20_000_000)
            let covariance = String(repeating: "- 0.0\n", count: 9)
            return
                "header:\n  stamp:\n    sec: \(second)\n    nanosec: \(rest)\n  frame_id: imu\norientation:\n  x: 0.0\n"
                + "  y: 0.0\n  z: 0.0\n  w: 1.0\norientation_covariance:\n\(covariance)angular_velocity:\n  x: 0.01\n"
                + "  y: 0.02\n  z: 0.03\nangular_velocity_covariance:\n\(covariance)linear_acceleration:\n"
                + zip("xyz", axes($1, " ", times: metres).split(separator: " ")).map { "  \($0): \($1)\n" }.joined()
                + "linear_acceleration_covariance:\n\(covariance)---"
        },
        // ros2 topic echo --csv, whose other columns are constant.
        FoundTable(testDescription: "constants before the axes", rate: 50) {
            let zeros = "0.0,0.0,0.0,0.0,0.0,0.0,0.0,0.0,0.0"
            return
                "\(1_715_592_600 + $0 / 50),\($0 % 50 * 20_000_000),imu,0.0,0.0,0.0,1.0,\(zeros),0.01,0.02,0.03,\(zeros),"
                + "\(axes($1, times: metres)),\(zeros)"
        },
    ]
}
