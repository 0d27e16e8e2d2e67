import Synchronization

/// A service computes the two parts of an invoice in separate tasks.
struct InvoiceTotals: Scenario {
    static let id = "invoice-totals"
    static let detector = "deadlock"
    static let gain = Gain.failedRuns
    static let summary = """
        The task for the discount awaits the task for the sum, and the task for the sum awaits the discount.
        """
    static let repair = "The sum is computed without the discount."
    static let ending = Ending.gaveUp

    let label: String
    let invoices: Int

    init(_ variation: inout Variation) {
        label = variation.label("invoice")
        invoices = variation.count("invoices", 1...20)
    }

    func run(repaired: Bool) {
        let started = Milestones()
        let ended = Milestones()
        Task.detached {
            for invoice in 1...invoices {
                started.reach()
                _ = await total(isCircular: !repaired && invoice == invoices)
            }
            ended.reach()
        }
        if !repaired { Watchdog.giveUp(after: .milliseconds(350), having: invoices, of: started) }
        ended.wait(for: 1)
    }

    private func total(isCircular: Bool) async -> Int {
        let parts = Parts()
        let sum = Task.detached {
            Work.compute(for: .microseconds(100))
            // The other task exists by then, or after a few iterations.
            while isCircular {
                if let discount = parts.discount.withLock({ $0 }) { return await discount.value }
                await Task.yield()
            }
            return 100
        }
        let discount = Task.detached {
            Work.compute(for: .microseconds(100))
            return await sum.value / 10
        }
        parts.discount.withLock { $0 = discount }
        return await sum.value - discount.value
    }

    private final class Parts: Sendable {
        let discount = Mutex<Task<Int, Never>?>(nil)
    }
}
