import ArgumentParser
import DispatchAnalysis
import DispatchModel
import Glibc

/// `queuescope watch`: takes snapshots of a recording when a condition holds.
struct WatchCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "watch", abstract: "Takes a snapshot of a recording when a condition holds.",
        discussion: """
            Reads a recording that goes on, as live does, and copies it as snapshot does when a condition holds. The \
            report of the copy begins with the condition and its case. The recorded program does no work for the \
            conditions. The command ends with the recording, or after the last snapshot.

            A condition is noticed at most --interval and the duration of a reading later. A reading has the last \
            seconds that the conditions need, so it takes a few milliseconds.

              queuescope record --mode flight -o trace -- .build/release/MyService &
              queuescope watch trace --when 'queue=com.example.db wait>250ms' --when 'main blocked>1s'

            record --mode flight --when does the same for a program that it starts.
            """)

    @OptionGroup var named: RecordingArguments

    @OptionGroup var arguments: WatchArguments

    @Option(
        name: .shortAndLong,
        help: """
            The trace directories to create (default: the program's name, date and time with .ctf). %n is the \
            program's name, %t the time (UTC), %p the process id, %h the name of the host, and %% a percent sign.
            """,
        completion: .directory)
    var output: TracePattern?

    @Option(
        help: ArgumentHelp(
            """
            The time between two readings: 10ms to 1m (default: 50ms). A reading that takes long is repeated less \
            often.
            """, valueName: "time"))
    var interval: TimeLimit?

    @Option(
        help: ArgumentHelp(
            "The process to watch if the directory has several traces: its id or name, or host:pid.",
            valueName: "pid|name|host:pid"))
    var process: String?

    /// `record` starts this command before the program: it waits for the trace, evaluates it from its begin, and ends
    /// at the end of the recording or with `record`.
    @Flag(help: .hidden)
    var fromStart = false

    func validate() throws {
        if arguments.conditions.isEmpty { throw ValidationError("Name a condition with --when.") }
        if output?.text.isEmpty == true { throw ValidationError("Name the directory of the traces after --output.") }
        if let output, !output.variesWithTime, arguments.limits.most > 1 {
            throw ValidationError("--output needs %t, so that each snapshot has its own directory.")
        }
        guard (Nanoseconds.milliseconds(10)...Nanoseconds.seconds(60)).contains(pause) else {
            throw ValidationError("--interval is 10ms to 1m.")
        }
    }

    private var pause: Nanoseconds { interval?.length ?? .milliseconds(50) }

    func run() throws {
        // Ctrl-C in a terminal is for the program that `record` runs.
        if fromStart { for number in [SIGINT, SIGHUP, SIGQUIT] { signal(number, SIG_IGN) } }
        let signals = EndingSignals(fromStart ? [SIGTERM] : [SIGINT, SIGTERM, SIGHUP])
        if fromStart, !Self.waitForTrace(named.recording ?? "", signals) { return }
        var watcher = ConditionWatcher(
            try named.find(process: process), output: output, interval: pause, arguments, countsPast: fromStart,
            endedBy: signals)
        let ending = try watcher.run()
        guard !fromStart else { return }
        switch ending {
        case .recordingIsOver: StandardError.write("queuescope: the recording is over.\n")
        case .allSnapshotsTaken:
            StandardError.write("queuescope: all conditions had their largest number of snapshots.\n")
        case .signal: break
        }
    }

    /// Waits until a program begins its trace. Returns false when `record` has ended before.
    private static func waitForTrace(_ directory: String, _ signals: EndingSignals) -> Bool {
        let parent = getppid()
        while access("\(directory)/metadata", F_OK) != 0 {
            if signals.wait(atMost: .milliseconds(20)) || getppid() != parent { return false }
        }
        return true
    }
}
