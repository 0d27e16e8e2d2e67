// Child tasks: task groups of every kind, and async let.
struct Refused: Error {}

let groupPrograms: [(name: String, run: @Sendable () async throws -> Void)] = [
    (
        "group",
        {
            print(
                await withTaskGroup(of: Int.self) { group in
                    for number in 0..<100 { group.addTask { number } }
                    return await group.reduce(0, +)
                })
        }
    ),
    (
        "group-limited",
        {
            await withTaskGroup(of: Int.self) { group in
                var sum = 0
                for number in 0..<100 {
                    if number >= 4 { sum += await group.next() ?? 0 }
                    group.addTask {
                        await Task.yield()
                        return number
                    }
                }
                for await number in group { sum += number }
                print(sum)
            }
        }
    ),
    (
        "group-nested",
        {
            await withTaskGroup(of: Int.self) { group in
                for outer in 0..<5 {
                    group.addTask {
                        await withTaskGroup(of: Int.self) { group in
                            for inner in 0..<5 { group.addTask { outer * inner } }
                            return await group.reduce(0, +)
                        }
                    }
                }
                print(await group.reduce(0, +))
            }
        }
    ),
    (
        "group-throwing",
        {
            do {
                try await withThrowingTaskGroup(of: Int.self) { group in
                    for number in 0..<10 {
                        group.addTask {
                            if number == 5 { throw Refused() }
                            return number
                        }
                    }
                    try await group.waitForAll()
                }
            } catch {
                print(error)
            }
        }
    ),
    (
        "group-cancelled",
        {
            await withTaskGroup(of: Bool.self) { group in
                for _ in 0..<10 {
                    group.addTask {
                        try? await Task.sleep(for: .seconds(1000))
                        return Task.isCancelled
                    }
                }
                await Task.yield()
                group.cancelAll()
                print(await group.reduce(true) { $0 && $1 })
            }
        }
    ),
    (
        "group-made-cancelled",
        {
            await withTaskGroup(of: Bool.self) { group in
                group.cancelAll()
                for _ in 0..<5 { group.addTask { Task.isCancelled } }
                print(await group.reduce(true) { $0 && $1 })
            }
        }
    ),
    (
        "group-child-throws",
        {
            do {
                try await withThrowingTaskGroup(of: Void.self) { group in
                    for _ in 0..<6 { group.addTask { try await Task.sleep(for: .seconds(1000)) } }
                    group.addTask {
                        try await Task.sleep(for: .milliseconds(1))
                        throw Refused()
                    }
                    for try await _ in group {}
                }
            } catch {
                print(error)
            }
        }
    ),
    (
        "group-of-cancelled-task",
        {
            let task = Task {
                await withTaskGroup(of: Void.self) { group in
                    for _ in 0..<4 {
                        group.addTask {
                            async let nested: Void? = try? Task.sleep(for: .seconds(1000))
                            _ = await nested
                        }
                    }
                }
                return Task.isCancelled
            }
            try? await Task.sleep(for: .milliseconds(5))
            task.cancel()
            print(await task.value)
        }
    ),
    (
        "group-discarding",
        {
            let counter = Counter()
            await withDiscardingTaskGroup { group in
                for _ in 0..<100 { group.addTask { await counter.increment() } }
            }
            print(await counter.value)
        }
    ),
    (
        "group-discarding-throwing",
        {
            do {
                try await withThrowingDiscardingTaskGroup { group in
                    group.addTask { throw Refused() }
                    for _ in 0..<10 { group.addTask { try await Task.sleep(for: .seconds(1000)) } }
                }
            } catch {
                print(error)
            }
        }
    ),
    (
        "group-wait-for-all",
        {
            await withTaskGroup(of: Void.self) { group in
                for _ in 0..<20 { group.addTask { await Task.yield() } }
                await group.waitForAll()
                print(group.isEmpty)
            }
        }
    ),
    (
        "async-let",
        {
            var sum = 0
            for number in 0..<20 {
                async let one = work(50 + number)
                async let two = work(60 + number)
                sum = (sum + (await one + two)) & 0xFFFF
            }
            print(sum)
        }
    ),
    (
        // The child is cancelled and awaited at the end of its scope.
        "async-let-unawaited",
        {
            for _ in 0..<10 { async let _ = Task.sleep(for: .seconds(1000)) }
        }
    ),
    (
        "async-let-throwing",
        {
            @Sendable func refuse() async throws -> Int { throw Refused() }
            async let value = refuse()
            do { print(try await value) } catch { print(error) }
        }
    ),
]
