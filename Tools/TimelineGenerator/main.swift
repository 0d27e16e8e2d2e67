import DispatchAnalysis
import DispatchModel
import Foundation
import TimelinePage

// Writes the timeline of a synthetic program with any number of items, for the benchmark of the page:
//
//   TimelineGenerator ITEMS FILE.html [BUDGET-IN-BYTES]
//
// The events pass through the model, the detectors and the collector like the events of a trace. Only the trace files
// are omitted, which would have 3 GB for a hundred million events.

let arguments = CommandLine.arguments
guard arguments.count >= 3, let items = Int(arguments[1]), items > 0 else {
    FileHandle.standardError.write(Data("usage: TimelineGenerator ITEMS FILE.html [BUDGET-IN-BYTES]\n".utf8))
    exit(64)
}
let budget = arguments.count > 3 ? Int(arguments[3]) ?? HTMLTimeline.defaultBudget : HTMLTimeline.defaultBudget
let clock = ContinuousClock()
let begin = clock.now

var collector = TimelineCollector(options: .init(fitting: budget))
let analysis = AnalysisSession(options: AnalysisOptions(model: ModelOptions(criticalPath: .wholeRun))).analyze(
    events: SyntheticTrace(items: items), processors: 16, observers: [collector])
let analysed = clock.now
if collector.isIncomplete {
    collector = TimelineCollector(options: .init(fitting: budget).concentrated(on: analysis))
    _ = AnalysisSession(options: AnalysisOptions(detectors: [])).analyze(
        events: SyntheticTrace(items: items), processors: 16, observers: [collector])
}
let collected = clock.now
let page = HTMLTimeline.render(
    TimelineSide(analysis, collector: collector), title: "\(items) items", budget: budget)
try Data(page).write(to: URL(fileURLWithPath: arguments[2]))

let memory =
    try String(contentsOfFile: "/proc/self/status", encoding: .utf8).split(separator: "\n")
    .first { $0.hasPrefix("VmHWM") }?.dropFirst(6).trimmingCharacters(in: .whitespaces) ?? "unknown"
print(
    """
    events        \(analysis.trace.events)
    items         \(items), of which \(collector.omittedItems) are summed up
    findings      \(analysis.findings.count)
    file          \(page.count) bytes of \(budget)
    first pass    \(analysed - begin)
    second pass   \(collected - analysed)
    page          \(clock.now - collected)
    memory        \(memory)
    """)
