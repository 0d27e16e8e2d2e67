import ArgumentParser
import CTFReader
import DispatchAnalysis
import DispatchModel
import TraceReports

/// Selects one item, task, request, or signpost for `report` instead of the whole run.
struct StoryArguments: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            """
            Report one item and the chain of causes to its end: the slowest item, an item by number, or the item that \
            a thread ran at a time, as in the evidence of a finding.
            """,
            valueName: "slowest|number|thread@seconds"))
    var item: String?

    @Option(
        help: ArgumentHelp(
            "Report the longest interval of the signposts with this name, and the chain of causes to its end.",
            valueName: "name"))
    var signpost: String?

    @Option(
        help: ArgumentHelp(
            """
            Report one task of Swift Concurrency: the task with the longest life, a task by number, or the longest \
            task with a name.
            """,
            valueName: "slowest|number|name"))
    var task: String?

    @Option(
        help: ArgumentHelp(
            """
            Report how one request spent its time, in all processes: a trace by its W3C trace id, a span by its id, \
            the longest span or signpost interval with this name or message, a trace or span by the first 8 or more \
            digits of its id, the longest with this text in its message, or the slowest of all.
            """,
            valueName: "slowest|id|name|text"))
    var request: String?

    /// Is one of the options given?
    var isWanted: Bool { item != nil || signpost != nil || task != nil || request != nil }

    func validate() throws {
        if [item, signpost, task, request].compactMap({ $0 }).count > 1 {
            throw ValidationError("Give only one of --item, --task, --request and --signpost.")
        }
        for (name, value) in [("--signpost", signpost), ("--task", task), ("--request", request)]
        where value?.isEmpty == true {
            throw ValidationError("\(name) needs a value.")
        }
        if let item, Self.wanted(item) == nil {
            throw ValidationError(
                """
                '\(item)' is not an item: give slowest, a number, or a thread id and a time in seconds, such as \
                4711@0.120345678.
                """
            )
        }
    }

    /// Reads the trace and the story of the selected subject.
    ///
    /// - Parameters:
    ///   - trace: the trace directory.
    ///   - arguments: how to analyse it.
    ///   - window: the part to read; nil for the whole trace.
    /// - Returns: the analysis with the critical path, and the story's subject; nil when no subject is selected.
    /// - Throws: the errors of the analysis; ``CommandFailure`` when the subject does not exist.
    func tell(
        _ trace: String, _ arguments: AnalysisArguments, window: WindowRequest? = nil
    ) throws -> (outcome: AnalysisArguments.Outcome, subject: StoryReport.Subject)? {
        if let signpost { return try tell(signpost: signpost, trace, arguments, window) }
        if let task { return try tell(task: task, trace, arguments, window) }
        if let request { return try RequestSearch(request, trace, arguments, window).tell() }
        guard let item, var wanted = Self.wanted(item) else { return nil }
        if case .number = wanted {
        } else {
            // The path is followed while the trace is read, so the number of the item must be known in advance.
            let finder = ItemStory(wanted)
            _ = try arguments.analyze(trace, observers: [finder], detectors: [], window: window)
            guard let found = finder.item else { throw Self.missing(item, trace) }
            wanted = .number(found.number)
        }
        let story = ItemStory(wanted)
        guard case .number(let number) = wanted else { return nil }
        let outcome = try arguments.analyze(trace, observers: [story], criticalPath: .item(number), window: window)
        guard let found = story.item else { throw Self.missing(item, trace) }
        return (outcome, .item(found))
    }

    private func tell(
        signpost: String, _ trace: String, _ arguments: AnalysisArguments, _ window: WindowRequest?
    ) throws -> (outcome: AnalysisArguments.Outcome, subject: StoryReport.Subject)? {
        let story = SignpostStory(name: signpost)
        let outcome = try arguments.analyze(
            trace, observers: [story], criticalPath: .signpost(name: signpost), window: window)
        guard story.longest != nil else {
            let names = story.otherNames
            let known =
                story.open > 0
                ? "all \(story.open) of them were open at the end of the trace."
                : names.isEmpty
                    ? "the trace has no signpost intervals. A program creates them with a Signposter."
                    : "it has " + names.joined(separator: ", ") + "."
            throw CommandFailure(.usage, "\(trace) has no finished signpost interval '\(signpost)': \(known)")
        }
        return (outcome, .signpost(story))
    }

    private func tell(
        task: String, _ trace: String, _ arguments: AnalysisArguments, _ window: WindowRequest?
    ) throws -> (outcome: AnalysisArguments.Outcome, subject: StoryReport.Subject)? {
        let story = TaskStory(task == "slowest" ? .slowest : UInt64(task).map { .number($0) } ?? .name(task))
        let outcome = try arguments.analyze(trace, observers: [story], detectors: [], window: window)
        story.prefer(hungOf: outcome.analysis)
        guard story.task != nil else {
            let names = story.otherNames.sorted()
            let count = outcome.analysis.tasks?.count ?? 0
            let known =
                count == 0
                ? "it has no tasks of Swift Concurrency."
                : "it has \(GroupedNumber.text(count)) tasks"
                    + (names.isEmpty ? "." : ", named " + names.joined(separator: ", ") + ".")
            throw CommandFailure(.usage, "\(trace) has no task '\(task)': \(known)")
        }
        return (outcome, .task(story))
    }

    private static func missing(_ item: String, _ trace: String) -> CommandFailure {
        CommandFailure(
            .usage,
            """
            \(trace) has no item '\(item)' that ran. --item slowest selects the slowest item, and --all lists steps \
            with item numbers.
            """
        )
    }

    /// Parses the value of `--item`; nil when it is invalid.
    private static func wanted(_ text: String) -> ItemStory.Wanted? {
        if text == "slowest" { return .slowest }
        if let number = Int64(text) { return number >= 0 ? .number(ItemNumber(number)) : nil }
        let parts = text.split(separator: "@", omittingEmptySubsequences: false)
        guard parts.count == 2, let tid = UInt32(parts[0]), let (from, to) = instant(parts[1]) else { return nil }
        return .running(tid: tid, from: from, to: to)
    }

    /// The first and the last nanosecond that a number of seconds stands for. Proofs show nanoseconds and other parts
    /// of the report microseconds, so a number with fewer than nine decimal places covers up to a microsecond. Nil for
    /// other text.
    private static func instant(_ seconds: Substring) -> (from: Timestamp, to: Timestamp)? {
        let parts = seconds.split(separator: ".", maxSplits: 1, omittingEmptySubsequences: false)
        let places = parts.count == 2 ? parts[1] : "0"
        guard (1..<10).contains(parts[0].count), (1..<10).contains(places.count),
            (parts[0] + places).allSatisfy({ $0.isASCII && $0.isNumber }),
            let from = Int64(parts[0] + places + String(repeating: "0", count: 9 - places.count))
        else { return nil }
        let covered: [Int64] = [100, 10, 1]
        let length = places.count < 7 ? 1_000 : covered[places.count - 7]
        return (Timestamp(nanoseconds: from), Timestamp(nanoseconds: from + length - 1))
    }
}
