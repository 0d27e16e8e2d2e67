import Glibc
import Scenarios

// Usage: ScenarioProgram [NAME [--seed N] [--repaired]]. Runs one variant, or lists the scenarios; `queuescope scenario` becomes this program.

// Without a buffer: the program may end in any way.
func say(_ text: String, to descriptor: Int32 = STDOUT_FILENO) {
    var text = text
    text.withUTF8 { _ = write(descriptor, $0.baseAddress, $0.count) }
}

func fail(_ sentence: String) -> Never {
    say("queuescope: \(sentence)\n", to: STDERR_FILENO)
    exit(64)
}

var arguments = Array(CommandLine.arguments.dropFirst())
guard !arguments.isEmpty else {
    say(ScenarioCatalogue.list)
    exit(0)
}
let name = arguments.removeFirst()
guard let type = ScenarioCatalogue.scenario(id: name) else {
    let known = ScenarioCatalogue.all.map { $0.id }.joined(separator: ", ")
    fail("there is no scenario \"\(name)\"; there are \(known)")
}
var seed: UInt64 = 1
var repaired = false
while !arguments.isEmpty {
    switch arguments.removeFirst() {
    case "--repaired": repaired = true
    case "--seed":
        guard let value = arguments.first.flatMap({ UInt64($0) }) else { fail("--seed needs a number") }
        arguments.removeFirst()
        seed = value
    case let other: fail("unknown argument \(other); there are --seed N and --repaired")
    }
}
let run = ScenarioRun(type, seed: seed, repaired: repaired)
say(run.description + "\n")
run.scenario.run(repaired: repaired)
