// swift-tools-version: 6.2
import PackageDescription

// A separate package, so that the build and the tests of Footfall exclude it. `make bench` runs it.
let package = Package(
    name: "benchmarks",
    platforms: [.macOS(.v26)],
    dependencies: [.package(name: "footfall", path: "../..")],
    targets: [
        .executableTarget(
            name: "benchmarks",
            dependencies: [
                .product(name: "Footfall", package: "footfall"),
                .product(name: "FootfallHistory", package: "footfall"),
                .product(name: "FootfallSimulator", package: "footfall"),
                .product(name: "FootfallReaders", package: "footfall"),
            ],
            path: "Sources",
            swiftSettings: [
                .enableUpcomingFeature("ExistentialAny"), .enableUpcomingFeature("InternalImportsByDefault"),
                .enableUpcomingFeature("MemberImportVisibility"), .treatAllWarnings(as: .error),
            ]
        )
    ],
    swiftLanguageModes: [.v6]
)
