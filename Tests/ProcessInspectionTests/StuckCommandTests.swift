import CTFReader
import Foundation
import TestSupport
import Testing

@Suite("Command stuck", .serialized)
struct StuckCommandTests {
    @Test(
        "Threads and tasks that wait for each other are a deadlock",
        arguments: [
            ("sync-cycle", ["queue shop.points", "queue shop.purchases"], ["record", "recompute"]),
            ("mutex-cycle", ["mutex 0x"], ["LockCases.lock"]),
            ("recursive-mutex", ["mutex 0x", "which it holds itself"], ["recursiveMutex"]),
            ("task-cycle", ["task 1", "task 2"], ["waitFor"]),
        ])
    func deadlocks(name: String, objects: [String], code: [String]) throws {
        let program = try StuckProgram(name)
        let diagnosis = try Diagnosis.of(program) { !$0.verdicts.isEmpty }
        let verdict = try #require(diagnosis.verdicts.first, "\(diagnosis)")
        #expect(diagnosis.verdicts.count == 1)
        #expect(verdict.kind == "deadlock")
        for text in objects + code { #expect(verdict.text.contains(text), "\(verdict.text)") }
        let members = diagnosis.waits.filter(\.in_cycle)
        #expect(members.count == (name == "recursive-mutex" ? 1 : 2))
        #expect(diagnosis.waits.prefix(members.count).allSatisfy { $0.in_cycle })
        #expect(Set(members.compactMap(\.tid)) == Set(verdict.threads))
    }

    @Test(
        "The holder of an object and its code are reported",
        arguments: [
            ("held-mutex", "lock", "sleepForEver"), ("read-write-lock", "read-write lock", "sleepForEver"),
            ("target-queue", "queue", "sleepForEver"), ("actor", "actor", "sleepForEver"),
            ("join", "thread", "sleepForEver"),
        ])
    func holders(name: String, object: String, code: String) throws {
        let program = try StuckProgram(name)
        func find(_ diagnosis: Diagnosis) -> Diagnosis.Wait? {
            diagnosis.waits.first { $0.object == object && $0.ended_by?.text.contains(code) == true }
        }
        let diagnosis = try Diagnosis.of(program) { find($0) != nil }
        let wait = try #require(find(diagnosis), "\(diagnosis)")
        let holder = try #require(diagnosis.threads.first { $0.tid == wait.ended_by?.tid })
        #expect(holder.tid != wait.tid)
        #expect(diagnosis.verdicts.isEmpty, "\(diagnosis.verdicts)")
        if name == "target-queue" { #expect(wait.text.contains("on its target queue case.inner")) }
        if name == "actor" { #expect(wait.name.hasSuffix("Bank")) }
    }

    @Test("The main thread in a semaphore wait is reported with its code, without a cycle")
    func semaphore() throws {
        let program = try StuckProgram("semaphore")
        let diagnosis = try Diagnosis.of(program) { $0.waits.contains { $0.object == "semaphore" } }
        let wait = try #require(diagnosis.waits.first { $0.object == "semaphore" }, "\(diagnosis)")
        #expect(wait.tid == program.pid)
        #expect(wait.code?.contains("fetch") == true)
        #expect(diagnosis.verdicts.isEmpty)
    }

    @Test("A task on a continuation is reported with its code")
    func continuation() throws {
        let program = try StuckProgram("continuation")
        let diagnosis = try Diagnosis.of(program) { $0.waits.contains { $0.object == "continuation" } }
        let wait = try #require(diagnosis.waits.first { $0.object == "continuation" }, "\(diagnosis)")
        #expect(wait.code?.contains("readLabel") == true)
        #expect(diagnosis.verdicts.isEmpty)
    }

    @Test(
        "Items that cannot begin are a verdict of their own",
        arguments: [
            ("pool", "exhausted-pool", "TaskCases.block"), ("main-queue", "blocked-main-thread", "1 item of the main"),
            ("suspended-queue", "suspended-queue", "Queue case.paused is suspended, with 3 items."),
        ])
    func starvation(name: String, kind: String, text: String) throws {
        let program = try StuckProgram(name)
        let diagnosis = try Diagnosis.of(program) { $0.verdicts.contains { $0.kind == kind && $0.text.contains(text) } }
        #expect(diagnosis.verdicts.map(\.kind) == [kind])
        #expect(diagnosis.verdicts.first?.text.contains(text) == true, "\(diagnosis.verdicts)")
    }

    @Test("A program without work has no verdict, and no thread that waits for another")
    func idle() throws {
        let program = try StuckProgram("idle")
        for _ in 0..<10 {
            let diagnosis = try Diagnosis(of: program.pid)
            #expect(diagnosis.verdicts.isEmpty, "\(diagnosis.verdicts)")
            #expect(!diagnosis.waits.contains { $0.in_cycle })
        }
        let text = try Program.queuescope.run(["stuck", "\(program.pid)"])
        #expect(text.status == 0)
        #expect(text.output.contains("No cycle of waits was found."))
    }

    @Test("100 inspections do not change a busy program, and find no cycle in it")
    func leavesTheProgramUnchanged() throws {
        let program = try StuckProgram("busy")
        for _ in 0..<100 {
            let diagnosis = try Diagnosis(of: program.pid)
            #expect(!diagnosis.verdicts.contains { $0.kind == "deadlock" }, "\(diagnosis.verdicts)")
        }
        let end = try program.finish()
        #expect(end.status == 0)
        #expect(end.output == "ready\nall rounds correct\n")
    }

    @Test("A process that ends during the inspection gives an error or a diagnosis")
    func endsMeanwhile() throws {
        for delay in stride(from: UInt32(0), to: 60_000, by: 6000) {
            let program = try StuckProgram("idle")
            let pid = program.pid
            let killer = Thread {
                usleep(delay)
                kill(pid, SIGKILL)
            }
            killer.start()
            let result = try Program.queuescope.run(["stuck", "\(pid)"])
            #expect(result.status == 0 || result.status == 69, "\(result)")
            if result.status == 69 { #expect(result.errors.hasPrefix("queuescope: ") && result.output.isEmpty) }
        }
    }

    @Test("A process that a signal stopped stays stopped, and a second inspection gives the same result")
    func stoppedProcess() throws {
        let program = try StuckProgram("idle")
        kill(program.pid, SIGSTOP)
        for _ in 0..<2 {
            let diagnosis = try Diagnosis.of(program) { !$0.verdicts.isEmpty }
            #expect(diagnosis.verdicts.map(\.kind) == ["stopped"])
        }
        kill(program.pid, SIGCONT)
        let diagnosis = try Diagnosis.of(program) { $0.verdicts.isEmpty }
        #expect(diagnosis.verdicts.isEmpty)
    }

    @Test("A thread that waits with a timeout is recognized again after an inspection restarted its call")
    func restartedCall() throws {
        let program = try StuckProgram("held-mutex")
        for _ in 0..<3 {
            let diagnosis = try Diagnosis.of(program) { $0.waits.contains { $0.name.contains("nanosleep") } }
            let sleeper = try #require(diagnosis.waits.first { $0.object == "system call" })
            #expect(sleeper.name.contains("nanosleep"), "\(sleeper)")
        }
    }

    @Test("--stacks adds the stack of each thread")
    func stacks() throws {
        let program = try StuckProgram("semaphore")
        _ = try Diagnosis.of(program) { $0.waits.contains { $0.object == "semaphore" } }
        let diagnosis = try Diagnosis(of: program.pid, "--stacks")
        let main = try #require(diagnosis.threads.first { $0.tid == program.pid })
        let stack = try #require(main.stack)
        let places = ["dispatch_semaphore_wait", "fetch", "semaphore()", "main"].map { name in
            stack.firstIndex { $0.contains(name) }
        }
        #expect(!places.contains(nil), "\(stack)")
        #expect(places.compactMap(\.self) == places.compactMap(\.self).sorted())
        let text = try Program.queuescope.run(["stuck", "\(program.pid)", "--stacks"]).output
        #expect(text.contains("STACKS"))
    }

    @Test("A program without queues is diagnosed without them")
    func plainProgram() throws {
        let directory = TemporaryDirectory()
        let sleep = try #require(Program.installed("sleep"))
        let process = try sleep.start(["600"], output: directory.appending("out"), errors: directory.appending("err"))
        defer { process.terminate() }
        let result = try Program.queuescope.run(["stuck", "\(process.processIdentifier)"])
        // With `ptrace_scope` 1, the command is not permitted to trace this program.
        if result.status == 69 {
            #expect(result.errors.contains("ptrace_scope"), "\(result)")
        } else {
            #expect(result.status == 0, "\(result)")
            #expect(result.output.contains("The process has no libdispatch"))
        }
    }
}

@Suite("Refusals of stuck")
struct StuckRefusalTests {
    private func refusal(_ pid: String, status: Int32 = 69) throws -> String {
        let result = try Program.queuescope.run(["stuck", pid])
        #expect(result.status == status, "\(result)")
        #expect(result.output.isEmpty)
        return result.errors
    }

    @Test("A process that does not exist")
    func noSuchProcess() throws {
        #expect(try refusal("2000000000") == "queuescope: there is no process 2000000000.\n")
        #expect(try refusal("0") == "queuescope: there is no process 0.\n")
    }

    @Test("An argument that is no number is wrong usage")
    func noNumber() throws { #expect(try refusal("MyService", status: 64).contains("MyService")) }

    @Test("The id of a thread")
    func thread() throws {
        let program = try StuckProgram("held-mutex")
        let threads = try FileManager.default.contentsOfDirectory(atPath: "/proc/\(program.pid)/task").compactMap(
            Int32.init)
        let other = try #require(threads.first { $0 != program.pid })
        #expect(try refusal("\(other)").contains("is a thread of process \(program.pid). Name the process."))
    }

    @Test("A process that has ended, and whose parent has not waited for it")
    func zombie() throws {
        var pid: pid_t = 0
        let path = try #require(Program.installed("true")).path
        var arguments: [UnsafeMutablePointer<CChar>?] = [strdup(path), nil]
        defer { free(arguments[0]) }
        #expect(posix_spawn(&pid, path, nil, nil, &arguments, environ) == 0)
        defer { waitpid(pid, nil, 0) }
        while try !#require(ProcFile.text("/proc/\(pid)/stat")).contains(") Z") { usleep(1000) }
        #expect(try refusal("\(pid)").contains("has ended; its parent has not read its exit status yet."))
    }

    @Test(
        "A thread of the kernel",
        .enabled(if: ProcFile.text("/proc/2/comm") == "kthreadd\n"))
    func kernelThread() throws { #expect(try refusal("2").contains("is a thread of the kernel.")) }

    @Test("A process that a debugger traces", .enabled(if: Program.installed("gdb") != nil))
    func traced() throws {
        let program = try StuckProgram("semaphore")
        // The debugger waits for commands on the pipe.
        let gdb = Process()
        gdb.executableURL = URL(fileURLWithPath: try #require(Program.installed("gdb")).path)
        gdb.arguments = ["-quiet", "-nx", "-p", "\(program.pid)"]
        gdb.standardInput = Pipe()
        gdb.standardOutput = FileHandle.nullDevice
        gdb.standardError = FileHandle.nullDevice
        try gdb.run()
        gdb.endAtTheLatest()
        defer {
            kill(gdb.processIdentifier, SIGKILL)
            gdb.waitUntilExit()
        }
        while gdb.isRunning, try tracer(of: program.pid) == 0 { usleep(2000) }
        guard gdb.isRunning else { return }
        #expect(try refusal("\(program.pid)").contains("is traced by process \(gdb.processIdentifier) (gdb)"))
    }

    private func tracer(of pid: Int32) throws -> Int {
        let status = try #require(ProcFile.text("/proc/\(pid)/status"))
        let line = status.split(separator: "\n").first { $0.hasPrefix("TracerPid:") }
        return line.flatMap { $0.split(separator: "\t").last }.flatMap { Int($0) } ?? 0
    }
}
