import Footfall
import FootfallWire
import TestSupport
import Testing

@Suite("Damage")
struct DamageTests {
    /// A stream in which something happened to some of its frames, and which frames were left whole.
    private struct Damaged {
        var bytes: [UInt8] = []
        var whole: [Int] = []

        init(_ stream: Stream, _ generator: inout SeededGenerator) {
            for (index, frame) in stream.frames.enumerated() {
                if Int.random(in: 0..<5, using: &generator) == 0 {
                    let next = index + 1 < stream.frames.count ? stream.frames[index + 1] : []
                    var spoilt = Damaged.spoil(frame, &generator)
                    while Damaged.mayDeceive(spoilt, frame, next) { spoilt = Damaged.spoil(frame, &generator) }
                    bytes += spoilt
                } else {
                    whole.append(index)
                    bytes += frame
                }
            }
        }

        /// Whether nobody can tell: there is an 11-byte frame with a good sum where there was none before, as in one of 256
        /// damaged frames; or the next frame begins with the byte that this one lost.
        private static func mayDeceive(_ spoilt: [UInt8], _ frame: [UInt8], _ next: [UInt8]) -> Bool {
            func frames(_ bytes: [UInt8]) -> Set<[UInt8]> {
                let starts = bytes.indices.dropLast(10).filter { bytes[$0] == 0x55 && bytes[$0 + 1] >> 4 == 5 }
                return Set(starts.map { Array(bytes[$0..<$0 + 11]) }.filter { $0.prefix(10).reduce(0, &+) == $0[10] })
            }
            let (damaged, whole) = (spoilt + next, frame + next)
            return !frames(damaged).isSubset(of: frames(whole)) || damaged.starts(with: frame)
        }

        /// One thing that goes wrong on a wire.
        private static func spoil(_ frame: [UInt8], _ generator: inout SeededGenerator) -> [UInt8] {
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

    @Test("a thousand times over: no reading of a damaged frame, every good frame after it used", arguments: Stream.all)
    func damage(stream: Stream) {
        var generator = SeededGenerator(seed: 2026)
        for _ in 0..<50 {
            let damaged = Damaged(stream, &generator)
            let decoded = Decoded(damaged.bytes, as: stream.wire, pieces: [Int.random(in: 1...300, using: &generator)])
            // Which frame each reading is of, by its values, which differ from frame to frame.
            let found = decoded.vectors.map { vector in
                (0..<100).first { isClose(vector, Sway.vector($0), within: 0.0011) }
            }
            guard stream.isChecked else {
                // Without a checksum, what is used must at least be what a sensor may have sent.
                #expect(decoded.readings.count <= 101)
                continue
            }
            let isOnlyGood = found.allSatisfy { $0 != nil }
            #expect(isOnlyGood)
            let used = Set(found.compactMap { $0 })
            #expect(used.isSuperset(of: damaged.whole))
        }
    }

    @Test("of any kind at all: no crash, no more readings than there may be", arguments: WireProtocol.allCases)
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
