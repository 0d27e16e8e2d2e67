// swift-tools-version: 6.1
import PackageDescription

// A separate package, so that packages that depend on Queuescope do not resolve the benchmarks' dependencies.
let package = Package(
    name: "Benchmarks",
    // Preloaded into programs to count their allocations.
    products: [.library(name: "AllocationCount", type: .dynamic, targets: ["CAllocationCount"])],
    dependencies: [.package(name: "queuescope", path: "../..")],
    targets: [
        .target(name: "CEventCost", dependencies: [.product(name: "Queuescope", package: "queuescope")]),
        .executableTarget(
            name: "EventCost",
            dependencies: ["CEventCost", .product(name: "Queuescope", package: "queuescope")]),
        .target(name: "CAllocationCount"),
        // Knows nothing of Queuescope.
        .executableTarget(name: "InterposerLoad"),
        .executableTarget(name: "InterposerCost", dependencies: ["InterposerLoad"]),
    ],
    cLanguageStandard: .gnu17
)
