/// A trading service keeps prices in an actor.
struct PriceBoard: Scenario {
    static let id = "price-board"
    static let detector = "actor-contention"
    static let gain = Gain.duration
    static let summary = "Many tasks let an actor compute the statistics of the prices that it stores."
    static let repair = "The actor returns a copy of the prices, and the tasks compute the statistics themselves."
    static let tolerated = [
        Tolerance("useless-wakeups", because: "threads wake for tasks that find the actor held again")
    ]
    static let exemptions = [
        Exemption(
            .oneProcessor,
            because: "all tasks run on one thread, so no task arrives while another task is on the actor")
    ]

    let label: String
    let readers: Int
    let requests: Int
    let computation: Duration

    init(_ variation: inout Variation) {
        label = variation.label("prices")
        readers = variation.count("readers", 8...24)
        requests = variation.count("requests", 10...20)
        computation = variation.duration("computation", .microseconds(300)...(.milliseconds(1)))
    }

    func run(repaired: Bool) {
        ProgramTask.run {
            let board = Board(name: label, computation: computation)
            await withTaskGroup(of: Double.self) { group in
                for _ in 0..<readers {
                    group.addTask {
                        var sum = 0.0
                        for _ in 0..<requests {
                            if repaired {
                                sum += Self.statistics(of: await board.prices, taking: computation)
                            } else {
                                sum += await board.statistics()
                            }
                        }
                        return sum
                    }
                }
                for await _ in group {}
            }
        }
    }

    private static func statistics(of prices: [Double], taking duration: Duration) -> Double {
        Work.compute(for: duration)
        return prices.reduce(0, +)
    }

    private actor Board {
        let name: String
        let computation: Duration
        private(set) var prices = [1.0, 2.0, 3.0]

        init(name: String, computation: Duration) {
            self.name = name
            self.computation = computation
        }

        func statistics() -> Double { PriceBoard.statistics(of: prices, taking: computation) }
    }
}
