import Footfall
import FootfallHistory
import FootfallReaders
import Foundation

let history = try MotionHistory(at: URL(filePath: "steps.sqlite"))
var trace = try Trace(contentsOf: URL(filePath: "walk.csv"))
var analyzer = MotionAnalyzer()
while let batch = try trace.nextBatch() {
    try history.record(analyzer.analyze(batch), from: "wrist")
}
try history.record(analyzer.finish(), from: "wrist")

let day = DateInterval(start: Date(timeIntervalSince1970: 0), duration: 86_400)
let steps = try history.steps(in: day)
print("\(steps.count) steps, \(steps.coverage) s of it covered")
for walk in try history.activities(in: day, where: .activity(.walking)) {
    print(walk.interval, walk.steps, walk.confidence)
}
