import ArgumentParser
import Symbolication

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

    /// No folders, for a command without the option. A value that is neither parsed nor assigned cannot be read.
    static var none: SymbolArguments {
        var arguments = SymbolArguments()
        arguments.folders = []
        return arguments
    }

    /// The symbolizer of a trace, or of the traces below a directory.
    func symbolizer(for trace: String) -> Symbolizer {
        Symbolizer(SymbolSources(traces: [trace], folders: folders))
    }
}
