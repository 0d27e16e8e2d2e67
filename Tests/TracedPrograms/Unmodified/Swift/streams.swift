// Asynchronous streams and continuations that bridge to queues, timers and handlers.
import Dispatch

@main
struct Program {
    static func main() async throws {
        let queue = DispatchQueue(label: "streams")
        let numbers = AsyncStream<Int> { continuation in
            queue.async {
                for number in 0..<50 { continuation.yield(number) }
                continuation.finish()
            }
        }
        print(await numbers.reduce(0, +))

        let ticks = AsyncStream<UInt> { continuation in
            let timer = DispatchSource.makeTimerSource(queue: queue)
            timer.schedule(deadline: .now(), repeating: .milliseconds(1))
            timer.setEventHandler { continuation.yield(1) }
            continuation.onTermination = { _ in timer.cancel() }
            timer.activate()
        }
        var count = 0
        for await _ in ticks {
            count += 1
            if count == 5 { break }
        }
        print(count)

        struct Refused: Error {}
        do {
            _ = try await withUnsafeThrowingContinuation { (continuation: UnsafeContinuation<Int, any Error>) in
                queue.asyncAfter(deadline: .now() + .milliseconds(1)) { continuation.resume(throwing: Refused()) }
            }
        } catch { print(error) }
    }
}
