import Foundation
import TestSupport
import Testing

@Suite("analyze --explain")
struct ExplainTests {
    private let folder: Folder

    init() throws { folder = try Folder() }

    /// Ten seconds at rest at 50 Hz, between a number and a word.
    private static let rows = (0..<500).map { "7;\(20 * $0);0,01;-0,0\($0 % 5);9,81;still\n" }.joined()

    private func explanation(_ arguments: String...) throws -> [String: Any] {
        try #require(try footfall(["analyze", "--explain", "-o", "json"] + arguments).records().first)
    }

    @Test("says what each column is taken for and why, and the command line that fixes it")
    func columns() throws {
        let log = try folder.write("a.csv", "id;t [ms];Acc X;Acc Y;Acc Z;note\n" + Self.rows)
        let record = try explanation(log)
        #expect(record["delimiter"] as? String == ";" && record["decimalSeparator"] as? String == ",")
        #expect(record["headerLine"] as? Int == 1 && record["sampleRate"] as? Double == 50)
        #expect(abs((record["magnitude"] as? Double ?? 0) - 1) < 0.01)
        let columns = try #require(record["columns"] as? [[String: Any]])
        #expect(columns.map { $0["number"] as? Int } == [1, 2, 3, 4, 5, 6])
        #expect(columns.map { $0["role"] as? String } == [nil, "time", "x", "y", "z", nil])
        #expect(columns[4]["values"] as? [String] == ["9,81", "9,81", "9,81"])
        #expect(columns[5]["reason"] as? String == "the values are no numbers")
        let command = try #require(record["command"] as? String)
        #expect(command.contains("--columns 't [ms],Acc X,Acc Y,Acc Z' --unit mss --time-unit ms"), "\(command)")
        let text = try footfall("analyze", log, "--explain").output
        for word in ["'t [ms]'", "the title names a time", "still", command] { #expect(text.contains(word), "\(text)") }
    }

    @Test("gives options that read the log in the same way")
    func options() throws {
        let log = try folder.write("b.csv", Self.rows)
        let command = try #require(try explanation(log)["command"] as? String)
        let arguments = command.split(separator: " ").dropFirst().map { $0.filter { $0 != "'" } }
        #expect(arguments.contains("2,3,4,5"), "\(command)")
        func samples(_ arguments: [String]) throws -> String {
            let record = try #require(try footfall(arguments + ["-o", "json"]).records().first)
            return "\(record["samples"] ?? "") \(record["duration"] ?? "")"
        }
        #expect(try samples(arguments) == samples(["analyze", log]))
    }

    @Test("of a refused log gives the reason, the columns, and the exit code of the refusal")
    func refused() throws {
        let rows = (0..<200).map { "\($0).5,1,2,3\n" }.joined()
        let log = try folder.write("gyro.csv", "time,gyroX,gyroY,gyroZ\n" + rows)
        let run = try footfall("analyze", log, "--explain", "-o", "json")
        #expect(run.status == 65)
        let record = try #require(try run.records().first)
        #expect((record["refusal"] as? String)?.contains("gyro") ?? false)
        #expect(record["command"] is NSNull && record["layout"] is NSNull)
        let reasons = (record["columns"] as? [[String: Any]] ?? []).compactMap { $0["reason"] as? String }
        #expect(reasons.count == 4 && reasons[1].contains("gyroscope"), "\(reasons)")
    }

    @Test("of a missing log is an error")
    func missing() throws {
        let missing = try footfall("analyze", folder.path("none.csv"), "--explain")
        #expect(missing.status == 66)
    }
}
