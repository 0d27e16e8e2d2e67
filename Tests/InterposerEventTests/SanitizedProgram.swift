import Foundation
import TestSupport
import Testing

/// A program of the corpus that is linked with the hooks and the recorder, all built with a sanitizer.
struct SanitizedProgram {
    enum Sanitizer: String, CaseIterable { case address, thread }

    let program: Program
    let sanitizer: Sanitizer

    init(_ name: String, for sanitizer: Sanitizer) throws {
        self.sanitizer = sanitizer
        let objects = try (sanitizer == .address ? Self.addressObjects : Self.threadObjects).get()
        let path = "\(Self.directory(of: sanitizer))/\(name)"
        let libraries = try Self.swiftLibraries()
        try Self.clang(
            [
                "-g", "-O1", "-w", "-fsanitize=\(sanitizer)", "-fblocks", "-std=gnu17", "-I\(libraries)",
                "\(Package.root)/Tests/TracedPrograms/Unmodified/C/\(name).c",
            ] + objects + [
                "-o", path, "-L\(libraries)/linux", "-ldispatch", "-lBlocksRuntime", "-lpthread",
                "-Wl,-rpath,\(libraries)/linux",
            ])
        program = Program(path: path)
    }

    /// Runs the program with recording and returns the sanitizer's reports about Queuescope's code.
    ///
    /// Only races in Queuescope's code count: ThreadSanitizer does not see how libdispatch orders the program's own
    /// accesses.
    func complaints() throws -> (status: Int32, lines: [String]) {
        let directory = TemporaryDirectory()
        let run = try program.run(
            [],
            environment: [
                "QUEUESCOPE_TRACE": directory.appending("trace"), "ASAN_OPTIONS": "detect_leaks=0",
                "TSAN_OPTIONS": "exitcode=0:log_path=\(directory.appending("races"))",
            ])
        switch sanitizer {
        case .address:
            return (run.status, run.errors.components(separatedBy: "\n").filter { $0.contains("ERROR: Addr") })
        case .thread:
            let files = try FileManager.default.contentsOfDirectory(atPath: directory.path).filter {
                $0.hasPrefix("races")
            }
            let reports = files.compactMap { try? String(contentsOfFile: directory.appending($0), encoding: .utf8) }
            let accesses = reports.joined().components(separatedBy: "\n").filter {
                $0.hasPrefix("    #0") && ($0.contains("/CDispatchInterposer/") || $0.contains("/CTraceRecorder/"))
            }
            return (run.status, accesses)
        }
    }

    // MARK: Building

    private static let addressObjects = Result { try compile(.address) }
    private static let threadObjects = Result { try compile(.thread) }
    /// Next to the other products, rebuilt by every test run.
    private static func directory(of sanitizer: Sanitizer) -> String { Program.built("sanitized-\(sanitizer)").path }

    private static func compile(_ sanitizer: Sanitizer) throws -> [String] {
        try StaticProgram.compile(
            ["CTraceRecorder", "CDispatchInterposer"], into: directory(of: sanitizer),
            options: ["-g", "-fsanitize=\(sanitizer)"])
    }

    /// The toolchain's `lib/swift`, with libdispatch and its headers.
    private static func swiftLibraries() throws -> String {
        let compiler = try #require(Program.installed("swiftc"))
        let binaries = URL(fileURLWithPath: compiler.path).resolvingSymlinksInPath().deletingLastPathComponent()
        return binaries.deletingLastPathComponent().appendingPathComponent("lib/swift").path
    }

    private static func clang(_ arguments: [String]) throws {
        let result = try #require(Program.installed("clang")).run(arguments)
        try #require(result.status == 0, "clang: \(result.errors.prefix(2000))")
    }
}
