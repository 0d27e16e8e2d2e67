import Dispatch

/// A service builds a page about a person's accounts.
struct AccountPage: Scenario {
    static let id = "account-page"
    static let detector = "serial-awaits"
    static let gain = Gain.duration
    static let summary = "A loop awaits the balance of each account before it requests the next one."
    static let repair = "A task group requests all balances at once."

    let label: String
    let accounts: Int
    let answer: Duration

    init(_ variation: inout Variation) {
        label = variation.label("accounts")
        accounts = variation.count("accounts", 4...10)
        answer = variation.duration("answer", .milliseconds(40)...(.milliseconds(60)))
    }

    func run(repaired: Bool) {
        let bank = DispatchQueue(label: label, attributes: .concurrent)
        ProgramTask.run {
            var sum = 0
            if repaired {
                sum = await withTaskGroup(of: Int.self) { group in
                    for account in 0..<accounts { group.addTask { await balance(of: account, from: bank) } }
                    return await group.reduce(0, +)
                }
            } else {
                for account in 0..<accounts { sum += await balance(of: account, from: bank) }
            }
            withExtendedLifetime(sum) {}
        }
    }

    @inline(never)
    private func balance(of account: Int, from bank: DispatchQueue) async -> Int {
        await withCheckedContinuation { continuation in
            bank.asyncAfter(deadline: .now() + .microseconds(Int(answer.microseconds))) {
                continuation.resume(returning: account)
            }
        }
    }
}
