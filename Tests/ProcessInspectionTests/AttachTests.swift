import CKernel
import CTFReader
import Foundation
import TestSupport
import Testing

@testable import ProcessInspection

/// Loads an object into a process that was started without it. The object opens no control socket, so the command
/// reports this after the call of the entry function.
@Suite("An object is loaded into a running process", .serialized, .enabled(if: AttachProgram.canLoad))
struct AttachTests {
    private let directory = TemporaryDirectory()

    private var mark: String { directory.appending("mark") }
    private var marks: String { (try? String(contentsOfFile: mark, encoding: .utf8)) ?? "" }
    private static let noSocket = "has loaded the recorder, and closed its control socket"

    private func object(_ name: String = "object.so", _ options: String...) throws -> String {
        try AttachProgram.object(directory.appending(name), mark: mark, options)
    }

    private func expectRefusal(_ pid: Int32, _ sentence: String, _ source: SourceLocation = #_sourceLocation) throws {
        let result = try AttachProgram.record(pid, loading: try object())
        #expect(result.status == 69 && result.output.isEmpty, "\(result)", sourceLocation: source)
        #expect(result.errors.contains(sentence), "\(result.errors)", sourceLocation: source)
        #expect(marks.isEmpty, "\(marks)", sourceLocation: source)
    }

    @Test("A new thread of the process opens the object and calls its function; the program continues")
    func loads() throws {
        let program = try AttachProgram(.built("SteppedProgram"))
        #expect(try program.run(items: 3) == "done 3")
        let result = try AttachProgram.record(program.pid, loading: try object())
        #expect(result.errors.contains(Self.noSocket), "\(result)")
        #expect(marks == "x")
        let maps = try #require(ProcFile.text("/proc/\(program.pid)/maps"))
        #expect(maps.contains("/object.so"))
        #expect(try program.run(items: 3) == "done 6")
        #expect(try program.end() == 0)
    }

    @Test("A busy program has the same output after 20 loads, and its libraries the same code")
    func loadsOften() throws {
        let program = try StuckProgram("busy")
        let process = try RunningProcess(program.pid)
        let code = process.maps.mappings.filter { $0.isExecutable && $0.isFile && $0.path.hasSuffix(".so.6") }
        let memory = ProcessMemory(process)
        func bytes() -> [[UInt8]] { code.map { memory.bytes(at: $0.range.lowerBound, count: $0.range.count) } }
        let before = bytes()
        #expect(!code.isEmpty)
        for number in 1...20 {
            let result = try AttachProgram.record(program.pid, loading: try object("object-\(number).so"))
            #expect(result.errors.contains(Self.noSocket), "\(number): \(result)")
        }
        #expect(marks == String(repeating: "x", count: 20))
        #expect(bytes() == before)
        let end = try program.finish()
        #expect(end.status == 0)
        #expect(end.output == "ready\nall rounds correct\n")
    }

    @Test("Code that fails in a thread is undone")
    func failingCode() throws {
        let program = try AttachProgram(.built("SteppedProgram"))
        var (thread, call, result) = (OpaquePointer?.none, qs_stopped_call(), UInt64(0))
        var code = qs_injected_code(begin: 16, trap: 32, argument: 0)
        var error = qs_thread_stop(program.pid, &thread, &call)
        // It prints its line before it waits for the next one.
        for _ in 0..<1000 where error == EAGAIN {
            usleep(1000)
            error = qs_thread_stop(program.pid, &thread, &call)
        }
        try #require(error == 0)
        #expect(qs_thread_run(thread, &code, &result) == EFAULT)
        _ = qs_thread_continue(thread)
        #expect(try program.run(items: 3) == "done 3")
        #expect(try program.end() == 0)
    }

    @Test("An object that cannot be opened gives the sentence of the dynamic linker")
    func unknownFunction() throws {
        let program = try AttachProgram(.built("SteppedProgram"))
        let result = try AttachProgram.record(program.pid, loading: try object("bad.so", "-DWITH_UNKNOWN_FUNCTION"))
        #expect(result.status == 69 && result.errors.contains("undefined symbol: missing_function"), "\(result)")
        #expect(try program.run(items: 1) == "done 1")
        #expect(try program.end() == 0)
        // The copy that was tried as well.
        let rest = try FileManager.default.contentsOfDirectory(atPath: "/tmp").filter {
            FileManager.default.fileExists(atPath: "/tmp/\($0)/bad.so") && $0.hasPrefix("queuescope-")
                && !$0.hasPrefix("queuescope-test.")
        }
        #expect(rest.isEmpty, "\(rest)")
    }

    // MARK: Refusals

    @Test("A program without libdispatch, a static program and one of another dynamic linker are refused")
    func programs() throws {
        let source = "refusing_program.c"
        let path = try AttachProgram.compile(source, to: directory.appending("plain"))
        let plain = try AttachProgram(Program(path: path))
        try expectRefusal(plain.pid, "does not use libdispatch.so")
        let alone = try AttachProgram.compile(source, to: directory.appending("static"), "-static")
        let fixed = try AttachProgram(Program(path: alone))
        try expectRefusal(fixed.pid, "is linked statically")
        #expect(try fixed.end() == 0)
        for (name, sentence) in [("ld-other.so", "only the dynamic linker of glibc"), ("ld-musl-x86_64.so.1", "musl")] {
            let linker = directory.appending(name)
            try FileManager.default.copyItem(atPath: "/lib64/ld-linux-x86-64.so.2", toPath: linker)
            let path = try AttachProgram.compile(
                source, to: directory.appending("with-\(name)"), "-Wl,--dynamic-linker=\(linker)")
            let program = try AttachProgram(Program(path: path))
            try expectRefusal(program.pid, sentence)
            #expect(try program.end() == 0)
        }
        #expect(try plain.end() == 0)
    }

    @Test("A process with a seccomp filter, without traps, of a debugger, or that is stopped is refused")
    func states() throws {
        let path = try AttachProgram.compile("refusing_program.c", to: directory.appending("refusing"))
        let refusing = Program(path: path)
        for (word, sentence) in [("seccomp", "seccomp filter"), ("no-traps", "ignores SIGTRAP")] {
            let program = try AttachProgram(refusing, [word])
            try expectRefusal(program.pid, sentence)
            #expect(try program.end() == 0)
        }
        let program = try AttachProgram(.built("SteppedProgram"))
        let tracer = try AttachProgram(refusing, ["traces", "\(program.pid)"])
        try expectRefusal(program.pid, "Detach that debugger first")
        #expect(try tracer.end() == 0)
        kill(program.pid, SIGSTOP)
        var status: String? { ProcFile.text("/proc/\(program.pid)/status") }
        while status?.contains("State:\tT") == false { usleep(1000) }
        try expectRefusal(program.pid, "kill -CONT \(program.pid)")
        kill(program.pid, SIGCONT)
        #expect(try program.run(items: 2) == "done 2")
        #expect(try program.end() == 0)
    }

    @Test("The command itself, a thread, a kernel thread and a process of another user are refused")
    func identities() throws {
        let object = try object()
        let shell = try #require(Program.installed("sh"))
        let own = try shell.run(
            ["-c", "exec \"$0\" record --pid $$", Program.queuescope.path], environment: ["QUEUESCOPE_PRELOAD": object])
        #expect(own.status == 69 && own.errors.contains("is this command itself"), "\(own)")
        let program = try StuckProgram("idle")
        let thread = ProcFile.numbers(in: "/proc/\(program.pid)/task").first { $0 != program.pid }
        try expectRefusal(try #require(thread), "is a thread of process \(program.pid)")
        if ProcFile.text("/proc/2/comm") == "kthreadd\n" { try expectRefusal(2, "thread of the kernel") }
        guard geteuid() == 0, let setpriv = Program.installed("setpriv") else { return }
        let other = try setpriv.run(
            ["--reuid", "65534", "--clear-groups", Program.queuescope.path, "record", "--pid", "\(program.pid)"])
        #expect(other.errors.contains("belongs to another user"), "\(other)")
    }

    @Test("A program with ThreadSanitizer is refused")
    func threadSanitizer() throws {
        let header = directory.appending("sanitizer.h")
        try "void __tsan_init(void) {}".write(toFile: header, atomically: true, encoding: .utf8)
        let path = try AttachProgram.compile(
            "refusing_program.c", to: directory.appending("sanitized"), "-include", header, "-rdynamic")
        let program = try AttachProgram(Program(path: path))
        try expectRefusal(program.pid, "is built with ThreadSanitizer")
        #expect(try program.end() == 0)
    }

    @Test("A process of another PID namespace is refused")
    func namespace() throws {
        #expect(AttachObstacles.obstacle(of: "Pid:\t9\nNSpid:\t9\nSeccomp:\t0\n", threads: []) == nil)
        let inner = AttachObstacles.obstacle(of: "Pid:\t9\nNSpid:\t9\t1\nSeccomp:\t0\n", threads: [])
        #expect(inner?.contains("nsenter --target 9 --pid") == true)
        // The filter of one thread is enough.
        let filtered = AttachObstacles.obstacle(of: "Seccomp:\t0\n", threads: ["Seccomp:\t0\n", "Seccomp:\t2\n"])
        #expect(filtered?.contains("seccomp") == true)
    }

    @Test("A process with the recorder, and an object without an entry function, are refused")
    func recorders() throws {
        let program = try AttachProgram(.built("SteppedProgram"))
        let object = try object()
        #expect(try AttachProgram.record(program.pid, loading: object).errors.contains(Self.noSocket))
        let again = try AttachProgram.record(program.pid, loading: object)
        #expect(again.errors.contains("has the recorder, and its control socket is closed"), "\(again)")
        let other = try self.object("without.so", "-Dqs_attach=something_else")
        let without = try AttachProgram.record(program.pid, loading: other)
        #expect(without.status == 69 && without.errors.contains("no control socket"), "\(without)")
        #expect(marks == "x")
        #expect(try program.end() == 0)
    }
}
