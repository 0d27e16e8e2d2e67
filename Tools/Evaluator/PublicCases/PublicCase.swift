import Foundation

/// A program modelled on a public bug report, with its repaired version (`fixed` as the argument).
///
/// The programs are in `Tests/TracedPrograms/PublicCases`. The first lines of each describe the problem. Lines that
/// begin with `//:` state what the report should say:
///
///     //: source URL          the bug report
///     //: detector a|b        the detectors of which one explains the problem
///     //: code NAME           text that the finding contains: the function with the problem
///     //: also a b            other detectors whose warnings are correct, separated by spaces
///     //: hangs               the program does not end by itself
struct PublicCase {
    /// The name of the file without its extension.
    let name: String
    let path: String
    let source: String
    let detectors: Set<String>
    let code: String
    let also: Set<String>
    let hangs: Bool

    /// An error in a program's directives.
    struct Failure: Error, CustomStringConvertible {
        let description: String
    }

    static let folder = "Tests/TracedPrograms/PublicCases"

    /// All programs, in the order of their names.
    ///
    /// - Parameter folder: the folder of the programs.
    /// - Throws: ``Failure`` for a missing directive, and errors of the file system.
    static func all(in folder: String = folder) throws -> [PublicCase] {
        try FileManager.default.contentsOfDirectory(atPath: folder).filter { $0.hasSuffix(".swift") }.sorted()
            .map { try PublicCase(path: "\(folder)/\($0)") }
    }

    init(path: String) throws {
        self.path = path
        name = URL(fileURLWithPath: path).deletingPathExtension().lastPathComponent
        var values: [String: String] = [:]
        for line in try String(contentsOfFile: path, encoding: .utf8).split(separator: "\n") {
            guard line.hasPrefix("//: ") else { continue }
            let words = line.dropFirst(4).split(separator: " ", maxSplits: 1)
            values[String(words[0])] = words.count > 1 ? String(words[1]) : ""
        }
        func value(_ key: String) throws -> String {
            guard let value = values[key] else {
                throw Failure(description: "\(path): expected a line \"//: \(key) …\"")
            }
            return value
        }
        source = try value("source")
        detectors = Set(try value("detector").split(separator: "|").map(String.init))
        code = try value("code")
        also = Set((values["also"] ?? "").split(separator: " ").map(String.init)).union(detectors)
        hangs = values["hangs"] != nil
    }
}
