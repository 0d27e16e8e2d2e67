import ArgumentParser
import FoundationEssentials
import TraceReports

/// The location of the program's sources, for formats that name files.
struct SourceArguments: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            """
            For sarif: the project's folder. Files are relative to it; without it they are Module/File.swift, as in \
            the trace.
            """,
            valueName: "dir"),
        completion: .directory)
    var sourceRoot: String?

    func validate() throws {
        var isDirectory = false
        guard let sourceRoot,
            !FileManager.default.fileExists(atPath: sourceRoot, isDirectory: &isDirectory) || !isDirectory
        else { return }
        throw ValidationError("--source-root \(sourceRoot): there is no such folder.")
    }

    var tree: SourceTree? { sourceRoot.map { SourceTree(root: $0) } }
}
