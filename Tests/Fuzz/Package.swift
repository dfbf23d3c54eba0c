// swift-tools-version: 6.2
import PackageDescription

// A package of its own, so that the build and the tests of Footfall do not include it. `make fuzz` runs it.
let package = Package(
    name: "fuzz",
    platforms: [.macOS(.v26)],
    dependencies: [.package(name: "footfall", path: "../..")],
    targets: [
        .target(
            name: "Fuzzing",
            dependencies: [
                .product(name: "Footfall", package: "footfall"), .product(name: "FootfallReaders", package: "footfall"),
            ]
        ),
        // One per reader; libFuzzer brings the main function.
        .executableTarget(name: "FuzzAxivity", dependencies: ["Fuzzing"]),
        .executableTarget(name: "FuzzActiGraph", dependencies: ["Fuzzing"]),
        .executableTarget(name: "FuzzGENEActiv", dependencies: ["Fuzzing"]),
        .executableTarget(name: "FuzzGENEA", dependencies: ["Fuzzing"]),
        .executableTarget(name: "FuzzMatrix", dependencies: ["Fuzzing"]),
        .executableTarget(name: "FuzzArchive", dependencies: ["Fuzzing"]),
        .executableTarget(name: "FuzzWire", dependencies: ["Fuzzing"]),
        .executableTarget(name: "FuzzText", dependencies: ["Fuzzing"]),
        // Its sources are links to what the tests make recordings with.
        .executableTarget(name: "Seeds"),
    ],
    swiftLanguageModes: [.v6]
)

for target in package.targets {
    target.swiftSettings = [
        .enableUpcomingFeature("ExistentialAny"), .enableUpcomingFeature("InternalImportsByDefault"),
        .enableUpcomingFeature("MemberImportVisibility"), .treatAllWarnings(as: .error),
    ]
}
