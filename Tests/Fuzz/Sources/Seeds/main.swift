internal import Foundation

// Writes what the fuzzers begin with into a folder for each of them: small whole recordings of every sort.

let folder = URL(filePath: CommandLine.arguments.dropFirst().first ?? "seeds")

func write(_ fuzzer: String, _ name: String, _ bytes: [UInt8]) throws {
    let place = folder.appending(path: fuzzer)
    try FileManager.default.createDirectory(at: place, withIntermediateDirectories: true)
    try Data(bytes).write(to: place.appending(path: name))
}

for packing in AxivityFile.Packing.allCases {
    let file = AxivityFile(packing: packing, swapped: packing == .sixAxes ? 50 : 0)
    try write("FuzzAxivity", "\(packing)", file.bytes(sectors: 4))
}
try write("FuzzAxivity", "old", AxivityFile(rateCode: 0).bytes(sectors: 4))

let geneActiv = GENEActivFile().bytes(pages: 2)
try write("FuzzGENEActiv", "whole", geneActiv)
try write("FuzzGENEActiv", "cut", Array(geneActiv.dropLast(1000)))

try write("FuzzGENEA", "whole", GENEAFile.bytes(seconds: 5))
try write("FuzzMatrix", "whole", MatrixFile.bytes(packets: 3))

for packing in ActiGraphFile.Packing.allCases {
    let file = ActiGraphFile(packing: packing)
    let parameters = ActiGraphFile.record(
        21, ActiGraphFile.start, .little(UInt16(0)) + .little(UInt16(55)) + .little(UInt32(0x0940_0000)))
    let metadata = ActiGraphFile.record(
        6, ActiGraphFile.start, Array(#"{"MetadataType":"LocalTimeLog","UsedUtc":true}"#.utf8))
    let log =
        parameters + metadata + file.activity(0) + ActiGraphFile.event(1, 8) + ActiGraphFile.event(5, 9)
        + file.activity(5)
    try write("FuzzActiGraph", "\(packing)", file.infoText + [0] + log)
    try write("FuzzArchive", "\(packing)", file.bytes(log: log, isDeflated: packing == .words))
}
for (name, frames) in [
    ("witmotion", (0..<20).map { WireLog.witMotion($0, hasTime: true) }), ("card", (0..<20).map(WireLog.record)),
    ("ximu3", (0..<20).map(WireLog.ximu3)), ("mavlink", (0..<20).map(WireLog.telemetry)),
] {
    try write("FuzzWire", name, Array(frames.joined()))
}
let table = Array("time,x,y,z\n0,0.1,0.2,0.97\n0.01,0.1,0.2,0.98\n0.02,0.1,0.2,0.97\n".utf8)
for (name, header, rows) in [
    ("seconds", "time,x,y,z", ["0,0.1,0.2,0.97", "0.01,0.1,-0.2,0.98", "0.02,1e-1,0.2,.97"]),
    ("epoch", "timestamp;ax;ay;az", ["1790000400,125;0,1;0,2;9,71", "1790000400,135;0,1;0,2;9,72"]),
    ("dates", "time,x,y,z", ["2026-11-21T12:59:59.99Z,0.1,0.2,0.97", "2026-11-21T13:00:00.00Z,0.1,0.2,0.97"]),
    ("apart", "date,time,x,y,z", ["21.11.2026,12:00:00.00,1,2,1001", "21.11.2026,12:00:00.01,1,2,1002"]),
    ("intervals", "dt_ms,x,y,z", ["10,12,-7,16390", "10,13,-8,16380"]),
] {
    try write("FuzzText", name, Array(([header] + rows).joined(separator: "\n").utf8))
}
let times = Array("\"event\",\"experiment time\",\"system time\"\n\"START\",0,1382349608.25\n".utf8)
let export = [(name: "Raw Data.csv", content: table), (name: "meta/time.csv", content: times)]
try write("FuzzArchive", "phone", zipped(export, isDeflated: true))
let titles = "time,seconds_elapsed,z,y,x\n"
let motion = Array((titles + "1767620467350470700,0,1.1,0.2,0.1\n1767620467360470700,0.01,1,0,0\n").utf8)
let gravity = Array((titles + "1767620467350470700,0,9.7,0.1,0.2\n").utf8)
let apart = [(name: "Accelerometer.csv", content: motion), (name: "Gravity.csv", content: gravity)]
try write("FuzzArchive", "apart", zipped(apart))
try write("FuzzArchive", "large", zipped(export, isLarge: true))
try write("FuzzArchive", "gzip", gzipped(zipped(export)))
