import CKernel
import CTFReader
import Foundation
import TestSupport
import Testing

/// `queuescope record` with programs that do not link Queuescope: how they are recorded, and the errors when they
/// cannot be.
@Suite struct InterposerRecordingTests {
    private let queuescope = Program.queuescope
    private let directory = TemporaryDirectory()

    /// A program that loads libdispatch and does not link Queuescope. Without arguments it exits with 64.
    private let plain = Program.built("SchemaGenerator")

    private func record(_ command: [String], options: [String] = []) throws -> Program.Result {
        try queuescope.run(["record", "-o", directory.appending("trace")] + options + ["--"] + command)
    }

    /// Writes an executable file with this content.
    private func executable(_ name: String, _ content: Data, mode: Int = 0o755) -> String {
        let path = directory.appending(name)
        #expect(FileManager.default.createFile(atPath: path, contents: content, attributes: [.posixPermissions: mode]))
        return path
    }

    /// An ELF header without segments and sections, so without a dynamic linker.
    private func header(machine: UInt8, bits: UInt8 = 2) -> Data {
        var header = Data([0x7F] + "ELF".utf8 + [bits, 1, 1]) + Data(count: 57)
        header[16] = 2
        header[18] = machine
        return header
    }

    #if arch(x86_64)
        private static let machine: UInt8 = 62
    #else
        private static let machine: UInt8 = 183
    #endif

    @Test("A program that does not link Queuescope is recorded, and the last line is the next command")
    func recordsAnyProgram() throws {
        let alone = try plain.run([])
        let result = try record([plain.path])
        #expect(result.status == alone.status)
        #expect(result.output == alone.output)
        let lines = result.errors.split(separator: "\n")
        #expect(lines.dropLast().joined(separator: "\n") + "\n" == alone.errors)
        let trace = directory.appending("trace")
        let line = try #require(lines.last)
        #expect(line.hasPrefix("queuescope: recorded "))
        #expect(line.hasSuffix(" into \(trace). Next: queuescope report \(trace)"))
        #expect(try queuescope.run(["report", trace]).status == 0)
    }

    @Test("A program without libdispatch records nothing, and the reason is printed")
    func recordsNothing() throws {
        let result = try record(["/bin/sh", "-c", "exit 3"])
        #expect(result.status == 3)
        #expect(
            result.errors.hasPrefix(
                "queuescope: /bin/sh left no trace: it and the programs that it started did not load libdispatch"))
        #expect(result.errors.split(separator: "\n").count == 1)
    }

    @Test("The parent directories of the trace are created")
    func makesTheDirectoriesAround() throws {
        let trace = directory.appending("traces/service/first")
        let result = try queuescope.run(["record", "--follow-children", "-o", trace, "--", plain.path])
        #expect(result.errors.contains(" into \(trace). Next: queuescope report \(trace)\n"))
    }

    @Test("When the directory is removed before recording starts, the message does not blame missing queues")
    func losesTheDirectory() throws {
        let folder = directory.appending("folder")
        let result = try queuescope.run([
            "record", "-o", folder + "/trace", "--", "/bin/sh", "-c", "rm -r \"$0\"; \"$1\"", folder, plain.path,
        ])
        #expect(result.status == 64)
        #expect(result.errors.contains("/folder/trace: No such file or directory. The program runs on"))
        #expect(result.errors.contains("or could not be recorded (see above)"))
    }

    @Test("Without the interposer an unmodified program records nothing")
    func leavesTheProgramAlone() throws {
        let result = try record([plain.path], options: ["--no-interposer"])
        #expect(result.status == 64)
        #expect(!FileManager.default.fileExists(atPath: directory.appending("trace")))
        #expect(result.errors.contains("--no-interposer"))
    }

    @Test("The first program that a script starts is recorded, and no message mentions the others")
    func recordsAScript() throws {
        let script = try directory.script("script", "#!/bin/sh\n\"$@\"; \"$@\"; exit 5\n")
        let result = try record([script, plain.path])
        #expect(result.status == 5)
        let lines = result.errors.split(separator: "\n")
        #expect(lines.count == 3)
        #expect(lines.last?.hasPrefix("queuescope: recorded ") == true)
        #expect(try FileManager.default.contentsOfDirectory(atPath: directory.path).sorted() == ["script", "trace"])
    }

    @Test("Followed children have their own traces, named by their process ids and listed")
    func followsChildren() throws {
        let script = try directory.script("script", "#!/bin/sh\n\"$@\"; \"$@\"; \"$@\"\n")
        let result = try record([script, plain.path], options: ["--follow-children"])
        #expect(result.status == 64)
        let traces = try FileManager.default.contentsOfDirectory(atPath: directory.path).filter {
            $0.hasPrefix("trace")
        }
        #expect(traces.count == 3)
        for trace in traces {
            #expect(result.errors.contains(directory.appending(trace)))
            #expect(try queuescope.run(["report", directory.appending(trace)]).status == 0)
        }
        let child = try #require(traces.first { $0 != "trace" })
        #expect(child.wholeMatch(of: /trace-[0-9]+/) != nil)
        #expect(result.errors.contains(" of SchemaGenerator into \(directory.appending(child)).\n"))
    }

    @Test("A killed program leaves a readable trace")
    func finishesAfterSIGKILL() throws {
        // The recorded program starts another program, which kills it.
        let command = [
            "record", "--no-interposer", "-o", directory.appending("inner"), "--", "/bin/sh", "-c", "kill -KILL $PPID",
        ]
        let result = try record([queuescope.path] + command)
        #expect(result.status == 128 + SIGKILL)
        #expect(result.errors.contains("was ended by signal 9"))
        #expect(result.errors.contains("queuescope: recorded "))
        #expect(try queuescope.run(["report", directory.appending("trace")]).status == 0)
    }

    @Test("A missing library is reported with the command that builds it, before the program runs")
    func namesTheMissingObject() throws {
        for (options, environment) in [
            (["--preload", "/nonexistent.so"], [:]), ([], ["QUEUESCOPE_PRELOAD": "/nonexistent.so"]),
        ] as [([String], [String: String])] {
            let result = try queuescope.run(
                ["record", "-o", directory.appending("trace")] + options + ["--", "/bin/echo", "ran"],
                environment: environment)
            #expect(result.status == 69)
            #expect(result.output.isEmpty)
            #expect(result.errors.hasPrefix("queuescope: cannot preload /nonexistent.so: "))
            #expect(result.errors.contains("Tools/build-preload"))
        }
    }

    @Test("Other preloaded libraries are kept after the interposer")
    func keepsWhatIsPreloaded() throws {
        // env does not load libdispatch, so the variables are as the command set them.
        let result = try queuescope.run(
            ["record", "-o", directory.appending("trace"), "--", "/usr/bin/env"],
            environment: ["LD_PRELOAD": "libm.so.6"])
        let value = try #require(result.lines.first { $0.hasPrefix("LD_PRELOAD=") })
        #expect(value.hasSuffix("/libqueuescope_preload.so:libm.so.6"))
    }

    @Test(
        "A program that is limited to one processor is reported with one", .enabled(if: Program.canRun("taskset")))
    func pinned() throws {
        let taskset = try #require(Program.installed("taskset"))
        let status = try #require(ProcFile.text("/proc/self/status"))
        let allowed = try #require(status.split(separator: "\n").first { $0.hasPrefix("Cpus_allowed_list:") })
        let processor = try #require(allowed.split { !$0.isNumber }.first)
        let trace = directory.appending("trace")
        _ = try taskset.run([
            "-c", String(processor), queuescope.path, "record", "-o", trace, "--", plain.path,
        ])
        let text = try queuescope.run(["report", trace]).output
        let program = try #require(text.split(separator: "\n").first { $0.contains(" program ") })
        #expect(program.contains(", 1 processor"))
        let document = try queuescope.run(["report", "--format", "json", trace]).output
        let report = try #require(
            try JSONSerialization.jsonObject(with: Data(document.utf8)) as? [String: Any])
        let description = try #require(report["trace"] as? [String: Any])
        #expect(description["processors"] as? Int == 1)
        #expect(description["processors_allowed"] as? Int == 1)
    }

    @Test("The option turns the processor track off and on", arguments: [("off", "0"), ("on", "1")])
    func setsTheProcessorTrack(option: String, value: String) throws {
        let result = try record(["/usr/bin/env"], options: ["--processors", option])
        #expect(result.lines.contains("QUEUESCOPE_PROCESSORS=\(value)"))
    }

    @Test("A report without a processor track names the option that turned it off")
    func namesTheOption() throws {
        #expect(try record([plain.path], options: ["--processors", "off"]).errors.contains("queuescope: recorded "))
        let report = try queuescope.run(["report", directory.appending("trace")]).output
        let words = report.split(whereSeparator: \.isWhitespace).joined(separator: " ")
        #expect(words.contains("none recorded: turned off by record --processors off or QUEUESCOPE_PROCESSORS=0"))
    }

    @Test(
        "An invalid variable is reported once",
        arguments: ["QUEUESCOPE_MODE", "QUEUESCOPE_BACKEND", "QUEUESCOPE_LIMIT", "QUEUESCOPE_BUDGET"])
    func reportsOnce(variable: String) throws {
        let object = Program.built("queuescope_CPreloadObject.resources/libqueuescope_preload.so").path
        let result = try plain.run(
            [],
            environment: ["LD_PRELOAD": object, "QUEUESCOPE_TRACE": directory.appending("trace"), variable: "foo"])
        #expect(result.errors.components(separatedBy: "\(variable) is foo; it should be ").count == 2, "\(result)")
    }

    @Test("The kernel's context-switch events are armed before the program starts, when requested")
    func armsTheKernelFirst() throws {
        let canArm = qs_perf_events_arm()
        for (option, expected) in [("on", canArm), ("off", false)] {
            let result = try record(["/bin/sh", "-c", "ls -l /proc/$PPID/fd"], options: ["--processors", option])
            #expect(result.output.contains("anon_inode:[perf_event]") == expected)
        }
    }

    @Test("Programs without preloading are rejected before they run, with the remedy")
    func refusesWhatCannotBePreloaded() throws {
        let fullyStatic = header(machine: Self.machine)
        let cases: [(path: String, reason: String, remedy: String)] = [
            (executable("static", fullyStatic), "linked statically", "queuescope link-flags"),
            (executable("foreign", header(machine: 243)), "other processors", "Build it"),
            (executable("short", header(machine: 3, bits: 1)), "other processors", "Build it"),
        ]
        for (path, reason, remedy) in cases {
            let result = try record([path])
            #expect(result.status == 69)
            #expect(result.errors.hasPrefix("queuescope: cannot record \(path): "))
            #expect(result.errors.contains(reason))
            #expect(result.errors.contains(remedy))
            let diagnosis = try queuescope.run(["doctor", path])
            #expect(diagnosis.lines.first?.hasPrefix(" blocked  \(path) ") == true)
            #expect(diagnosis.output.contains(reason))
        }
    }

    @Test("A static program that contains the recorder runs, because it records itself")
    func runsWhatRecordsItself() throws {
        let result = try record([executable("static", header(machine: Self.machine) + Data("QUEUESCOPE_TRACE".utf8))])
        // The kernel rejects this empty program, not the command.
        #expect(result.status == 126)
    }

    @Test("A program that is set-user-ID for another user is rejected")
    func refusesSetUserID() throws {
        let path = executable("suid", Data())
        // Only root can change the owner of a file. Other users use a program such as passwd.
        let program = chown(path, 1, 1) == 0 && chmod(path, 0o4755) == 0 ? path : "/usr/bin/passwd"
        let result = try record([program])
        #expect(result.status == 69)
        #expect(result.errors.contains("setuid"))
    }
}
