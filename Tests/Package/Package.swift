// swift-tools-version: 6.2
import PackageDescription

let package = Package(
    name: "steps",
    dependencies: [
        .package(url: "https://example.com/footfall.git", from: "0.1.0", traits: ["History"])
    ],
    targets: [
        .executableTarget(
            name: "steps",
            dependencies: [
                .product(name: "Footfall", package: "footfall"),
                .product(name: "FootfallTraces", package: "footfall"),
                .product(name: "FootfallHistory", package: "footfall"),
            ])
    ]
)
