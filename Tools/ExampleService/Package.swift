// swift-tools-version: 6.1
import PackageDescription

/// A service as people write them, with both products for services. A package of its own: nothing else depends on the
/// web server and the database.
let package = Package(
    name: "example-service",
    platforms: [.macOS(.v15)],
    dependencies: [
        .package(name: "queuescope", path: "../..", traits: ["Service", "Metrics"]),
        .package(url: "https://github.com/hummingbird-project/hummingbird", from: "2.28.1"),
        .package(url: "https://github.com/groue/GRDB.swift", from: "7.10.0"),
        .package(url: "https://github.com/apple/swift-log", from: "1.6.0"),
        .package(url: "https://github.com/apple/swift-metrics", from: "2.7.0"),
    ],
    targets: [
        .executableTarget(
            name: "ExampleService",
            dependencies: [
                .product(name: "QueuescopeService", package: "queuescope"),
                .product(name: "QueuescopeMetrics", package: "queuescope"),
                .product(name: "QueuescopeInterposer", package: "queuescope"),
                .product(name: "Hummingbird", package: "hummingbird"),
                .product(name: "GRDB", package: "GRDB.swift"),
                .product(name: "Logging", package: "swift-log"),
                .product(name: "Metrics", package: "swift-metrics"),
            ])
    ]
)
