// swift-tools-version: 6.1
import PackageDescription

let package = Package(
    name: "queuescope",
    products: [
        .library(name: "Queuescope", targets: ["Queuescope"]),
        // Records the spans of swift-distributed-tracing as intervals of the trace.
        .library(name: "QueuescopeTracing", targets: ["QueuescopeTracing"]),
        // Records the process as a service of swift-service-lifecycle.
        .library(name: "QueuescopeService", targets: ["QueuescopeService"]),
        // Reports the waits of queues, actors and event loops to swift-metrics.
        .library(name: "QueuescopeMetrics", targets: ["QueuescopeMetrics"]),
        // Linked into a program, they record every queue of the process without changes to its source.
        .library(name: "QueuescopeInterposer", targets: ["CDispatchInterposer"]),
        .library(name: "QueuescopeStaticInterposer", targets: ["CWrappedDispatchInterposer"]),
        .executable(name: "queuescope", targets: ["QueuescopeCommand"]),
        .executable(name: "NewsService", targets: ["NewsService"]),
    ],
    traits: [
        // A service that links Queuescope disables it (`traits: []`) and then resolves none of the packages below.
        .trait(name: "Command", description: "The queuescope command, with the packages that it needs."),
        // Traits, because SwiftPM resolves packages even if no built target needs them. A service that links only
        // Queuescope resolves nothing. A service that links QueuescopeTracing enables its trait (`traits:
        // ["Tracing"]`), and the products below have one each.
        .trait(name: "Tracing", description: "The product QueuescopeTracing, with swift-distributed-tracing."),
        .trait(name: "Service", description: "The product QueuescopeService, with swift-service-lifecycle."),
        .trait(name: "Metrics", description: "The product QueuescopeMetrics, with swift-metrics."),
        // One trait only: SwiftPM defines several in an order that differs between environments, and another order
        // compiles everything again.
        .default(enabledTraits: ["Command"]),
    ],
    dependencies: [
        .package(url: "https://github.com/apple/swift-argument-parser", from: "1.8.2"),
        .package(url: "https://github.com/swiftlang/swift-docc-plugin", from: "1.5.0"),
        // For QueuescopeTracing only.
        .package(url: "https://github.com/apple/swift-distributed-tracing", from: "1.2.0"),
        // For QueuescopeService only.
        .package(url: "https://github.com/apple/swift-log", from: "1.6.0"),
        .package(url: "https://github.com/swift-server/swift-service-lifecycle", from: "2.8.0"),
        // For QueuescopeMetrics only.
        .package(url: "https://github.com/apple/swift-metrics", from: "2.7.0"),
        // For the tests only: a library that uses queues, to be recorded.
        .package(url: "https://github.com/OpenCombine/OpenCombine", from: "0.14.0"),
    ],
    targets: [
        // Recording side: runs inside the traced process.
        .target(name: "CTraceRecorder"),
        .target(name: "Queuescope", dependencies: ["CTraceRecorder"]),
        .target(
            name: "QueuescopeTracing",
            dependencies: [
                "Queuescope",
                .product(name: "Tracing", package: "swift-distributed-tracing", condition: .when(traits: ["Tracing"])),
            ]),
        .target(
            name: "QueuescopeService",
            dependencies: ["Queuescope"]
                + [
                    (name: "Logging", package: "swift-log"),
                    (name: "ServiceLifecycle", package: "swift-service-lifecycle"),
                    (name: "UnixSignals", package: "swift-service-lifecycle"),
                ].map {
                    .product(name: $0.name, package: $0.package, condition: .when(traits: ["Service"]))
                }),
        .target(
            name: "QueuescopeMetrics",
            dependencies: [
                "Queuescope",
                .product(name: "Metrics", package: "swift-metrics", condition: .when(traits: ["Metrics"])),
            ]),
        .target(name: "CDispatchInterposer", dependencies: ["CTraceRecorder"]),
        // The same sources as symbolic links, with other symbol names for the hooks.
        .target(
            name: "CWrappedDispatchInterposer", dependencies: ["CTraceRecorder"], exclude: ["runtime_sections.ld"],
            cSettings: [.define("QS_FRONT_END_WRAP"), .headerSearchPath("../CDispatchInterposer")]),

        // Shared vocabulary.
        .target(name: "TraceSchema"),

        // Analysis side: offline.
        .target(name: "CTFReader", dependencies: ["CArenaLayout", "CMemory"]),
        // The layout of the recorder's memory, from the headers of the recorder, without its code.
        .target(name: "CArenaLayout"),
        .target(name: "CMemory"),
        .target(name: "DispatchModel", dependencies: ["CMemory", "CTFReader", "TraceSchema"]),
        .target(name: "DispatchAnalysis", dependencies: ["CTFReader", "DispatchModel", "NameSuggestions"]),
        // Names of code addresses, from the files of a program.
        .target(
            name: "Symbolication", dependencies: ["CTFReader", "DispatchModel"],
            // Demangles names of C++. The Swift runtime needs this library, too.
            linkerSettings: [.linkedLibrary("stdc++")]),
        // Text for terminals and pages: numbers, styles, links to the source.
        .target(
            name: "ReportText", dependencies: ["CReportAssets", "CTFReader", "DispatchModel", "Symbolication"]),
        // Names and words for the results of an analysis.
        .target(
            name: "AnalysisText", dependencies: ["DispatchAnalysis", "DispatchModel", "ReportText", "Symbolication"]),
        .target(
            name: "TraceReports",
            dependencies: [
                "AnalysisText", "CReportAssets", "DispatchAnalysis", "DispatchModel", "NameSuggestions", "ReportText",
                "Symbolication",
            ],
            exclude: [
                "JSON/report.schema.json", "JSON/check.schema.json", "JSON/diff.schema.json", "JSON/live.schema.json",
            ]),
        // TraceReports, TraceExports and TimelinePage do not use each other, so they compile at the same time.
        .target(
            name: "TraceExports",
            dependencies: [
                "AnalysisText", "CTFReader", "DispatchAnalysis", "DispatchModel", "ReportText", "Symbolication",
            ]),
        // The HTML timeline.
        .target(
            name: "TimelinePage",
            dependencies: [
                "AnalysisText", "CReportAssets", "CTFReader", "DispatchAnalysis", "DispatchModel", "ReportText",
                "Symbolication",
            ],
            exclude: ["Web"], plugins: ["PagePlugin"]),
        // The page's template and style and the JSON schemas, as bytes in the executable.
        .target(name: "CReportAssets"),
        .target(name: "CKernel"),
        // Diagnoses a process that was not recorded, or its core file.
        .target(
            name: "ProcessInspection",
            dependencies: ["CKernel", "CReportAssets", "CTFReader", "DispatchModel", "ReportText", "Symbolication"],
            exclude: ["Report/stuck.schema.json"]),
        .target(name: "CPreloadObject", plugins: ["PreloadPlugin"]),
        // "Did you mean", for each name that a user types.
        .target(name: "NameSuggestions"),
        .executableTarget(
            name: "QueuescopeCommand",
            dependencies: [
                "AnalysisText", "CMemory", "CKernel", "CPreloadObject", "CTFReader", "NameSuggestions",
                "ProcessInspection", "ReportText", "Symbolication", "TimelinePage", "TraceExports", "TraceReports",
                "DispatchAnalysis", "DispatchModel",
                // The command runs NewsService and ScenarioProgram, so they must be built too. It does not link them.
                "NewsService", "ScenarioProgram",
                .product(
                    name: "ArgumentParser", package: "swift-argument-parser", condition: .when(traits: ["Command"])),
            ]),

        // Programs.
        .executableTarget(name: "NewsService", dependencies: ["Queuescope"]),
        // The same service without Queuescope, to be recorded unmodified.
        .executableTarget(name: "PlainNewsService"),
        // Programs with one known problem each, and their fixed versions. ScenarioProgram runs one of them.
        .target(name: "Scenarios", dependencies: ["CLegacyCodec", "Queuescope"], exclude: ["LegacyCodec"]),
        // A library in C for two of the scenarios.
        .target(name: "CLegacyCodec", path: "Sources/Scenarios/LegacyCodec"),
        .executableTarget(name: "ScenarioProgram", dependencies: ["NameSuggestions", "Scenarios"]),

        // Tools.
        .plugin(name: "PreloadPlugin", capability: .buildTool(), path: "Tools/PreloadPlugin"),
        .plugin(
            name: "PagePlugin", capability: .buildTool(), dependencies: ["PageBundler"], path: "Tools/PagePlugin"),
        .executableTarget(name: "PageBundler", path: "Tools/PageBundler"),
        .executableTarget(name: "SchemaGenerator", dependencies: ["TraceSchema"], path: "Tools/SchemaGenerator"),
        // Evaluator runs ScenarioProgram and queuescope, so they must be built too. It does not link them.
        .executableTarget(
            name: "Evaluator",
            dependencies: [
                "Scenarios", "ScenarioProgram", "QueuescopeCommand", "DispatchAnalysis", "DispatchModel",
                "Symbolication", "TraceSchema",
            ],
            path: "Tools/Evaluator"),
        // Generates timelines of any size for Tools/browser-benchmark.
        .executableTarget(
            name: "TimelineGenerator", dependencies: ["TimelinePage", "DispatchAnalysis", "DispatchModel"],
            path: "Tools/TimelineGenerator"),

        // Test support, and the programs that the tests record.
        .target(name: "TestSupport", dependencies: ["CTFReader"], path: "Tests/TestSupport"),
        .target(name: "TraceBuilder", dependencies: ["DispatchModel", "TraceSchema"], path: "Tests/TraceBuilder"),
        .executableTarget(
            name: "RecorderProbe", dependencies: ["CTraceRecorder"], path: "Tests/TracedPrograms/RecorderProbe"),
        .target(name: "ProgramThread", path: "Tests/TracedPrograms/ProgramThread"),
        .executableTarget(
            name: "OpenCombineSchedulers",
            dependencies: ["OpenCombine", "OpenCombineDispatch", "OpenCombineFoundation"].map {
                .product(name: $0, package: "OpenCombine", condition: .when(traits: ["Command"]))
            },
            path: "Tests/TracedPrograms/OpenCombineSchedulers", swiftSettings: [.swiftLanguageMode(.v5)]),
        .executableTarget(
            name: "TracedRequests",
            dependencies: [
                "QueuescopeTracing",
                .product(name: "Tracing", package: "swift-distributed-tracing", condition: .when(traits: ["Tracing"])),
            ],
            path: "Tests/TracedPrograms/TracedRequests"),
        .executableTarget(
            name: "RecordedServiceGroup",
            dependencies: ["QueuescopeService"]
                + [
                    (name: "Logging", package: "swift-log"),
                    (name: "ServiceLifecycle", package: "swift-service-lifecycle"),
                ].map {
                    .product(name: $0.name, package: $0.package, condition: .when(traits: ["Service"]))
                },
            path: "Tests/TracedPrograms/RecordedServiceGroup"),
        .executableTarget(name: "ConcurrencyCases", path: "Tests/TracedPrograms/ConcurrencyCases"),
        .executableTarget(name: "StuckPrograms", path: "Tests/TracedPrograms/StuckPrograms"),
        .executableTarget(name: "InterposerProbe", path: "Tests/TracedPrograms/InterposerProbe"),
        .executableTarget(
            name: "ConcurrencyPrograms", path: "Tests/TracedPrograms/ConcurrencyPrograms",
            swiftSettings: [.swiftLanguageMode(.v5)]),
        // The same program with the hooks linked in. No test target may depend on it: the test runner would get the
        // hooks.
        .executableTarget(
            name: "LinkedInterposerProbe", dependencies: ["CDispatchInterposer"],
            path: "Tests/TracedPrograms/LinkedInterposerProbe"),
        .executableTarget(
            name: "LateSession", dependencies: ["Queuescope", "CDispatchInterposer"],
            path: "Tests/TracedPrograms/LateSession"),
    ]
        + [
            "OrderExample", "ReadersWriter", "ManyQueues", "KillTarget", "ForkProgram",
        ].map {
            .executableTarget(
                name: $0, dependencies: ["Queuescope", "ProgramThread"], path: "Tests/TracedPrograms/\($0)")
        }
        // The same programs without Queuescope.
        + ["PlainOrderExample", "PlainReadersWriter", "ShortLivedObjects", "SimulatedDay", "SteppedProgram"].map {
            .executableTarget(name: $0, path: "Tests/TracedPrograms/\($0)")
        } + [
            // Tests.
            .testTarget(name: "TraceSchemaTests", dependencies: ["TraceSchema", "SchemaGenerator"]),
            .testTarget(name: "TraceRecorderTests", dependencies: ["CTFReader", "RecorderProbe", "TestSupport"]),
            // Includes the tests of QueuescopeTracing and QueuescopeMetrics: a process has one session at a time, so
            // they share a serialized suite.
            .testTarget(
                name: "QueuescopeTests",
                dependencies: [
                    "Queuescope", "QueuescopeTracing", "QueuescopeMetrics", "CTFReader", "TestSupport",
                    .product(
                        name: "InMemoryTracing", package: "swift-distributed-tracing",
                        condition: .when(traits: ["Tracing"])),
                    .product(
                        name: "MetricsTestKit", package: "swift-metrics", condition: .when(traits: ["Metrics"])),
                ]),
            .testTarget(name: "CTFReaderTests", dependencies: ["CArenaLayout", "CTFReader", "TestSupport"]),
            .testTarget(
                name: "DispatchModelTests",
                dependencies: ["CTFReader", "DispatchModel", "TraceBuilder", "TraceSchema", "TestSupport"]),
            .testTarget(
                name: "DispatchAnalysisTests",
                dependencies: ["CTFReader", "DispatchAnalysis", "DispatchModel", "TestSupport", "TraceBuilder"]),
            .testTarget(
                name: "SymbolicationTests",
                dependencies: ["Symbolication", "CTFReader", "DispatchModel", "TestSupport"]),
            .testTarget(
                name: "TraceReportsTests",
                dependencies: [
                    "TraceReports", "AnalysisText", "CTFReader", "DispatchAnalysis", "DispatchModel", "PageBundler",
                    "ReportText", "Symbolication", "TestSupport", "TimelinePage", "TraceBuilder", "TraceExports",
                ]),
            .testTarget(
                name: "ScenarioTests",
                dependencies: [
                    "Scenarios", "ScenarioProgram", "Evaluator", "QueuescopeCommand", "DispatchAnalysis",
                    "DispatchModel", "CTFReader", "TraceBuilder",
                ]),
            .testTarget(
                name: "QueuescopeCommandTests",
                dependencies: [
                    "QueuescopeCommand", "CKernel", "CTFReader", "DispatchModel", "SchemaGenerator", "SteppedProgram",
                    "StuckPrograms", "TestSupport", "TraceBuilder", "TraceReports",
                ]),
            .testTarget(
                name: "ProcessInspectionTests",
                dependencies: [
                    "CKernel", "CTFReader", "ProcessInspection", "QueuescopeCommand", "ReportText", "SteppedProgram",
                    "StuckPrograms", "TestSupport",
                ]),
            .testTarget(
                name: "InterposerEventTests",
                dependencies: ["QueuescopeCommand", "DispatchModel", "TestSupport", "InterposerProbe"]),
            .testTarget(
                name: "InterposerTests",
                dependencies: [
                    "QueuescopeCommand", "DispatchAnalysis", "DispatchModel", "Symbolication", "TestSupport",
                    "NewsService", "PlainNewsService", "OrderExample", "PlainOrderExample", "ReadersWriter",
                    "PlainReadersWriter", "OpenCombineSchedulers", "ConcurrencyPrograms",
                ]),
            .testTarget(
                name: "EndToEndTests",
                dependencies: [
                    "QueuescopeCommand", "NewsService", "CTFReader", "DispatchAnalysis", "DispatchModel", "TraceSchema",
                    "TestSupport", "KillTarget", "OrderExample", "ReadersWriter", "ManyQueues", "ForkProgram",
                    "ScenarioProgram", "InterposerProbe", "TracedRequests", "PlainReadersWriter", "ConcurrencyCases",
                    "RecordedServiceGroup",
                ]),
            .testTarget(
                name: "LTTngTests",
                dependencies: [
                    "QueuescopeCommand", "DispatchAnalysis", "DispatchModel", "CTFReader", "TestSupport", "NewsService",
                    "OrderExample", "PlainOrderExample", "PlainReadersWriter", "SteppedProgram", "ForkProgram",
                    "ConcurrencyPrograms",
                ],
                // Compiled by a test.
                exclude: ["lttng_interface_check.c"]),
        ],
    cLanguageStandard: .gnu17
)
