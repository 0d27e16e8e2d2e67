import Foundation
import Scenarios

// Usage: see EvaluatorOptions. Records and judges every scenario. `Tools/evaluate` builds and runs this program.

func say(_ text: String) { FileHandle.standardOutput.write(Data(text.utf8)) }

func giveUp(_ sentence: String, status: Int32) -> Never {
    FileHandle.standardError.write(Data("Tools/evaluate: \(sentence)\n".utf8))
    exit(status)
}

/// A line for each reason why problems do not count under a condition.
func exemptions(of all: [Evaluation.Judged]) -> String {
    var lines: [String] = []
    for judged in all {
        let exempt = judged.verdicts.filter { $0.exemption != nil }
        for (condition, verdicts) in Dictionary(grouping: exempt, by: \.condition).sorted(by: { $0.key < $1.key }) {
            let reasons = Set(verdicts.compactMap(\.exemption)).sorted().joined(separator: "; ")
            lines.append("exempt [\(condition.rawValue)] \(judged.scenario.id), \(verdicts.count) times: \(reasons)\n")
        }
    }
    return lines.isEmpty ? "" : lines.joined() + "\n"
}

let options: EvaluatorOptions
do {
    options = try EvaluatorOptions(Array(CommandLine.arguments.dropFirst()))
} catch {
    giveUp("\(error.sentence)\n\n\(EvaluatorOptions.usage)", status: 64)
}

let directory = FileManager.default.temporaryDirectory.appendingPathComponent("queuescope-evaluation-\(getpid())")
var pace = Pace(total: options.runs * options.conditions.count * options.plan.reduce(0) { $0 + $1.count })
var isPerfect = true
var documents: [EvaluationDocument.Run] = []
do {
    try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: true)
    if options.publicCases {
        let all = try PublicCase.all()
        if let unknown = options.names.first(where: { name in !all.contains { $0.name == name } }) {
            giveUp(
                "there is no public case \(unknown); there are \(all.map(\.name).joined(separator: ", "))", status: 64)
        }
        let chosen = options.names.isEmpty ? all : all.filter { options.names.contains($0.name) }
        if let kept = options.kept {
            try FileManager.default.createDirectory(at: kept, withIntermediateDirectories: true)
        }
        isPerfect = try PublicCaseEvaluation(cases: chosen, directory: options.kept ?? directory).run()
        try? FileManager.default.removeItem(at: directory)
        exit(isPerfect ? 0 : 1)
    }
    for round in 1...options.runs {
        var score = Score()
        var gains = GainTable()
        var paths = PathTable()
        var all: [Evaluation.Judged] = []
        try Evaluation(options: options, directory: directory).run { judged in
            all.append(judged)
            pace.advance(by: judged.verdicts.count)
            for verdict in judged.verdicts {
                score.add(verdict)
                gains.add(verdict)
                paths.add(verdict)
                say(verdict.text)
            }
            let place = "run \(round)/\(options.runs), scenario \(all.count)/\(options.scenarios.count)"
            let right = "\(judged.right) of \(judged.verdicts.count) right"
            say("\(place): \(judged.scenario.id) (\(judged.scenario.detector)): \(right); \(pace.sentence)\n")
        }
        say("\n\(score.table)\n")
        if options.conditions != [.quiet] { say("\(exemptions(of: all))\(score.conditionTable)\n") }
        say("\(gains.text)\n\(paths.text)\n\(score.summary)\n\n")
        documents.append(EvaluationDocument.Run(score, all, gains, paths))
        isPerfect = isPerfect && score.isPerfect && gains.isPerfect && paths.isExplained
    }
    if let json = options.json {
        let document = EvaluationDocument(
            perfect: isPerfect, variants: options.variants, firstSeed: options.firstSeed, runs: documents)
        try document.text().write(to: json)
    }
} catch {
    try? FileManager.default.removeItem(at: directory)
    giveUp("\(error)", status: 70)
}
try? FileManager.default.removeItem(at: directory)
exit(isPerfect ? 0 : 1)
