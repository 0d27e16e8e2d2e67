import ArgumentParser
import Glibc

/// `queuescope scenario`: runs a program with a known problem, or its repaired twin.
struct ScenarioCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "scenario", abstract: "Runs a small program with a known problem, or its repaired twin.",
        discussion: """
            There is one at least for every detector; without a name they are listed. Record one as you would record any program:

              queuescope record -o problem -- queuescope scenario image-cache
              queuescope record -o repaired -- queuescope scenario image-cache --repaired
              queuescope diff problem repaired

            problem-1 beside it is the recording of queuescope itself, before it became that program.

            Labels, counts, durations and threads come from the seed, and are printed. Programs that deadlock end themselves with \
            status 75; two end with an illegal instruction, as libdispatch punishes what they do.
            """)

    @Argument(help: "The scenario's name; without it all are listed.")
    var name: String?

    @Flag(help: "Run the twin without the problem.")
    var repaired = false

    @Option(help: "Chooses the variant.")
    var seed: UInt64 = 1

    // For the evaluation under field conditions, which prints commands that repeat a recording.
    @Option(help: ArgumentHelp("What labels and numbers are like: software or warehouse.", visibility: .hidden))
    var domain: String?

    @Option(help: ArgumentHelp("Make this many other queues first.", visibility: .hidden))
    var otherQueues: Int?

    func run() throws {
        // The process becomes the scenario's: what is recorded is that program alone.
        let program = try CompanionProgram("ScenarioProgram", purpose: "the program of the scenarios").path
        let conditions =
            (domain.map { ["--domain", $0] } ?? []) + (otherQueues.map { ["--other-queues", "\($0)"] } ?? [])
        let arguments = name.map { [$0, "--seed", "\(seed)"] + (repaired ? ["--repaired"] : []) + conditions } ?? []
        var strings = ([program] + arguments).map { strdup($0) } + [nil]
        execv(program, &strings)
        throw CommandFailure(.notExecutable, "cannot run \(program): \(String(cString: strerror(errno)))")
    }
}
