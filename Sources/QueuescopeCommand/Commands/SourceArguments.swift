import ArgumentParser
import FoundationEssentials
import TraceReports

/// Where the program's sources are, for formats that name files.
struct SourceArguments: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "For sarif: the project's folder, to which the files are relative; without it they are Module/File.swift, as the trace has them.",
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
