import Foundation
import TestSupport
import Testing

/// `Tools/fuzz` runs the fuzzers for minutes. These tests only check that the fuzzers compile with the current reader.
@Suite("Fuzzers", .enabled(if: Program.canRun("swiftc")))
struct FuzzerTests {
    @Test("fit the reader", arguments: ["FuzzMetadata", "FuzzPackets"])
    func compile(target: String) throws {
        let reader = try #require(FileManager.default.enumerator(atPath: Package.root + "/Sources/CTFReader"))
        let sources = reader.compactMap { $0 as? String }.filter { $0.hasSuffix(".swift") }
            .map { "\(Package.root)/Sources/CTFReader/\($0)" }
        let fuzzer = ["MemoryBound", target].map { "\(Package.root)/Tools/Fuzzing/\($0).swift" }
        let swiftc = try #require(Program.installed("swiftc"))
        let result = try swiftc.run(
            [
                "-typecheck", "-swift-version", "6", "-parse-as-library", "-module-name", "CTFReader", "-package-name",
                "queuescope", "-I", "\(Package.root)/Sources/CMemory/include", "-I",
                "\(Package.root)/Sources/CArenaLayout/include",
            ] + sources + fuzzer)
        #expect(result.status == 0, "\(result.errors)")
    }
}
