// swift-tools-version: 6.2
import PackageDescription

let package = Package(
    name: "footfall",
    // Linux is the home of this package. The macOS line is what `InlineArray` and an async `main` ask for.
    platforms: [.macOS(.v26)],
    products: [
        .library(name: "Footfall", targets: ["Footfall"]),
        .library(name: "FootfallHistory", targets: ["FootfallHistory"]),
        .library(name: "FootfallSimulator", targets: ["FootfallSimulator"]),
        .library(name: "FootfallTraces", targets: ["FootfallTraces"]),
    ],
    dependencies: [
        .package(url: "https://github.com/groue/GRDB.swift", from: "7.10.0")
    ],
    targets: [
        // C libraries
        .systemLibrary(name: "CGSL", pkgConfig: "gsl", providers: [.apt(["libgsl-dev"]), .brew(["gsl"])]),

        // The house: each target may import what stands in its own line, nothing else.
        .target(name: "Footfall", dependencies: ["CGSL"]),
        .target(
            name: "FootfallHistory",
            dependencies: [
                "Footfall",
                .product(name: "GRDB", package: "GRDB.swift"),
                .product(name: "GRDBSQLite", package: "GRDB.swift"),
            ]),
        .target(name: "FootfallSimulator", dependencies: ["Footfall"]),

        // Tests
        .testTarget(name: "FootfallTests", dependencies: ["Footfall"]),
        .testTarget(name: "FootfallHistoryTests", dependencies: ["FootfallHistory"]),
        .testTarget(name: "FootfallSimulatorTests", dependencies: ["FootfallSimulator"]),
        .target(name: "FootfallTraces", dependencies: ["Footfall", "CZlib"]),

        // System libraries
        .systemLibrary(name: "CZlib", pkgConfig: "zlib", providers: [.apt(["zlib1g-dev"])]),

        .testTarget(name: "FootfallTracesTests", dependencies: ["FootfallTraces", "Footfall"]),
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
}
