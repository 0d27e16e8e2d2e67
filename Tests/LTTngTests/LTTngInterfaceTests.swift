import Foundation
import TestSupport
import Testing

/// Compares the recorder's own declarations of LTTng's interface with LTTng's headers.
@Suite struct LTTngInterfaceTests {
    private static let recorder = "\(Package.root)/Sources/CTraceRecorder"

    /// Runs the clang next to `swift`, or the installed clang when there is none.
    private static func clang(_ arguments: [String]) throws -> Program.Result {
        let swift = Program.installed("swift").map { URL(fileURLWithPath: $0.path).resolvingSymlinksInPath() }
        let besides = swift?.deletingLastPathComponent().appendingPathComponent("clang").path
        let clang = besides.flatMap { FileManager.default.isExecutableFile(atPath: $0) ? Program(path: $0) : nil }
        return try #require(clang ?? Program.installed("clang")).run(["-std=gnu17"] + arguments)
    }

    /// Whether LTTng's headers are installed.
    private static let hasHeaders =
        Program.toolsAreRequired
        || (try? clang(["-E", "-include", "lttng/ust-events.h", "-x", "c", "/dev/null"]).status) == 0

    @Test("the declarations have the constants, sizes and offsets of LTTng's headers", .enabled(if: hasHeaders))
    func agreesWithHeaders() throws {
        let check = "\(Package.root)/Tests/LTTngTests/lttng_interface_check.c"
        let result = try Self.clang(["-fsyntax-only", "-Wall", "-Werror", "-I\(Self.recorder)/LTTng", check])
        #expect(result.status == 0, "\(result.errors)")
    }

    @Test("the recorder compiles without LTTng's headers, and does not include them when they are installed")
    func needsNoHeaders() throws {
        let sources = try FileManager.default.subpathsOfDirectory(atPath: Self.recorder)
            .filter { $0.hasSuffix(".c") }.map { "\(Self.recorder)/\($0)" }
        // Headers that stop the compiler if a source includes them.
        let directory = TemporaryDirectory()
        for header in [
            "lttng/ust-events.h", "lttng/ust-ringbuffer-context.h", "lttng/tracepoint-types.h", "urcu/ref.h",
        ] {
            let path = directory.appending(header)
            try FileManager.default.createDirectory(
                atPath: URL(fileURLWithPath: path).deletingLastPathComponent().path, withIntermediateDirectories: true)
            try "#error of LTTng\n".write(toFile: path, atomically: false, encoding: .utf8)
        }
        let include = "-I\(Self.recorder)/include"
        let result = try Self.clang(["-fsyntax-only", "-I\(directory.path)", include] + sources)
        #expect(result.status == 0, "\(result.errors)")
    }
}
