import Foundation
import TestSupport
import Testing

@testable import ProcessInspection

@Suite("Command stuck with a core file", .serialized, .enabled(if: StuckProgram.canWriteCores))
struct CoreFileTests {
    /// The subject of a wait, without ids that differ between two diagnoses.
    private struct Subject: Hashable, CustomStringConvertible {
        let waiter: String
        let object: String
        let name: String
        let code: String?

        init(_ wait: Diagnosis.Wait) {
            (waiter, object, code) = (wait.waiter, wait.object, wait.code)
            // A restarted sleep has another name.
            name = wait.object == "system call" ? "" : wait.name
        }

        var description: String { "\(waiter) \(object) \(name) \(code ?? "")" }
    }

    @Test(
        "The core file of a process gives the diagnosis of the process",
        arguments: [
            (
                true,
                ["sync-cycle", "mutex-cycle", "recursive-mutex", "task-cycle", "pool", "main-queue", "suspended-queue"]
            ),
            (false, ["held-mutex", "read-write-lock", "target-queue", "actor", "join", "semaphore", "continuation"]),
        ].flatMap { hasVerdict, names in names.map { ($0, hasVerdict) } })
    func sameAsRunning(name: String, hasVerdict: Bool) throws {
        let program = try StuckProgram(name)
        let running = try Diagnosis.of(program) {
            // A sleeping task wakes up before the core file is written.
            if $0.waits.contains(where: { $0.code?.contains(".sleep(") == true }) { return false }
            return hasVerdict
                ? !$0.verdicts.isEmpty : $0.waits.contains { !$0.may_be_idle || $0.object == "continuation" }
        }
        let core = try Diagnosis(ofCore: program.writeCore())
        #expect(core.verdicts.map(\.kind) == running.verdicts.map(\.kind), "\(core.verdicts)")
        #expect(core.verdicts.map(\.threads) == running.verdicts.map(\.threads))
        #expect(Set(core.waits.map(Subject.init)) == Set(running.waits.map(Subject.init)))
        #expect(core.process.pid == running.process.pid && core.process.name == running.process.name)
        #expect(core.process.tasks == running.process.tasks)
        #expect(core.notes.isEmpty, "\(core.notes)")
    }

    @Test("Without the files of the process, its stacks are unknown, and the files are named")
    func missingFiles() throws {
        let program = try StuckProgram("sync-cycle")
        _ = try Diagnosis.of(program) { !$0.verdicts.isEmpty }
        let core = try program.writeCore()
        let empty = TemporaryDirectory()
        let diagnosis = try Diagnosis(ofCore: core, "--root", empty.path, "--stacks")
        #expect(diagnosis.verdicts.isEmpty)
        #expect(diagnosis.notes.contains { $0.contains("StuckPrograms") || $0.contains("not on this machine") })
        for thread in diagnosis.threads { #expect((thread.stack?.count ?? 0) <= 1, "\(thread)") }
        // The executable alone does not have libdispatch.
        let path = Program.built("StuckPrograms").path
        let partial = try Diagnosis(ofCore: core, "--root", empty.path, "--executable", path)
        #expect(partial.notes.contains { $0.contains("not on this machine") && !$0.contains("StuckPrograms") })
    }

    @Test("An executable with another build id is named and not used")
    func otherExecutable() throws {
        let program = try StuckProgram("semaphore")
        _ = try Diagnosis.of(program) { $0.waits.contains { $0.object == "semaphore" } }
        let core = try program.writeCore()
        let other = Program.queuescope.path
        let diagnosis = try Diagnosis(ofCore: core, "--executable", other, "--stacks")
        #expect(
            diagnosis.notes.contains { $0.hasPrefix("\(other) is not the file that the process had mapped") },
            "\(diagnosis.notes)")
        #expect(!diagnosis.threads.contains { $0.stack?.contains { $0.contains("fetch") } == true })
        // The libraries are the right ones, so the semaphore is still found.
        #expect(diagnosis.waits.contains { $0.object == "semaphore" && $0.code?.contains("fetch") != true })
    }

    @Test("A truncated core file is diagnosed as far as it goes, at any length")
    func truncated() throws {
        let program = try StuckProgram("mutex-cycle")
        _ = try Diagnosis.of(program) { !$0.verdicts.isEmpty }
        let core = try program.writeCore()
        let size = try #require(FileManager.default.attributesOfItem(atPath: core)[.size] as? Int)
        let half = try Diagnosis(ofCore: copy(of: core, size: size / 2))
        #expect(half.notes.first?.contains("is truncated") == true, "\(half.notes)")
        for step in 0..<40 {
            let length = step < 20 ? step * 1500 : size / 40 * step
            let path = try copy(of: core, size: length)
            switch diagnosis(ofCore: path) {
            case .success(let diagnosis): #expect(diagnosis.notes.contains { $0.contains("is truncated") })
            case .failure(let error): #expect(error.code == .notCore, "\(error.sentence)")
            }
        }
    }

    @Test("Flipped bits in the headers, the notes and the memory never crash", arguments: [1, 2, 3] as [UInt64])
    func flipped(seed: UInt64) throws {
        let program = try StuckProgram("sync-cycle")
        _ = try Diagnosis.of(program) { !$0.verdicts.isEmpty }
        let core = try program.writeCore()
        var state = seed
        func next(_ limit: Int) -> Int {
            state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            return Int(state >> 33) % limit
        }
        let file = try #require(FileHandle(forUpdatingAtPath: core))
        let size = Int(try file.seekToEnd())
        for round in 0..<15 {
            // The headers and the notes are at the begin of a core file of the kernel.
            for _ in 0..<8 {
                let place = next(round < 10 ? min(size, 0x6000) : size)
                try file.seek(toOffset: UInt64(place))
                let byte = try file.read(upToCount: 1)?.first ?? 0
                try file.seek(toOffset: UInt64(place))
                try file.write(contentsOf: [byte ^ UInt8(1 << next(8))])
            }
            _ = diagnosis(ofCore: core)
        }
    }

    private func diagnosis(ofCore path: String) -> Result<ProcessDiagnosis, InspectionError> {
        Result { () throws(InspectionError) in try ProcessDiagnosis(ofCore: path, executable: nil, root: nil) }
    }

    private func copy(of core: String, size: Int) throws -> String {
        let path = core + "-\(size)"
        try? FileManager.default.removeItem(atPath: path)
        try FileManager.default.copyItem(atPath: core, toPath: path)
        #expect(truncate(path, size) == 0)
        return path
    }
}

@Suite("Refusals of stuck for core files")
struct CoreRefusalTests {
    private let directory = TemporaryDirectory()

    private func refusal(_ arguments: [String], status: Int32 = 69) throws -> String {
        let result = try Program.queuescope.run(["stuck"] + arguments)
        #expect(result.status == status, "\(result)")
        #expect(result.output.isEmpty)
        return result.errors
    }

    private func file(_ name: String, _ bytes: [UInt8]) throws -> String {
        let path = directory.appending(name)
        try Data(bytes).write(to: URL(fileURLWithPath: path))
        return path
    }

    /// An ELF header.
    private func header(type: UInt8 = 4, machine: UInt8? = nil, wide: UInt8 = 2) -> [UInt8] {
        #if arch(arm64)
            let own: UInt8 = 183
        #else
            let own: UInt8 = 62
        #endif
        var bytes: [UInt8] = [0x7F, 0x45, 0x4C, 0x46, wide, 1, 1] + [UInt8](repeating: 0, count: 57)
        bytes[16] = type
        bytes[18] = machine ?? own
        bytes[32] = 64
        bytes[56] = 1
        return bytes
    }

    @Test("A file that does not exist, a directory, and a device")
    func noFile() throws {
        #expect(try refusal(["--core", "/nonexistent"]).contains("cannot read /nonexistent: No such file"))
        #expect(try refusal(["--core", directory.path]).contains("is not a file"))
        #expect(try refusal(["--core", "/dev/null"]).contains("is not a file"))
    }

    @Test("Files of another kind")
    func otherKinds() throws {
        #expect(try refusal(["--core", file("empty", [])]).contains("is not an ELF file"))
        #expect(try refusal(["--core", file("text", Array("core".utf8))]).contains("is not an ELF file"))
        let zstd = try file("zstd", [0x28, 0xB5, 0x2F, 0xFD, 0, 0])
        #expect(try refusal(["--core", zstd]).contains("Decompress it first: zstd -d \(zstd)."))
        let program = Program.queuescope.path
        #expect(try refusal(["--core", program]).contains("is an executable or a library, not a core file."))
    }

    @Test("Headers of other processors, and headers without content")
    func otherProcessors() throws {
        #expect(try refusal(["--core", file("x", header(machine: 243))]).contains("is of a program for RISC-V."))
        #expect(try refusal(["--core", file("narrow", header(wide: 1))]).contains("is of a 32-bit program."))
        #expect(try refusal(["--core", file("head", header())]).contains("is truncated before its list of threads."))
        #expect(try refusal(["--core", file("part", Array(header()[..<40]))]).contains("is truncated in its header."))
    }

    @Test("Arguments that do not belong together are wrong usage")
    func usage() throws {
        #expect(try refusal([], status: 64).contains("Name a process by its id, or a core file with --core."))
        #expect(try refusal(["1", "--core", "x"], status: 64).contains("not both"))
        #expect(try refusal(["1", "--root", "/"], status: 64).contains("add --core"))
        let core = try file("head", header())
        #expect(try refusal(["--core", core, "--executable", "/nonexistent"]).contains("cannot read /nonexistent"))
    }
}
