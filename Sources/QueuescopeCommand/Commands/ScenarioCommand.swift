import ArgumentParser
import Glibc
import Symbolication

/// `queuescope scenario`: runs a program with a known problem, or its repaired version.
struct ScenarioCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "scenario", abstract: "Runs a small program with a known problem, or its repaired version.",
        discussion: """
            Every detector has at least one scenario. Without a name, all scenarios are listed. Record a scenario like \
            any other program:

              queuescope record -o problem -- queuescope scenario image-cache
              queuescope record -o repaired -- queuescope scenario image-cache --repaired
              queuescope diff problem repaired

            queuescope starts the scenario's program with exec. A queuescope that is not linked statically, such as \
            .build/release/queuescope, is recorded before that as well; its own recording is in problem-1.

            The seed determines labels, counts, durations and threads, which are printed. A scenario with a deadlock \
            ends itself with status 75. Two scenarios end with an illegal instruction, because libdispatch aborts the \
            program.
            """)

    @Argument(
        help: "The name of the scenario. Without it, all scenarios are listed.",
        completion: .custom { _, _, _ in names })
    var name: String?

    @Flag(help: "Run the variant without the problem.")
    var repaired = false

    @Option(help: "The seed of labels, counts, durations and threads.")
    var seed: UInt64 = 1

    // For the evaluation under field conditions, which prints commands to repeat a recording.
    @Option(help: ArgumentHelp("The kind of labels and numbers: software or warehouse.", visibility: .hidden))
    var domain: String?

    @Option(help: ArgumentHelp("Create this many other queues first.", visibility: .hidden))
    var otherQueues: Int?

    /// The names of all scenarios, from the list of the scenarios' program.
    private static var names: [String] {
        guard let program = try? CompanionProgram("ScenarioProgram", purpose: "the program of the scenarios"),
            let list = ToolRun(program.path, [])
        else { return [] }
        // `  image-cache  An image cache that …`
        return String(decoding: list.output, as: UTF8.self).split(separator: "\n").compactMap { line in
            line.hasPrefix("  ") ? line.split(separator: " ").first.map(String.init) : nil
        }
    }

    func run() throws {
        // exec replaces this process by the scenario's program, so that only that program is recorded.
        let program = try CompanionProgram.scenarios().path
        let conditions =
            (domain.map { ["--domain", $0] } ?? []) + (otherQueues.map { ["--other-queues", "\($0)"] } ?? [])
        let arguments = name.map { [$0, "--seed", "\(seed)"] + (repaired ? ["--repaired"] : []) + conditions } ?? []
        var strings = ([program] + arguments).map { strdup($0) } + [nil]
        execv(program, &strings)
        throw CommandFailure(.notExecutable, "cannot run \(program): \(String(cString: strerror(errno)))")
    }
}
