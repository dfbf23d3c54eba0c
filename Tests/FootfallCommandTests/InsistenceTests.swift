import Foundation
import TestSupport
import Testing

@Suite("A refusal")
struct InsistenceTests {
    /// A log that is refused although its owner may know better.
    struct Doubtful: Sendable, CustomTestStringConvertible {
        var testDescription: String
        var name = "log.csv"
        var header: String?
        var values: @Sendable (Double) -> [Double]
        var hasTimes = true
        var advice = "--unit"

        var text: String {
            (header.map { $0 + "\n" } ?? "")
                + (0..<1500).map { row in
                    let time = Double(row) / 50
                    return ((hasTimes ? [time] : []) + values(time)).map { "\($0)" }.joined(separator: ",") + "\n"
                }.joined()
        }

        private static func turn(_ time: Double) -> [Double] {
            [1.7 * sin(5 * time), 0.9 * cos(3 * time), 0.6 * sin(8 * time + 1)]
        }
        private static func walk(_ time: Double) -> [Double] {
            [0.1 * sin(11 * time), 0.2 * cos(5.5 * time), 1 + 0.3 * sin(11 * time)]
        }

        static let all = [
            Doubtful(testDescription: "of values without titles", header: nil, values: turn),
            Doubtful(testDescription: "of silent titles", header: "time,x,y,z", values: turn),
            Doubtful(
                testDescription: "of a unit in the titles", header: "t,x (m/s^2),y (m/s^2),z (m/s^2)", values: turn),
            Doubtful(
                testDescription: "of another unit", header: "\"Time (s)\",\"X (rad/s)\",\"Y (rad/s)\",\"Z (rad/s)\"",
                values: walk),
            Doubtful(testDescription: "of another sensor's titles", header: "time,gyro_x,gyro_y,gyro_z", values: walk),
            Doubtful(testDescription: "of user acceleration", header: "time,userAccX,userAccY,userAccZ", values: turn),
            Doubtful(testDescription: "of the text above", header: "# Gyroscope\ntime,x,y,z", values: walk),
            Doubtful(
                testDescription: "of the name of the file", name: "Gyroscope.csv", header: "time,x,y,z", values: turn),
            Doubtful(
                testDescription: "of an unknown unit", header: "time,x,y,z",
                values: { time in walk(time).map { $0 * 60 } }),
            Doubtful(
                testDescription: "of counts of an unknown scale", header: "time,x,y,z",
                values: { time in walk(time).map { ($0 * 60).rounded() } }, advice: "--unit 6"),
            Doubtful(testDescription: "of unknown titles", header: "time,links,vorne,oben", values: walk),
        ]
    }

    @Test("names the options that have the log read all the same, and they work", arguments: Doubtful.all)
    func options(log: Doubtful) throws {
        let folder = try Folder()
        let path = try folder.write(log.name, log.text)
        let refused = try footfall("analyze", path)
        try #require(refused.status == 65, "\(refused)")
        #expect(refused.errors.contains(log.advice), "\(refused.errors)")
        let explained = try #require(try footfall("analyze", "--explain", path, "-o", "json").records().first)
        let command = try #require(explained["command"] as? String, "\(explained)")
        let run = try shell(command.replacing("footfall ", with: "'\(executable.path)' ") + " -o json")
        #expect(run.status == 0, "\(command): \(run.errors)")
        let options = try #require(Self.options(in: refused.errors), "\(refused.errors)")
        let insisted = try footfall(["analyze", path, "--output", "json"] + options)
        #expect(insisted.status == 0, "\(options): \(insisted.errors)")
        #expect(try insisted.records().first?["samples"] as? Int == 1500)
        // The columns alone are enough.
        let columns = try footfall(["analyze", path, "--output", "json"] + options.prefix(2))
        #expect(columns.status == 0, "\(options): \(columns.errors)")
    }

    /// The words behind `--columns` and `--unit` in a message, as a shell reads them.
    private static func options(in message: String) -> [String]? {
        guard let start = message.range(of: "--columns ") else { return nil }
        var words: [String] = []
        var (word, isQuoted) = ("", false)
        for character in message[start.lowerBound...] + " " {
            if character == "'" {
                isQuoted.toggle()
            } else if !isQuoted, character.isWhitespace {
                if !word.isEmpty { words.append(word) }
                word = ""
            } else {
                word.append(character)
            }
        }
        return words.count >= 4 && words[2] == "--unit" ? Array(words.prefix(4)) : nil
    }
}
