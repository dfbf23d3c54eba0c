import Footfall
import FootfallReaders
import Foundation
import Synchronization
import TestSupport
import Testing

@Suite("A trace that is read ahead")
struct ReadAheadTests {
    @Test("has the batches, the warnings and the sensor check of the trace itself")
    func sameBatches() throws {
        var lines = Walk.lines("time,x,y,z", rows: 0..<10_000) { row in
            Walk.joined([Walk.seconds(row)] + Walk.text(row % 500))
        }
        lines += "100.01,not a number,0,1\n"
        try withFile(lines.utf8) { file in
            var expected = try Trace(contentsOf: file)
            var check = SensorCheck()
            var ahead = ReadAheadTrace(try Trace(contentsOf: file))
            var batches = 0
            while let batch = try expected.nextBatch() {
                check.add(batch)
                #expect(try ahead.nextBatch() == batch)
                batches += 1
            }
            #expect(batches == 3)
            #expect(try ahead.nextBatch() == nil)
            #expect(try ahead.nextBatch() == nil)
            #expect(ahead.progress == 1)
            let summary = ahead.finish()
            #expect(summary.warnings == expected.warnings && summary.warnings.count == 1)
            #expect(summary.notes == expected.notes)
            #expect(summary.sensor.clipped == check.clipped && summary.sensor.heldShare == check.heldShare)
        }
    }

    @Test("uses the memory of batches again, but not of those that the caller keeps")
    func keptBatches() throws {
        // More batches than may wait, so that memory is used again.
        let rows = (ReadAheadTrace.capacity + 40) * 4096
        var text = "time,x,y,z\n"
        for row in 0..<rows { text += "\(row / 100).\(row / 10 % 10)\(row % 10),0.\(row % 7),0.\(row / 4096 % 9),1\n" }
        try withFile(text.utf8) { file in
            var expected = try Trace(contentsOf: file)
            var ahead = ReadAheadTrace(try Trace(contentsOf: file))
            var kept: [SampleBatch] = []
            var originals: [SampleBatch] = []
            var number = 0
            while let batch = try ahead.nextBatch() {
                let original = try #require(try expected.nextBatch())
                #expect(batch == original)
                if number.isMultiple(of: 3) {
                    kept.append(batch)
                    originals.append(original)
                }
                number += 1
            }
            #expect(number == rows / 4096)
            #expect(kept == originals)
        }
    }

    @Test("corrects the samples and checks them as the file has them")
    func correction() throws {
        let calibration = try Self.calibration()
        #expect(calibration.errorBefore > 0.01)
        let text = Walk.lines("time,x,y,z") { Walk.joined([Walk.seconds($0)] + Walk.text($0)) }
        try withFile(text.utf8) { file in
            var plain = try Trace(contentsOf: file)
            let samples = try #require(try plain.nextBatch())
            var ahead = ReadAheadTrace(try Trace(contentsOf: file), correctedBy: calibration)
            #expect(try ahead.nextBatch() == samples.calibrated(by: calibration))
        }
    }

    @Test("passes each corrected batch on before it is returned")
    func forEachBatch() throws {
        let calibration = try Self.calibration()
        let text = Walk.lines("time,x,y,z", rows: 0..<10_000) { Walk.joined([Walk.seconds($0)] + Walk.text($0 % 500)) }
        try withFile(text.utf8) { file in
            let passed = Mutex<[SampleBatch]>([])
            var ahead = ReadAheadTrace(
                try Trace(contentsOf: file), correctedBy: calibration,
                forEach: { samples in passed.withLock { $0.append(samples.batch) } })
            var count = 0
            while let batch = try ahead.nextBatch() {
                #expect(passed.withLock { $0[count] } == batch)
                count += 1
            }
            // The last samples settle everything, and have no batch.
            #expect(count == 3 && passed.withLock(\.count) == 4)
        }
    }

    /// The calibration of a sensor that reads 2 % too much, from rest in sixty orientations.
    private static func calibration() throws -> SensorCalibration {
        var batch = SampleBatch()
        for sample in 0..<60 * 40 {
            let window = sample / 40
            let (height, turn) = (1 - Float(2 * window + 1) / 60, Float(window) * 2.4)
            let radius = (1 - height * height).squareRoot()
            batch.append(
                time: Timestamp(nanosecondsSince1970: Int64(sample) * 250_000_000), x: 1.02 * radius * cos(turn),
                y: 1.02 * radius * sin(turn), z: 1.02 * height)
        }
        var check = SensorCheck()
        check.add(batch)
        return try check.calibration().get()
    }

    @Test("throws the error of the trace")
    func failure() throws {
        let rows = (0..<100).map { "\($0 * 20),5000,0,1\n" }.joined()
        try withFile(("time,x,y,z\n" + rows).utf8) { file in
            var options = TraceOptions()
            options.unit = .g
            var trace = try Trace(contentsOf: file, options: options)
            let expected = try #require(throws: TraceError.self) { try trace.nextBatch() }
            var ahead = ReadAheadTrace(try Trace(contentsOf: file, options: options))
            let error = try #require(throws: TraceError.self) { try ahead.nextBatch() }
            #expect(error == expected)
            #expect(ahead.finish().warnings == trace.warnings && !trace.warnings.isEmpty)
        }
    }

    @Test("is read no further than the queue has room, and is closed when it is dropped")
    func bounds() throws {
        let rows = Array("0.01,-0.02,0.98\n".utf8)
        let limit = (ReadAheadTrace.capacity + 2) * 4096 * rows.count
        try withFile([]) { file in
            let writer = try PipeWriter(at: file.path + ".pipe", repeating: rows, count: 2 * limit / rows.count)
            var options = TraceOptions()
            options.sampleRate = 100
            do {
                var ahead = ReadAheadTrace(try Trace(contentsOf: URL(filePath: writer.path), options: options))
                #expect(try ahead.nextBatch()?.count == 4096)
                #expect(blockUntil { writer.written > 4096 * rows.count })
                var written = -1
                // The writer stops once the queue is full. Each sleep lets it write more; the bound always holds.
                while writer.written != written {
                    written = writer.written
                    Thread.sleep(forTimeInterval: 0.5)
                }
                // The buffers of the pipe and of the reader are smaller than 1 MiB.
                #expect(written <= limit + 1 << 20)
                #expect(ahead.finish().warnings.isEmpty)
            }
            writer.waitUntilClosed()
            #expect(writer.isRefused)
        }
    }
}

/// Writes into a named pipe, on a thread of its own, until all is written or the pipe has no reader.
private final class PipeWriter: Sendable {
    private struct State {
        var written = 0
        var isRefused = false
    }

    let path: String
    private let state = Mutex(State())
    private let end = DispatchSemaphore(value: 0)

    init(at path: String, repeating rows: [UInt8], count: Int) throws {
        self.path = path
        guard mkfifo(path, 0o600) == 0 else { throw POSIXError(.EIO) }
        let block = Array(repeatElement(rows, count: 1024).joined())
        Thread.detachNewThread { self.write(block, count: count / 1024) }
    }

    var written: Int { state.withLock { $0.written } }
    /// Whether the reader closed the pipe before all was written.
    var isRefused: Bool { state.withLock { $0.isRefused } }

    func waitUntilClosed() { end.wait() }

    private func write(_ block: [UInt8], count: Int) {
        // A write without a reader must fail instead of ending the process.
        var signals = sigset_t()
        sigemptyset(&signals)
        sigaddset(&signals, SIGPIPE)
        pthread_sigmask(SIG_BLOCK, &signals, nil)
        let descriptor = open(path, O_WRONLY)
        for _ in 0..<count {
            guard Glibc.write(descriptor, block, block.count) == block.count else {
                state.withLock { $0.isRefused = true }
                break
            }
            state.withLock { $0.written += block.count }
        }
        close(descriptor)
        end.signal()
    }
}
