import Glibc

/// A recording of a running process that ends with this command: after its time, by a signal, or with the process.
///
/// The process stops the recording when the connection closes, so it also ends if this command is killed.
struct AttachedRecording {
    private static let signals = [SIGINT, SIGTERM, SIGHUP]
    /// Interval at which signals and the time are checked, in milliseconds.
    private static let interval: Int32 = 50

    let process: pid_t
    var start: StartRequest
    /// The length of the recording; nil records until a signal.
    var duration: TimeLimit?

    /// Records, and prints the result as `record` does.
    func run() throws {
        // Blocked before the start, so that a signal ends the recording and not this command.
        var set = sigset_t()
        sigemptyset(&set)
        for signal in Self.signals { sigaddset(&set, signal) }
        pthread_sigmask(SIG_BLOCK, &set, nil)
        let controlled = try ControlledProcess.find(process) ?? RecorderLoading.load(into: process)
        let program = ProcessFacts.name(of: process)
        let connection = try controlled.connect()
        let answer = try controlled.ask(start.request(for: program), on: connection)
        let trace = answer["trace"] ?? ""
        let limit = duration == nil ? ", until Ctrl-C" : ""
        StandardError.write("queuescope: recording \(program) (process \(process)) into \(trace)\(limit).\n")
        // While the process lives: afterwards /proc has no path to its files.
        let path = ProcessFacts.visiblePath(of: trace, in: process)
        if wait(on: connection, for: set) {
            do {
                _ = try controlled.ask(ControlRequest(.stop), on: connection)
            } catch let failure as CommandFailure {
                // The program has stopped the recording itself, or ended at this moment. The trace is read either way.
                StandardError.write("queuescope: \(failure.sentence).\n")
            }
        } else {
            StandardError.write("queuescope: the process ended, or another command stopped the recording.\n")
        }
        StandardError.write("queuescope: \(ControlledTrace.sentence(path))\n")
        NameStorageProcess.run(for: [path])
    }

    /// Waits for the end of the recording. Returns false when the process has ended it.
    private func wait(on connection: ControlConnection, for signals: sigset_t) -> Bool {
        var (signals, none) = (signals, timespec())
        let end = duration.map { MonotonicClock.nanoseconds + $0.nanoseconds } ?? .max
        while MonotonicClock.nanoseconds < end {
            if connection.waitForMessage(atMost: Self.interval) { return false }
            if sigtimedwait(&signals, nil, &none) > 0 { return true }
        }
        return true
    }
}
