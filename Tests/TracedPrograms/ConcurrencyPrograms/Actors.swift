// Programs with actors: contended, re-entered, short-lived, global, distributed.
import Distributed
import Glibc
import Synchronization

actor Counter {
    private(set) var value = 0
    func increment() { value += 1 }
    func slowly() async -> Int {
        let before = value
        await Task.yield()
        value = before + 1
        return value
    }
}

actor Player {
    var hits = 0
    func hit(_ other: Player, _ left: Int) async {
        hits += 1
        if left > 0 { await other.hit(self, left - 1) }
    }
}

@globalActor actor Archive {
    static let shared = Archive()
}

@Archive var archived = 0
@Archive func archive(_ number: Int) { archived += number }
@MainActor var shown = 0
@MainActor func show(_ number: Int) { shown += number }

/// Several clients call it at once, directly and through another actor. Each call holds it for a while.
actor Bank {
    private(set) var balance = 0
    /// Number of clients that are about to make a deposit, or have made one.
    private let clients = Atomic(0)

    nonisolated func isWanted() { clients.add(1, ordering: .relaxed) }

    func deposit(_ amount: Int) {
        // The first deposit waits for a second client. The limit is for machines with one processor, where none comes.
        if balance == 0 {
            let latest = ContinuousClock.now + .seconds(10)
            while clients.load(ordering: .relaxed) < 2, ContinuousClock.now < latest { usleep(1_000) }
            usleep(50_000)
        }
        let end = ContinuousClock.now + .milliseconds(3)
        while ContinuousClock.now < end {}
        balance += amount
    }
}

actor Ledger {
    let bank: Bank
    init(_ bank: Bank) { self.bank = bank }
    func book(_ amount: Int) async {
        bank.isWanted()
        await bank.deposit(amount)
    }
}

@inline(never) func client(_ bank: Bank, _ amount: Int) async {
    bank.isWanted()
    await bank.deposit(amount)
}

actor Closing {
    nonisolated let counter: Counter
    init(_ counter: Counter) { self.counter = counter }
    func use() -> Int { 1 }
    isolated deinit { Task { [counter] in await counter.increment() } }
}

/// Is deinitialized on an actor of which it is no part.
@Archive final class Page {
    nonisolated init() {}
    isolated deinit { archived += 1 }
}

distributed actor Greeter {
    typealias ActorSystem = LocalTestingDistributedActorSystem
    distributed func greet(_ name: String) -> String { "Hello, \(name)" }
}

let actorPrograms: [(name: String, run: @Sendable () async throws -> Void)] = [
    (
        "actor",
        {
            let counter = Counter()
            await withTaskGroup(of: Void.self) { group in
                for _ in 0..<20 { group.addTask { for _ in 0..<50 { await counter.increment() } } }
            }
            print(await counter.value)
        }
    ),
    (
        "actor-reentrancy",
        {
            let counter = Counter()
            let most = await withTaskGroup(of: Int.self) { group in
                for _ in 0..<20 { group.addTask { await counter.slowly() } }
                return await group.reduce(0) { max($0, $1) }
            }
            print(most > 0 && most <= 20)
        }
    ),
    (
        "actor-ping-pong",
        {
            let (one, two) = (Player(), Player())
            await one.hit(two, 99)
            print(await one.hits, await two.hits)
        }
    ),
    (
        "actor-short-lived",
        {
            // Actors of two types reuse the same addresses.
            var sum = 0
            for _ in 0..<200 {
                let player = Player()
                await player.hit(Player(), 1)
                let counter = Counter()
                await counter.increment()
                sum += await counter.value
            }
            print(sum)
        }
    ),
    (
        "actor-immediate",
        {
            // A task that starts immediately inside a task that holds an actor, and calls the same actor.
            let counter = Counter()
            await counter.starts()
            print(await counter.value)
        }
    ),
    (
        "actor-isolated-deinit",
        {
            let counter = Counter()
            for _ in 0..<20 { _ = await Closing(counter).use() }
            while await counter.value < 20 { await Task.yield() }
            print(await counter.value)
        }
    ),
    (
        "main-actor",
        {
            await withTaskGroup(of: Void.self) { group in
                for number in 0..<20 { group.addTask { await show(number) } }
            }
            print(await shown)
        }
    ),
    (
        "main-actor-run",
        {
            let task = Task { @MainActor in
                await Task.yield()
                return 1
            }
            print(await task.value + MainActor.run { 2 })
        }
    ),
    (
        "global-actor",
        {
            await withTaskGroup(of: Void.self) { group in
                for number in 0..<20 { group.addTask { await archive(number) } }
            }
            print(await archived)
        }
    ),
    (
        "bank",
        {
            let bank = Bank()
            let ledger = Ledger(bank)
            await withTaskGroup(of: Void.self) { group in
                for amount in 1...3 { group.addTask { await client(bank, amount) } }
                group.addTask { await ledger.book(7) }
            }
            async let last: Void = client(bank, 9)
            await last
            let named = Task(name: "interest", priority: .high) {
                try? await Task.sleep(for: .milliseconds(3))
                return await bank.balance
            }
            print(await named.value)
        }
    ),
    (
        "global-actor-deinit",
        {
            for _ in 0..<6 { _ = Page() }
            while await archived < 6 { await Task.yield() }
            print(await archived)
        }
    ),
    (
        "distributed-actor",
        {
            let system = LocalTestingDistributedActorSystem()
            let greeter = Greeter(actorSystem: system)
            print(try await greeter.greet("one"))
            let same = try Greeter.resolve(id: greeter.id, using: system)
            print(try await same.greet("two"))
        }
    ),
]

extension Counter {
    func starts() async {
        let task = Task.immediate {
            increment()
            await Task.yield()
            increment()
        }
        increment()
        await task.value
        increment()
    }
}
