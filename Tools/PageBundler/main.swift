// PageBundler FOLDER OUTPUT.swift: writes the bundled scripts of a folder as a Swift constant. Run by Tools/PagePlugin.
import Foundation

do {
    let folder = URL(filePath: CommandLine.arguments[1])
    var sources: [String: String] = [:]
    for path in FileManager.default.subpaths(atPath: folder.path) ?? [] where path.hasSuffix(".js") {
        sources[path] = try String(contentsOf: folder.appending(path: path), encoding: .utf8)
    }
    let program = try PageBundle(sources, entry: "start.js").program
    // A string literal, because the compiler needs more than a minute for an array literal of this size.
    let source = "let pageProgram: StaticString = ####\"\"\"\n\(program)\n\"\"\"####\n"
    let output = URL(filePath: CommandLine.arguments[2])
    // SwiftPM runs this in every build. A file that does not change is not compiled again.
    if (try? String(contentsOf: output, encoding: .utf8)) != source {
        try source.write(to: output, atomically: true, encoding: .utf8)
    }
} catch {
    FileHandle.standardError.write(Data("error: \(error)\n".utf8))
    exit(1)
}
