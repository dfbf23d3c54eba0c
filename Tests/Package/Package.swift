// swift-tools-version: 6.2
import PackageDescription

let package = Package(
    name: "steps",
    dependencies: [
        .package(url: "https://example.com/footfall.git", branch: "main", traits: ["History"])
    ],
    targets: [
        .executableTarget(
            name: "steps",
            dependencies: [
                .product(name: "Footfall", package: "footfall"),
                .product(name: "FootfallReaders", package: "footfall"),
                .product(name: "FootfallHistory", package: "footfall"),
            ])
    ]
)
