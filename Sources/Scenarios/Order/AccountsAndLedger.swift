import Dispatch

/// A bank moves money between two subsystems with their own queues.
struct AccountsAndLedger: Scenario {
    static let id = "accounts-and-ledger"
    static let detector = "lock-order-inversion"
    static let gain = Gain.findings
    static let summary = """
        Booking syncs from the accounts to the ledger, and auditing from the ledger to the accounts, so they can \
        deadlock.
        """
    static let repair = "Both acquire the accounts first, or both use one outer queue."
    static let exemptions = [
        Exemption(.middle, because: "one of the two orders occurs only in the first half of the run")
    ]

    let label: String
    let bookings: Int
    let booking: Duration
    let usesGate: Bool

    init(_ variation: inout Variation) {
        label = variation.label("bank")
        bookings = variation.count("bookings", 1...10)
        booking = variation.duration("booking", .microseconds(20)...(.microseconds(200)))
        usesGate = variation.count("gate", 0...1) == 1
    }

    var culprits: [String] { ["\(label).accounts", "\(label).ledger"] }

    func run(repaired: Bool) {
        let accounts = DispatchQueue(label: "\(label).accounts")
        let ledger = DispatchQueue(label: "\(label).ledger")
        let gate = repaired && usesGate ? DispatchQueue(label: "\(label).gate") : nil
        let isAuditingInOrder = repaired && !usesGate
        // They run one after the other, so this run does not deadlock, but no code of the program ensures that.
        let booker = ProgramThread {
            for _ in 0..<bookings { book(accounts, ledger, gate) }
        }
        let auditor = ProgramThread {
            Work.block(for: .milliseconds(80))
            for _ in 0..<bookings {
                if isAuditingInOrder { book(accounts, ledger, gate) } else { audit(accounts, ledger, gate) }
            }
        }
        booker.join()
        auditor.join()
    }

    @inline(never)
    private func book(_ accounts: DispatchQueue, _ ledger: DispatchQueue, _ gate: DispatchQueue?) {
        let body = { accounts.sync { ledger.sync { Work.compute(for: booking) } } }
        if let gate { gate.sync(execute: body) } else { body() }
    }

    @inline(never)
    private func audit(_ accounts: DispatchQueue, _ ledger: DispatchQueue, _ gate: DispatchQueue?) {
        let body = { ledger.sync { accounts.sync { Work.compute(for: booking) } } }
        if let gate { gate.sync(execute: body) } else { body() }
    }
}
