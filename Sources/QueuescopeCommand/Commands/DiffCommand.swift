import ArgumentParser
import DispatchAnalysis
import TraceReports

/// `queuescope diff`: whether a change helped.
struct DiffCommand: ParsableCommand {
    enum Format: String, ExpressibleByArgument, CaseIterable {
        case text, json
    }

    static let configuration = CommandConfiguration(
        commandName: "diff",
        abstract: "Compares two traces: what is gone, what is new or worse, and what is more than noise.",
        discussion: """
            Exits with 0, with 1 when the second trace has findings that the first has not, or has less severe, with 2 when \
            a trace has no event to judge by.

            Queues are matched by label (numbers aside), code by file and function, so that a trace of the changed program can \
            be compared with one of the old. Each run is cut into 32 to 64 blocks of time; a difference counts when a \
            Mann-Whitney test of the blocks' values says so (1 % after Holm's correction for all tests made), the effect is \
            large (Cliff's delta of 0.5), and the typical value doubles or halves. Two runs of one program differ, too; where you \
            record it several times before the change, smaller differences can be told from that:

              queuescope diff before-1 after --again before-2 --again before-3

            With --from and --to the same part of each trace is compared, such as that after the start of the program:

              queuescope diff before after --from 5s

            Of traces with several processes one is compared: by its name, or where it has another name or several \
            processes have it, by one option for each trace:

              queuescope diff before after --process news
              queuescope diff before after --process 4711 --process-after 5022
            """)

    @Argument(help: "The trace to compare with.", completion: .directory)
    var before: String?

    @Argument(help: "The trace that may be better or worse.", completion: .directory)
    var after: String?

    @Option(
        help: ArgumentHelp(
            "A further trace of the program before, which tells how much its runs differ by themselves; may be repeated.",
            valueName: "trace"),
        completion: .directory)
    var again: [String] = []

    @Option(help: "text for people, json for programs.")
    var format: Format = .text

    @Option(name: .shortAndLong, help: "Write to this file.", completion: .file())
    var output: String?

    @Option(help: "When to use colour: auto, always or never.")
    var color: ColorChoice = .auto

    @Flag(help: "Show every queue and all code, also what does not differ.")
    var all = false

    @Flag(help: "Print the JSON Schema of the JSON comparison and do nothing else.")
    var schema = false

    @OptionGroup var window: WindowArguments

    @OptionGroup var analysis: AnalysisArguments

    @OptionGroup var processes: ComparedProcess

    func validate() throws {
        if after == nil, !schema {
            throw ValidationError("Name two trace directories: the one before and the one after.")
        }
    }

    func run() throws {
        let destination = ReportDestination(file: output)
        guard !schema, let before, let after else { return try destination.write(DiffReport.schema) }
        let comparison = TraceComparison(
            before: try side(before, analysis),
            again: try again.map { trace in
                let hint = "Name it by its program: the name has to be the same in all traces before."
                return try ComparedProcess.analyze(else: hint) { try side(trace, analysis) }
            },
            after: try ComparedProcess.analyze(else: "--process-after names that of the trace after.") {
                try side(after, processes.arguments(analysis))
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
