import Foundation
import TestSupport
import Testing

@Suite("The progress of a report")
struct ProgressBarTests {
    private static let trace = Package.root + "/traces/1.1/news-service-before/trace"

    /// Runs a report whose standard error is a new terminal.
    ///
    /// - Parameters:
    ///   - columns: the terminal's width; 0 for an unknown width.
    ///   - kind: the value of `TERM`.
    /// - Returns: the exit status and the complete output to the terminal.
    /// - Throws: when no terminal is available, or the program cannot be started.
    private func reportOnTerminal(columns: UInt16 = 0, kind: String = "xterm") throws -> (status: Int32, text: String) {
        let terminal = try PseudoTerminal(columns: columns)
        let process = Process()
        process.executableURL = URL(filePath: Program.queuescope.path)
        process.arguments = ["report", Self.trace]
        process.environment = ProcessInfo.processInfo.environment.merging(["TERM": kind]) { $1 }
        process.standardOutput = FileHandle.nullDevice
        process.standardError = FileHandle(fileDescriptor: terminal.terminal, closeOnDealloc: false)
        return try terminal.run(process)
    }

    @Test("On a terminal a bar grows, and is erased at the end")
    func terminal() throws {
        let (status, text) = try reportOnTerminal()
        #expect(status == 0)
        let shares = text.matches(of: #/(█*)(░*) (\d+)%/#).map { (bar: $0.1.count, all: $0.1.count + $0.2.count, $0.3) }
        #expect(shares.count > 3)
        #expect(shares.allSatisfy { $0.all == 30 })
        #expect(shares.map(\.bar) == shares.map(\.bar).sorted())
        #expect(try #require(shares.last).bar > 20)
        #expect(text.hasSuffix("\r\u{1B}[K"))
    }

    @Test("It never fills a line, and is only a number on a short line", arguments: [30, 40, 60] as [UInt16])
    func narrow(columns: UInt16) throws {
        let (status, text) = try reportOnTerminal(columns: columns)
        #expect(status == 0)
        let lines = text.matches(of: #/\r([^\r\u{1B}]+)\u{1B}\[K/#).map(\.1)
        #expect(lines.count > 3)
        #expect(lines.allSatisfy { $0.hasPrefix("Reading") && $0.hasSuffix("%") && $0.count < columns })
        #expect(lines.allSatisfy { $0.contains("░") || $0.contains("█") } == (columns >= 40))
    }

    @Test("A terminal without escape sequences shows no bar")
    func dumb() throws {
        #expect(try reportOnTerminal(columns: 80, kind: "dumb").text.isEmpty)
    }

    @Test("Without a terminal there is no bar")
    func file() throws {
        #expect(try Program.queuescope.run(["report", Self.trace]).errors.isEmpty)
    }
}
