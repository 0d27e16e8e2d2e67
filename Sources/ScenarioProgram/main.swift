import Foundation
import Scenarios

// Usage: ScenarioProgram [NAME [--seed N] [--repaired]]. Runs one variant, or lists the scenarios; `queuescope scenario` becomes this program.

func say(_ text: String) { FileHandle.standardOutput.write(Data(text.utf8)) }

func fail(_ sentence: String) -> Never {
    FileHandle.standardError.write(Data("queuescope: \(sentence)\n".utf8))
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
