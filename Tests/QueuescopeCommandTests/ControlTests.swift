import CTFReader
import Foundation
import Glibc
import TestSupport
import Testing

/// A process that runs with the preload object, and is controlled from outside.
@Suite("A running process")
struct ControlTests {
    private let directory = TemporaryDirectory()

    /// A program that reads numbers of items from its input, and answers each with a line.
    private final class Service {
        let process = Process()
        private let input = Pipe()
        private let output = Pipe()

        /// - Parameter wrapper: a command with arguments that runs the program by `exec`.
        init(
            environment: [String: String] = [:], isPreloaded: Bool = true, runBy wrapper: [String] = []
        ) throws {
            let object = isPreloaded ? ["LD_PRELOAD=\(ControlTests.object)"] : []
            let words = wrapper + ["/usr/bin/env"] + object + [Program.built("SteppedProgram").path]
            process.executableURL = URL(fileURLWithPath: words[0])
            process.arguments = Array(words.dropFirst())
            let variables = ProcessInfo.processInfo.environment.merging(environment) { $1 }
            process.environment = variables
            (process.standardInput, process.standardOutput) = (input, output)
            // The threads that run tests block signals, and the program would inherit the signal mask.
            var (none, before) = (sigset_t(), sigset_t())
            sigemptyset(&none)
            pthread_sigmask(SIG_SETMASK, &none, &before)
            defer { pthread_sigmask(SIG_SETMASK, &before, nil) }
            try process.run()
            process.endAtTheLatest()
            #expect(line() == "ready")
        }

        var id: String { "\(process.processIdentifier)" }

        /// The next line of its output.
        func line() -> String {
            var bytes: [UInt8] = []
            while let byte = try? output.fileHandleForReading.read(upToCount: 1)?.first, byte != UInt8(ascii: "\n") {
                bytes.append(byte)
            }
            return String(decoding: bytes, as: UTF8.self)
        }

        func run(items: Int) -> String {
            try? input.fileHandleForWriting.write(contentsOf: Data("\(items)\n".utf8))
            return line()
        }

        /// Ends the program with its input. Returns its status.
        func end() -> Int32 {
            try? input.fileHandleForWriting.close()
            process.waitUntilExit()
            return process.terminationStatus
        }
    }

    private static let object = Program.built("queuescope_CPreloadObject.resources/libqueuescope_preload.so").path

    private func queuescope(_ arguments: String...) throws -> Program.Result { try Program.queuescope.run(arguments) }

    private func status(of service: Service) throws -> [String: Any] {
        let result = try queuescope("status", service.id, "--format", "json")
        #expect(result.status == 0, "\(result.errors)")
        return try #require(try JSONSerialization.jsonObject(with: Data(result.output.utf8)) as? [String: Any])
    }

    /// Expects a readable trace with these items of the program's queue, whose quality checks pass.
    private func expectTrace(_ name: String, items: Int) throws {
        let trace = directory.appending(name)
        let report = try queuescope("report", trace, "--format", "json", "--all")
        try #require(report.status == 0, "\(name): \(report.errors)")
        struct Report: Decodable {
            struct Queue: Decodable {
                let label: String
                let items: Int
            }
            let queues: [Queue]
        }
        let queues = try JSONDecoder().decode(Report.self, from: Data(report.output.utf8)).queues
        // The items, and the sync after them.
        #expect(queues.first { $0.label == "stepped.early" }?.items == items + 1, "\(name)")
        let check = try queuescope("check", trace)
        #expect(check.status == 0, "\(name): \(check.output)\(check.errors)")
    }

    @Test("is dormant, and is recorded many times")
    func startsAndStops() throws {
        let service = try Service()
        #expect(try status(of: service)["state"] as? String == "dormant")
        for round in 1...20 {
            let started = try queuescope("start", service.id, "-o", directory.appending("trace-\(round)"))
            try #require(started.status == 0, "\(started.errors)")
            #expect(try status(of: service)["state"] as? String == "recording")
            #expect(service.run(items: 10) == "done \(round * 10)")
            let stopped = try queuescope("stop", service.id)
            #expect(stopped.status == 0 && stopped.errors.contains("recorded "), "\(stopped.errors)")
        }
        #expect(try status(of: service)["state"] as? String == "dormant")
        for round in 1...20 { try expectTrace("trace-\(round)", items: 10) }
        #expect(service.end() == 0)
    }

    @Test("is listed by ps until it ends, and uses no descriptor of the program")
    func list() throws {
        let service = try Service()
        func row() throws -> Substring? {
            try queuescope("ps").lines.first { $0.hasPrefix(service.id + " ") }
        }
        #expect(try row()?.contains("dormant") == true)
        // The program may also have descriptors of the test runner.
        let files = try FileManager.default.contentsOfDirectory(atPath: "/proc/\(service.id)/fd").map {
            try FileManager.default.destinationOfSymbolicLink(atPath: "/proc/\(service.id)/fd/\($0)")
        }
        let table = try #require(ProcFile.text("/proc/net/unix"))
        let sockets = table.split(separator: "\n").filter { $0.hasSuffix(" @queuescope.1.\(service.id)") }
        for socket in sockets { #expect(!files.contains("socket:[\(socket.split(separator: " ")[6])]")) }
        #expect(service.end() == 0)
        #expect(try row() == nil)
    }

    @Test("is copied several times while a flight recorder records it", arguments: ["flight", "stream"])
    func snapshots(mode: String) throws {
        let service = try Service()
        #expect(try queuescope("start", service.id, "-o", directory.appending("live"), "--mode", mode).status == 0)
        #expect(service.run(items: 10) == "done 10")
        for name in ["first", "second"] {
            let result = try queuescope("snapshot", service.id, "-o", directory.appending(name))
            #expect(result.status == 0, "\(result.errors)")
            try expectTrace(name, items: 10)
        }
        #expect(service.run(items: 10) == "done 20")
        #expect(try queuescope("stop", service.id).status == 0)
        let again = try queuescope("snapshot", service.id, "-o", directory.appending("third"))
        #expect(again.status == 69 && again.errors.contains("is not recorded"))
        #expect(service.end() == 0)
        #expect(try queuescope("check", directory.appending("live")).status == 0)
    }

    @Test("is copied for a signal, and the report of the copy begins with it", arguments: [true, false])
    func snapshotOnSignal(hasName: Bool) throws {
        var environment = [
            "QUEUESCOPE_SNAPSHOT_SIGNAL": "SIGUSR2", "QUEUESCOPE_TRACE": directory.appending("live"),
            "QUEUESCOPE_MODE": "flight",
        ]
        if hasName { environment["QUEUESCOPE_SNAPSHOT"] = directory.appending("incident-%t") }
        let service = try Service(environment: environment)
        #expect(service.run(items: 10) == "done 10")
        var taken: Set<String> = []
        for _ in 1...2 {
            kill(service.process.processIdentifier, SIGUSR2)
            // The process answers the signal by a thread of the recorder.
            let new = try #require(try waitForSnapshot(of: service, besides: taken))
            #expect(new.hasPrefix(directory.appending(hasName ? "incident-2" : "live-snapshot-2")))
            taken.insert(new)
        }
        #expect(service.run(items: 10) == "done 20")
        #expect(service.end() == 0)
        for path in taken {
            let name = URL(fileURLWithPath: path).lastPathComponent
            try expectTrace(name, items: 10)
            let report = try queuescope("report", directory.appending(name))
            #expect(report.lines.dropFirst().first?.hasSuffix(" signal SIGUSR2") == true, "\(report.output)")
        }
    }

    @Test("that handles or ignores a signal keeps it, and the reason is printed")
    func usedSignal() throws {
        let errors = directory.appending("errors")
        for (setting, value) in [
            ("trap '' USR2; ", "SIGUSR2, which takes no snapshots: the program ignores it"),
            ("", "SIGKILL, which takes no snapshots: it should be SIGUSR1"),
        ] {
            let name = value.split(separator: ",")[0]
            let program = Program.built("SteppedProgram").path
            let shell = try #require(Program.installed("sh"))
            let result = try shell.run(
                ["-c", "\(setting)LD_PRELOAD=\(Self.object) \(program) < /dev/null 2> \(errors)"],
                environment: ["QUEUESCOPE_SNAPSHOT_SIGNAL": String(name)])
            #expect(result.status == 0 && result.output == "ready\n")
            let text = try String(contentsOfFile: errors, encoding: .utf8)
            #expect(text.contains("QUEUESCOPE_SNAPSHOT_SIGNAL is \(value)"), "\(text)")
        }
    }

    /// Waits until `status` shows a snapshot that is not one of these; nil after 1,000 questions.
    private func waitForSnapshot(of service: Service, besides known: Set<String>) throws -> String? {
        for _ in 0..<1_000 {
            let state = try status(of: service)
            if let path = state["lastSnapshot"] as? String, !known.contains(path) {
                #expect(state["snapshotError"] == nil, "\(state)")
                return path
            }
            usleep(10_000)
        }
        return nil
    }

    @Test("is recorded by record --pid for a time, and until it ends")
    func attached() throws {
        let service = try Service()
        let first = try queuescope("record", "--pid", service.id, "--for", "100ms", "-o", directory.appending("first"))
        #expect(first.status == 0 && first.errors.contains("Next: queuescope report"), "\(first.errors)")
        #expect(try status(of: service)["state"] as? String == "dormant")
        let errors = directory.appending("errors")
        let record = try Program.queuescope.start(
            ["record", "--pid", service.id, "-o", directory.appending("second")], output: directory.appending("out"),
            errors: errors)
        while record.isRunning, try status(of: service)["state"] as? String != "recording" { usleep(10_000) }
        #expect(service.run(items: 10) == "done 10")
        #expect(service.end() == 0)
        record.waitUntilExit()
        let text = try String(contentsOfFile: errors, encoding: .utf8)
        #expect(record.terminationStatus == 0 && text.contains("recorded "), "\(text)")
        try expectTrace("second", items: 10)
    }

    #if arch(x86_64)
        @Test("is recorded by record --pid several times, though it was started without the recorder")
        func unprepared() throws {
            let service = try Service(isPreloaded: false)
            #expect(service.run(items: 10) == "done 10")
            for round in 1...5 {
                let errors = directory.appending("errors-\(round)")
                let record = try Program.queuescope.start(
                    ["record", "--pid", service.id, "-o", directory.appending("trace-\(round)")],
                    output: directory.appending("out"), errors: errors)
                var isRecording: Bool {
                    (try? queuescope("status", service.id))?.output.contains("recording") == true
                }
                while record.isRunning, !isRecording { usleep(10_000) }
                #expect(service.run(items: 10) == "done \(10 + round * 10)")
                record.interrupt()
                record.waitUntilExit()
                let text = try String(contentsOfFile: errors, encoding: .utf8)
                #expect(record.terminationStatus == 0 && text.contains("recorded "), "\(text)")
                // One load is enough.
                #expect(text.contains("loaded the recorder") == (round == 1), "\(text)")
                try expectTrace("trace-\(round)", items: 10)
            }
            #expect(try status(of: service)["state"] as? String == "dormant")
            #expect(service.end() == 0)
        }
    #endif

    @Test("is dormant again after record --pid was killed")
    func killedCommand() throws {
        let service = try Service()
        let record = try Program.queuescope.start(
            ["record", "--pid", service.id, "-o", directory.appending("trace")], output: directory.appending("out"),
            errors: directory.appending("errors"))
        while record.isRunning, try status(of: service)["state"] as? String != "recording" { usleep(10_000) }
        kill(record.processIdentifier, SIGKILL)
        record.waitUntilExit()
        while try status(of: service)["state"] as? String == "recording" { usleep(10_000) }
        #expect(service.end() == 0)
        #expect(try queuescope("check", directory.appending("trace")).status == 0)
    }

    @Test("has the defaults of its environment, and starts dormant with QUEUESCOPE_CONTROL=dormant")
    func defaults() throws {
        let service = try Service(environment: [
            "QUEUESCOPE_CONTROL": "dormant", "QUEUESCOPE_TRACE": directory.appending("%n-%p-%t"),
            "QUEUESCOPE_MODE": "flight", "QUEUESCOPE_KEEP": "2",
        ])
        #expect(try status(of: service)["state"] as? String == "dormant")
        for _ in 1...4 {
            #expect(try queuescope("start", service.id).status == 0)
            #expect(try status(of: service)["mode"] as? String == "flight")
            #expect(try queuescope("stop", service.id).status == 0)
        }
        #expect(service.end() == 0)
        let traces = try FileManager.default.contentsOfDirectory(atPath: directory.path)
        #expect(traces.count == 2 && traces.allSatisfy { $0.hasPrefix("SteppedProgram-") }, "\(traces)")
    }

    @Test("is refused with a sentence")
    func refusals() throws {
        let service = try Service()
        func expect(_ arguments: [String], _ status: Int32, _ sentence: String) throws {
            let result = try Program.queuescope.run(arguments)
            #expect(result.status == status && result.output.isEmpty, "\(arguments): \(result)")
            #expect(result.errors.contains(sentence), "\(arguments): \(result.errors)")
        }
        try expect(["stop", service.id], 69, "is not recorded. queuescope start")
        try expect(["start", service.id, "-o", "/proc/none"], 73, "Name a directory with --output")
        try expect(["start", service.id, "-o", directory.appending("%x")], 64, "--output")
        let full = directory.appending("full")
        try FileManager.default.createDirectory(atPath: full + "/folder", withIntermediateDirectories: true)
        try expect(["start", service.id, "-o", full], 73, "is no empty directory")
        #expect(try queuescope("start", service.id, "-o", directory.appending("trace")).status == 0)
        try expect(["start", service.id, "-o", directory.appending("other")], 69, "is already recorded into")
        try expect(["record", "--pid", service.id, "--", "true"], 64, "either a program after --, or a process")
        #expect(service.end() == 0)
        try expect(["status", service.id], 69, "there is no process")

        let unprepared = try Service(isPreloaded: false)
        try expect(["start", unprepared.id], 69, "has no control socket")
        #expect(unprepared.end() == 0)
        let closed = try Service(environment: ["QUEUESCOPE_CONTROL": "0"])
        try expect(["status", closed.id], 69, "has no control socket")
        #expect(closed.end() == 0)
    }

    private func expectFailure(_ result: Program.Result, _ status: Int32, _ sentence: String) {
        #expect(result.status == status && result.output.isEmpty, "\(result)")
        #expect(result.errors.contains(sentence), "\(result.errors)")
    }

    @Test("refuses another user, in the command and in the process", .enabled(if: Self.isRootWith("setpriv")))
    func otherUser() throws {
        let service = try Service()
        let setpriv = try #require(Program.installed("setpriv"))
        for command in ["status", "start", "stop", "snapshot"] {
            let result = try setpriv.run(
                ["--reuid", "65534", "--clear-groups", Program.queuescope.path, command, service.id])
            expectFailure(result, 69, "process \(service.id) belongs to another user (0)")
        }
        #expect(try status(of: service)["state"] as? String == "dormant")
        #expect(service.end() == 0)
    }

    @Test("that has ended, or that another process has a socket of, is reported")
    func staleSockets() throws {
        // The child ends when the shell has become another program, which does not wait for it. It stays a zombie.
        let shell = Process()
        let output = Pipe()
        shell.executableURL = URL(fileURLWithPath: "/bin/sh")
        let child = "(while read name < /proc/$$/comm; [ $name = sh ]; do :; done)"
        shell.arguments = ["-c", "\(child) & echo $!; exec sleep 600"]
        shell.standardOutput = output
        try shell.run()
        shell.endAtTheLatest()
        defer { kill(shell.processIdentifier, SIGKILL) }
        let text = String(decoding: output.fileHandleForReading.availableData, as: UTF8.self)
        let zombie = text.trimmingCharacters(in: .whitespacesAndNewlines)
        while ProcFile.text("/proc/\(zombie)/stat")?.contains(") Z") == false { usleep(1_000) }
        expectFailure(try queuescope("status", zombie), 69, "process \(zombie) (sh) has ended")

        // This process listens at the name of the other one, as a process whose id is used again.
        let unprepared = try Service(isPreloaded: false)
        let listener = try #require(Self.listen(at: "queuescope.1.\(unprepared.id)"))
        expectFailure(try queuescope("status", unprepared.id), 69, "has no control socket")
        close(listener)
        #expect(unprepared.end() == 0)

        let stopped = try Service()
        kill(stopped.process.processIdentifier, SIGSTOP)
        expectFailure(try queuescope("status", stopped.id), 69, "does not answer: it may be stopped (kill -CONT")
        kill(stopped.process.processIdentifier, SIGCONT)
        #expect(stopped.end() == 0)
    }

    @Test("that links the recorder, and has no socket, is refused by record --pid")
    func linkedRecorder() throws {
        let output = directory.appending("out")
        let process = try Program.built("LinkedInterposerProbe").start(
            ["endless-work"], output: output, errors: directory.appending("err"))
        defer {
            kill(process.processIdentifier, SIGKILL)
            process.waitUntilExit()
        }
        while process.isRunning, FileManager.default.contents(atPath: output)?.isEmpty != false { usleep(1_000) }
        let result = try queuescope("record", "--pid", "\(process.processIdentifier)", "--for", "10ms")
        expectFailure(result, 69, "links the recorder, and has no control socket")
    }

    @Test("of another network namespace is refused", .enabled(if: Self.isRootWith("unshare")))
    func otherNetwork() throws {
        let unshare = try #require(Program.installed("unshare"))
        guard try unshare.run(["--net", "true"]).status == 0 else { return }
        let service = try Service(runBy: [unshare.path, "--net"])
        expectFailure(try queuescope("start", service.id), 69, "nsenter --target \(service.id) --net")
        #expect(service.end() == 0)
    }

    @Test("reports a full disk, and continues", .enabled(if: Self.isRootWith("unshare", "mount")))
    func fullDisk() throws {
        let unshare = try #require(Program.installed("unshare"))
        let disk = directory.appending("disk")
        try FileManager.default.createDirectory(atPath: disk, withIntermediateDirectories: true)
        guard try unshare.run(["--mount", "mount", "-t", "tmpfs", "none", disk]).status == 0 else { return }
        // A new file system that is full, for one command or program.
        let full = [
            "--mount", "sh", "-c",
            "mount -t tmpfs -o size=64k none \(disk); head -c 1000000 /dev/zero > \(disk)/filler 2> /dev/null; "
                + "exec \"$@\"", "sh",
        ]
        let service = try Service(runBy: [unshare.path] + full)
        let result = try queuescope("start", service.id, "-o", disk + "/trace")
        expectFailure(result, 73, "into \(disk)/trace: No space left on device")
        #expect(try status(of: service)["state"] as? String == "dormant")
        #expect(try queuescope("start", service.id, "-o", directory.appending("trace")).status == 0)
        #expect(service.run(items: 3) == "done 3")
        let copy = try unshare.run(full + [Program.queuescope.path, "snapshot", service.id, "-o", disk + "/copy"])
        expectFailure(copy, 73, "No space left on device")
        #expect(try queuescope("stop", service.id).status == 0)
        #expect(service.end() == 0)
        try expectTrace("trace", items: 3)
    }

    private static func isRootWith(_ tools: String...) -> Bool {
        geteuid() == 0 && tools.allSatisfy { Program.installed($0) != nil }
    }

    @Test("answers a command while other clients send random bytes, nothing, or disconnect")
    func hostileClients() throws {
        let service = try Service()
        var seed = UInt64.random(in: 0 ... .max)
        let note: Comment = "seed \(seed)"
        func random() -> UInt8 {
            seed = seed &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            return UInt8(truncatingIfNeeded: seed >> 56)
        }
        var silent: [Int32] = []
        defer { for file in silent { close(file) } }
        for round in 0..<300 {
            let file = try #require(Self.connect(to: "queuescope.1.\(service.id)"), note)
            let length = round % 10 == 0 ? 100_000 : Int(random()) * 4
            var bytes = (0..<length).map { _ in random() }
            // Half of the requests begin as one of the protocol.
            if round % 2 == 0 { bytes = Array("queuescope\u{0}1\u{0}start\u{0}".utf8) + bytes + [0] }
            _ = send(file, bytes, bytes.count, Int32(MSG_NOSIGNAL) | Int32(MSG_DONTWAIT))
            if round % 3 == 0, silent.count < 20 { silent.append(file) } else { close(file) }
        }
        for _ in 0..<20 { silent.append(try #require(Self.connect(to: "queuescope.1.\(service.id)"), note)) }
        #expect(try status(of: service)["state"] as? String == "dormant", note)
        #expect(service.run(items: 3) == "done 3", note)
        #expect(service.end() == 0, note)
    }

    /// Connects to an abstract socket, and waits while its backlog is full. Nil on failure.
    private static func connect(to name: String) -> Int32? { open(name) { Glibc.connect($0, $1, $2) } }

    /// Listens at an abstract socket. Nil on failure.
    private static func listen(at name: String) -> Int32? {
        open(name) { bind($0, $1, $2) == 0 ? Glibc.listen($0, 8) : -1 }
    }

    /// Opens a socket, and uses it with the address of a name. Nil on failure.
    private static func open(
        _ name: String, _ use: (Int32, UnsafePointer<sockaddr>, socklen_t) -> Int32
    ) -> Int32? {
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        withUnsafeMutableBytes(of: &address.sun_path) { $0[1...].copyBytes(from: Array(name.utf8)) }
        let file = socket(AF_UNIX, Int32(SOCK_SEQPACKET.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
        guard file >= 0 else { return nil }
        let size = socklen_t(MemoryLayout<sa_family_t>.size + 1 + name.utf8.count)
        let result = withUnsafePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { use(file, $0, size) }
        }
        if result == 0 { return file }
        close(file)
        return nil
    }
}
