import DispatchModel

/// A read source fires again and again although there is nothing to read.
///
/// ## Definition
///
/// The event handler of a read source ran at least 1,000 times in a row without available data, and at least 1,000
/// times a second. Sources of one place are one finding.
///
/// ```
///   peer      write ── close
///   source       ├┤      ├┤├┤├┤├┤├┤├┤├┤├┤├┤├┤ …      no data: the handler runs again at once
/// ```
///
/// ## Thresholds
///
/// - firings = 1000: Consecutive firings without data. A handler that cancels the source at the end of the file runs
///   once or twice without data.
/// - rate = 1000: Firings a second. Below it the loop takes little of a processor.
///
/// ## Why it matters
///
/// A descriptor at its end stays readable. libdispatch runs the handler again as soon as it has returned, so the loop
/// occupies a processor until the source is cancelled.
///
/// ## What it cannot see
///
/// A handler that leaves data unread, which looks like a handler that has much to read. Loops of the program's own
/// code, such as a task that polls. Firings that were not recorded, such as those of Foundation's run loops.
///
/// ## Advice
///
/// Cancel the source when a read returns 0 bytes or an error. For a `FileHandle`, set `readabilityHandler` to nil when
/// `availableData` is empty.
///
/// ## Source
///
/// `dispatch_source_create(3)` about `DISPATCH_SOURCE_TYPE_READ`: the source fires while the descriptor is readable,
/// and a descriptor at its end is readable.
public struct BusyLoop: Detector {
    public static let id = "busy-loop"
    public static let title = "A read source fires again and again although there is nothing to read"
    public static let follows: ObservationKinds = []

    private static let firings = Threshold("firings", 1000)
    private static let rate = Threshold("rate", 1000)
    public static let thresholds: [any ThresholdDeclaration] = [firings, rate]

    /// The time of one firing: the manager's poll, the start of the handler and its read, about 20 µs.
    private static let costOfFiring = Nanoseconds.microseconds(20)

    private let limits: Thresholds
    private var cases = MistakeGroups()

    public init(thresholds: Thresholds) { limits = thresholds }

    public mutating func findings(in model: DispatchModel) -> [Finding] {
        var counts: [MistakeGroups.Key: Int] = [:]
        var codes: [MistakeGroups.Key: CodeIndex] = [:]
        for source in model.sources {
            guard let run = source.emptyFirings, run.count >= limits[Self.firings],
                case let length = run.end - run.begin,
                Double(run.count) >= Double(limits[Self.rate]) * Double(length.count) / 1e9
            else { continue }
            let entry = NamedSource(source.index, in: model)
            counts[entry.key(), default: 0] += run.count
            codes[entry.key()] = run.code
            cases.add(
                entry.key(), at: run.begin, queue: source.queue, codes: [run.code], stacks: entry.stacks,
                cost: min(length, Nanoseconds(Self.costOfFiring.count * Int64(run.count))), since: run.begin,
                until: run.end
            ) {
                .init(
                    time: run.begin, thread: entry.thread, event: "source_fire",
                    detail: "\(entry.name) begins to fire without data, \(Figures.count(run.count)) times in "
                        + "\(length).")
            }
        }
        return cases.groups.map { group in
            let handler = codes[group.key].map { model.place(of: $0) } ?? ""
            return group.finding(
                Self.id, .warning,
                summary: "\(group.key.subject)\(group.making(in: model)) runs its handler\(handler) "
                    + "\(Figures.count(counts[group.key] ?? 0)) times without data: its descriptor is at the end, and "
                    + "the source is not cancelled.",
                advice: "Cancel \(group.key.subject) when a read returns 0 bytes or an error\(group.place(in: model)). "
                    + "For a FileHandle, set readabilityHandler to nil when availableData is empty.")
        }
    }
}
