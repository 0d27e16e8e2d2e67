import Glibc
import Testing

@testable import Symbolication

@Suite("Process start")
struct ProcessStartTests {
    /// The exit status of a program; nil when it was not started or a signal ended it.
    private func status(of start: ProcessStart) -> Int32? {
        guard case .success(let process) = start.run() else { return nil }
        var status: Int32 = 0
        while waitpid(process, &status, 0) < 0, errno == EINTR {}
        return status & 0x7F == 0 ? (status >> 8) & 0xFF : nil
    }

    @Test("a process has no blocked signal, although its parent blocks one")
    func blockedSignals() {
        var (one, before) = (sigset_t(), sigset_t())
        sigemptyset(&one)
        sigaddset(&one, SIGUSR1)
        pthread_sigmask(SIG_BLOCK, &one, &before)
        defer { pthread_sigmask(SIG_SETMASK, &before, nil) }
        let words = ["grep", "-q", "SigBlk:\t0000000000000000", "/proc/self/status"]
        #expect(status(of: ProcessStart("/bin/grep", words: words)) == 0)
    }

    @Test("a process has the variables of its environment only")
    func environment() {
        let words = ["sh", "-c", #"test "$FIRST$HOME" = 1"#]
        #expect(status(of: ProcessStart("/bin/sh", words: words, environment: ["FIRST": "1"])) == 0)
    }

    @Test("a process that cannot be started gives the reason")
    func missing() {
        guard case .failure(let reason) = ProcessStart("/nowhere/program", words: ["program"]).run() else {
            Issue.record("it was started")
            return
        }
        #expect(reason.description == "No such file or directory")
    }
}
