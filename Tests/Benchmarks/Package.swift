// swift-tools-version: 6.2
import PackageDescription

// A package of its own, so that neither the build nor the tests of Footfall know of it. `make bench` runs it.
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
                .product(name: "FootfallTraces", package: "footfall"),
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
