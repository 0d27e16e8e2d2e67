import Foundation
import TestSupport
import Testing

/// A program of `TracedPrograms/Unmodified`: small, with one trap for whoever records it, and without Queuescope.
///
/// Its first lines say what the trap is; lines that begin with `//:` (`#:` in a script) say what a test must know:
///
///     //: ends 3 | SIGTERM | trap       how it ends, when not with status 0; a trap is the processor's for `__builtin_trap`
///     //: items 12                      how many items run that were submitted to its queues
///     //: without libdispatch           it is not linked with it, and so may leave no trace
///     //: discards                      it keeps the recorder from its files, so that events may be missing
///     //: link -ldl                     what else to link
///     //: plug-in                       the same file, compiled with PLUG_IN, is also a library beside the program,
///                                       always linked with libdispatch
struct UnmodifiedProgram: Sendable, CustomTestStringConvertible {
    enum Language: String, CaseIterable, Sendable {
        case c = "C"
        case swift = "Swift"
        case shell = "Shell"
        /// Larger programs in Swift, which use the libraries that people use.
        case real = "Real"

        var pathExtension: String {
            switch self {
            case .c: "c"
            case .swift, .real: "swift"
            case .shell: "sh"
            }
        }
    }

    let language: Language
    let name: String
    let source: String
    private let directives: [String: String]

    var testDescription: String { "\(language.rawValue)/\(name)" }

    /// The folder of all programs.
    static let folder =
        Package.root + "/Tests/TracedPrograms/Unmodified"

    /// The programs of a language, in the order of their names.
    static func all(_ language: Language) -> [UnmodifiedProgram] {
        let directory = "\(folder)/\(language.rawValue)"
        let files = (try? FileManager.default.contentsOfDirectory(atPath: directory)) ?? []
        return files.filter { $0.hasSuffix("." + language.pathExtension) }.sorted().map {
            UnmodifiedProgram(language: language, source: "\(directory)/\($0)")
        }
    }

    init(language: Language, source: String) {
        self.language = language
        self.source = source
        name = URL(fileURLWithPath: source).deletingPathExtension().lastPathComponent
        let text = (try? String(contentsOfFile: source, encoding: .utf8)) ?? ""
        var directives: [String: String] = [:]
        for line in text.split(separator: "\n") where line.hasPrefix("//: ") || line.hasPrefix("#: ") {
            let words = line.drop { $0 != " " }.dropFirst().split(separator: " ", maxSplits: 1)
            directives[String(words[0])] = words.count > 1 ? String(words[1]) : ""
        }
        self.directives = directives
    }

    /// The statuses, as a shell gives them, one of which the program ends with.
    var statuses: [Int32] {
        switch directives["ends"] {
        case nil: [0]
        // What `__builtin_trap` becomes depends on the processor.
        case "trap": [128 + SIGILL, 128 + SIGTRAP]
        case "SIGABRT": [128 + SIGABRT]
        case "SIGKILL": [128 + SIGKILL]
        case "SIGSEGV": [128 + SIGSEGV]
        case "SIGSYS": [128 + SIGSYS]
        case "SIGTERM": [128 + SIGTERM]
        case "SIGXFSZ": [128 + SIGXFSZ]
        case let status?: Int32(status).map { [$0] } ?? []
        }
    }

    /// How many items run on its queues, where that is certain.
    var items: Int? { directives["items"].flatMap { Int($0) } }
    var usesLibdispatch: Bool { language != .shell && directives["without"] != "libdispatch" }
    var mayDiscard: Bool { directives["discards"] != nil }
    var isPlugIn: Bool { directives["plug-in"] != nil }
    var linkOptions: [String] { directives["link"]?.split(separator: " ").map(String.init) ?? [] }
}
