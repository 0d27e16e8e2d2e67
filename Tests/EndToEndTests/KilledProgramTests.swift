import CTFReader
import Foundation
import TestSupport
import Testing

@Suite("A program that is killed")
struct KilledProgramTests {
    static let threads = 3

    @Test("leaves every event that a thread had finished writing, 100 times at random moments")
    func sigkill() throws {
        var generator = SystemRandomNumberGenerator()
        for round in 1...100 {
            let directory = TemporaryDirectory()
            let trace = directory.appending("trace")
            let process = try Program.built("KillTarget").start(
                [directory.appending("progress"), "\(Self.threads)"], environment: ["QUEUESCOPE_TRACE": trace],
                output: directory.appending("out"), errors: directory.appending("err"))
            while process.isRunning, FileManager.default.contents(atPath: directory.appending("out"))?.isEmpty != false
            {
                usleep(200)
            }
            let delay = UInt32.random(in: 0...10_000, using: &generator)
            usleep(delay)  // the random moment
            kill(process.processIdentifier, SIGKILL)
            process.waitUntilExit()
            let discarded = try check(
                trace, directory.appending("progress"), "round \(round), killed after \(delay) µs")
            // babeltrace2 warns of discarded events.
            if round % 20 == 0, discarded == 0 { try checkBabeltrace(trace, "round \(round)") }
        }
    }

    @Test(
        "leaves every event when a process of another container has read the trace before",
        .enabled(if: canUnshare))
    func otherContainer() throws {
        let directory = TemporaryDirectory()
        let trace = directory.appending("trace")
        let process = try Program.built("KillTarget").start(
            [directory.appending("progress"), "\(Self.threads)"], environment: ["QUEUESCOPE_TRACE": trace],
            output: directory.appending("out"), errors: directory.appending("err"))
        while process.isRunning, FileManager.default.contents(atPath: directory.appending("out"))?.isEmpty != false {
            usleep(200)
        }
        // A container has its own mounts and its own IPC namespace, in which the memory cannot be found.
        func read() throws -> String {
            try Self.unshare.run([
                "--mount", "--ipc", "sh", "-c", "mount -t tmpfs none /dev/shm && exec \"$0\" events \"$1\" > /dev/null",
                Program.queuescope.path, trace,
            ]).errors
        }
        var errors = try read()
        #expect(errors.contains("is still being recorded"), "\(errors)")
        kill(process.processIdentifier, SIGKILL)
        process.waitUntilExit()
        errors = try read()
        #expect(errors.contains("is in another IPC namespace"), "\(errors)")
        try check(trace, directory.appending("progress"), "read in another container")
    }

    @Test("and whose memory was removed before leaves the events that it had copied, and was not harmed by the removal")
    func removedMemory() throws {
        let directory = TemporaryDirectory()
        let trace = directory.appending("trace")
        let process = try Program.built("KillTarget").start(
            [directory.appending("progress"), "\(Self.threads)"], environment: ["QUEUESCOPE_TRACE": trace],
            output: directory.appending("out"), errors: directory.appending("err"))
        defer { if process.isRunning { kill(process.processIdentifier, SIGKILL) } }
        while process.isRunning, FileManager.default.contents(atPath: directory.appending("out"))?.isEmpty != false {
            usleep(200)
        }
        let memory = try #require(SharedMemory(named: String(contentsOfFile: trace + "/.arena", encoding: .utf8)))
        // No file leads to the memory, so that nothing can truncate it: that would end the program by SIGBUS.
        let maps = try #require(ProcFile.text("/proc/\(process.processIdentifier)/maps"))
        let shared = maps.split(separator: "\n").filter { $0.contains("rw-s") }
        #expect(shared.contains { $0.contains("/SYSV") })
        #expect(!shared.contains { $0.contains("/dev/shm/") }, "\(shared)")
        memory.remove()
        func progress() -> UInt64 {
            (FileManager.default.contents(atPath: directory.appending("progress")) ?? Data())
                .withUnsafeBytes { $0.bindMemory(to: UInt64.self)[1] }
        }
        let before = progress()
        for _ in 0..<10_000 where progress() < before + 100 && process.isRunning { usleep(1000) }
        #expect(process.isRunning && progress() >= before + 100)
        kill(process.processIdentifier, SIGKILL)
        process.waitUntilExit()
        #expect(try ArenaRecovery.complete(path: trace) == .arenaGone(.removed))
        // The last packets of some threads were only in the memory. The signal may have cut the packet that the
        // recorder was copying.
        let notes = try CTFTrace(path: trace).forEachEvent { _ in }.notes
        let cut = notes.filter { $0.code == .truncatedPacket }
        let lost = notes.filter { $0.code == .lostPackets }
        #expect(cut.count <= 1 && cut.count + lost.count == notes.count, "\(notes)")
    }

    private static let unshare = Program(path: "/usr/bin/unshare")
    private static let canUnshare =
        geteuid() == 0
        && (try? unshare.run(["--mount", "--ipc", "mount", "-t", "tmpfs", "none", "/dev/shm"]).status) == 0

    /// Checks that each thread's signposts are in the trace in order, up to the number that the thread had noted. There
    /// may be one more, which was complete but not noted. On a busy machine the arena may fill up. Then the signposts
    /// that are missing must be counted as discarded.
    ///
    /// - Returns: the number of discarded events.
    @discardableResult
    private func check(_ path: String, _ progress: String, _ note: Comment) throws -> UInt64 {
        let words = try #require(FileManager.default.contents(atPath: progress)).withUnsafeBytes {
            Array($0.bindMemory(to: UInt64.self))
        }
        var last: [UInt32: UInt64] = [:]
        var missing: UInt64 = 0
        _ = try ArenaRecovery.complete(path: path)
        let trace = try CTFTrace(path: path)
        let tick = try #require(trace.eventClasses.firstIndex { $0.name == "dispatch:signpost_event" })
        let summary = try trace.forEachEvent { record in
            guard record.classIndex == tick else { return }
            let number = record.unsigned(0)
            let next = last[record.packetTID, default: 0] + 1
            try #require(number >= next, note)
            missing += number - next
            last[record.packetTID] = number
        }
        for thread in 0..<Self.threads {
            let (tid, finished) = (UInt32(words[thread * 8]), words[thread * 8 + 1])
            let recorded = last[tid, default: 0]
            #expect(recorded <= finished + 1, "\(note): \(recorded) of \(finished)")
            if recorded < finished { missing += finished - recorded }
        }
        #expect(missing <= summary.discarded, "\(note): \(missing) are missing, \(summary.discarded) discarded")
        return summary.discarded
    }

    private func checkBabeltrace(_ trace: String, _ note: Comment) throws {
        guard let babeltrace2 = Program.babeltrace2 else { return }
        let result = try babeltrace2.run(["--output-format=dummy", trace])
        #expect(result.status == 0 && result.errors.isEmpty, "\(note): \(result.errors)")
    }
}
