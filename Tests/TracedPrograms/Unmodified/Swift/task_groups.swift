// Task groups: throwing and cancelled groups, results in any order, nested groups, and task-local values.
enum Failure: Error { case seven }
enum Local { @TaskLocal static var depth = 0 }

@main
struct Program {
    static func main() async {
        let sum = await withTaskGroup(of: Int.self) { group in
            for number in 1...100 {
                group.addTask { await square(number) }
            }
            return await group.reduce(0, +)
        }
        print("sum \(sum)")

        do {
            try await withThrowingTaskGroup(of: Int.self) { group in
                for number in 0..<10 {
                    group.addTask {
                        if number == 7 { throw Failure.seven }; return number
                    }
                }
                for try await _ in group {}
            }
        } catch { print("threw \(error)") }

        let depth = await Local.$depth.withValue(1) {
            await withTaskGroup(of: Int.self) { group in
                group.addTask { await Local.$depth.withValue(Local.depth + 1) { await nested() } }
                return await group.next() ?? 0
            }
        }
        print("depth \(depth), \(Local.depth)")

        await withDiscardingTaskGroup { group in
            for _ in 0..<50 { group.addTask { await Task.yield() } }
        }
        let cancelled = await withTaskGroup(of: Bool.self) { group in
            group.addTask {
                while !Task.isCancelled { await Task.yield() }; return true
            }
            group.cancelAll()
            return await group.next() ?? false
        }
        print("cancelled \(cancelled)")
    }

    static func square(_ number: Int) async -> Int {
        await Task.yield()
        return number * number
    }

    static func nested() async -> Int {
        async let inner = Task { Local.depth }.value
        return await inner
    }
}
