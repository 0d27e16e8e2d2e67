// swift-tools-version: 6.1
import PackageDescription

let package = Package(
    name: "queuescope",
    products: [
        .library(name: "Queuescope", targets: ["Queuescope"]),
        .executable(name: "queuescope", targets: ["QueuescopeCommand"]),
        .executable(name: "NewsService", targets: ["NewsService"]),
    ],
    dependencies: [
        .package(url: "https://github.com/apple/swift-argument-parser", from: "1.8.2"),
        .package(url: "https://github.com/HdrHistogram/hdrhistogram-swift", from: "0.2.0"),
        .package(url: "https://github.com/onevcat/Rainbow", from: "4.2.2"),
        .package(url: "https://github.com/swiftlang/swift-docc-plugin", from: "1.5.0"),
    ],
    targets: [
        // Recording side: runs inside the traced process.
        .target(name: "CTraceRecorder"),
        .target(name: "Queuescope", dependencies: ["CTraceRecorder"]),

        // Shared vocabulary.
        .target(name: "TraceSchema"),

        // Analysis side: offline.
        .target(name: "CTFReader"),
        .target(name: "DispatchModel", dependencies: ["CTFReader", "TraceSchema"]),
        .target(
            name: "DispatchAnalysis",
            dependencies: ["DispatchModel", .product(name: "Histogram", package: "hdrhistogram-swift")]),
        .target(
            name: "TraceReports", dependencies: ["DispatchAnalysis", "Rainbow"],
            // In the binary itself, so that the command works wherever it is copied.
            resources: [.embedInCode("HTML/Web"), .embedInCode("JSON/report.schema.json")]),
        .executableTarget(
            name: "QueuescopeCommand",
            dependencies: [
                // NewsService is not linked in: `queuescope demo` runs it, so it must be built along.
                "TraceReports", "NewsService",
                .product(name: "ArgumentParser", package: "swift-argument-parser"),
            ]),

        // Programs.
        .executableTarget(name: "NewsService", dependencies: ["Queuescope"]),

        // Tools.
        .executableTarget(name: "SchemaGenerator", dependencies: ["TraceSchema"], path: "Tools/SchemaGenerator"),

        // Test support, and the programs that the tests record.
        .target(name: "TestSupport", path: "Tests/TestSupport"),
        .target(name: "TraceBuilder", dependencies: ["DispatchModel"], path: "Tests/TraceBuilder"),
        .executableTarget(
            name: "RecorderProbe", dependencies: ["CTraceRecorder"], path: "Tests/TracedPrograms/RecorderProbe"),
        .target(name: "ProgramThread", path: "Tests/TracedPrograms/ProgramThread"),
    ]
        + [
            "OrderExample", "ReadersWriter", "ManyQueues", "KillTarget", "ForkProgram",
        ].map {
            .executableTarget(
                name: $0, dependencies: ["Queuescope", "ProgramThread"], path: "Tests/TracedPrograms/\($0)")
        } + [
            // Tests.
            .testTarget(name: "TraceSchemaTests", dependencies: ["TraceSchema", "SchemaGenerator"]),
            .testTarget(name: "TraceRecorderTests", dependencies: ["CTFReader", "RecorderProbe", "TestSupport"]),
            .testTarget(name: "QueuescopeTests", dependencies: ["Queuescope", "CTFReader", "TestSupport"]),
            .testTarget(name: "CTFReaderTests", dependencies: ["CTFReader", "TestSupport"]),
            .testTarget(name: "DispatchModelTests", dependencies: ["DispatchModel", "TraceBuilder"]),
            .testTarget(name: "DispatchAnalysisTests", dependencies: ["DispatchAnalysis", "TraceBuilder"]),
            .testTarget(name: "TraceReportsTests", dependencies: ["TraceReports", "TraceBuilder", "TestSupport"]),
            .testTarget(name: "QueuescopeCommandTests", dependencies: ["QueuescopeCommand", "TestSupport"]),
            .testTarget(
                name: "EndToEndTests",
                dependencies: [
                    "QueuescopeCommand", "NewsService", "DispatchAnalysis", "TestSupport", "KillTarget", "OrderExample",
                    "ReadersWriter", "ManyQueues", "ForkProgram",
                ]),
        ],
    cLanguageStandard: .gnu17
)
