import CTFReader
import DispatchAnalysis
import DispatchModel
import FoundationEssentials
import Glibc
import Symbolication

/// Follows a recording, and takes a snapshot when a condition holds.
///
/// Only this process evaluates the conditions: it reads the memory and the files of the recorder. The recorded program
/// works for a snapshot only, when it writes its events to the files.
struct ConditionWatcher {
    /// The reason why the watch is over.
    enum Ending {
        case recordingIsOver, allSnapshotsTaken, signal
    }

    /// The part of the recording that the first reading has. Operations that began earlier are not evaluated while they
    /// last.
    private static let past = Nanoseconds.seconds(5)

    private let path: String
    private let analyzer: LiveAnalyzer
    /// Nil for the process in the metadata of the trace.
    private let process: pid_t?
    private let output: TracePattern?
    private let signals: EndingSignals
    private var pace: LivePace
    private var watch: ConditionWatch
    private var action: SnapshotAction?

    /// - Parameters:
    ///   - recording: the recording.
    ///   - output: the pattern of the snapshots' directories.
    ///   - interval: the time between the begins of two readings.
    ///   - arguments: the conditions and their limits.
    ///   - countsPast: whether operations count that ended before the first reading.
    ///   - signals: the signals that end the watch.
    init(
        _ recording: LiveRecording, output: TracePattern?, interval: Nanoseconds, _ arguments: WatchArguments,
        countsPast: Bool, endedBy signals: EndingSignals
    ) {
        path = recording.path
        analyzer = LiveAnalyzer(
            FollowedTrace(path: recording.path, process: recording.process), length: Self.past,
            options: AnalysisOptions(detectors: []))
        process = recording.process
        (self.output, self.signals) = (output, signals)
        pace = LivePace(interval: interval)
        watch = ConditionWatch(arguments.conditions, limits: arguments.limits, countsPast: countsPast)
        action = arguments.command.map { SnapshotAction(command: $0) }
    }

    /// Watches until the recording is over, until every condition had its largest number of snapshots, or until a
    /// signal.
    ///
    /// - Throws: the errors of the reader before the first reading. Later readings are repeated: the recorder may
    ///   replace a file during a reading.
    mutating func run() throws -> Ending {
        var hasRead = false
        while true {
            let meter = LivePace.Meter()
            do {
                if let outcome = try watch.next(of: analyzer) {
                    hasRead = true
                    if let reason = outcome.reason { take(reason, of: process ?? pid_t(outcome.process ?? 0)) }
                    if !outcome.isRecording { return .recordingIsOver }
                }
            } catch {
                if !hasRead { throw error }
            }
            action?.collect()
            if watch.isExhausted { return .allSnapshotsTaken }
            if signals.wait(atMost: pace.pause(after: meter.cost)) { return .signal }
        }
    }

    /// Takes a snapshot and prints the result. A failure does not end the watch.
    private mutating func take(_ reason: SnapshotReason, of process: pid_t) {
        do {
            let (directory, path) = try ProcessSnapshot(process: process, output: output, reason: reason).take()
            StandardError.write("queuescope: \(reason.text).\n")
            StandardError.write("queuescope: \(ControlledTrace.sentence(directory))\n")
            NameStorageProcess.run(for: [path])
            action?.run(trace: path, reason: reason)
        } catch {
            let sentence = (error as? CommandFailure)?.sentence ?? "\(error)"
            StandardError.write("queuescope: \(reason.text), but there is no snapshot: \(sentence).\n")
        }
    }
}

/// The signals that end a watch. They stay blocked, so that a snapshot is complete before this process ends.
struct EndingSignals {
    private var set = sigset_t()

    /// Blocks the signals.
    init(_ signals: [Int32]) {
        sigemptyset(&set)
        for signal in signals { sigaddset(&set, signal) }
        pthread_sigmask(SIG_BLOCK, &set, nil)
    }

    /// Waits for a signal. Returns false after the time.
    func wait(atMost time: Nanoseconds) -> Bool {
        var set = set
        let count = max(time.count, 0)
        var limit = timespec(tv_sec: Int(count / 1_000_000_000), tv_nsec: Int(count % 1_000_000_000))
        return sigtimedwait(&set, nil, &limit) > 0
    }
}

/// A shell command that runs after a snapshot.
struct SnapshotAction {
    let command: String
    private var running: pid_t?

    init(command: String) { self.command = command }

    /// Starts the command, unless the last one still runs.
    ///
    /// - Parameters:
    ///   - trace: the directory of the snapshot.
    ///   - reason: its reason.
    mutating func run(trace: String, reason: SnapshotReason) {
        collect()
        guard running == nil else {
            StandardError.write("queuescope: the command of --run still runs, and is not started again.\n")
            return
        }
        let variables = ["QUEUESCOPE_SNAPSHOT_TRACE": trace, "QUEUESCOPE_SNAPSHOT_REASON": reason.text]
        let environment = ProcessInfo.processInfo.environment.merging(variables) { $1 }
        switch ProcessStart("/bin/sh", words: ["sh", "-c", command], environment: environment).run() {
        case .success(let process): running = process
        case .failure(let reason):
            StandardError.write("queuescope: the command of --run cannot be started: \(reason).\n")
        }
    }

    /// Notes the end of the command.
    mutating func collect() {
        var status: Int32 = 0
        if let process = running, waitpid(process, &status, WNOHANG) != 0 { running = nil }
    }
}
