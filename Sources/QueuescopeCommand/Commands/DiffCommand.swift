import ArgumentParser
import DispatchAnalysis
import TraceReports

/// `queuescope diff`: shows the effect of a change.
struct DiffCommand: ParsableCommand {
    enum Format: String, ExpressibleByArgument, CaseIterable {
        case text, json
    }

    static let configuration = CommandConfiguration(
        commandName: "diff",
        abstract: "Compares two traces: findings that are gone, new or worse, and differences above the noise.",
        discussion: """
            Exits with 1 when the second trace has findings that are new or more severe than in the first, or when \
            only its program crashed, with 2 when a trace has no event to judge, and otherwise with 0.

            Queues are matched by label (ignoring numbers), code by file and function. Each run is divided into 32 to \
            64 blocks of time. A difference counts when a Mann-Whitney test of the blocks' values is significant (1 % \
            after Holm's correction for all tests), the effect is large (Cliff's delta of 0.5), and the typical value \
            doubles or halves. Two runs of the same program also differ. With several recordings before the change, \
            smaller differences become detectable:

              queuescope diff before-1 after --again before-2 --again before-3

            With --from and --to the same part of each trace is compared, such as the time after the start-up:

              queuescope diff before after --from 5s

            If a trace has several processes, select one by its name. If the names differ or are not unique, use one \
            option for each trace:

              queuescope diff before after --process news
              queuescope diff before after --process 4711 --process-after 5022
            """)

    @Argument(help: "The trace before the change.", completion: .trace)
    var before: String?

    @Argument(help: "The trace to compare.", completion: .trace)
    var after: String?

    @Option(
        help: ArgumentHelp(
            "A further trace of the program before the change, to measure the variation between its runs. Repeatable.",
            valueName: "trace"),
        completion: .trace)
    var again: [String] = []

    @Option(help: "The format: text, or json for programs.")
    var format: Format = .text

    @Option(name: .shortAndLong, help: "Write to this file.", completion: .file())
    var output: String?

    @Option(help: "Use colour: auto, always or never.")
    var color: ColorChoice = .auto

    @Flag(help: "Show every queue and all code, including those without a difference.")
    var all = false

    @Flag(help: "Print the JSON Schema of the JSON comparison and exit.")
    var schema = false

    @OptionGroup var window: WindowArguments

    @OptionGroup var analysis: AnalysisArguments

    @OptionGroup var processes: ComparedProcess

    func validate() throws {
        if after == nil, !schema {
            throw ValidationError("Name two trace directories: before and after the change.")
        }
    }

    func run() throws {
        let destination = ReportDestination(file: output)
        guard !schema, let before, let after else { return try destination.write(DiffReport.schema) }
        let comparison = TraceComparison(
            before: try side(TraceDirectory.named(before), analysis),
            again: try again.map { trace in
                let hint = "Name the process by its program, which must be the same in all traces before."
                return try ComparedProcess.analyze(else: hint) { try side(TraceDirectory.named(trace), analysis) }
            },
            after: try ComparedProcess.analyze(else: "--process-after names the process of the second trace.") {
                try side(TraceDirectory.named(after), processes.arguments(analysis))
            })
        switch format {
        case .json: try destination.write(DiffReport(comparison).render())
        case .text:
            let text = DiffText(
                comparison, style: color.style(for: destination, detail: all ? .everything : .standard))
            try destination.write(text.render())
        }
        if comparison.hasLosses { throw ExitCode(1) }
    }

    private func side(_ trace: String, _ arguments: AnalysisArguments) throws -> TraceComparison.Side {
        let (profile, near) = (RunProfile(), NearFindings(settings: try arguments.settings()))
        let found = try arguments.analyze(trace, observers: [profile, near], window: window.request)
        try found.requireVerdict(on: trace)
        return .init(analysis: found.analysis, profile: profile, near: near)
    }
}
