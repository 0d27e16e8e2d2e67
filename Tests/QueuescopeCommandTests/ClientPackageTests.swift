import Foundation
import TestSupport
import Testing

/// The packages that a service resolves when it depends on the library.
@Suite struct ClientPackageTests {
    private let directory = TemporaryDirectory()

    @Test(
        "A service resolves only the packages of the products that it links",
        arguments: [
            ("", "Queuescope", ["queuescope"]),
            ("\"Metrics\"", "QueuescopeMetrics", ["queuescope", "swift-metrics"]),
            (
                "\"Service\"", "QueuescopeService",
                ["queuescope", "swift-async-algorithms", "swift-collections", "swift-log", "swift-service-lifecycle"]
            ),
        ])
    func resolvesNothingElse(trait: String, product: String, packages: [String]) throws {
        let files = FileManager.default
        try files.createSymbolicLink(atPath: directory.appending("queuescope"), withDestinationPath: Package.root)
        let service = directory.appending("service")
        try files.createDirectory(atPath: service + "/Sources/Service", withIntermediateDirectories: true)
        try "import \(product)\n".write(
            toFile: service + "/Sources/Service/main.swift", atomically: false, encoding: .utf8)
        try """
        // swift-tools-version: 6.1
        import PackageDescription

        let package = Package(
            name: "service",
            dependencies: [.package(path: "../queuescope", traits: [\(trait)])],
            targets: [
                .executableTarget(
                    name: "Service", dependencies: [.product(name: "\(product)", package: "queuescope")])
            ])
        """.write(toFile: service + "/Package.swift", atomically: false, encoding: .utf8)
        let swift = try #require(Program.installed("swift"))
        let result = try swift.run(["package", "--package-path", service, "show-dependencies", "--format", "flatlist"])
        #expect(result.status == 0, "\(result.errors)")
        // Messages about fetched packages come first. A package that two others need is listed twice.
        let resolved = Set(result.lines.filter { !$0.contains(" ") }.map(String.init))
        #expect(resolved == Set(packages), "\(result.output)")
        let fetched = try? files.contentsOfDirectory(atPath: service + "/.build/checkouts")
        #expect((fetched ?? []).sorted() == packages.filter { $0 != "queuescope" })
    }
}
