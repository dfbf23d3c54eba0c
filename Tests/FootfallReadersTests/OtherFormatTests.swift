import Footfall
import FootfallReaders
import Foundation
import Testing

@Suite("Logs of other devices")
struct OtherFormatTests {
    @Test(
        "of the Empatica E4 have the start and the rate in their first rows", arguments: ["", ".000000"], [", ", ","])
    func empatica(decimals: String, separator: String) throws {
        func row(_ value: String) -> String { Array(repeating: value, count: 3).joined(separator: separator) + "\n" }
        let rows = Walk.lines { index in Walk.joined(Walk.g(index).map { "\(Int(($0 * 64).rounded()))" }) }
        let text = row("\(Walk.start)\(decimals)") + row("32\(decimals)") + rows
        let trace = try ReadTrace(text: text)
        try #require(trace.samples.count == Walk.count, "\(trace.layout)")
        #expect(trace.samples.first?.time.nanosecondsSince1970 == Walk.start * 1_000_000_000)
        #expect(trace.samples.last?.time.seconds(since: trace.samples[0].time) == Double(Walk.count - 1) / 32)
        for (index, sample) in trace.samples.enumerated() {
            try #require(sample.z == Float((Walk.g(index)[2] * 64).rounded()) / 64)
        }
        #expect(trace.layout.description.contains("32.0 samples per second (from the header)"))
        #expect(trace.layout.description.contains("counts of 1/64 g (from the header)"))
        let archive = zipped(
            [("BVP.csv", "1\n64\n"), ("ACC.csv", text), ("info.txt", "E4")].map {
                (name: $0.0, content: Array($0.1.utf8))
            })
        #expect(try withFile(archive) { try ReadTrace($0) }.samples == trace.samples)
    }

    @Test(
        "of ST's software have their units in square brackets",
        arguments: [
            "timestamp[us],acc_x[mg],acc_y[mg],acc_z[mg],gyro_x[mdps],gyro_y[mdps],gyro_z[mdps]",
            "Timestamp [us],A_X [mg],A_Y [mg],A_Z [mg],G_X [mdps],G_Y [mdps],G_Z [mdps]",
            "Time [us],LSM6DSV16X_acc x [mg],LSM6DSV16X_acc y [mg],LSM6DSV16X_acc z [mg],gyr x [mdps],gyr y [mdps],gyr z [mdps]",
        ], [",", "\t"])
    func st(header: String, delimiter: String) throws {
        let text = Walk.lines(header) { row in
            Walk.joined(["\(Walk.milliseconds(row) * 1000)"] + Walk.mg(row) + ["1015.0", "-70.5", "35.0"])
        }
        let trace = try ReadTrace(text: text.replacingOccurrences(of: ",", with: delimiter))
        #expect(trace.samples.count == Walk.count)
        #expect(trace.layout.table?.unit == .mg)
        #expect(trace.milliseconds.last == 1990)
    }

    @Test("of features of windows are refused, although they name acceleration")
    func features() throws {
        let text = Walk.lines("time,acc_x_mean,acc_y_mean,acc_z_mean,acc_x_std,acc_y_std,acc_z_std") { row in
            Walk.joined([Walk.seconds(row)] + Walk.text(row) + ["0.1", "0.2", "0.1"])
        }
        let error = try #require(throws: TraceError.self) { try ReadTrace(text: text) }
        #expect(error.description.contains("a table of features"), "\(error)")
        let options = TraceOptions(columns: SensorColumns("time,acc_x_mean,acc_y_mean,acc_z_mean"))
        #expect(try ReadTrace(text: text, options).samples.count == Walk.count)
    }

    @Test("of WISDM hold several persons: one is chosen by the number of the column")
    func wisdm() throws {
        func rows(_ user: Int, _ start: Int) -> String {
            Walk.lines {
                "\(user),Jogging,\(start + Walk.milliseconds($0) * 1_000_000)," + Walk.joined(Walk.metres($0)) + ";"
            }
        }
        let text = rows(33, 49_105_962_326_000) + rows(17, 57_869_902_574_000) + rows(20, 2_986_302_548_000)
        let error = try #require(throws: TraceError.self) { try ReadTrace(text: text) }
        #expect(
            error.description.contains("column 1 (33: 200 rows, 17: 200")
                && error.description.contains("rows='1=33'"),
            "\(error)")
        let condition = try #require(RowCondition("1=20"))
        #expect(try ReadTrace(text: text, TraceOptions(rows: [condition])).samples.count == Walk.count)
    }
}
