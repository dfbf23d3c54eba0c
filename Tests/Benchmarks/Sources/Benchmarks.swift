import Foundation

/// Measures Footfall, prints a table and stores its figures for the next run, in some minutes on an idle machine.
@main
struct Benchmarks {
    static func main() throws {
        let arguments = CommandLine.arguments
        guard arguments.count == 3 else {
            print("usage: benchmarks FOOTFALL FIGURES")
            print("FOOTFALL is the release build of the command, FIGURES the file of the last figures.")
            exit(64)
        }
        let (command, figures) = (URL(filePath: arguments[1]), URL(filePath: arguments[2]))
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("footfall-bench-\(UUID())")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        var load = [0.0]
        getloadavg(&load, 1)
        let started = ContinuousClock.now

        var table = Table(comparedWith: figures)
        try TraceBenchmarks.run(in: folder, command, &table)
        try AnalysisBenchmarks.run(&table)
        try HistoryBenchmarks.run(in: folder, &table)
        table.print()
        try table.save(to: figures)

        let seconds = (ContinuousClock.now - started) / .seconds(1)
        print("\n\(ProcessInfo.processInfo.processorCount) cores, load \(load[0].short) before,", terminator: " ")
        print("\(seconds.short) s in all. The figures are in \(figures.relativePath).")
    }
}
