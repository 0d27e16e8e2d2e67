// Tasks whose closures capture one object without fields. Swift uses such an object as the context of the closure.

@_silgen_name("guard_small_objects") func guardSmallObjects()

final class Counter: Sendable {
    @inline(never)
    func count() async -> Int {
        await Task.yield()
        return 1
    }
}

@main
struct Program {
    static func main() async {
        guardSmallObjects()
        var sum = 0
        for _ in 0..<10 {
            let counter = Counter()
            async let first = counter.count()
            sum += await first
            sum += await Task { await counter.count() }.value
            sum += await withTaskGroup(of: Int.self) { group in
                group.addTask { await counter.count() }
                return await group.reduce(0, +)
            }
        }
        print("sum", sum)
    }
}
