import DispatchAnalysis
import DispatchModel

/// The answer of a comparison in a sentence, and what it rests on.
struct DiffVerdict {
    private let comparison: TraceComparison

    init(_ comparison: TraceComparison) { self.comparison = comparison }

    /// `Better: 5 findings gone, none new; 18.8 s of waiting in all became 1.05 s.`
    var sentence: String {
        guard !comparison.isSame else { return "No difference that is more than noise." }
        let (gone, new) = (comparison.gone.count, comparison.new.count)
        var text = ""
        if gone > 0 || new > 0 {
            let goneText = gone == 0 ? "no finding gone" : CompactNumber.counted(gone, "finding") + " gone"
            text = "\(goneText), \(new == 0 ? "none" : "\(new)") new"
        } else {
            text = comparison.same.isEmpty ? "no findings in either" : "the findings are the same"
        }
        text += "; \(comparison.before.waited) of waiting in all became \(comparison.after.waited)"
        return "\(word): \(text)."
    }

    /// Something got worse and nothing better.
    var isWorse: Bool { word == "Worse" }

    /// Findings decide; where they are the same, the queues and the code that changed.
    private var word: String {
        var (gains, losses) = (comparison.gone.count, comparison.new.count)
        if gains == 0, losses == 0 {
            let changes = (comparison.runs.queues + comparison.runs.code).flatMap(\.changes).filter {
                !$0.measure.followsMachine
            }
            gains = changes.count { $0.isBetter == true }
            losses = changes.count { $0.isBetter == false }
        }
        if gains > 0, losses > 0 { return "Better and worse" }
        return gains > 0 ? "Better" : losses > 0 ? "Worse" : "No difference that is more than noise"
    }

    /// Queues that only one of the runs has, in a sentence for each run.
    var moves: [String] {
        let least = Nanoseconds.milliseconds(1)
        func names(_ isMoved: (Comparison.Row) -> Bool) -> String? {
            let names = comparison.runs.queues.filter { isMoved($0) && $0.cost > least }.map {
                $0.name.isEmpty ? "unlabelled queues" : DisplayText.escaped($0.name)
            }
            let more = names.count > 3 ? " and \(names.count - 3) more" : ""
            return names.isEmpty ? nil : names.prefix(3).joined(separator: ", ") + more
        }
        return [
            names { $0.after == nil }.map { "Only before: \($0)." },
            names { $0.before == nil }.map { "Only afterwards: \($0)." },
        ].compactMap { $0 }
    }

    /// One sentence for each queue that changed, those that lost most first.
    var highlights: [String] {
        comparison.runs.queues.compactMap { row in
            guard let before = row.before, let after = row.after else { return nil }
            let parts = row.changes.compactMap { change -> String? in
                switch change.measure {
                case .wait: "waits \(after.wait.p50) where it waited \(before.wait.p50) (median)"
                case .service: "runs \(after.service.p50) where it ran \(before.service.p50) (median)"
                case .handoffs:
                    "\(CompactNumber.grouped(after.handoffs)) hand-offs where there were "
                        + CompactNumber.grouped(before.handoffs)
                case .rate, .switches: nil
                }
            }
            guard !parts.isEmpty else { return nil }
            let name = row.name.isEmpty ? "unlabelled queues" : DisplayText.escaped(row.name)
            return "\(name): " + parts.joined(separator: ", ") + "."
        }
    }
}
