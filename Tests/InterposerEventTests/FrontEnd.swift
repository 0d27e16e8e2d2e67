import Foundation
import TestSupport
import Testing

/// The way in which a program gets the hooks.
enum FrontEnd: String, CaseIterable {
    case preloaded, linked, wrapped

    /// Records a scenario of the probe and returns the events of the trace.
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

/// The probe as a static program with the Swift runtime and libdispatch, linked with the flags of `queuescope
/// link-flags`.
enum StaticProbe {
    /// Built once per test run.
    static let shared = Result {
        try StaticProgram.build("StaticProbe", sources: ["InterposerProbe/main.swift"])
    }
}
