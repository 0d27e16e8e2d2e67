import Glibc
import NameSuggestions
import Scenarios

// Usage: ScenarioProgram [NAME [--seed N] [--repaired] [--domain NAME] [--other-queues N]]. Runs one variant, or lists
// the scenarios. `queuescope scenario` replaces itself by this program.

// Writes without a buffer, because the program may end at any time.
@discardableResult
func say(_ text: String, to descriptor: Int32 = STDOUT_FILENO) -> Bool {
    var text = text
    return text.withUTF8 { write(descriptor, $0.baseAddress, $0.count) == $0.count }
}

func fail(_ sentence: String, _ status: Int32 = 64) -> Never {
    say("queuescope: \(sentence)\n", to: STDERR_FILENO)
    exit(status)
}

var arguments = Array(CommandLine.arguments.dropFirst())
guard !arguments.isEmpty else {
    guard say(ScenarioCatalogue.list) else {
        fail("cannot write to standard output: \(String(cString: strerror(errno))).", 73)
    }
    exit(0)
}
let name = arguments.removeFirst()
guard let type = ScenarioCatalogue.scenario(id: name) else {
    let suggestion = NameSuggestion(for: name, among: ScenarioCatalogue.all.map { $0.id })
    fail("there is no scenario '\(name)'\(suggestion.question) `queuescope scenario` lists all scenarios.")
}
var seed: UInt64 = 1
var repaired = false
var domain = Domain.software
var otherQueues = 0
while !arguments.isEmpty {
    switch arguments.removeFirst() {
    case "--repaired": repaired = true
    case "--seed":
        guard let value = arguments.first.flatMap({ UInt64($0) }) else { fail("--seed needs a number") }
        arguments.removeFirst()
        seed = value
    case "--domain":
        guard let value = arguments.first.flatMap({ Domain(rawValue: $0) }) else {
            fail("--domain needs one of \(Domain.allCases.map(\.rawValue).joined(separator: ", "))")
        }
        arguments.removeFirst()
        domain = value
    case "--other-queues":
        guard let value = arguments.first.flatMap({ Int($0) }), value >= 0 else {
            fail("--other-queues needs a number")
        }
        arguments.removeFirst()
        otherQueues = value
    case let other:
        fail("unknown argument \(other); the options are --seed N, --repaired, --domain NAME and --other-queues N")
    }
}
let run = ScenarioRun(type, seed: seed, repaired: repaired, domain: domain, otherQueues: otherQueues)
say(run.description + "\n")
run.run()
