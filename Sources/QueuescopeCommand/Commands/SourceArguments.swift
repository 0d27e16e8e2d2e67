import ArgumentParser
import TraceReports

/// Where the program's sources are, for formats that name files.
struct SourceArguments: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "For sarif: the project's folder, to which the files are relative; without it they are Module/File.swift, as the trace has them.",
            valueName: "dir"),
        completion: .directory)
    var sourceRoot: String?

    var tree: SourceTree? { sourceRoot.map { SourceTree(root: $0) } }
}
