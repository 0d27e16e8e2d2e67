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
            run = try Program.queuescope.run(
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
    static let shared = Result {
        try StaticProgram.build("StaticProbe", sources: ["InterposerProbe/main.swift"])
    }
}
