import Foundation
import TestSupport
import Testing

/// The built `queuescope`: its output and its exit codes.
@Suite struct CommandLineTests {
    private let queuescope = Program.queuescope

    @Test(
        "Wrong usage is explained on standard error and ends with 64",
        arguments: [
            ["report"], ["timeline"], ["events"], ["record"], ["record", "--limit", "much", "--", "true"], ["nonsense"],
            ["record", "--processors", "maybe", "--", "true"], ["record", "--budget", "little", "--", "true"],
            ["record", "--budget", "1%", "--backend", "lttng", "--", "true"],
            ["record", "--budget", "1%", "--no-interposer", "--", "true"],
            ["record", "--no-interposer", "--preload", "x", "--", "true"],
            ["link-flags", "--style", "make"],
            ["report", "x", "--format", "xml"], ["report", "x", "--color", "sometimes"],
            ["explain", "no-such-detector"],
            ["report", "x", "--threshold", "staircase-contention.stairs=6"],
            ["report", "x", "--threshold", "useless-wakeups.share=200%"],
            ["report", "one", "two"],
            ["report", "x", "--item", "fast"], ["report", "x", "--item", "1", "--signpost", "load"],
            ["report", "x", "--item", "1", "--format", "sarif"],
        ])
    func refusesWrongUsage(arguments: [String]) throws {
        let result = try queuescope.run(arguments)
        #expect(result.status == 64)
        #expect(result.output.isEmpty)
        #expect(!result.errors.isEmpty)
    }

    @Test(
        "A mistyped name is answered with similar names, and the list is left to its command",
        arguments: [
            (["explain", "staircase"], "staircase-contention", "`queuescope explain` lists all detectors."),
            (["explain", "lock-contentoin"], "lock-contention", "`queuescope explain` lists all detectors."),
            (["report", "x", "--why", "deadlok"], "deadlock", "`queuescope explain` lists all detectors."),
            (["scenario", "imagecache"], "image-cache", "`queuescope scenario` lists all scenarios."),
            (["reprot"], "report", "The commands are record, report, check, diff"),
            (["help", "reprot"], "report", "The commands are record, report, check, diff"),
            (["check", "x", "--fail-on", "deadlok"], "deadlock", "`queuescope explain` lists the detectors."),
            (["check", "x", "--fail-on", "eror"], "error", "`queuescope explain` lists the detectors."),
        ])
    func suggestsNames(arguments: [String], name: String, list: String) throws {
        let result = try queuescope.run(arguments)
        #expect(result.status == 64 && result.output.isEmpty)
        #expect(result.errors.contains("; did you mean \(name)") && result.errors.contains(list), "\(result.errors)")
        #expect(result.errors.split(separator: "\n").count == 1 && result.errors.count < 300, "\(result.errors)")
    }

    @Test(
        "A mistyped option or value is answered with similar ones",
        arguments: [
            (["report", "--formt", "json"], "Unknown option '--formt'. Did you mean '--format'?"),
            (["report", "x", "--format", "jsn"], "for '--format <format>'; did you mean json? Please provide one of"),
            (["check", "x", "--color", "alway"], "for '--color <color>'; did you mean always? Please provide one of"),
            (["export", "x", "--table", "queus"], "for '--table <table>'; did you mean queues? Please provide one of"),
            (["record", "--mode", "fligth", "--", "true"], "for '--mode <mode>'; did you mean flight? Please provide"),
            (["report", "x", "--format", "xml"], "for '--format <format>'. Please provide one of 'text', 'json'"),
            (["report", "x", "--links", "vscod"], "is no kind of link; did you mean vscode? Give one of auto, none"),
            (["report", "x", "--threshold", "deadlok.s=1"], "no detector 'deadlok' with a threshold; did you mean"),
            (
                ["report", "x", "--threshold", "staircase-contention.step=1"],
                "has no threshold 'step'; did you mean steps?"
            ),
        ])
    func suggestsValues(arguments: [String], sentence: String) throws {
        let result = try queuescope.run(arguments)
        #expect(result.status == 64 && result.output.isEmpty)
        #expect(result.errors.contains(sentence), "\(result.errors)")
    }

    @Test(
        "A name without similar names is answered with the way to the list",
        arguments: [
            (["explain", "xyzzy"], "there is no detector 'xyzzy'. `queuescope explain` lists"),
            (["scenario", "xyzzy"], "there is no scenario 'xyzzy'. `queuescope scenario` lists"),
            (["frob"], "there is no command 'frob'. The commands are record, "),
            (["help", "frob"], "there is no command 'frob'. The commands are record, "),
        ])
    func namesTheList(arguments: [String], sentence: String) throws {
        let result = try queuescope.run(arguments)
        #expect(result.status == 64)
        #expect(result.errors.hasPrefix("queuescope: " + sentence), "\(result.errors)")
    }

    @Test(
        "An invalid value is explained",
        arguments: [
            (["report", "x", "--from", "abc"], "'abc' is invalid for '--from <time>': give a time after the begin"),
            (["report", "x", "--to", "-"], "'-' is invalid for '--to <time>': give a time after the begin"),
            (["record", "--limit", "0", "--", "true"], "'0' is invalid for '--limit <limit>': it is too small"),
            (["record", "--memory", "1x", "--", "true"], "'1x' is invalid for '--memory <memory>': it is not a whole"),
            (["timeline", "x", "--budget", "0"], "'0' is invalid for '--budget <size>': it is too small"),
        ])
    func explainsValues(arguments: [String], sentence: String) throws {
        let result = try queuescope.run(arguments)
        #expect(result.status == 64)
        #expect(result.errors.contains("The value " + sentence), "\(result.errors)")
    }

    @Test("The help shows the default of a size in the form of an argument")
    func showsDefaults() throws {
        let help = try queuescope.run(["timeline", "--help"]).output.split { $0.isWhitespace }.joined(separator: " ")
        #expect(help.contains("every item (default: 24M)."), "\(help)")
    }

    @Test("Without arguments the help is printed")
    func printsHelp() throws {
        let result = try queuescope.run([])
        #expect(result.status == 0)
        for command in [
            "record", "report", "check", "diff", "export", "timeline", "events", "explain", "doctor", "link-flags",
            "demo", "scenario", "stuck", "live", "watch",
        ] {
            #expect(result.lines.contains { $0.hasPrefix("  \(command) ") })
        }
    }

    @Test(
        "On a terminal no line is wider than the terminal, except for a long path",
        arguments: [["explain"], ["explain", "staircase-contention"], ["doctor", Program.queuescope.path]])
    func keepsToTheTerminal(arguments: [String]) throws {
        let terminal = try PseudoTerminal(columns: 70)
        let process = Process()
        process.executableURL = URL(filePath: queuescope.path)
        process.arguments = arguments
        process.environment = ProcessInfo.processInfo.environment.merging(["NO_COLOR": "1"]) { $1 }
        process.standardOutput = FileHandle(fileDescriptor: terminal.terminal, closeOnDealloc: false)
        let (status, text) = try terminal.run(process)
        #expect(status == 0)
        // Drawings are not wrapped.
        let parts = text.components(separatedBy: "```").enumerated().filter { $0.offset.isMultiple(of: 2) }
        let lines = parts.flatMap { $0.element.split(separator: "\r\n") }
        #expect(lines.count > 10)
        #expect(lines.filter { $0.count > 70 && $0.split(separator: " ").last?.contains("/") != true } == [])
    }

    @Test("The JSON Schema is printed, and is JSON")
    func printsTheSchema() throws {
        let result = try queuescope.run(["report", "--schema"])
        #expect(result.status == 0)
        #expect(result.errors.isEmpty)
        let schema = try JSONSerialization.jsonObject(with: Data(result.output.utf8)) as? [String: Any]
        #expect(schema?["$schema"] as? String == "https://json-schema.org/draft/2020-12/schema")
    }

    @Test("An unwritable file is reported in one sentence, and no file is left behind")
    func refusesAnUnwritableFile() throws {
        let directory = TemporaryDirectory()
        let file = directory.appending("missing/report.json")
        let result = try queuescope.run(["report", "--schema", "-o", file])
        #expect(result.status == 73)
        #expect(result.errors.hasPrefix("queuescope: cannot write \(file): No such file or directory."))
        #expect(result.errors.split(separator: "\n").count == 1)
        let folder = directory.appending("folder")
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: false)
        #expect(try queuescope.run(["report", "--schema", "-o", folder]).status == 73)
        #expect(try FileManager.default.contentsOfDirectory(atPath: directory.path) == ["folder"])
    }

    @Test("A file is replaced as a whole, and a device is written")
    func writesFiles() throws {
        let directory = TemporaryDirectory()
        let file = directory.appending("schema.json")
        #expect(FileManager.default.createFile(atPath: file, contents: Data("old".utf8)))
        #expect(try queuescope.run(["report", "--schema", "--output", file]).output.isEmpty)
        #expect(try String(contentsOfFile: file, encoding: .utf8).hasPrefix("{"))
        #expect(try queuescope.run(["report", "--schema", "--output", "/dev/null"]).status == 0)
        #expect(try FileManager.default.contentsOfDirectory(atPath: directory.path) == ["schema.json"])
    }

    @Test("The target of a symbolic link is written and keeps its permissions")
    func writesThroughLinks() throws {
        let directory = TemporaryDirectory()
        let (file, link) = (directory.appending("schema.json"), directory.appending("link"))
        let name = String(repeating: "n", count: 255)
        for (target, mode) in [(file, 0o600), (directory.appending(name), 0o640)] {
            try? FileManager.default.removeItem(atPath: link)
            try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: target)
            // Once without the target, and once with it.
            #expect(try queuescope.run(["report", "--schema", "-o", link]).status == 0)
            try FileManager.default.setAttributes([.posixPermissions: mode], ofItemAtPath: target)
            #expect(try queuescope.run(["check", "--schema", "-o", link]).status == 0)
            let attributes = try FileManager.default.attributesOfItem(atPath: target)
            #expect(attributes[.posixPermissions] as? Int == mode)
            let schema = try queuescope.run(["check", "--schema"]).output
            #expect(try String(contentsOfFile: target, encoding: .utf8) == schema)
            #expect(try FileManager.default.destinationOfSymbolicLink(atPath: link) == target)
        }
        let names = try FileManager.default.contentsOfDirectory(atPath: directory.path)
        #expect(Set(names) == ["schema.json", "link", name])
    }

    @Test("No file is written into a trace", arguments: ["metadata", "report.json"])
    func sparesTraces(name: String) throws {
        let directory = TemporaryDirectory()
        #expect(FileManager.default.createFile(atPath: directory.appending("metadata"), contents: Data("/* CTF".utf8)))
        let result = try queuescope.run(["report", "--schema", "-o", directory.appending(name)])
        #expect(result.status == 73)
        #expect(result.errors.contains("it is in a trace directory"))
        #expect(try FileManager.default.contentsOfDirectory(atPath: directory.path) == ["metadata"])
        #expect(try String(contentsOfFile: directory.appending("metadata"), encoding: .utf8) == "/* CTF")
    }

    @Test("A closed pipe ends the command silently")
    func survivesAClosedPipe() throws {
        let shell = try #require(Program.installed("sh"))
        let result = try shell.run(["-c", "\"$1\" report --schema | head -c 1", "sh", queuescope.path])
        #expect(result.status == 0)
        #expect(result.output == "{")
        #expect(result.errors.isEmpty)
    }

    @Test(
        "Lost standard output is an error, also when it is closed",
        arguments: ["report --schema", "explain", "scenario", "--help", "help report", "--version"],
        [">/dev/full", ">&-", ">&- <&-"])
    func noticesLostOutput(command: String, redirection: String) throws {
        let shell = try #require(Program.installed("sh"))
        let result = try shell.run(["-c", "\"$1\" \(command) \(redirection)", "sh", queuescope.path])
        #expect(result.status == 73)
        #expect(result.errors.hasPrefix("queuescope: cannot write to standard output: "))
    }

    @Test("A path that is not UTF-8 is rejected with a sentence, and not replaced by another path")
    func refusesOtherEncodings() throws {
        let shell = try #require(Program.installed("sh"))
        for arguments in ["report \"$2\"", "record -o \"$2\" -- true", "check . --baseline \"$2\""] {
            let script = "\"$1\" \(arguments.replacing("$2", with: "$(printf 'caf\\351')"))"
            let result = try shell.run(["-c", script, "sh", queuescope.path])
            #expect(result.status == 64)
            #expect(result.errors.contains("'caf\u{FFFD}', is not UTF-8. Give the file another name"), "\(result)")
        }
    }

    @Test("A timeline that cannot be opened without xdg-open is written, and ends with 126")
    func needsABrowser() throws {
        let directory = TemporaryDirectory()
        let file = directory.appending("t.html")
        let result = try queuescope.run(
            ["timeline", Package.root + "/traces/1.1/news-service-before/trace", "-o", file, "--open"],
            environment: ["PATH": "/nonexistent"])
        #expect(result.status == 126)
        #expect(result.errors.contains("xdg-open is not installed"), "\(result.errors)")
        #expect(FileManager.default.fileExists(atPath: file))
    }

    @Test("A timeline larger than its budget is reported")
    func namesTheBudget() throws {
        let file = TemporaryDirectory()
        let result = try queuescope.run([
            "timeline", Package.root + "/traces/1.1/news-service-before/trace", "-o", file.appending("t.html"),
            "--budget", "1",
        ])
        #expect(result.status == 0)
        #expect(result.errors.contains(" KiB, but the budget was 1 B: "), "\(result.errors)")
    }

    @Test("Every detector is listed, and each one's documentation is printed")
    func explains() throws {
        let list = try queuescope.run(["explain"])
        #expect(list.status == 0)
        for detector in [
            "staircase-contention", "overlapping-handlers", "mutation-after-activation", "retarget-after-activation",
        ] {
            #expect(list.output.contains("  \(detector) "))
            let explanation = try queuescope.run(["explain", detector])
            #expect(explanation.status == 0)
            #expect(explanation.output.hasPrefix("\(detector)\n\n"))
            #expect(explanation.lines.count > 10)
        }
    }
}
