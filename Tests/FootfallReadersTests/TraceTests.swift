import Footfall
import FootfallReaders
import Foundation
import Testing

@Suite("A trace")
struct TraceTests {
    @Test("is read batch by batch, tells how far it is, and stays at its end")
    func batches() throws {
        let text = Walk.lines("time,x,y,z", rows: 0..<20000) { row in
            Walk.joined([Walk.seconds(row)] + Walk.text(row % 500))
        }
        try withFile(text.utf8) { file in
            var trace = try Trace(contentsOf: file)
            var progress: [Double] = []
            var sizes: [Int] = []
            var last = Timestamp.supported.lowerBound
            while let batch = try trace.nextBatch() {
                #expect(batch.times.first.map { $0 > last } ?? false)
                last = batch.times.last ?? last
                sizes.append(batch.count)
                progress.append(trace.progress)
            }
            #expect(sizes == [4096, 4096, 4096, 4096, 3616])
            #expect(progress == progress.sorted())
            #expect(progress.allSatisfy { (0...1).contains($0) })
            #expect(trace.progress == 1)
            #expect(try trace.nextBatch() == nil)
            #expect(trace.warnings.isEmpty)
        }
    }

    @Test("may come through a pipe")
    func pipe() throws {
        let text = Walk.lines("time,x,y,z") { Walk.joined([Walk.epoch($0)] + Walk.text($0)) }
        let pipe = Pipe()
        try pipe.fileHandleForWriting.write(contentsOf: Data(text.utf8))
        try pipe.fileHandleForWriting.close()
        let descriptor = pipe.fileHandleForReading.fileDescriptor
        let trace = try ReadTrace(URL(filePath: "/dev/fd/\(descriptor)"))
        #expect(trace.samples.count == Walk.count)
    }

    @Test("says how it was understood in one line")
    func description() throws {
        let trace = try ReadTrace(
            text: Walk.lines("time;x;y;z") { Walk.joined([Walk.seconds($0)] + Walk.text($0), ";") })
        #expect(
            trace.layout.description
                == "CSV; semicolon-separated; time in 'time' as s since start (from the values); "
                + "axes in 'x', 'y', 'z'; in g (from the values)")
    }

    @Test(
        "is told its columns by a list",
        arguments: [
            ("time,x,y,z", true), ("1, 2, 3, 4", true), ("0,1,2,3", false), ("x,y,z", true), ("x,y", false),
            ("a,b,c,d,e", false),
            ("a,,c,d", false), ("", false),
        ])
    func columns(list: String, isOne: Bool) {
        #expect((SensorColumns(list) != nil) == isOne)
        if list == "1, 2, 3, 4" {
            #expect(SensorColumns(list) == SensorColumns(time: .number(1), x: .number(2), y: .number(3), z: .number(4)))
        }
    }

    @Test("numbers its columns from 1, in its layout as in the options")
    func columnNumbers() throws {
        let text = Walk.lines { Walk.joined(["7", Walk.epoch($0)] + Walk.text($0)) }
        let trace = try ReadTrace(text: text)
        let table = try #require(trace.layout.table)
        let numbers = [table.timeColumn].compactMap(\.self).map(\.number) + table.axisColumns.map(\.number)
        #expect(numbers == [2, 3, 4, 5])
        #expect(trace.layout.description.contains("axes in column 3, column 4, column 5"))
        let list = numbers.map(String.init).joined(separator: ",")
        let named = try ReadTrace(text: text, TraceOptions(columns: SensorColumns(list)))
        #expect(named.samples == trace.samples)
        let chosen = try ReadTrace(text: text, TraceOptions(rows: [try #require(RowCondition("1=7"))]))
        #expect(chosen.samples == trace.samples)
    }
}
