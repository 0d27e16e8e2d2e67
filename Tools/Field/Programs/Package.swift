// swift-tools-version: 6.1
import PackageDescription

/// Small programs that use Foundation as people do.
let package = Package(
    name: "field-programs",
    platforms: [.macOS(.v15)],
    targets: [
        .executableTarget(name: "URLSessionClient"),
        .executableTarget(name: "Operations"),
    ]
)
