// swift-tools-version: 6.2
import PackageDescription

let package = Package(
    name: "footfall",
    // Linux is the home of this package. `InlineArray`, and `span` and `mutableSpan` of `Array`, need these versions; the spans
    // themselves exist from macOS 10.14 on, and those of `ContiguousArray` too. With arrays on the heap in place of `InlineArray`
    // the analysis takes 24 % more instructions. With structs around tuples in the two networks alone it takes 1.6 % more, and
    // every access by index goes through an unsafe pointer. Nothing has been built there.
    platforms: [.macOS(.v26), .iOS(.v26)],
    products: [
        .executable(name: "footfall", targets: ["FootfallCommand"]),
        .library(name: "Footfall", targets: ["Footfall"]),
        .library(name: "FootfallReaders", targets: ["FootfallReaders"]),
        .library(name: "FootfallLive", targets: ["FootfallLive"]),
        .library(name: "FootfallHistory", targets: ["FootfallHistory"]),
        .library(name: "FootfallCoreMotion", targets: ["FootfallCoreMotion"]),
        .library(name: "FootfallEvaluation", targets: ["FootfallEvaluation"]),
        .library(name: "FootfallMeasures", targets: ["FootfallMeasures"]),
        .library(name: "FootfallStudy", targets: ["FootfallStudy"]),
        .library(name: "FootfallReport", targets: ["FootfallReport"]),
        .library(name: "FootfallServer", targets: ["FootfallServer"]),
        .library(name: "FootfallSimulator", targets: ["FootfallSimulator"]),
        .library(name: "FootfallC", type: .dynamic, targets: ["FootfallC"]),
    ],
    // A program that needs less names what it needs, and fetches no package for the rest: `traits: []` is the analysis, the
    // readers, the devices, the measures and the simulator.
    traits: [
        .default(enabledTraits: ["Command"]),
        .trait(name: "History", description: "The history, reports, studies, and the classes of Core Motion."),
        .trait(name: "Server", description: "The history over HTTP.", enabledTraits: ["History"]),
        .trait(name: "Command", description: "The command `footfall`.", enabledTraits: ["Server"]),
    ],
    // Versions from the one that is tested to the next that may break a promise. A history depends on how GRDB opens and closes
    // SQLite, and the help and the exit codes on the argument parser, so these two stay within a minor version.
    dependencies: [
        .package(url: "https://github.com/groue/GRDB.swift", .upToNextMinor(from: "7.10.0")),
        .package(url: "https://github.com/apple/swift-argument-parser", .upToNextMinor(from: "1.8.2")),
        .package(url: "https://github.com/apple/swift-log", from: "1.16.0"),
        .package(url: "https://github.com/apple/swift-nio", from: "2.101.2"),
    ],
    targets: [
        // C libraries
        .systemLibrary(name: "CGSL", pkgConfig: "gsl", providers: [.apt(["libgsl-dev"]), .brew(["gsl"])]),
        .systemLibrary(name: "CZlib", pkgConfig: "zlib", providers: [.apt(["zlib1g-dev"]), .brew(["zlib"])]),

        // The house: each target may import what stands in its own line, nothing else.
        .target(
            name: "Footfall",
            resources: ["walking-gate", "walking-check", "wave-check", "activity", "activity-wave"].map {
                .embedInCode("Models/\($0).weights")
            }),
        .target(
            name: "FootfallReaders", dependencies: ["Footfall", "CZlib"],
            resources: [.embedInCode("Evidence/motion-evidence.weights")]),
        .target(name: "FootfallTables", dependencies: ["FootfallReaders", "Footfall"]),
        .target(name: "FootfallLive", dependencies: ["FootfallReaders", "Footfall"]),
        .target(
            name: "FootfallHistory",
            dependencies: [
                "FootfallTables", "FootfallReaders", "Footfall",
                .product(name: "GRDB", package: "GRDB.swift", condition: .when(traits: ["History"])),
                .product(name: "GRDBSQLite", package: "GRDB.swift", condition: .when(traits: ["History"])),
            ]
        ),
        .target(
            name: "FootfallCoreMotion",
            dependencies: ["FootfallHistory", "FootfallLive", "FootfallReaders", "Footfall"]),
        .target(
            name: "FootfallEvaluation",
            dependencies: ["FootfallMeasures", "FootfallTables", "FootfallReaders", "Footfall"]),
        .target(name: "FootfallMeasures", dependencies: ["FootfallTables", "Footfall", "CGSL"]),
        .target(
            name: "FootfallStudy",
            dependencies: [
                "FootfallReaders", "FootfallMeasures", "FootfallHistory", "FootfallTables", "Footfall",
                .product(name: "GRDB", package: "GRDB.swift", condition: .when(traits: ["History"])),
                .product(name: "GRDBSQLite", package: "GRDB.swift", condition: .when(traits: ["History"])),
            ]),
        .target(
            name: "FootfallReport",
            dependencies: ["FootfallMeasures", "FootfallHistory", "FootfallTables", "FootfallReaders", "Footfall"],
            resources: ["report", "day"].map { .embedInCode("History/\($0).css") }),
        .target(
            name: "FootfallServer",
            dependencies: [
                "FootfallReport", "FootfallHistory", "FootfallTables", "FootfallReaders", "Footfall",
                .product(name: "NIOCore", package: "swift-nio", condition: .when(traits: ["Server"])),
                .product(name: "NIOHTTP1", package: "swift-nio", condition: .when(traits: ["Server"])),
                .product(name: "NIOPosix", package: "swift-nio", condition: .when(traits: ["Server"])),
            ],
            resources: [.embedInCode("Live/live.js")]
        ),
        .target(name: "FootfallSimulator", dependencies: ["Footfall"]),
        // The C interface: its header, and its functions in Swift, which the compiler compares with the header.
        .systemLibrary(name: "CFootfall"),
        .target(
            name: "FootfallC",
            dependencies: ["CFootfall", "FootfallHistory", "FootfallReaders", "Footfall"]),
        .executableTarget(
            name: "FootfallCommand",
            dependencies: [
                "Footfall", "FootfallReaders", "FootfallTables", "FootfallLive", "FootfallHistory",
                "FootfallEvaluation", "FootfallMeasures", "FootfallStudy", "FootfallReport", "FootfallServer",
                "FootfallSimulator",
                .product(
                    name: "ArgumentParser", package: "swift-argument-parser", condition: .when(traits: ["Command"])),
                .product(name: "Logging", package: "swift-log", condition: .when(traits: ["Command"])),
            ]
        ),

        // Tests
        .target(name: "TestSupport", dependencies: ["Footfall"], path: "Tests/TestSupport"),
        .testTarget(name: "FootfallTests", dependencies: ["Footfall", "FootfallSimulator", "TestSupport"]),
        .testTarget(name: "FootfallReadersTests", dependencies: ["FootfallReaders", "Footfall", "TestSupport"]),
        .testTarget(
            name: "FootfallLiveTests",
            dependencies: ["FootfallLive", "FootfallReaders", "Footfall", "FootfallSimulator", "TestSupport"]),
        .testTarget(
            name: "FootfallHistoryTests",
            dependencies: [
                "FootfallHistory", "FootfallTables", "FootfallReaders", "FootfallLive", "Footfall",
                "FootfallSimulator", "HistoryRecorder", "TestSupport",
                .product(name: "GRDB", package: "GRDB.swift"),
            ],
            exclude: ["Stored"]
        ),
        // A process that records, for tests that kill it or limit its file size.
        .executableTarget(
            name: "HistoryRecorder", dependencies: ["FootfallHistory", "FootfallReaders", "Footfall"],
            path: "Tests/HistoryRecorder"),
        .testTarget(
            name: "FootfallCoreMotionTests",
            dependencies: [
                "FootfallCoreMotion", "FootfallHistory", "FootfallLive", "FootfallReaders", "Footfall",
                "FootfallSimulator", "TestSupport",
            ]
        ),
        .testTarget(
            name: "FootfallReportTests",
            dependencies: [
                "FootfallReport", "FootfallHistory", "FootfallReaders", "Footfall", "FootfallSimulator", "TestSupport",
            ]),
        .testTarget(
            name: "FootfallEvaluationTests",
            dependencies: ["FootfallEvaluation", "FootfallReaders", "Footfall", "TestSupport"]),
        .testTarget(
            name: "FootfallMeasuresTests",
            dependencies: ["FootfallMeasures", "Footfall", "FootfallSimulator", "TestSupport"]),
        .testTarget(
            name: "FootfallServerTests",
            dependencies: [
                "FootfallServer", "FootfallHistory", "FootfallTables", "FootfallReaders", "Footfall", "TestSupport",
            ]),
        .testTarget(name: "FootfallSimulatorTests", dependencies: ["FootfallSimulator", "Footfall", "TestSupport"]),
        .testTarget(
            name: "FootfallCommandTests",
            dependencies: [
                "FootfallCommand", "Footfall", "FootfallCoreMotion", "FootfallLive", "FootfallReaders",
                "FootfallHistory", "FootfallMeasures", "FootfallTables", "FootfallStudy", "FootfallSimulator",
                "TestSupport",
            ]
        ),
        // Compiles and runs the code of the documentation, and parses its command lines.
        .testTarget(
            name: "DocumentationTests",
            dependencies: [
                "Footfall", "FootfallReaders", "FootfallLive", "FootfallHistory", "FootfallReport",
                "FootfallSimulator", "FootfallCommand", "TestSupport",
                .product(name: "ArgumentParser", package: "swift-argument-parser"),
            ]
        ),
    ],
    swiftLanguageModes: [.v6]
)

// One set of compiler settings for every Swift target.
for target in package.targets where target.type != .system {
    target.swiftSettings = [
        .enableUpcomingFeature("ExistentialAny"),  // SE-0335: an existential is spelled `any`
        .enableUpcomingFeature("InternalImportsByDefault"),  // SE-0409: what a module re-exports is on purpose
        .enableUpcomingFeature("MemberImportVisibility"),  // SE-0444: no member from a module the file does not import
        .treatAllWarnings(as: .error),
    ]
    // A test may convert a number that it knows, see `Int.init(clamping:)` in Footfall.
    if target.type == .test { target.swiftSettings?.append(.treatWarning("DeprecatedDeclaration", as: .warning)) }
}

// The code of a test runs once or twice: to optimize it takes longer than it saves. No module imports that of a test, so none waits for
// its interface, which a compiler of its own would write before the code. SwiftPM refuses unsafe flags only in a dependency's products,
// and no product contains a test.
for target in package.targets where target.type == .test {
    let flags = ["-Onone", "-no-emit-module-separately-wmo"]
    target.swiftSettings?.append(.unsafeFlags(flags, .when(configuration: .release)))
}

// `make build` links the Swift runtime statically, so that the programs also run where Swift is not installed. This concerns the
// linker alone: tests and programs share what is compiled. The compiler then does not name the parts of Foundation's archive.
// The linker is the one of Swift: others warn of `mktemp`, which is in Foundation's archive.
// This is a choice of the environment, because SwiftPM refuses a dependency with unsafe flags.
if Context.environment["FOOTFALL_STATIC"] != nil {
    let parts = ["CoreFoundation", "_FoundationICU", "_FoundationCShims", "_FoundationCollections"]
    let hidden = ["-Xlinker", "--version-script=\(Context.packageDirectory)/Packaging/executable.map"]
    for target in package.targets where ["FootfallCommand", "FootfallC"].contains(target.name) {
        target.linkerSettings = [
            .unsafeFlags(
                ["-static-stdlib", "-use-ld=lld"] + parts.map { "-l\($0)" }
                    + (target.name == "FootfallCommand" ? hidden : []))
        ]
    }
}
