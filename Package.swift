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
        .library(name: "FootfallFoundation", targets: ["FootfallFoundation"]),
        .library(name: "FootfallText", targets: ["FootfallText"]),
        .library(name: "FootfallWire", targets: ["FootfallWire"]),
        .library(name: "FootfallTraces", targets: ["FootfallTraces"]),
        .library(name: "FootfallDevices", targets: ["FootfallDevices"]),
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
            resources: ["walking-gate", "walking-check", "activity"].map { .embedInCode("Models/\($0).weights") }),
        .target(name: "FootfallFoundation", dependencies: ["Footfall"]),
        .target(name: "FootfallTables", dependencies: ["FootfallFoundation", "Footfall"]),
        .target(
            name: "FootfallText", dependencies: ["Footfall"],
            resources: [.embedInCode("Evidence/motion-evidence.weights")]),
        .target(name: "FootfallWire", dependencies: ["FootfallText", "Footfall"]),
        .target(
            name: "FootfallTraces",
            dependencies: ["FootfallWire", "FootfallText", "FootfallFoundation", "Footfall", "CZlib"]),
        .target(name: "FootfallDevices", dependencies: ["FootfallWire", "FootfallFoundation", "Footfall"]),
        .target(
            name: "FootfallHistory",
            dependencies: [
                "Footfall", "FootfallFoundation",
                .product(name: "GRDB", package: "GRDB.swift", condition: .when(traits: ["History"])),
                .product(name: "GRDBSQLite", package: "GRDB.swift", condition: .when(traits: ["History"])),
            ]
        ),
        .target(name: "FootfallCoreMotion", dependencies: ["FootfallHistory", "FootfallDevices", "Footfall"]),
        .target(name: "FootfallEvaluation", dependencies: ["FootfallMeasures", "FootfallTables", "Footfall"]),
        .target(name: "FootfallMeasures", dependencies: ["Footfall", "CGSL"]),
        .target(
            name: "FootfallAnswers",
            dependencies: ["FootfallMeasures", "FootfallHistory", "FootfallTables", "FootfallFoundation", "Footfall"]),
        .target(
            name: "FootfallStudy",
            dependencies: [
                "FootfallTraces", "FootfallText", "FootfallMeasures", "FootfallAnswers", "FootfallTables",
                "FootfallHistory", "Footfall",
            ]),
        .target(
            name: "FootfallReport",
            dependencies: ["FootfallAnswers", "FootfallTables", "FootfallMeasures", "FootfallHistory", "Footfall"]),
        .target(
            name: "FootfallServer",
            dependencies: [
                "FootfallReport", "FootfallAnswers", "FootfallTables", "FootfallHistory", "Footfall",
                .product(name: "NIOCore", package: "swift-nio", condition: .when(traits: ["Server"])),
                .product(name: "NIOHTTP1", package: "swift-nio", condition: .when(traits: ["Server"])),
                .product(name: "NIOPosix", package: "swift-nio", condition: .when(traits: ["Server"])),
            ]
        ),
        .target(name: "FootfallSimulator", dependencies: ["Footfall"]),
        .target(
            name: "FootfallTerminal",
            dependencies: [
                "FootfallStudy", "FootfallAnswers", "FootfallEvaluation", "FootfallReport", "FootfallServer",
                "FootfallTables", "FootfallMeasures", "FootfallHistory", "FootfallDevices", "FootfallTraces",
                "FootfallWire", "Footfall",
            ]),
        // The C interface: its header, and its functions in Swift, which the compiler compares with the header.
        .systemLibrary(name: "CFootfall"),
        .target(
            name: "FootfallC",
            dependencies: ["CFootfall", "FootfallTraces", "FootfallHistory", "Footfall"]),
        .executableTarget(
            name: "FootfallCommand",
            dependencies: [
                "Footfall", "FootfallWire", "FootfallTraces", "FootfallDevices", "FootfallHistory",
                "FootfallEvaluation", "FootfallMeasures", "FootfallAnswers", "FootfallTables", "FootfallStudy",
                "FootfallReport", "FootfallServer", "FootfallTerminal", "FootfallSimulator",
                .product(
                    name: "ArgumentParser", package: "swift-argument-parser", condition: .when(traits: ["Command"])),
                .product(name: "Logging", package: "swift-log", condition: .when(traits: ["Command"])),
            ]
        ),

        // Tests
        .target(name: "TestSupport", dependencies: ["Footfall"], path: "Tests/TestSupport"),
        .testTarget(name: "FootfallTests", dependencies: ["Footfall", "FootfallSimulator", "TestSupport"]),
        .testTarget(name: "FootfallTextTests", dependencies: ["FootfallText", "Footfall", "TestSupport"]),
        .testTarget(name: "FootfallWireTests", dependencies: ["FootfallWire", "Footfall", "TestSupport"]),
        .testTarget(
            name: "FootfallTracesTests", dependencies: ["FootfallTraces", "FootfallWire", "Footfall", "TestSupport"]),
        .testTarget(
            name: "FootfallDevicesTests",
            dependencies: ["FootfallDevices", "FootfallWire", "Footfall", "FootfallSimulator", "TestSupport"]),
        .testTarget(
            name: "FootfallHistoryTests",
            dependencies: [
                "FootfallHistory", "FootfallDevices", "Footfall", "FootfallSimulator", "HistoryRecorder",
                "TestSupport",
                .product(name: "GRDB", package: "GRDB.swift"),
            ],
            exclude: ["Stored"]
        ),
        // A process that records, for tests that kill it or limit its file size.
        .executableTarget(
            name: "HistoryRecorder", dependencies: ["FootfallHistory", "Footfall"], path: "Tests/HistoryRecorder"),
        .testTarget(
            name: "FootfallCoreMotionTests",
            dependencies: [
                "FootfallCoreMotion", "FootfallHistory", "FootfallDevices", "Footfall", "FootfallSimulator",
                "TestSupport",
            ]
        ),
        .testTarget(
            name: "FootfallAnswersTests",
            dependencies: ["FootfallAnswers", "FootfallTables", "FootfallFoundation", "Footfall"]),
        .testTarget(
            name: "FootfallReportTests",
            dependencies: ["FootfallReport", "FootfallHistory", "Footfall", "FootfallSimulator", "TestSupport"]),
        .testTarget(
            name: "FootfallEvaluationTests",
            dependencies: ["FootfallEvaluation", "Footfall", "FootfallTraces", "TestSupport"]),
        .testTarget(
            name: "FootfallMeasuresTests",
            dependencies: ["FootfallMeasures", "Footfall", "FootfallSimulator", "TestSupport"]),
        .testTarget(
            name: "FootfallServerTests",
            dependencies: [
                "FootfallServer", "FootfallAnswers", "FootfallTables", "FootfallHistory", "Footfall", "TestSupport",
            ]),
        .testTarget(name: "FootfallSimulatorTests", dependencies: ["FootfallSimulator", "Footfall", "TestSupport"]),
        .testTarget(
            name: "FootfallTerminalTests",
            dependencies: [
                "FootfallTerminal", "FootfallAnswers", "FootfallDevices", "FootfallTraces", "FootfallSimulator",
                "Footfall", "TestSupport",
            ]),
        .testTarget(
            name: "FootfallCommandTests",
            dependencies: [
                "FootfallCommand", "Footfall", "FootfallCoreMotion", "FootfallDevices", "FootfallTraces",
                "FootfallHistory", "FootfallAnswers", "FootfallTables", "FootfallStudy", "FootfallSimulator",
                "TestSupport",
            ]
        ),
        // Compiles and runs the code of the documentation, and parses its command lines.
        .testTarget(
            name: "DocumentationTests",
            dependencies: [
                "Footfall", "FootfallFoundation", "FootfallWire", "FootfallTraces", "FootfallDevices",
                "FootfallHistory", "FootfallReport", "FootfallSimulator", "FootfallCommand", "TestSupport",
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

// The code of a test runs once or twice: to optimize it takes longer than it saves. SwiftPM refuses unsafe flags only in a dependency's
// products, and no product contains a test.
for target in package.targets where target.type == .test {
    target.swiftSettings?.append(.unsafeFlags(["-Onone"], .when(configuration: .release)))
}

// `make build` links the Swift runtime statically, so that the programs also run where Swift is not installed. This concerns the
// linker alone: tests and programs share what is compiled. The compiler then does not name the parts of Foundation's archive.
// This is a choice of the environment, because SwiftPM refuses a dependency with unsafe flags.
if Context.environment["FOOTFALL_STATIC"] != nil {
    let parts = ["CoreFoundation", "_FoundationICU", "_FoundationCShims", "_FoundationCollections"]
    let hidden = ["-Xlinker", "--version-script=\(Context.packageDirectory)/Packaging/executable.map"]
    for target in package.targets where ["FootfallCommand", "FootfallC"].contains(target.name) {
        target.linkerSettings = [
            .unsafeFlags(
                ["-static-stdlib"] + parts.map { "-l\($0)" } + (target.name == "FootfallCommand" ? hidden : []))
        ]
    }
}
