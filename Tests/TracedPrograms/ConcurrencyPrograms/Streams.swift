// Asynchronous sequences.
let streamPrograms: [(name: String, run: @Sendable () async throws -> Void)] = [
    (
        "stream",
        {
            let (stream, continuation) = AsyncStream<Int>.makeStream()
            let producer = Task {
                for number in 0..<100 {
                    continuation.yield(number)
                    if number % 10 == 0 { await Task.yield() }
                }
                continuation.finish()
            }
            var sum = 0
            for await number in stream { sum += number }
            await producer.value
            print(sum)
        }
    ),
    (
        "stream-many-producers",
        {
            let (stream, continuation) = AsyncStream<Int>.makeStream()
            let producers = (0..<8).map { _ in
                Task.detached { for number in 0..<50 { continuation.yield(number) } }
            }
            Task {
                for producer in producers { await producer.value }
                continuation.finish()
            }
            var sum = 0
            for await number in stream { sum += number }
            print(sum)
        }
    ),
    (
        "stream-throwing",
        {
            let stream = AsyncThrowingStream<Int, Error> { continuation in
                Task {
                    for number in 0..<5 { continuation.yield(number) }
                    continuation.finish(throwing: Refused())
                }
            }
            var sum = 0
            do { for try await number in stream { sum += number } } catch { print(error) }
            print(sum)
        }
    ),
    (
        "stream-cancelled",
        {
            let task = Task {
                let (stream, continuation) = AsyncStream<Int>.makeStream()
                continuation.yield(1)
                var sum = 0
                for await number in stream { sum += number }
                return sum
            }
            try await Task.sleep(for: .milliseconds(1))
            task.cancel()
            print(await task.value)
        }
    ),
    (
        "stream-unfolding",
        {
            let counter = Counter()
            let stream = AsyncStream {
                await counter.increment()
                let value = await counter.value
                return value <= 20 ? value : nil
            }
            print(await stream.reduce(0, +))
        }
    ),
]
