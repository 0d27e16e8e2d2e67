// PageBundler FOLDER OUTPUT.swift: the scripts of a folder as one, in the source of a constant. Run by Tools/PagePlugin.
import Foundation

do {
    let folder = URL(filePath: CommandLine.arguments[1])
    var sources: [String: String] = [:]
    for path in FileManager.default.subpaths(atPath: folder.path) ?? [] where path.hasSuffix(".js") {
        sources[path] = try String(contentsOf: folder.appending(path: path), encoding: .utf8)
    }
    let program = try PageBundle(sources, entry: "start.js").program
    // A string, not an array: the compiler takes more than a minute for an array literal of this size.
    let source = "let pageProgram: StaticString = ####\"\"\"\n\(program)\n\"\"\"####\n"
    try source.write(to: URL(filePath: CommandLine.arguments[2]), atomically: true, encoding: .utf8)
} catch {
    FileHandle.standardError.write(Data("error: \(error)\n".utf8))
    exit(1)
}
