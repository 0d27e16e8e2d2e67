// A service with spans of swift-distributed-tracing. Prints `NAME TRACE` for each request, with the id of its trace.
//
//   TracedRequests serve     requests that share an actor and a queue; GET /slow holds the actor when the others begin
//   TracedRequests pair      a request with a part in another process, `TracedRequests lookup`, connected by pipes

#if Tracing
    import Dispatch
    import Foundation
    import QueuescopeTracing
    import Synchronization
    import Tracing

    /// Keeps a thread busy for some time.
    func work(milliseconds: UInt64) {
        let end = DispatchTime.now().uptimeNanoseconds + milliseconds * 1_000_000
        while DispatchTime.now().uptimeNanoseconds < end {}
    }

    /// Number of requests that have begun.
    let begun = Atomic(0)
    /// Number of requests that have been summed up.
    let summedUp = Atomic(0)

    /// Keeps a thread busy until a counter reaches a value, for a minute at most. With one processor there is no other
    /// thread that counts, so the limit is a second.
    func work(until counter: borrowing Atomic<Int>, reaches count: Int) {
        let seconds: UInt64 = ProcessInfo.processInfo.activeProcessorCount > 1 ? 60 : 1
        let end = DispatchTime.now().uptimeNanoseconds + seconds * 1_000_000_000
        while counter.load(ordering: .relaxed) < count, DispatchTime.now().uptimeNanoseconds < end {}
    }

    actor Database {
        func load(milliseconds: UInt64) async { work(milliseconds: milliseconds) }

        /// - Parameter whenHeld: called when the actor runs the function.
        func loadSlowly(behind requests: Int, whenHeld: @Sendable () -> Void) async {
            whenHeld()
            work(until: begun, reaches: requests)
            work(milliseconds: 40)
        }
    }

    let database = Database()
    let renderer = DispatchQueue(label: "org.example.renderer")
    /// Number of requests whose rendering has begun. Only items of the renderer use it.
    nonisolated(unsafe) var rendered = 0

    /// Returns after as many requests were summed up as were rendered, so the last request's critical path has the
    /// renderer.
    func render() async {
        await withCheckedContinuation { continuation in
            renderer.async {
                rendered += 1
                work(until: summedUp, reaches: rendered)
                work(milliseconds: 3)
                continuation.resume()
            }
        }
    }

    func serve(_ name: String, loading: @Sendable () async -> Void) async {
        await withSpan(name, ofKind: .server) { span in
            span.attributes["http.route"] = String(name.dropFirst(4))
            print(name, span.context.traceContext?.traceID ?? "none")
            begun.add(1, ordering: .relaxed)
            await withSpan("load") { _ in await loading() }
            await withTaskGroup(of: Void.self) { group in
                group.addTask {
                    withSpan("sum up") { _ in work(milliseconds: 8) }
                    summedUp.add(1, ordering: .relaxed)
                }
                group.addTask { await withSpan("render") { _ in await render() } }
            }
        }
    }

    struct Headers: Extractor, Injector {
        func extract(key: String, from carrier: [String: String]) -> String? { carrier[key] }
        func inject(_ value: String, forKey key: String, into carrier: inout [String: String]) { carrier[key] = value }
    }

    /// Asks another process to serve the request, which it reads from a pipe.
    func askPartner() async throws {
        try await withSpan("GET /pair", ofKind: .server) { span in
            print("GET /pair", span.context.traceContext?.traceID ?? "none")
            let partner = Process()
            partner.executableURL = URL(filePath: CommandLine.arguments[0])
            partner.arguments = ["lookup"]
            let (request, answer) = (Pipe(), Pipe())
            (partner.standardInput, partner.standardOutput) = (request, answer)
            try partner.run()
            try await withSpan("ask", ofKind: .client) { span in
                var headers: [String: String] = [:]
                InstrumentationSystem.instrument.inject(span.context, into: &headers, using: Headers())
                try request.fileHandleForWriting.write(contentsOf: Data(headers["traceparent", default: "none"].utf8))
                try request.fileHandleForWriting.close()
                let text = await withCheckedContinuation { continuation in
                    DispatchQueue(label: "org.example.answers").async {
                        let data = try? answer.fileHandleForReading.readToEnd()
                        continuation.resume(returning: String(decoding: data ?? Data(), as: UTF8.self))
                    }
                }
                print("answer", text)
            }
            partner.waitUntilExit()
        }
    }

    func lookUp() async throws {
        let text = try FileHandle.standardInput.readToEnd() ?? Data()
        var context = ServiceContext.topLevel
        InstrumentationSystem.instrument.extract(
            ["traceparent": String(decoding: text, as: UTF8.self)], into: &context, using: Headers())
        await withSpan("look up", context: context, ofKind: .server) { span in
            await database.load(milliseconds: 20)
            print(span.context.traceContext?.traceID ?? "none", terminator: "")
        }
    }

    @main struct TracedRequests {
        static func main() async throws {
            InstrumentationSystem.bootstrap(QueuescopeTracer())
            switch CommandLine.arguments.dropFirst().first {
            case "pair": try await askPartner()
            case "lookup": try await lookUp()
            default:
                let (held, isHeld) = AsyncStream.makeStream(of: Never.self)
                await withDiscardingTaskGroup { group in
                    group.addTask {
                        await serve("GET /slow") { await database.loadSlowly(behind: 5) { isHeld.finish() } }
                    }
                    for await _ in held {}
                    for _ in 0..<4 {
                        group.addTask { await serve("GET /fast") { await database.load(milliseconds: 2) } }
                    }
                }
            }
        }
    }
#else
    @main struct TracedRequests {
        static func main() {}
    }
#endif
