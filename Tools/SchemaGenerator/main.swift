import Foundation
import TraceSchema

// Usage: SchemaGenerator PACKAGE-DIRECTORY. Writes every generated file and prints which changed.
guard CommandLine.arguments.count == 2 else {
    FileHandle.standardError.write(Data("usage: SchemaGenerator PACKAGE-DIRECTORY\n".utf8))
    exit(64)
}
let package = URL(fileURLWithPath: CommandLine.arguments[1], isDirectory: true)
do {
    for file in try GeneratedFile.all(in: package) {
        let url = package.appendingPathComponent(file.path)
        if let old = try? String(contentsOf: url, encoding: .utf8), old == file.contents { continue }
        try FileManager.default.createDirectory(at: url.deletingLastPathComponent(), withIntermediateDirectories: true)
        try file.contents.write(to: url, atomically: true, encoding: .utf8)
        print("wrote \(file.path)")
    }
} catch {
    FileHandle.standardError.write(Data("generate-schema: \(error)\n".utf8))
    exit(1)
}
