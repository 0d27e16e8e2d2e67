import DispatchAnalysis
import Testing
import TraceBuilder

@Suite struct LockOrderInversionTests {
    /// A thread takes domains in this order and then releases them. Each is a sync on a queue or a lock.
    private enum Taken {
        case queue(TraceBuilder.QueueID)
        case lock(UInt64)
    }

    private func take(_ all: [Taken], thread: UInt32, at start: Double, file: String, in trace: inout TraceBuilder) {
        for (depth, taken) in all.enumerated() {
            let (begin, end) = (start + Double(depth) * 10, start + 1000 - Double(depth) * 10)
            let code = "App/\(file).swift:\(depth + 1)"
            switch taken {
            case .queue(let queue):
                trace.sync(on: queue, at: begin, begin: begin + 1, end: end, thread: thread, code: code)
            case .lock(let lock): trace.hold(lock, thread: thread, granted: begin + 1, released: end, code: code)
            }
        }
    }

    private func findings(_ trace: TraceBuilder) throws -> [Finding] {
        try DetectorRun.findings(of: LockOrderInversion.self, in: trace)
    }

    @Test("Two queues in opposite orders on two threads are named with both nests of calls")
    func queues() throws {
        var trace = TraceBuilder()
        let (a, b) = (trace.serialQueue("bank.accounts"), trace.serialQueue("bank.ledger"))
        take([.queue(a), .queue(b)], thread: 2, at: 0, file: "Book", in: &trace)
        take([.queue(b), .queue(a)], thread: 3, at: 5000, file: "Audit", in: &trace)
        let findings = try findings(trace)
        let finding = try #require(findings.first)
        #expect(findings.count == 1)
        #expect(finding.severity == .warning)
        #expect(finding.summary.contains("bank.accounts → bank.ledger → bank.accounts"))
        #expect(finding.queues.count == 2)
        let details = finding.evidence.map(\.detail)
        #expect(
            details.contains {
                $0.contains("requests bank.ledger at App/Book.swift:2, inside bank.accounts at App/Book.swift:1")
            })
        #expect(
            details.contains {
                $0.contains("requests bank.accounts at App/Audit.swift:2, inside bank.ledger at App/Audit.swift:1")
            })
    }

    @Test("The stacks of both requests are shown where they were recorded")
    func stacks() throws {
        var trace = TraceBuilder()
        let (a, b) = (trace.serialQueue("bank.accounts"), trace.serialQueue("bank.ledger"))
        take([.queue(a), .queue(b)], thread: 2, at: 0, file: "Book", in: &trace)
        take([.queue(b), .queue(a)], thread: 3, at: 5000, file: "Audit", in: &trace)
        for (code, frames) in [("App/Book.swift:2", [0x10, 0x20]), ("App/Audit.swift:2", [0x30])]
            as [(String, [UInt64])]
        {
            trace.add(.codeStack(.init(code: trace.code(code), stack: trace.stack(frames))), at: 1)
        }
        let analysis = AnalysisSession().analyze(events: trace.events)
        let finding = try #require(analysis.findings.first { $0.detector == LockOrderInversion.id })
        #expect(
            finding.stacks.map(\.title) == [
                "Stack of the request for bank.ledger inside bank.accounts",
                "Stack of the request for bank.accounts inside bank.ledger",
            ])
        #expect(finding.stacks.map { analysis.model[$0.stack] } == [[0x10, 0x20], [0x30]])
    }

    @Test("A queue and a lock, and three queues in a ring, are found")
    func others() throws {
        var trace = TraceBuilder()
        let (queue, lock) = (trace.serialQueue("app.queue"), trace.lock("app.lock", fair: false))
        take([.queue(queue), .lock(lock)], thread: 2, at: 0, file: "One", in: &trace)
        take([.lock(lock), .queue(queue)], thread: 3, at: 5000, file: "Two", in: &trace)
        #expect(try findings(trace).map(\.locks.count) == [1])

        var ring = TraceBuilder()
        let queues = (0..<3).map { ring.serialQueue("app.\($0)") }
        for turn in 0..<3 {
            take(
                [.queue(queues[turn]), .queue(queues[(turn + 1) % 3])], thread: UInt32(2 + turn),
                at: Double(turn) * 5000, file: "Ring\(turn)", in: &ring)
        }
        #expect(try findings(ring).map(\.queues.count) == [3])
    }

    @Test("A gate around both excludes a deadlock")
    func gate() throws {
        var trace = TraceBuilder()
        let gate = trace.serialQueue("bank.gate")
        let (a, b) = (trace.serialQueue("bank.accounts"), trace.serialQueue("bank.ledger"))
        take([.queue(gate), .queue(a), .queue(b)], thread: 2, at: 0, file: "Book", in: &trace)
        take([.queue(gate), .queue(b), .queue(a)], thread: 3, at: 5000, file: "Audit", in: &trace)
        #expect(try findings(trace).isEmpty)
    }

    @Test("One thread, one order, or a common target queue are no inversion")
    func silent() throws {
        var trace = TraceBuilder()
        let (a, b) = (trace.serialQueue("bank.accounts"), trace.serialQueue("bank.ledger"))
        take([.queue(a), .queue(b)], thread: 2, at: 0, file: "Book", in: &trace)
        take([.queue(b), .queue(a)], thread: 2, at: 5000, file: "Audit", in: &trace)
        #expect(try findings(trace).isEmpty)

        var order = TraceBuilder()
        let (c, d) = (order.serialQueue("bank.accounts"), order.serialQueue("bank.ledger"))
        take([.queue(c), .queue(d)], thread: 2, at: 0, file: "Book", in: &order)
        take([.queue(c), .queue(d)], thread: 3, at: 5000, file: "Audit", in: &order)
        #expect(try findings(order).isEmpty)
    }

    @Test("Inversions are found whatever the labels and the number of calls", arguments: 1...20)
    func variants(variant: Int) throws {
        var trace = TraceBuilder()
        let queues = (0...variant).map { trace.serialQueue("app.\(variant).\($0)") }
        for turn in 0..<variant {
            take(
                [.queue(queues[turn]), .queue(queues[turn + 1])], thread: 2, at: Double(turn) * 5000, file: "Up",
                in: &trace)
        }
        take([.queue(queues[variant]), .queue(queues[variant - 1])], thread: 3, at: 500_000, file: "Down", in: &trace)
        #expect(try findings(trace).count == 1)
    }

    @Test("A queue for each of 20,000 connections does not hide a later inversion")
    func manyShapes() throws {
        var trace = TraceBuilder()
        let store = trace.serialQueue("app.store")
        for number in 0..<20_000 {
            let connection = trace.serialQueue("app.connection.\(number)")
            take([.queue(connection), .queue(store)], thread: 2, at: Double(number) * 2000, file: "Serve", in: &trace)
        }
        let (a, b) = (trace.serialQueue("bank.accounts"), trace.serialQueue("bank.ledger"))
        take([.queue(a), .queue(b)], thread: 2, at: 5e7, file: "Book", in: &trace)
        take([.queue(b), .queue(a)], thread: 3, at: 6e7, file: "Audit", in: &trace)
        #expect(try findings(trace).count == 1)
    }
}
