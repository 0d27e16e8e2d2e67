// swift-tools-version: 6.1
import PackageDescription

/// A server as people write them, a client that loads it, and an echo by gRPC. A package of its own: the product
/// depends on none of this.
let package = Package(
    name: "field-server",
    platforms: [.macOS(.v15)],
    dependencies: [
        .package(url: "https://github.com/hummingbird-project/hummingbird", from: "2.28.1"),
        .package(url: "https://github.com/groue/GRDB.swift", from: "7.10.0"),
        .package(url: "https://github.com/swift-server/async-http-client", from: "1.37.0"),
        .package(url: "https://github.com/grpc/grpc-swift-2", from: "2.4.3"),
        .package(url: "https://github.com/grpc/grpc-swift-nio-transport", from: "2.9.2"),
    ],
    targets: [
        .executableTarget(
            name: "FieldServer",
            dependencies: [
                .product(name: "Hummingbird", package: "hummingbird"),
                .product(name: "GRDB", package: "GRDB.swift"),
            ]),
        .executableTarget(
            name: "FieldClient",
            dependencies: [.product(name: "AsyncHTTPClient", package: "async-http-client")]),
        .executableTarget(
            name: "FieldEcho",
            dependencies: [
                .product(name: "GRPCCore", package: "grpc-swift-2"),
                .product(name: "GRPCNIOTransportHTTP2", package: "grpc-swift-nio-transport"),
            ]),
    ]
)
