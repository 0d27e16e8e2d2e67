import ArgumentParser
import FoundationEssentials
import ReportText

/// The location of the program's sources, for formats that name files and for links.
struct SourceArguments: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            """
            The project's folder. In sarif, files are relative to it; without it they are Module/File.swift, as in the \
            trace. Links lead to its files if the program was compiled in another folder.
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
