import Foundation
import TestSupport
import Testing

/// The packages that a service resolves when it depends on the library.
@Suite struct ClientPackageTests {
    private let directory = TemporaryDirectory()

    @Test("A service that links Queuescope without traits resolves no other package")
    func resolvesNothingElse() throws {
        let files = FileManager.default
        try files.createSymbolicLink(atPath: directory.appending("queuescope"), withDestinationPath: Package.root)
        let service = directory.appending("service")
        try files.createDirectory(atPath: service + "/Sources/Service", withIntermediateDirectories: true)
        try "import Queuescope\n".write(
            toFile: service + "/Sources/Service/main.swift", atomically: false, encoding: .utf8)
        try """
        // swift-tools-version: 6.1
        import PackageDescription

        let package = Package(
            name: "service",
            dependencies: [.package(path: "../queuescope", traits: [])],
            targets: [
                .executableTarget(
                    name: "Service", dependencies: [.product(name: "Queuescope", package: "queuescope")])
            ])
        """.write(toFile: service + "/Package.swift", atomically: false, encoding: .utf8)
        let swift = try #require(Program.installed("swift"))
        let result = try swift.run(["package", "--package-path", service, "show-dependencies", "--format", "flatlist"])
        #expect(result.status == 0, "\(result.errors)")
        #expect(result.lines == ["queuescope"], "\(result.output)")
        let fetched = try? files.contentsOfDirectory(atPath: service + "/.build/checkouts")
        #expect(fetched ?? [] == [])
    }
}
