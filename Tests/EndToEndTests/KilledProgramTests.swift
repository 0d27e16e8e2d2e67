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
        "leaves every event when a process of another mount namespace has read the trace before",
        .enabled(if: canUnshare))
    func otherMountNamespace() throws {
        let directory = TemporaryDirectory()
        let trace = directory.appending("trace")
        let process = try Program.built("KillTarget").start(
            [directory.appending("progress"), "\(Self.threads)"], environment: ["QUEUESCOPE_TRACE": trace],
            output: directory.appending("out"), errors: directory.appending("err"))
        while process.isRunning, FileManager.default.contents(atPath: directory.appending("out"))?.isEmpty != false {
            usleep(200)
        }
        // As in a sidecar, /dev/shm is another file system here, without the arena.
        let reader = try Self.unshare.run([
            "--mount", "sh", "-c", "mount -t tmpfs none /dev/shm && exec \"$0\" events \"$1\" > /dev/null",
            Program.queuescope.path, trace,
        ])
        kill(process.processIdentifier, SIGKILL)
        process.waitUntilExit()
        #expect(reader.errors.contains("is in another mount namespace"), "\(reader.errors)")
        try check(trace, directory.appending("progress"), "read in another mount namespace")
    }

    private static let unshare = Program(path: "/usr/bin/unshare")
    private static let canUnshare =
        geteuid() == 0 && (try? unshare.run(["--mount", "mount", "-t", "tmpfs", "none", "/dev/shm"]).status) == 0

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
