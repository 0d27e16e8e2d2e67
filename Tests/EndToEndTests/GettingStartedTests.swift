import Foundation
import TestSupport
import Testing

/// The page "Getting started": its sources are written and its commands are run from the first one to the last one, in
/// an empty directory.
@Suite("The page Getting started")
struct GettingStartedTests {
    private static let page = "Sources/Queuescope/Queuescope.docc/GettingStarted.md"
    private static let counter = "Sources/Visits/VisitCounter.swift"

    /// The begin of commands that install queuescope. InstallTests and Tools/package run them.
    private static let installation = ["sudo apt install ", "tar ", "Tools/package", "Tools/install"]

    /// A code block of the page.
    private enum Block {
        /// A source file. The text before the block names it.
        case source(file: String, text: String)
        /// Shell commands, one a line.
        case commands([String])
    }

    private static func blocks() throws -> [Block] {
        let text = try String(contentsOfFile: "\(Package.root)/\(page)", encoding: .utf8)
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

    /// A reader who follows the page.
    private final class Reader {
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

        /// Did all commands succeed, and did the threads collide on the queue?
        var isDone: Bool {
            get throws { try results.values.allSatisfy { $0.status == 0 } && !report("before").findings.isEmpty }
        }

        func report(_ trace: String) throws -> Demo.Report {
            let json = try Program.queuescope.run(["report", "\(place)/\(trace)", "--format", "json"])
            return try JSONDecoder().decode(Demo.Report.self, from: Data(json.output.utf8))
        }
    }

    /// Follows the page until the first command that fails.
    private static func follow() throws -> Reader {
        let reader = Reader()
        for block in try blocks() {
            switch block {
            case .source(let file, let text): try reader.write(text, to: file)
            case .commands(let commands):
                for command in commands where !installation.contains(where: command.hasPrefix) {
                    try reader.run(command)
                    if reader.results[command]?.status != 0 { return reader }
                }
            }
        }
        return reader
    }

    @Test("leads from an empty directory to a passed check", .enabled(if: Program.canRun("swift")))
    func path() throws {
        // Whether threads collide on the queue, and how long they wait for the lock, depends on the other load of the
        // machine.
        let reader = try repeatedRecording(Self.follow) { try $0.isDone }
        for (command, result) in reader.results {
            #expect(result.status == 0, "\(command)\n\(result.errors)\(result.output.suffix(2000))")
        }

        let first = try #require(try reader.report("before").findings.first)
        #expect(first.detector == "staircase-contention" && first.queues == ["visits.counter"])
        let before = try Self.blocks().compactMap { block -> String? in
            if case .source(Self.counter, let text) = block { text } else { nil }
        }
        let lines = try #require(before.first).components(separatedBy: "\n")
        let line = try #require(lines.firstIndex { $0.contains("queue.sync") }) + 1
        #expect(first.code.map(\.file) == ["Visits/VisitCounter.swift"] && first.code.map(\.line) == [line])
        #expect(reader.sources[Self.counter] == before.last && before.count == 2)

        let difference = try #require(reader.results["queuescope diff before after"])
        #expect(difference.output.contains("\n Better: 1 finding gone, none new"), "\(difference.output)")
        let check = reader.results["queuescope check load-test --baseline queuescope-baseline.json"]
        #expect(check?.output.hasPrefix("passed: ") == true)
        #expect(reader.results.keys.contains("queuescope record -o before -- .build/release/Visits"))
    }
}
