import Footfall
import FootfallReaders
import TestSupport
import Testing

@Suite("Damage")
struct DamageTests {
    /// A stream with some damaged frames.
    private struct Damaged {
        var bytes: [UInt8] = []
        /// The frames whose reading must survive: the bytes of the reading are intact.
        var intact: Set<Int> = []
        /// The frames without any damage.
        var whole: Set<Int> = []

        init(_ stream: Stream, _ generator: inout SeededGenerator) {
            for (index, frame) in stream.frames.enumerated() {
                guard Int.random(in: 0..<5, using: &generator) == 0 else {
                    whole.insert(index)
                    intact.insert(index)
                    bytes += frame
                    continue
                }
                let next = index + 1 < stream.frames.count ? stream.frames[index + 1] : []
                var damaged = Damaged.damage(frame, &generator)
                while Damaged.isUndetectable(damaged, frame, next) { damaged = Damaged.damage(frame, &generator) }
                bytes += damaged
                let body = frame[stream.body(frame)]
                let starts = damaged.indices.dropLast(body.count - 1)
                if starts.contains(where: { damaged[$0...].starts(with: body) }) { intact.insert(index) }
            }
        }

        /// Whether no decoder can detect the damage: a new 11-byte frame has a valid sum, as in one of 256 damaged
        /// frames, or the next frame begins with the byte that this one lost.
        private static func isUndetectable(_ damaged: [UInt8], _ frame: [UInt8], _ next: [UInt8]) -> Bool {
            func frames(_ bytes: [UInt8]) -> Set<[UInt8]> {
                let starts = bytes.indices.dropLast(10).filter { bytes[$0] == 0x55 && bytes[$0 + 1] >> 4 == 5 }
                return Set(starts.map { Array(bytes[$0..<$0 + 11]) }.filter { $0.prefix(10).reduce(0, &+) == $0[10] })
            }
            let (after, before) = (damaged + next, frame + next)
            return !frames(after).isSubset(of: frames(before)) || after.starts(with: frame)
        }

        /// Changes, removes or inserts bytes.
        private static func damage(_ frame: [UInt8], _ generator: inout SeededGenerator) -> [UInt8] {
            var frame = frame
            let place = frame.indices.randomElement(using: &generator) ?? 0
            switch Int.random(in: 0..<5, using: &generator) {
            case 0: frame[place] ^= 1 << UInt8.random(in: 0..<8, using: &generator)
            case 1: frame[place] = frame[place] &+ UInt8.random(in: 1...255, using: &generator)
            case 2: frame.remove(at: place)
            case 3: frame.removeSubrange(place...)
            default: frame.insert(0, at: place)
            }
            return frame
        }
    }

    @Test(
        "of frames with a checksum: exactly the frames with an intact reading survive, unchanged",
        arguments: Stream.all.filter(\.isChecked))
    func checkedFrames(stream: Stream) {
        let undamaged = Decoded(stream.bytes, as: stream.wire).readings
        #expect(undamaged.count == stream.frames.count)
        var generator = SeededGenerator(seed: 2026)
        for _ in 0..<50 {
            let damaged = Damaged(stream, &generator)
            #expect(damaged.whole.count < stream.frames.count)
            let decoded = Decoded(damaged.bytes, as: stream.wire, pieces: [Int.random(in: 1...300, using: &generator)])
            let intact = damaged.intact.sorted()
            #expect(decoded.vectors == intact.map { undamaged[$0].vector })
            for (reading, frame) in zip(decoded.readings, intact) where damaged.whole.contains(frame) {
                #expect(reading.deviceTime == undamaged[frame].deviceTime)
            }
        }
    }

    /// A detectable damage of a frame without a checksum, and the frames it costs, counted from the damaged one.
    private struct Damage: Sendable {
        var change: @Sendable (inout [UInt8]) -> Void
        var lost: [Int]

        init(lost: [Int] = [0], _ change: @escaping @Sendable (inout [UInt8]) -> Void) {
            self.change = change
            self.lost = lost
        }

        private static let control = Damage { $0[$0.count / 2] = 7 }
        private static let marker = Damage(lost: [-1, 0]) { $0[0] ^= 1 }
        private static let cut = [3, 7, 15].map { count in Damage { $0.removeLast(count) } }
        private static let excess = Damage { $0.append(0) }

        static let all: [String: [Damage]] = [
            "text": [
                control, Damage { $0[0] = 7 }, Damage { $0.remove(at: $0.firstIndex(of: 0x2C) ?? 0) },
                Damage(lost: [0, 1]) { $0.removeLast(2) },
            ],
            "text with labels": [control, Damage { $0[0] = 7 }],
            // A record before damage is lost, because only the next record verifies it.
            "WitMotion on Bluetooth": cut + [marker, excess],
            "WitMotion on an SD card": cut + [marker, excess],
            "WitMotion on Wi-Fi": cut + [
                Damage { $0[1] ^= 1 }, Damage { $0[53] ^= 1 }, Damage { $0.insert(0, at: 30) },
            ],
            "x-IMU3": [
                Damage { $0.removeSubrange($0.count - 5..<$0.count - 1) }, Damage { $0.insert(1, at: $0.count - 1) },
                Damage(lost: [0, 1]) { $0.removeLast() },
            ],
            "x-IMU3 in text": [
                control, Damage { $0[$0.lastIndex(of: 0x2C) ?? 0] = 0x3B }, Damage(lost: [0, 1]) { $0.removeLast() },
            ],
        ]
    }

    @Test(
        "of frames without a checksum: every other frame survives, unchanged",
        arguments: Stream.all.filter { !$0.isChecked })
    func uncheckedFrames(stream: Stream) throws {
        let undamaged = Decoded(stream.bytes, as: stream.wire).readings
        // The first line of text may be cut, so it gives no reading.
        let first = stream.wire == .text ? 1 : 0
        #expect(undamaged.count == stream.frames.count - first)
        for damage in try #require(Damage.all[stream.testDescription]) {
            for frame in stride(from: 40, to: 90, by: 7) {
                var frames = stream.frames
                damage.change(&frames[frame])
                #expect(frames[frame] != stream.frames[frame])
                let lost = Set(damage.lost.map { frame + $0 - first })
                let survivors = undamaged.indices.filter { !lost.contains($0) }.map { undamaged[$0] }
                for pieces in [[Int.max], [1], [50]] {
                    #expect(Decoded(frames.flatMap { $0 }, as: stream.wire, pieces: pieces).readings == survivors)
                }
            }
        }
    }

    @Test("of any kind: no crash, no implausible reading, no influence of the pieces", arguments: WireProtocol.allCases)
    func noise(wire: WireProtocol) {
        var generator = SeededGenerator(seed: 77)
        let streams = Stream.all.map(\.bytes)
        for _ in 0..<60 {
            var bytes: [UInt8] = []
            for _ in 0..<6 {
                let stream = streams.randomElement(using: &generator) ?? []
                let start = Int.random(in: 0..<stream.count, using: &generator)
                bytes += stream[start..<min(stream.count, start + Int.random(in: 0..<300, using: &generator))]
                bytes += (0..<Int.random(in: 0..<40, using: &generator)).map { _ in
                    UInt8.random(in: .min ... .max, using: &generator)
                }
            }
            let pieces = [Int.random(in: 1...300, using: &generator)]
            let decoded = Decoded(bytes, as: wire, pieces: pieces)
            #expect(decoded.readings.count <= bytes.count / 6)
            #expect(decoded.readings == Decoded(bytes, as: wire).readings)
            #expect(decoded.readings.allSatisfy { abs($0.x) <= 1000 && abs($0.y) <= 1000 && abs($0.z) <= 1000 })
            #expect(Decoded(bytes, pieces: pieces).readings == Decoded(bytes).readings)
        }
    }
}
