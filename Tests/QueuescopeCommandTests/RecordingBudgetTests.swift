import Testing

@testable import QueuescopeCommand

@Suite struct RecordingBudgetTests {
    @Test(
        "A budget is a percentage with at most four decimals, or a power of two of which one item is recorded",
        arguments: [
            ("1%", .share(millionths: 10_000)), ("0.5%", .share(millionths: 5_000)),
            ("0.0001%", .share(millionths: 1)), ("100%", .share(millionths: 1_000_000)), ("1/1", .oneOf(1)),
            ("1/64", .oneOf(64)), ("1/4096", .oneOf(4_096)),
        ] as [(String, RecordingBudget)])
    func accepts(text: String, budget: RecordingBudget) throws {
        #expect(try RecordingBudget(argument: text) == budget)
    }

    @Test(
        "Other texts are rejected with the reason",
        arguments: [
            ("", "such as 1%"), ("1", "such as 1%"), ("64", "such as 1%"), ("2/64", "such as 1%"),
            ("0%", "between"), ("101%", "between"), ("0.00001%", "between"), ("-1%", "between"), ("%", "between"),
            ("1.%", "between"), ("1.2.3%", "between"), ("１%", "between"), ("1/0", "power of two"),
            ("1/3", "power of two"), ("1/8192", "power of two"), ("1/", "power of two"),
        ])
    func rejects(text: String, reason: String) {
        let error = #expect(throws: (any Error).self) { try RecordingBudget(argument: text) }
        #expect("\(error as Any)".contains(reason))
    }

    @Test(
        "The recorder gets the budget in its variable or in a request",
        arguments: [("1%", "1.0000%"), ("0.5%", "0.5000%"), ("12.34%", "12.3400%"), ("1/64", "1/64")])
    func text(argument: String, text: String) throws {
        #expect(try RecordingBudget(argument: argument).text == text)
    }
}
