import Foundation
import TestSupport
import Testing

/// A service that a launcher starts in the background outlives `queuescope record`, which must not change the trace
/// while the service still writes it.
@Suite("A service behind its launcher")
struct LauncherTests {
    private let queuescope = Program.queuescope
    private let directory = TemporaryDirectory()
    private var trace: String { directory.appending("trace") }
    private var output: String { directory.appending("service.out") }

    /// Runs the launcher under `record`. The service works on request and ends with its input.
    ///
    /// - Returns: the messages of `record`, and the service's input.
    private func launch() throws -> (errors: String, input: FileHandle) {
        let fifo = directory.appending("service.in")
        try #require(mkfifo(fifo, 0o600) == 0)
        let input = FileHandle(fileDescriptor: open(fifo, O_RDWR | O_CLOEXEC), closeOnDealloc: true)
        let service = Program.built("SteppedProgram").path
        // Foundation passes a descriptor to every process and waits until all copies are closed.
        let close = "for file in $(ls /proc/$$/fd); do [ $file -le 2 ] || eval \"exec $file>&-\"; done"
        let ready = "for try in $(seq 30000); do [ -s \"\(output)\" ] && break; sleep 0.01; done"
        let script = "\(close); \"\(service)\" <\"\(fifo)\" >\"\(output)\" 2>&1 & \(ready); exit 4"
        let result = try queuescope.run(["record", "-o", trace, "--", "/bin/bash", "-c", script])
        #expect(result.status == 4)
        return (result.errors, input)
    }

    private func wait(until condition: () -> Bool) throws {
        for _ in 0..<30_000 where !condition() { usleep(10_000) }
        try #require(condition())
    }

    private func itemsRecorded() throws -> Int {
        let result = try queuescope.run(["events", trace])
        #expect(result.status == 0)
        return result.lines.count { $0.contains("callout_begin") }
    }

    @Test("continues, is recorded to its end, and the only message reports it")
    func goesOn() throws {
        let (errors, input) = try launch()
        #expect(errors.split(separator: "\n").count == 1)
        #expect(errors.contains("SteppedProgram (process "))
        #expect(errors.contains("still runs and is recorded into \(trace)"))
        let live = try queuescope.run(["report", trace])
        #expect(live.status == 0)
        #expect(live.errors.contains("is still being recorded"))
        try input.write(contentsOf: Data("500\n".utf8))
        try wait {
            FileManager.default.contents(atPath: output).map { String(decoding: $0, as: UTF8.self) }?.contains(
                "done 500") == true
        }
        try input.close()
        try wait { !FileManager.default.fileExists(atPath: trace + "/.arena") }
        #expect(try itemsRecorded() >= 500)
    }

    @Test("leaves its recording when it is killed later")
    func killed() throws {
        let (errors, input) = try launch()
        try input.write(contentsOf: Data("300\n".utf8))
        try wait {
            FileManager.default.contents(atPath: output).map { String(decoding: $0, as: UTF8.self) }?.contains(
                "done 300") == true
        }
        let process = try #require(errors.firstMatch(of: /process ([0-9]+)/)).1
        kill(try #require(pid_t(process)), SIGKILL)
        try wait { kill(pid_t(process) ?? 0, 0) != 0 }
        #expect(try itemsRecorded() >= 300)
        #expect(!FileManager.default.fileExists(atPath: trace + "/.arena"))
    }
}
