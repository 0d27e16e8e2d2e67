import Foundation

// Usage: InterposerCost PRELOAD-OBJECT [--check]. Prints what it costs a program that knows nothing of Queuescope to be recorded. Every comparison runs the same
// program plain and recorded at the same time, round and round about; the pair is started several times, because where a process lies in memory changes a
// sync by a tenth. With --check the exit status is 1 when a budget is missed.

struct Comparison {
    let load: String
    let title: String
    let rounds: Int
    let budget: Double
}

let comparisons = [
    Comparison(load: "sync", title: "an empty sync", rounds: 150, budget: 1.3),
    Comparison(load: "async", title: "an empty async, enqueue and drain", rounds: 150, budget: 1.25),
    Comparison(load: "mutex", title: "computing and locking uncontended mutexes", rounds: 150, budget: 1.02),
    Comparison(load: "urlsession", title: "a URLSession request (rounds of 50)", rounds: 30, budget: 1.03),
]
let pairs = 7

func median(_ values: [Double]) -> Double { values.sorted()[values.count / 2] }

guard CommandLine.arguments.count >= 2 else {
    FileHandle.standardError.write(Data("usage: InterposerCost PRELOAD-OBJECT [--check]\n".utf8))
    exit(64)
}
let preload = URL(fileURLWithPath: CommandLine.arguments[1]).path
let program = URL(fileURLWithPath: CommandLine.arguments[0]).resolvingSymlinksInPath()
    .deletingLastPathComponent().appendingPathComponent("InterposerLoad").path
let server = try LoadProcess(program: program, load: "serve", environment: [:])
let serverPort = ["INTERPOSER_LOAD_PORT": try server.line()]
var isKept = true
print("recorded by the preload object, against not recorded      plain     recorded    ratio   spread        budget")
for comparison in comparisons {
    var plains: [Double] = []
    var recordeds: [Double] = []
    var ratios: [Double] = []
    for pair in 0..<pairs {
        let trace = NSTemporaryDirectory() + "/queuescope-cost-\(getpid())-\(comparison.load)-\(pair)"
        defer { try? FileManager.default.removeItem(atPath: trace) }
        let plain = try LoadProcess(program: program, load: comparison.load, environment: serverPort)
        let recorded = try LoadProcess(
            program: program, load: comparison.load,
            environment: serverPort.merging(
                ["LD_PRELOAD": preload, "QUEUESCOPE_TRACE": trace, "QUEUESCOPE_LIMIT": "2000000000"]) { $1 })
        var first: [Double] = []
        var second: [Double] = []
        for round in 0..<comparison.rounds + 10 {
            let order = round % 2 == 0 ? [plain, recorded] : [recorded, plain]
            for process in order {
                let value = try process.round()
                if round < 10 { continue }  // warm-up
                if process === plain { first.append(value) } else { second.append(value) }
            }
        }
        plain.stop()
        recorded.stop()
        guard FileManager.default.fileExists(atPath: trace + "/metadata") else {
            throw LoadError(message: "nothing was recorded into \(trace)")
        }
        plains.append(median(first))
        recordeds.append(median(second))
        ratios.append(median(second) / median(first))
    }
    let ratio = median(ratios)
    if ratio > comparison.budget { isKept = false }
    print(
        String(
            format: "%@ %9.1f ns %9.1f ns  %6.3f   %.2f to %.2f  ≤ %.2f × ",
            comparison.title.padding(toLength: 52, withPad: " ", startingAt: 0), median(plains), median(recordeds),
            ratio, ratios.min()!, ratios.max()!, comparison.budget)
            + (ratio <= comparison.budget ? "kept" : "MISSED"))
}
server.stop()
if CommandLine.arguments.contains("--check"), !isKept { exit(1) }
