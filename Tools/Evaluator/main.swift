import Foundation
import Scenarios

// Usage: see EvaluatorOptions. Records and judges every scenario; `Tools/evaluate` builds and runs it.

func say(_ text: String) { FileHandle.standardOutput.write(Data(text.utf8)) }

let options: EvaluatorOptions
do {
    options = try EvaluatorOptions(Array(CommandLine.arguments.dropFirst()))
} catch {
    FileHandle.standardError.write(Data("Tools/evaluate: \(error.sentence)\n\n\(EvaluatorOptions.usage)".utf8))
    exit(64)
}

let directory = FileManager.default.temporaryDirectory.appendingPathComponent("queuescope-evaluation-\(getpid())")
try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: true)
let seeds = options.firstSeed..<options.firstSeed + UInt64(options.variants)
var isPerfect = true
for round in 1...options.runs {
    var score = Score()
    for (index, scenario) in options.scenarios.enumerated() {
        var wrong = 0
        for seed in seeds {
            for repaired in [false, true] {
                do {
                    let run = ScenarioRun(scenario, seed: seed, repaired: repaired)
                    let verdict = Verdict(of: try VariantRecording(run, in: directory))
                    score.add(verdict)
                    for complaint in verdict.complaints { say("\(complaint)\n") }
                    if !verdict.isRight { wrong += 1 }
                } catch {
                    FileHandle.standardError.write(Data("Tools/evaluate: \(error)\n".utf8))
                    try? FileManager.default.removeItem(at: directory)
                    exit(70)
                }
            }
        }
        let judged = 2 * seeds.count
        let place = "run \(round)/\(options.runs), scenario \(index + 1)/\(options.scenarios.count)"
        say("\(place): \(scenario.id) (\(scenario.detector)): \(judged - wrong) of \(judged) right\n")
    }
    say("\n\(score.table)\n\(score.recordings) recordings, \(score.faults) that could not be judged\n\n")
    isPerfect = isPerfect && score.isPerfect
}
try? FileManager.default.removeItem(at: directory)
exit(isPerfect ? 0 : 1)
