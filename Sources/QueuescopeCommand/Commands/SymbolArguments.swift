import ArgumentParser
import TraceReports

/// The folders in which the names of code are looked up.
struct SymbolArguments: ParsableArguments {
    @Option(
        name: .customLong("symbols"),
        help: ArgumentHelp(
            """
            A folder with the recorded program, its libraries or their debug files, when they are not at the recorded \
            path (repeatable). A file with another build id is never used.
            """,
            valueName: "dir"),
        completion: .directory)
    var folders: [String] = []

    /// The symbolizer of a trace, or of the traces below a directory.
    func symbolizer(for trace: String) -> Symbolizer {
        Symbolizer(SymbolSources(traces: [trace], folders: folders))
    }
}
