import Foundation
import TestSupport
import Testing

/// How the hooks come into the program.
enum FrontEnd: String, CaseIterable {
    case preloaded, linked, wrapped

    /// Records a scenario of the probe and returns what the trace has.
    func record(_ scenario: String) throws -> [InterposedRun.Record] {
        let directory = TemporaryDirectory()
        let trace = directory.appending("trace")
        let run: Program.Result
        switch self {
        case .preloaded:
            run = try Program.built("queuescope").run(
                ["record", "-o", trace, "--", Program.built("InterposerProbe").path, scenario])
        case .linked:
            run = try Program.built("LinkedInterposerProbe").run([scenario], environment: ["QUEUESCOPE_TRACE": trace])
        case .wrapped:
            run = try StaticProbe.shared.get().run([scenario], environment: ["QUEUESCOPE_TRACE": trace])
        }
        #expect(run.status == 0, "\(run.errors)")
        return try InterposedRun.records(of: trace)
    }
}

/// The probe with the Swift runtime and libdispatch inside, linked with the flags of `queuescope link-flags`.
enum StaticProbe {
    /// Built once per test run.
    static let shared = Result { try build() }

    private static func build() throws -> Program {
        // Beside the other products, built again by every run.
        let directory = Program.built("static-probe").path
        try FileManager.default.createDirectory(atPath: directory, withIntermediateDirectories: true)
        let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent().path
        let sources = root + "/Sources"
        var objects: [String] = []
        for folder in ["CTraceRecorder", "CWrappedDispatchInterposer"] {
            let files = try FileManager.default.contentsOfDirectory(atPath: "\(sources)/\(folder)")
            for file in files.sorted() where file.hasSuffix(".c") {
                let object = "\(directory)/\(folder)-\(file).o"
                try run(
                    "clang",
                    [
                        "-c", "-O1", "-std=gnu17", "-DQS_FRONT_END_WRAP", "-I\(sources)/CTraceRecorder/include",
                        "-I\(sources)/CDispatchInterposer", "\(sources)/\(folder)/\(file)", "-o", object,
                    ])
                objects.append(object)
            }
        }
        let flags = try Program.built("queuescope").run(["link-flags"])
        let program = "\(directory)/StaticProbe"
        try run(
            "swiftc",
            ["-O", "-static-stdlib", "\(root)/Tests/TracedPrograms/InterposerProbe/main.swift"] + objects
                + flags.output.split(whereSeparator: \.isWhitespace).map(String.init) + ["-o", program])
        return Program(path: program)
    }

    private static func run(_ tool: String, _ arguments: [String]) throws {
        let result = try #require(Program.installed(tool)).run(arguments)
        try #require(result.status == 0, "\(tool): \(result.errors.prefix(2000))")
    }
}
