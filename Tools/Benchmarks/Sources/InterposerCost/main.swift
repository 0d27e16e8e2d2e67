import Foundation

// Usage: InterposerCost PRELOAD-OBJECT [--check] [--load NAME]. Prints the cost of recording an unmodified program.
// Every comparison runs the same program recorded and unrecorded at the same time, in alternating rounds. With --check
// the exit status is 1 if a budget is exceeded. With --load it runs one load only.

let comparisons = [
    Comparison(load: "sync", title: "an empty sync", rounds: 150, pairs: 25, budget: 1.3),
    Comparison(load: "async", title: "an empty async, enqueue and drain", rounds: 150, pairs: 25, budget: 1.25),
    Comparison(
        load: "mutex", title: "computing and locking uncontended mutexes", rounds: 150, pairs: 25, budget: 1.02),
    Comparison(load: "hop", title: "a hop to an actor that is free, and back", rounds: 150, pairs: 25, budget: 2),
    Comparison(
        load: "continuation", title: "a continuation that is resumed at once", rounds: 150, pairs: 25, budget: nil),
    Comparison(load: "task", title: "a task that is made and awaited", rounds: 150, pairs: 25, budget: nil),
    Comparison(load: "urlsession", title: "a URLSession request (rounds of 50)", rounds: 40, pairs: 25, budget: 1.03),
    Comparison(
        load: "urlsession", title: "    without the context switches", rounds: 40, pairs: 25, budget: nil,
        recording: .withoutSwitches),
    Comparison(
        load: "urlsession", title: "    preloaded, not recorded", rounds: 40, pairs: 25, budget: nil,
        recording: .none),
    Comparison(
        load: "urlsession", title: "    the context switches alone, by perf record", rounds: 40, pairs: 25,
        budget: nil, recording: .switchesByPerf),
]

guard CommandLine.arguments.count >= 2 else {
    FileHandle.standardError.write(Data("usage: InterposerCost PRELOAD-OBJECT [--check] [--load NAME]\n".utf8))
    exit(64)
}
let only = CommandLine.arguments.firstIndex(of: "--load").flatMap { CommandLine.arguments.dropFirst($0 + 1).first }
guard only == nil || comparisons.contains(where: { $0.load == only }) else {
    FileHandle.standardError.write(Data("InterposerCost: no load is called \(only!)\n".utf8))
    exit(64)
}
let preload = URL(fileURLWithPath: CommandLine.arguments[1]).path
let products = URL(fileURLWithPath: CommandLine.arguments[0]).resolvingSymlinksInPath().deletingLastPathComponent()
let program = products.appendingPathComponent("InterposerLoad").path
let server = try LoadProcess([program, "serve"], environment: [:])
let environment = ["INTERPOSER_LOAD_PORT": try server.line()]

/// A line of the table: medians over the pairs, and the quartiles of the pairs' ratios.
func line(_ title: String, _ result: Comparison.Result, _ time: KeyPath<OperationCost, Double>) -> String {
    let ratios = result.ratios(time).sorted()
    return String(
        format: "%@ %9.1f ns %9.1f ns  %6.3f   %.2f to %.2f", title.padding(toLength: 52, withPad: " ", startingAt: 0),
        Comparison.median(result.plain.map { $0[keyPath: time] }),
        Comparison.median(result.recorded.map { $0[keyPath: time] }), Comparison.median(ratios),
        ratios[ratios.count / 4], ratios[ratios.count * 3 / 4])
}

var isKept = true
print("recorded by the preload object, against not recorded      plain     recorded    ratio   middle half   budget")
for comparison in comparisons where comparison.isPossible && (only ?? comparison.load) == comparison.load {
    let result = try comparison.run(program, preload: preload, environment: environment)
    var budget = "  –"
    if let limit = comparison.budget {
        let isWithin = Comparison.median(result.ratios(\.wall)) <= limit
        if !isWithin { isKept = false }
        budget = String(format: "  ≤ %.2f × ", limit) + (isWithin ? "kept" : "MISSED")
    }
    print(line(comparison.title, result, \.wall) + budget)
    if comparison.load == "urlsession" { print(line("        time on the processors", result, \.processors)) }
}

// In a separate run, because counting changes the times. Occasional allocations of streams and tables are ignored.
let counted = [("sync", "an empty sync"), ("async", "an empty async"), ("hop", "a hop to an actor, and back")]
    .filter { (only ?? $0.0) == $0.0 }
if !counted.isEmpty { print("\nallocations of one operation                              plain     recorded") }
for (load, title) in counted {
    let counting = Comparison(
        load: load, title: title, rounds: 40, pairs: 1, budget: nil,
        companion: products.appendingPathComponent("libAllocationCount.so").path)
    let result = try counting.run(program, preload: preload, environment: environment)
    let (plain, recorded) = (result.plain[0].allocations, result.recorded[0].allocations)
    // Tolerance of 0.01 allocations per operation: a few allocations serve thousands of operations together.
    let isWithin = recorded < plain + 0.01
    if !isWithin { isKept = false }
    print(
        String(
            format: "%@ %9.3f    %9.3f     %@", title.padding(toLength: 52, withPad: " ", startingAt: 0), plain,
            recorded, "none added: " + (isWithin ? "kept" : "MISSED")))
}
server.stop()
if CommandLine.arguments.contains("--check"), !isKept { exit(1) }
