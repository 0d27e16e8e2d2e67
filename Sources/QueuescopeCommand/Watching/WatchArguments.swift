import ArgumentParser
import DispatchAnalysis
import DispatchModel

/// The conditions for snapshots, and their limits.
struct WatchArguments: ParsableArguments {
    @Option(
        name: .customLong("when"),
        help: ArgumentHelp(
            """
            Take a snapshot when this holds (repeatable): 'queue=NAME wait>250ms', 'queue=NAME depth>100', \
            'actor=NAME wait>1s', 'main blocked>250ms', 'loop blocked>50ms', 'workers>64', 'pool starved>100ms', \
            'request>2s' or 'deadlock'. A name may have * for any characters.
            """, valueName: "condition"),
        transform: { text in
            do { return try TriggerCondition(text) } catch { throw ValidationError("\(error).") }
        })
    var conditions: [TriggerCondition] = []

    @Option(
        help: ArgumentHelp(
            "The least time between two snapshots of a condition, such as 10s (default: 1m).", valueName: "time"))
    var coolDown: TimeLimit?

    @Option(
        help: ArgumentHelp("The largest number of snapshots of each condition (default: 10).", valueName: "number"))
    var snapshots: Int?

    @Option(
        name: .customLong("run"),
        help: ArgumentHelp(
            """
            Run this shell command after each snapshot. QUEUESCOPE_SNAPSHOT_TRACE is the directory of the copy, \
            QUEUESCOPE_SNAPSHOT_REASON the condition with its case. If the command still runs at the next snapshot, \
            it is not started again.
            """, valueName: "command"))
    var command: String?

    func validate() throws {
        if let snapshots, snapshots < 1 { throw ValidationError("--snapshots is at least 1.") }
        if command?.isEmpty == true { throw ValidationError("Name a shell command after --run.") }
        if conditions.isEmpty, coolDown != nil || snapshots != nil || command != nil {
            throw ValidationError("--cool-down, --snapshots and --run are for --when.")
        }
    }

    var limits: ConditionWatch.Limits {
        var limits = ConditionWatch.Limits()
        if let coolDown { limits.coolDown = coolDown.length }
        if let snapshots { limits.most = snapshots }
        return limits
    }

    /// The words that give the same arguments to another command.
    var words: [String] {
        var words = conditions.flatMap { ["--when", $0.description] }
        if let coolDown { words += ["--cool-down", "\(coolDown.nanoseconds / 1_000_000)ms"] }
        if let snapshots { words += ["--snapshots", "\(snapshots)"] }
        if let command { words += ["--run", command] }
        return words
    }
}
