import Foundation
import TestSupport
import Testing

/// The fuzzers run for minutes, by `Tools/fuzz`: here it is seen that they fit the reader as it is.
@Suite("Fuzzers", .enabled(if: Program.canRun("swiftc")))
struct FuzzerTests {
    @Test("fit the reader", arguments: ["FuzzMetadata", "FuzzPackets"])
    func compile(target: String) throws {
        let package = URL(fileURLWithPath: #filePath).deletingLastPathComponent().appendingPathComponent("../..")
            .standardizedFileURL.path
        let reader = try #require(FileManager.default.enumerator(atPath: package + "/Sources/CTFReader"))
        let sources = reader.compactMap { $0 as? String }.filter { $0.hasSuffix(".swift") }
            .map { "\(package)/Sources/CTFReader/\($0)" }
        let fuzzer = ["MemoryBound", target].map { "\(package)/Tools/Fuzzing/\($0).swift" }
        let swiftc = try #require(Program.installed("swiftc"))
        let result = try swiftc.run(
            [
                "-typecheck", "-swift-version", "6", "-parse-as-library", "-module-name", "CTFReader", "-package-name",
                "queuescope", "-I", "\(package)/Sources/CMemory/include",
            ] + sources + fuzzer)
        #expect(result.status == 0, "\(result.errors)")
    }
}
