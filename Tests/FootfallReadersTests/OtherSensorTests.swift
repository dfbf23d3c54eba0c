import Footfall
import FootfallReaders
import Foundation
import TestSupport
import Testing

@Suite("Another sensor taken for the accelerometer")
struct OtherSensorTests {
    /// The columns of a walk under other titles: by their values they are acceleration with gravity.
    private static func table(_ titles: [String], above: String = "", _ row: (Int) -> [String] = Walk.text) -> String {
        let header = (["Time (s)"] + titles).map { "\"\($0)\"" }.joined(separator: ",")
        return above + Walk.lines(header) { Walk.joined([Walk.seconds($0)] + row($0)) }
    }

    private static func axes(_ title: String) -> [String] {
        ["x", "y", "z"].map { title.replacingOccurrences(of: "#", with: $0) }
    }

    /// Expects a refusal that states the sensor and a remedy.
    private func expectRefusal(_ text: String, _ word: String) throws {
        let error = try #require(throws: TraceError.self) { try ReadTrace(text: text) }
        #expect(error.kind == .badData)
        #expect(error.description.contains(word), "\(error)")
        let hasRemedy = ["columns", "with gravity", "choose the file"].contains(where: error.description.contains)
        #expect(hasRemedy, "\(error)")
    }

    @Test(
        "is refused by the unit in the header",
        arguments: [
            ("# (rad/s)", "gyroscope"), ("# [rad/s]", "gyroscope"), ("#_rad_s", "gyroscope"), ("# (°/s)", "gyroscope"),
            ("# (deg/s)", "gyroscope"), ("# (dps)", "gyroscope"), ("#_dps", "gyroscope"), ("# (Grad/s)", "gyroscope"),
            ("a# (degrees/s)", "gyroscope"), ("# (rad·s⁻¹)", "gyroscope"), ("#-axis (deg/sec)", "gyroscope"),
            ("# (µT)", "magnetometer"), ("# (μT)", "magnetometer"), ("# (uT)", "magnetometer"),
            ("# [µT]", "magnetometer"), ("raw# (gauss)", "magnetometer"), ("#_uT", "magnetometer"),
            ("# (mT)", "magnetometer"),
            ("# (hPa)", "barometer"), ("# (°)", "orientation"), ("# (deg)", "orientation"), ("# (rad)", "orientation"),
        ])
    func unit(title: String, sensor: String) throws {
        try expectRefusal(Self.table(Self.axes(title)), sensor)
    }

    @Test(
        "is refused by the name in the header",
        arguments: [
            ("Gyroscope # (rad/s)", "gyroscope"), ("# (gyro)", "gyroscope"), ("Gyroskop # (rad/s)", "gyroscope"),
            ("Gyroscoop # (rad/s)", "gyroscope"), ("Giroscopio #", "gyroscope"), ("Giroscópio #", "gyroscope"),
            ("Żyroskop #", "gyroscope"), ("ジャイロスコープ #", "gyroscope"), ("陀螺仪 #", "gyroscope"),
            ("Гироскоп #", "gyroscope"), ("자이로스코프 #", "gyroscope"), ("rotationRate.#", "gyroscope"),
            ("angular_velocity.#", "gyroscope"), ("Winkelgeschwindigkeit #", "gyroscope"),
            ("Vitesse angulaire #", "gyroscope"), ("Velocità angolare #", "gyroscope"),
            ("Velocidad angular #", "gyroscope"), ("Velocidade angular #", "gyroscope"),
            ("Hoeksnelheid #", "gyroscope"), ("Prędkość kątowa #", "gyroscope"), ("Úhlová rychlost #", "gyroscope"),
            ("角速度 #", "gyroscope"), ("Magnetic field # (µT)", "magnetometer"), ("mag_#", "magnetometer"),
            ("Magnetfeld #", "magnetometer"), ("Champ magnétique #", "magnetometer"),
            ("Campo magnetico #", "magnetometer"), ("Magnetisch veld #", "magnetometer"),
            ("Pole magnetyczne #", "magnetometer"), ("Magnetické pole #", "magnetometer"),
            ("磁場 #", "magnetometer"), ("磁力计 #", "magnetometer"), ("Orientation #", "orientation"),
            ("Orientación #", "orientation"), ("gravity.#", "gravity alone"), ("Schwerkraft #", "gravity alone"),
            ("Zwaartekracht #", "gravity alone"), ("Gravité #", "gravity alone"), ("Gravità #", "gravity alone"),
            ("Gravedad #", "gravity alone"), ("Gravidade #", "gravity alone"), ("Grawitacja #", "gravity alone"),
            ("重力 #", "gravity alone"), ("gravityAcceleration.#", "gravity alone"),
        ])
    func name(title: String, sensor: String) throws {
        try expectRefusal(Self.table(Self.axes(title)), sensor)
    }

    @Test(
        "is refused as acceleration without gravity",
        arguments: [
            "Linear Acceleration # (m/s^2)", "Lineare Beschleunigung # (m/s^2)", "Accélération linéaire # (m/s^2)",
            "Accélération sans g # (m/s^2)", "Lineaire versnelling # (m/s^2)", "Versnelling zonder g # (m/s^2)",
            "Accelerazione lineare # (m/s^2)", "Accelerazione senza g # (m/s^2)", "Aceleración lineal # (m/s^2)",
            "Aceleración sin g # (m/s^2)", "Aceleração linear # (m/s^2)", "Aceleração sem g # (m/s^2)",
            "Przyspieszenie liniowe # (m/s^2)", "Przyspieszenie bez g # (m/s^2)", "Lineární zrychlení # (m/s^2)",
            "Zrychlení bez g # (m/s^2)", "線形加速度 # (m/s^2)", "加速度 # (重力なし)", "线性加速度 # (m/s^2)",
            "Beschleunigung # (ohne g)", "Acceleration # (without g)", "Acceleration # (no gravity)",
            "userAcceleration.#",
        ])
    func linear(title: String) throws {
        try expectRefusal(Self.table(Self.axes(title), Walk.metres), "without gravity")
    }

    @Test("is no sensor where the titles are positions", arguments: ["# (°)", "#", "LOCATION # : "])
    func position(title: String) throws {
        let titles = ["Latitude", "Longitude", "Altitude"].map { title.replacingOccurrences(of: "#", with: $0) }
        try expectRefusal(Self.table(titles), "states a position, not the accelerometer")
    }

    @Test("is refused by a row of units, and by the text above the table")
    func elsewhere() throws {
        let rows = Walk.lines { Walk.joined([Walk.seconds($0)] + Walk.text($0)) }
        try expectRefusal("time,x,y,z\ns,rad/s,rad/s,rad/s\n" + rows, "gyroscope")
        try expectRefusal("# Gyroscope\ntime,x,y,z\n" + rows, "gyroscope")
        try expectRefusal("Magnetometer\n" + rows, "magnetometer")
        #expect(try ReadTrace(text: "# Accelerometer and gyroscope\ntime,x,y,z\n" + rows).samples.count == Walk.count)
        #expect(try ReadTrace(text: "# Gyroscope: off\ntime,acc x,acc y,acc z\n" + rows).samples.count == Walk.count)
    }

    @Test(
        "is no reason to refuse the accelerometer beside it",
        arguments: [
            ["gyro_#", "acc_#"], ["# (rad/s)", "# (m/s^2)"], ["# (dps)", "# (g)"],
            ["rotationRate.#", "acceleration.#"],
            ["Linear Acceleration #", "Acceleration #"], ["gravity.#", "accelerometer.#"],
            ["mag_#", "accelerationIncludingGravity.#"], ["Gyroskop # (rad/s)", "Beschleunigung # (m/s^2)"],
            ["Accélération linéaire #", "Accélération #"],
        ])
    func beside(titles: [String]) throws {
        let walk = try ReadTrace(text: Self.table(Self.axes("Accelerometer #"))).samples
        for isFirst in [true, false] {
            let all = titles.map(Self.axes)
            let text = Self.table(isFirst ? all[1] + all[0] : all[0] + all[1]) { row in
                let acceleration = titles[1].contains("m/s") ? Walk.metres(row) : Walk.text(row)
                let other = ["0.5", "\(row % 7)", "-0.25"]
                return isFirst ? acceleration + other : other + acceleration
            }
            let samples = try ReadTrace(text: text).samples
            #expect(samples.count == walk.count)
            #expect(zip(samples, walk).allSatisfy { abs($0.z - $1.z) < 1e-5 }, "\(titles), first: \(isFirst)")
        }
    }

    @Test("is read where the caller names the columns")
    func columns() throws {
        for columns in ["time (s),x (rad/s),y (rad/s),z (rad/s)", "1,2,3,4"] {
            let options = TraceOptions(columns: SensorColumns(columns))
            let text = Self.table(Self.axes("# (rad/s)"), above: "# Gyroscope\n")
            #expect(try ReadTrace(text: text, options).samples.count == Walk.count)
        }
    }

    @Test(
        "is not seen in the titles and names of accelerometers",
        arguments: [
            "Accelerometer X (g)", "accX", "Acceleration x (m/s^2)", "TotalAcceleration x",
            "AccelerationIncludingGravity x",
            "Acceleration with g x", "Beschleunigung mit g x", "accelX[mg]", "baseline acc x",
        ])
    func accelerometer(title: String) {
        #expect(SensorKind(title: title) == .accelerometer)
    }

    @Test(
        "is seen in the name of a file",
        arguments: [
            ("Gyroscope.csv", .gyroscope), ("GyroscopeUncalibrated.csv", .gyroscope), ("s1_gyro.csv.gz", .gyroscope),
            ("Gyroskop.csv", .gyroscope), ("Magnetometer.csv", .magnetometer), ("Linear Acceleration.csv", .linear),
            ("Gravity.csv", .gravity), ("Orientation.csv", .orientation), ("Barometer.csv", .barometer),
            ("acc_gyro.csv", nil), ("walk.csv", nil), ("orientation_test.csv", nil), ("data/gyro/walk.csv", nil),
            ("Accelerometer.csv", .accelerometer), ("TotalAcceleration.csv", .accelerometer),
            ("baseline_acc.csv", .accelerometer), ("magnitude.csv", nil),
        ] as [(String, SensorKind?)])
    func fileName(name: String, sensor: SensorKind?) {
        #expect(SensorKind(fileName: name) == sensor)
    }
}

extension SensorKind {
    fileprivate static var linear: SensorKind { .linearAcceleration }
}
