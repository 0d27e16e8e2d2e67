// swift-tools-version: 6.1
import PackageDescription

let package = Package(
    name: "queuescope",
    targets: [
        // Recording side: runs inside the traced process.
        .target(name: "CTraceRecorder"),

        // Shared vocabulary.
        .target(name: "TraceSchema"),

        // Tools.
        .executableTarget(name: "SchemaGenerator", dependencies: ["TraceSchema"], path: "Tools/SchemaGenerator"),
    ],
    cLanguageStandard: .gnu17
)
