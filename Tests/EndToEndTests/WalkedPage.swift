import Foundation
import TestSupport
import Testing

/// A page whose sources are written and whose commands are run from the first one to the last one, in an empty
/// directory.
struct WalkedPage {
    let path: String

    /// The begin of commands that install queuescope. InstallTests and Tools/package run them.
    private static let installation = ["sudo apt install ", "tar ", "Tools/package", "Tools/install"]

    /// A code block of the page.
    enum Block {
        /// A source file. The text before the block names it.
        case source(file: String, text: String)
        /// Shell commands, one a line.
        case commands([String])
    }

    func blocks() throws -> [Block] {
        let text = try String(contentsOfFile: "\(Package.root)/\(path)", encoding: .utf8)
        var end = text.startIndex
        return try text.matches(of: /(?ms)^```(swift|sh)\n(.*?)^```$/).map { block in
            let before = text[end..<block.range.lowerBound]
            end = block.range.upperBound
            let content = String(block.output.2)
            if block.output.1 == "sh" { return .commands(content.split(separator: "\n").map(String.init)) }
            let file = try #require(before.matches(of: /`([\w\/]+\.swift)`/).last, "no file name: \(content)")
            return .source(file: String(file.output.1), text: content)
        }
    }

    /// Follows the page until the first command that fails.
    func follow() throws -> PageReader {
        let reader = PageReader()
        for block in try blocks() {
            switch block {
            case .source(let file, let text): try reader.write(text, to: file)
            case .commands(let commands):
                for command in commands where !Self.installation.contains(where: command.hasPrefix) {
                    try reader.run(command)
                    if reader.results[command]?.status != 0 { return reader }
                }
            }
        }
        return reader
    }
}

/// A reader who follows a page.
final class PageReader {
    private let directory = TemporaryDirectory()
    /// The directory in which the next command runs. `cd` changes it.
    private var place: String
    /// The results of the commands that have run, by command.
    private(set) var results: [String: Program.Result] = [:]
    private(set) var sources: [String: String] = [:]

    init() { place = directory.path }

    func write(_ text: String, to file: String) throws {
        try text.write(toFile: "\(place)/\(file)", atomically: false, encoding: .utf8)
        sources[file] = text
    }

    /// Runs a command as the page has it, with the built queuescope in `PATH`.
    func run(_ command: String) throws {
        let bin = URL(fileURLWithPath: Program.queuescope.path).deletingLastPathComponent().path
        let note = directory.appending("place")
        let script = "cd \"$0\" && PATH=\"$1:$PATH\" && \(command) && pwd >\"$2\""
        let result = try Program(path: "/bin/sh").run(["-c", script, place, bin, note])
        results[command] = result
        guard result.status == 0 else { return }
        place = try String(contentsOfFile: note, encoding: .utf8).trimmingCharacters(in: .newlines)
    }

    /// Expects that all commands succeeded.
    func checkStatuses() {
        for (command, result) in results {
            #expect(result.status == 0, "\(command)\n\(result.errors)\(result.output.suffix(2000))")
        }
    }

    func report(_ trace: String) throws -> Demo.Report {
        let json = try Program.queuescope.run(["report", "\(place)/\(trace)", "--format", "json"])
        return try JSONDecoder().decode(Demo.Report.self, from: Data(json.output.utf8))
    }
}
