import Footfall
import Foundation
import Testing

@testable import FootfallReaders

/// A row that costs itself and nothing else.
struct BadRow: Sendable, CustomTestStringConvertible {
    var testDescription: String
    var text: String
    var reason: TraceWarning.Kind

    init(_ name: String, _ text: String, _ reason: TraceWarning.Kind) {
        testDescription = name
        self.text = text
        self.reason = reason
    }

    static let all: [BadRow] = [
        BadRow("a word", "1382349609,0.1,word,0.9", .notANumber),
        BadRow("an empty field", "1382349609,0.1,,0.9", .notANumber),
        BadRow("a number and a half", "1382349609,0.1,0.2.3,0.9", .notANumber),
        BadRow("a sign alone", "1382349609,0.1,-,0.9", .notANumber),
        BadRow("two signs", "1382349609,0.1,--1,0.9", .notANumber),
        BadRow("a decimal separator alone", "1382349609,0.1,.,0.9", .notANumber),
        BadRow("an exponent without digits", "1382349609,0.1,1e,0.9", .notANumber),
        BadRow("hexadecimal digits", "1382349609,0.1,0x1F,0.9", .notANumber),
        BadRow("a blank inside a number", "1382349609,0.1,0 2,0.9", .notANumber),
        BadRow("a NUL byte", "1382349609,0.1,0.\u{0}2,0.9", .notANumber),
        BadRow("a line of NUL bytes", "1382349609,\u{0}\u{0}\u{0},1,1", .notANumber),
        BadRow("letters of another script", "1382349609,0.1,٣,0.9", .notANumber),
        BadRow("an open quote", "1382349609,0.1,\"0.2,0.9", .notANumber),
        BadRow("the header once more", "time,x,y,z", .notANumber),
        BadRow("a comment", "# paused", .tooFewFields),
        BadRow("NaN", "1382349609,0.1,NaN,0.9", .notFinite),
        BadRow("nan with a sign", "1382349609,0.1,-nan,0.9", .notFinite),
        BadRow("inf", "1382349609,inf,0.1,0.9", .notFinite),
        BadRow("-Infinity", "1382349609,0.1,0.1,-Infinity", .notFinite),
        BadRow("∞", "1382349609,0.1,\u{2212}\u{221E},0.9", .notFinite),
        BadRow("NA", "1382349609,NA,0.1,0.9", .notFinite),
        BadRow("NaN for a time", "NaN,0.1,0.2,0.9", .notFinite),
        BadRow("too few fields", "1382349609,0.1,0.2", .tooFewFields),
        BadRow("a time alone", "1382349609", .tooFewFields),
        BadRow("another delimiter", "1382349609;0.1;0.2;0.9", .tooFewFields),
        BadRow("a word for a time", "now,0.1,0.2,0.9", .unreadableTime),
        BadRow("no time", ",0.1,0.2,0.9", .unreadableTime),
        BadRow("2^63 seconds", "9223372036854775808,0.1,0.2,0.9", .timeOutOfRange),
        BadRow("2^64 seconds", "18446744073709551616,0.1,0.2,0.9", .timeOutOfRange),
        BadRow("-2^63 seconds", "-9223372036854775808,0.1,0.2,0.9", .timeOutOfRange),
        BadRow("1e308 seconds", "1e308,0.1,0.2,0.9", .timeOutOfRange),
        BadRow("1e99999999999 seconds", "1e99999999999,0.1,0.2,0.9", .timeOutOfRange),
        BadRow("a thousand digits of seconds", String(repeating: "7", count: 1000) + ",0.1,0.2,0.9", .timeOutOfRange),
        BadRow("the year 2200", "7258118400,0.1,0.2,0.9", .timeOutOfRange),
        BadRow("the year 1899", "-2240524800,0.1,0.2,0.9", .timeOutOfRange),
        BadRow("more than 1000 g", "1382349609,1000.5,0.2,0.9", .implausibleAcceleration),
        BadRow("less than -1000 g", "1382349609,0.1,0.2,-1001", .implausibleAcceleration),
        BadRow("1e308 g", "1382349609,0.1,1e308,0.9", .implausibleAcceleration),
        BadRow("1e309 g", "1382349609,0.1,1e309,0.9", .implausibleAcceleration),
        BadRow("a long line", String(repeating: "1,", count: 40000), .lineTooLong),
        BadRow("a line longer than the opening", String(repeating: "1,", count: 400_000), .lineTooLong),
    ]
}

@Suite("Rows that cannot be used")
struct BadRowTests {
    private static func plain(_ row: Int) -> String { Walk.joined([Walk.epoch(row)] + Walk.text(row)) }

    @Test("cost themselves, are counted by reason, and their first line is named", arguments: BadRow.all)
    func badRow(bad: BadRow) throws {
        let text = Walk.lines("time,x,y,z") { row in
            Self.plain(row) + (row == 120 || row == 150 ? "\n\(bad.text)" : "")
        }
        let good = try ReadTrace(text: Walk.lines("time,x,y,z", Self.plain))
        let trace = try ReadTrace(text: text)
        #expect(trace.samples == good.samples)
        #expect(trace.warnings == ["2 rows dropped: \(bad.reason.rawValue) (first at line 123)"])
    }

    @Test("may be the first ones below the header, or the last one, cut by the end of the file")
    func firstAndLast() throws {
        let text = "time,x,y,z\nstarting\n,,,\n" + Walk.lines(nil, Self.plain) + "1382349610,0.1,-"
        let trace = try ReadTrace(text: text)
        #expect(trace.samples.count == Walk.count)
        #expect(
            trace.warnings == [
                "2 rows dropped: not a number (first at line 3)",
                "1 row dropped: too few fields (first at line 2)",
            ])
    }

    @Test("do not go on in the next row when they end too soon", arguments: ["1", "1,0", "1,0,0"])
    func short(row: String) throws {
        let text = Walk.lines("time,x,y,z") { index in
            Walk.joined([Walk.seconds(index)] + Walk.text(index)) + (index == 100 ? "\n\(row)" : "")
        }
        let trace = try ReadTrace(text: text)
        #expect(trace.samples.count == Walk.count)
        #expect(trace.warnings == ["1 row dropped: too few fields (first at line 103)"])
    }

    @Test("keep their place in time where there is no time column")
    func place() throws {
        let text = Walk.lines("x,y,z") { $0 == 50 ? "oops,0,1" : Walk.joined(Walk.text($0)) }
        let trace = try ReadTrace(text: text, TraceOptions(sampleRate: 100))
        #expect(trace.samples.count == Walk.count - 1)
        #expect(trace.milliseconds[49] == 490)
        #expect(trace.milliseconds[50] == 510)
    }

    @Test("dates that do not exist are such rows too")
    func dates() throws {
        let text = Walk.lines("time,x,y,z") { row in
            let date = row == 7 ? "2013-02-30" : row == 8 ? "2013-13-01" : row == 9 ? "0000-00-00" : "2013-10-21"
            return Walk.joined([(row == 10 ? "2013-10-21 24:00:00" : "\(date) \(Walk.clock(row))")] + Walk.text(row))
        }
        let trace = try ReadTrace(text: text)
        #expect(trace.samples.count == Walk.count - 4)
        #expect(
            trace.warnings == [
                "1 row dropped: unreadable time (first at line 12)",
                "3 rows dropped: time out of range (first at line 9)",
            ])
    }

    @Test("at the top do not set what times count from", arguments: ["99999999", "-5e9", "1e300", "nan", "x"])
    func origin(time: String) throws {
        let text = "time,x,y,z\n\(time),0,0,1\n" + Walk.lines { Walk.joined([Walk.seconds($0)] + Walk.text($0)) }
        let trace = try ReadTrace(text: text)
        #expect(trace.samples.count == Walk.count)
        #expect(trace.samples.first?.time == .epoch)
        #expect(trace.warnings.count == 1)
    }

    @Test("left over from another time stand at the top of some logs")
    func stale() throws {
        let text = Walk.lines("time,seconds_elapsed,z,y,x") { row in
            row < 2
                ? "\((Walk.start - 328_883) * 1_000_000_000),-328883.0,0,0,0"
                : Walk.joined([Walk.epoch(row, zeros: "000000"), Walk.seconds(row)] + Walk.metres(row).reversed())
        }
        let trace = try ReadTrace(text: text)
        #expect(trace.samples.count == Walk.count - 2)
        #expect(trace.samples.first?.time.description == "2013-10-21T10:00:08.020Z")
        #expect(trace.warnings == ["2 rows dropped: time far from that of the rows that follow (first at line 2)"])
    }

    @Test("no bytes whatever stop the reader", arguments: 0..<60)
    func noise(seed: Int) throws {
        var state = UInt64(seed) &* 0x9E37_79B9_7F4A_7C15 | 1
        func next(_ bound: Int) -> Int {
            state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            return Int(state >> 33) % bound
        }
        var bytes = Array(Walk.lines(seed % 2 == 0 ? "time,x,y,z" : nil, Self.plain).utf8)
        for _ in 0..<(1 << (seed % 10)) {
            let pieces: [String] = [
                ",", "\"", "\n", "\r", "e9", "-", "9999999999", ".", ";", "\u{0}", ":", "T", "nan", "é",
            ]
            bytes.insert(contentsOf: Array(pieces[next(pieces.count)].utf8), at: next(bytes.count))
            if next(3) == 0 { bytes[next(bytes.count)] = UInt8(next(256)) }
        }
        try withFile(seed % 7 == 0 ? gzipped(bytes) : bytes) { file in
            do {
                let trace = try ReadTrace(file, chunkSize: 1 + next(5000))
                #expect(trace.samples.count <= Walk.count + 600)
            } catch let error as TraceError {
                #expect(error.kind == .badData)
            }
        }
    }
}
