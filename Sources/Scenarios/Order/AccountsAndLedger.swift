import Dispatch

/// A bank moves money between two subsystems that have a queue each.
struct AccountsAndLedger: Scenario {
    static let id = "accounts-and-ledger"
    static let detector = "lock-order-inversion"
    static let summary = """
        Booking syncs from the accounts to the ledger, and auditing from the ledger to the accounts: one day they \
        meet.
        """
    static let repair = "Both take the accounts first, or both go through one gate."
    static let exemptions = [
        Exemption(.middle, because: "one of the two orders is taken in the first half of the run only")
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
        // One after the other, so that it goes well this time; nothing in the program sees to that.
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
