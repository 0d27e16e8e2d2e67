// Syncs whose closures the compiler wraps in reabstraction thunks, because they throw or are values.
import Dispatch

struct Failure: Error {}

@main
struct Program {
    static func main() {
        let queue = DispatchQueue(label: "queue")
        for number in 0..<3 { try? queue.sync { try check(number) } }
        for number in 0..<4 { try? queue.sync { try check(number + 100) } }
        for number in 0..<5 { generic(queue, number) }
    }

    static func generic<Value>(_ queue: DispatchQueue, _ value: Value) { _ = queue.sync { pass(value) } }

    @inline(never) static func check(_ number: Int) throws { if number > 1000 { throw Failure() } }

    @inline(never) static func pass<Value>(_ value: Value) -> Value { value }
}
