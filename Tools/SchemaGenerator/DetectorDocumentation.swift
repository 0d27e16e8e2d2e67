import Foundation

extension GeneratedFile {
    private static let detectors = "Sources/DispatchAnalysis/Detectors"

    /// The output of `queuescope explain`: the documentation comments of the detectors. Every detector must have one.
    ///
    /// - Parameter package: the package's directory.
    /// - Returns: the file.
    /// - Throws: when a source file cannot be read.
    static func detectorDocumentation(in package: URL) throws -> GeneratedFile {
        let folder = package.appendingPathComponent(detectors)
        var text =
            "// Generated from the documentation comments of the detectors by Tools/generate-schema. Do not edit.\n"
        for name in try FileManager.default.subpathsOfDirectory(atPath: folder.path).sorted(by: fileNamesInOrder)
        where name.hasSuffix(".swift") {
            let source = try String(contentsOf: folder.appendingPathComponent(name), encoding: .utf8)
            guard let (type, comment) = documentedDetector(in: source) else { continue }
            text += "\nextension \(type) {\n    public static let documentation = \"\"\"\n"
            for line in comment {
                text += (line.isEmpty ? "" : "        " + line.replacingOccurrences(of: "\\", with: "\\\\")) + "\n"
            }
            text += "        \"\"\"\n}\n"
        }
        return GeneratedFile(path: "\(detectors)/Generated/DetectorDocumentation.swift", contents: text)
    }

    private static func fileNamesInOrder(_ left: String, _ right: String) -> Bool {
        (left as NSString).lastPathComponent < (right as NSString).lastPathComponent
    }

    /// The detector that a source file declares, and its comment without slashes; nil if the file declares none.
    private static func documentedDetector(in source: String) -> (type: String, comment: [String])? {
        var comment: [String] = []
        for line in source.split(separator: "\n", omittingEmptySubsequences: false) {
            if line.hasPrefix("///") {
                comment.append(String(line.dropFirst(line.hasPrefix("/// ") ? 4 : 3)))
            } else if line.hasPrefix("public struct "), line.hasSuffix(": Detector {") {
                return (String(line.dropFirst("public struct ".count).dropLast(": Detector {".count)), comment)
            } else {
                comment = []
            }
        }
        return nil
    }
}
