// swift-tools-version: 6.1
import PackageDescription

// A package of its own, so that what only benchmarks need never reaches those who link Queuescope.
let package = Package(
    name: "Benchmarks",
    // Preloaded into the programs whose allocations are counted.
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
