import ArgumentParser
import CTFReader
import DispatchAnalysis
import Glibc
import Symbolication

/// `queuescope names`: stores the names of a trace's code with the trace.
struct NamesCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "names",
        abstract: "Stores the functions, files and lines of a trace's code in the trace directory.",
        discussion: """
            A trace has addresses. Their names come from the files of the program and its libraries, so they are lost \
            when the program is rebuilt, or when the trace is copied to another machine. queuescope record stores the \
            names after each recording. Use this command for traces that were recorded without it, by a TraceSession \
            or by LTTng, while the recorded files still exist:

              queuescope names trace

            The names are in the file \(NameStorage.fileName) of the trace directory. All commands use them for files \
            that no longer exist or have another build id.
            """)

    @Argument(help: "The trace directory, or a directory with traces below it.", completion: .trace)
    var trace: String

    @OptionGroup var symbols: SymbolArguments

    @Flag(help: .hidden)
    var afterRecording = false

    /// The longest time after a recording, in seconds. A larger program gets its names from its file.
    private static let longestTime: UInt32 = 120

    func run() throws {
        if afterRecording {
            // The signals of the terminal are for the next command of the user.
            setsid()
            // The signal ends this process. A partly written file has another name and is ignored.
            alarm(Self.longestTime)
        }
        TraceCompletion.complete(at: trace)
        let outcomes = try TraceSearch.traces(at: trace).paths.map {
            NameStorage.store(in: $0, models: try AnalysisSession.definitions(of: $0), folders: symbols.folders)
        }
        guard !afterRecording else { return }
        guard !outcomes.isEmpty else { throw CommandFailure(.unreadableTrace, "\(trace) has no trace") }
        for outcome in outcomes {
            let amount =
                "\(GroupedNumber.text(outcome.named)) of \(GroupedNumber.text(outcome.addresses)) addresses"
            switch outcome.result {
            case .written: StandardError.write("queuescope: stored the names of \(amount) in \(outcome.directory).\n")
            case .nothingToName:
                StandardError.write(
                    "queuescope: no address of \(outcome.directory) has a name, so nothing was stored.\n")
            case .hasMoreNames:
                StandardError.write("queuescope: \(outcome.directory) already has more names, which were kept.\n")
            case .cannotWrite(let code): throw CommandFailure.cannotWrite(outcome.directory, code)
            }
        }
    }
}
