import Foundation
import TestSupport
import Testing

/// A program of `TracedPrograms/Unmodified`: small, without Queuescope, with one difficulty for a recorder.
///
/// The first lines describe the difficulty. Lines that begin with `//:` (`#:` in a script) are directives for the test:
///
/// //: ends 3 | SIGTERM | trap       how the program ends, if not with status 0; trap: the signal of `__builtin_trap`
///     //: items 12                      number of items on its queues that run
///     //: without libdispatch           the program is not linked with libdispatch, so it may leave no trace
///     //: discards                      the program blocks the recorder's files, so events may be missing
///     //: link -ldl                     additional arguments for the linker
///     //: plug-in                       the same file, compiled with PLUG_IN, is also a library next to the program,
///                                       always linked with libdispatch
struct UnmodifiedProgram: Sendable, CustomTestStringConvertible {
    enum Language: String, CaseIterable, Sendable {
        case c = "C"
        case swift = "Swift"
        case shell = "Shell"
        /// Larger programs in Swift that use common libraries.
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

    /// The exit statuses, in the form of a shell, that the program may have.
    var statuses: [Int32] {
        switch directives["ends"] {
        case nil: [0]
        // The signal of `__builtin_trap` depends on the processor.
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

    /// Number of items that run on the program's queues, if it is fixed.
    var items: Int? { directives["items"].flatMap { Int($0) } }
    var usesLibdispatch: Bool { language != .shell && directives["without"] != "libdispatch" }
    var mayDiscard: Bool { directives["discards"] != nil }
    var isPlugIn: Bool { directives["plug-in"] != nil }
    var linkOptions: [String] { directives["link"]?.split(separator: " ").map(String.init) ?? [] }
}
