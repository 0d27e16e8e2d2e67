import DispatchAnalysis
import DispatchModel
import ReportText

/// The verdict of a comparison, and the sentences that support it.
struct DiffVerdict {
    private let comparison: TraceComparison

    init(_ comparison: TraceComparison) { self.comparison = comparison }

    /// The verdict, for example `Better: 5 findings gone, none new; total wait 18.8 s before, 1.05 s after.`
    var sentence: String {
        let unmatched = comparison.unmatched.count
        let reserve =
            unmatched == 0 ? "" : "; \(CompactNumber.counted(unmatched, "finding")) cannot be matched, see below"
        guard !comparison.isSame else { return "No difference that is more than noise\(reserve)." }
        let (gone, new, worse) = (comparison.gone.count, comparison.new.count, comparison.worse.count)
        var text = comparison.newCrash.map { "the program crashed (it ended \(HeaderSection.words($0))), " } ?? ""
        if gone > 0 || new > 0 || worse > 0 {
            let goneText = gone == 0 ? "no finding gone" : CompactNumber.counted(gone, "finding") + " gone"
            text += "\(goneText), \(new == 0 ? "none" : "\(new)") new\(worse == 0 ? "" : ", \(worse) worse")"
        } else {
            let isNone = comparison.same.isEmpty && unmatched == 0
            text +=
                isNone ? "no findings in either" : unmatched == 0 ? "the findings are the same" : "no finding is new"
        }
        text += "; total wait \(comparison.before.waited) before, \(comparison.after.waited) after"
        return "\(word): \(text)\(reserve)."
    }

    /// True when something is worse and nothing is better.
    var isWorse: Bool { word == "Worse" }

    /// Findings decide. If no finding is gone, new or worse, the differences of queues and code decide.
    private var word: String {
        // A run that ended early has fewer findings, so a crash decides alone.
        if comparison.newCrash != nil { return "Worse" }
        var (gains, losses) = (comparison.gone.count, comparison.new.count + comparison.worse.count)
        if gains == 0, losses == 0 {
            let changes = (comparison.runs.queues + comparison.runs.code).flatMap(\.changes).filter {
                !$0.measure.followsMachine
            }
            gains = changes.count { $0.isBetter == true }
            losses = changes.count { $0.isBetter == false }
        }
        // Findings say nothing about waiting that grows or shrinks outside of them.
        let (before, after) = (Double(comparison.before.waited.count), Double(comparison.after.waited.count))
        if losses == 0, gains > 0, after >= before * Comparison.leastRatio { losses = 1 }
        if gains == 0, losses > 0, after * Comparison.leastRatio <= before { gains = 1 }
        if gains > 0, losses > 0 { return "Better and worse" }
        return gains > 0 ? "Better" : losses > 0 ? "Worse" : "No difference that is more than noise"
    }

    /// At most two sentences: the queues that only the run before has, and the queues that only the run after has.
    var oneRunQueues: [String] {
        let least = Nanoseconds.milliseconds(1)
        func names(_ isOfOneRun: (Comparison.Row) -> Bool) -> String? {
            let names = comparison.runs.queues.filter { isOfOneRun($0) && $0.cost > least }.map {
                Self.name($0)
            }
            let more = names.count > 3 ? " and \(names.count - 3) more" : ""
            return names.isEmpty ? nil : names.prefix(3).joined(separator: ", ") + more
        }
        return [
            names { $0.after == nil }.map { "Only before: \($0)." },
            names { $0.before == nil }.map { "Only after: \($0)." },
        ].compactMap { $0 }
    }

    /// One sentence for each queue whose times doubled or halved but that has too few items for the test.
    var untestedDifferences: [String] {
        comparison.runs.queues.compactMap { row in
            guard !row.isTested, let before = row.before, let after = row.after else { return nil }
            func differs(_ left: Nanoseconds, _ right: Nanoseconds) -> Bool {
                max(left, right).count >= 2 * min(left, right).count && max(left, right) >= .milliseconds(1)
            }
            let parts = [
                differs(before.wait.p50, after.wait.p50)
                    ? "waits \(after.wait.p50) instead of \(before.wait.p50)" : nil,
                differs(before.service.p50, after.service.p50)
                    ? "runs \(after.service.p50) instead of \(before.service.p50)" : nil,
            ].compactMap { $0 }
            guard !parts.isEmpty else { return nil }
            let items = CompactNumber.counted(min(before.items, after.items), "item")
            return "\(Self.name(row)): \(parts.joined(separator: ", ")) (medians); with \(items) this may be chance."
        }
    }

    private static func name(_ row: Comparison.Row) -> String {
        row.name.isEmpty ? "unlabelled queues" : DisplayText.escaped(row.name)
    }

    private static func meanWait(_ side: Comparison.Side) -> Nanoseconds {
        Nanoseconds(side.waitTotal.count / Int64(max(side.items, 1)))
    }

    /// One sentence for each queue with a difference, the largest loss first.
    var highlights: [String] {
        comparison.runs.queues.compactMap { row in
            guard let before = row.before, let after = row.after else { return nil }
            let parts = row.changes.compactMap { change -> String? in
                switch change.measure {
                case .wait where after.wait.p50 == before.wait.p50:
                    "waits \(Self.meanWait(after)) instead of \(Self.meanWait(before)) (mean)"
                case .wait: "waits \(after.wait.p50) instead of \(before.wait.p50) (median)"
                case .service: "runs \(after.service.p50) instead of \(before.service.p50) (median)"
                case .handoffs:
                    "\(CompactNumber.grouped(after.handoffs)) hand-offs instead of "
                        + CompactNumber.grouped(before.handoffs)
                case .rate, .switches: nil
                }
            }
            guard !parts.isEmpty else { return nil }
            return "\(Self.name(row)): " + parts.joined(separator: ", ") + "."
        }
    }
}
