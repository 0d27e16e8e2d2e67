import DispatchModel
import Testing
import TraceBuilder

@Suite("Critical path")
struct CriticalPathTests {
    private func path(_ trace: TraceBuilder, _ target: CriticalPath.Target) throws -> CriticalPath {
        let model = ObservationLog.read(trace.events, options: ModelOptions(criticalPath: target)).model
        return try #require(model.criticalPath)
    }

    private func parts(_ path: CriticalPath) -> [String] {
        path.segments.map { "\($0.kind) \($0.begin.nanoseconds / 1000)-\($0.end.nanoseconds / 1000)" }
    }

    // thread 2   ├─ a ─ async b ┤
    // thread 3                     ├── b ──┤
    // path       start, run a, start, run b
    @Test("A chain of asyncs goes back over begin to submission")
    func asyncChain() throws {
        var trace = TraceBuilder()
        let queue = trace.globalQueue()
        trace.async(on: queue, at: 0, begin: 10, end: 30, thread: 2)
        trace.async(on: queue, at: 20, begin: 35, end: 50, thread: 3, from: 2)
        let path = try path(trace, .wholeRun)
        #expect(parts(path) == ["start 0-10", "run 10-20", "start 20-35", "run 35-50"])
        #expect(path.totals.map(\.time) == [.microseconds(25), .microseconds(25)])
    }

    // main       ├ a ┤ async b          ├──── c ──────────… the end
    // thread 2                ├── b ──┤ async c            ├ d ┤
    @Test(
        "What the main queue runs when the program ends is the end of the path, unless it waits",
        arguments: [false, true])
    func mainAtEnd(isWaiting: Bool) throws {
        var trace = TraceBuilder()
        let (main, queue) = (trace.mainQueue(), trace.globalQueue())
        trace.async(on: main, at: 0, begin: 1, end: 10, thread: 1, from: 3)
        trace.async(on: queue, at: 5, begin: 12, end: 20, thread: 2, from: 1)
        trace.async(on: main, at: 15, begin: 22, thread: 1, from: 2)
        if isWaiting {
            let semaphore = trace.semaphore(value: 0)
            trace.add(.semaphoreWaitBegin(.init(semaphore: semaphore, code: 0)), at: 30, thread: 1)
        }
        trace.async(on: queue, at: 24, begin: 25, end: 40, thread: 2, from: 3)
        trace.end(at: 100)
        let steps = parts(try path(trace, .wholeRun))
        #expect(steps.last == (isWaiting ? "run 25-40" : "run 22-100"), "\(steps)")
    }

    // thread 2   ├──── a holds Q ────┤
    // thread 3        sync Q ········├ b ┤
    // b's path        run a (12-40), handoff, run b
    @Test("A sync that was handed the queue goes back over the hand-off to the holder")
    func handoff() throws {
        var trace = TraceBuilder()
        let queue = trace.serialQueue("app.state")
        trace.async(on: queue, at: 0, begin: 10, end: 40, thread: 2)
        trace.sync(on: queue, at: 12, begin: 43, end: 45, thread: 3, from: 2)
        let path = try path(trace, .slowestItem)
        #expect(path.target == .slowestItem)
        let sync = try self.path(trace, .item(ItemNumber(1)))
        #expect(parts(sync) == ["run 12-40", "handoff 40-43", "run 43-45"])
    }

    // thread 2   ├─ task ┤ awaits ········├ task ┤
    // thread 3            (no earlier records)  resumes
    @Test("What a task awaited took the time, where nobody knows what led to its end")
    func continuation() throws {
        var trace = TraceBuilder()
        let function = trace.function("fetch()")
        let task = trace.task(at: 0)
        trace.begin(task, thread: 2, at: 0)
        trace.suspend(task, for: .continuation, thread: 2, at: 10, code: function)
        trace.resume(task, thread: 3, at: 60)
        trace.begin(task, thread: 2, at: 65)
        trace.async(on: trace.globalQueue(), at: 62, begin: 70, end: 80, thread: 4, from: 3)
        let path = try path(trace, .wholeRun)
        #expect(parts(path) == ["before 0-10", "continuation 10-60", "outside 60-62", "start 62-70", "run 70-80"])
        #expect(path.segments[1].code != .unknown)
    }

    @Test("Where that is known, it goes on with it")
    func resumed() throws {
        var trace = TraceBuilder()
        let queue = trace.globalQueue()
        let task = trace.task(at: 0)
        trace.begin(task, thread: 2, at: 0)
        trace.async(on: queue, at: 5, begin: 8, end: 62, thread: 3, from: 2)
        trace.suspend(task, for: .continuation, thread: 2, at: 10)
        trace.resume(task, thread: 3, at: 60)
        trace.async(on: queue, at: 61, begin: 70, end: 80, thread: 2, from: 3)
        #expect(
            parts(try path(trace, .wholeRun)) == [
                "before 0-5", "start 5-8", "run 8-61", "start 61-70", "run 70-80",
            ])
    }

    @Test("A loop that nobody woke waited for something outside")
    func polling() throws {
        var trace = TraceBuilder()
        let loop = trace.loop("NIO-ELT-0-#0", at: 0, thread: 2)
        trace.iterate(loop, begin: 30, end: 40, thread: 2)
        let path = try path(trace, .wholeRun)
        #expect(parts(path) == ["poll 0-30", "run 30-40"])
        #expect(path.segments[0].queue == path.segments[1].queue)
    }

    @Test("A wait goes back over the wake to the signal")
    func signal() throws {
        var trace = TraceBuilder()
        let queue = trace.globalQueue()
        let semaphore = trace.object()
        trace.add(.semaphoreCreate(.init(semaphore: semaphore, value: 0, code: 0)), at: 0, thread: 1)
        trace.async(on: queue, at: 5, begin: 10, end: 40, thread: 2)
        trace.add(.semaphoreWaitBegin(.init(semaphore: semaphore, code: 0)), at: 6, thread: 1)
        trace.add(.semaphoreSignal(.init(semaphore: semaphore, code: 0)), at: 30, thread: 2)
        trace.add(.semaphoreWaitEnd(.init(semaphore: semaphore, timedOut: 0)), at: 33, thread: 1)
        let last = trace.async(on: queue, at: 50, begin: 52, end: 60, thread: 2)
        _ = last
        let path = try path(trace, .wholeRun)
        #expect(
            parts(path) == [
                "before 0-5", "start 5-10", "run 10-30", "wake 30-33", "outside 33-50", "start 50-52", "run 52-60",
            ])
    }

    @Test("The time until an asyncAfter is due is a part of its own")
    func notDue() throws {
        var trace = TraceBuilder()
        let queue = trace.globalQueue()
        trace.asyncAfter(on: queue, at: 0, delay: 100, begin: 104, end: 110, thread: 2)
        #expect(parts(try path(trace, .wholeRun)) == ["notDue 0-100", "start 100-104", "run 104-110"])
    }

    // queue      ├ a ┤                  due ╵ ├ b ┤
    @Test("Who held the queue before an asyncAfter was due did not hold it up")
    func heldBeforeDue() throws {
        var trace = TraceBuilder()
        let queue = trace.serialQueue("app.state")
        trace.asyncAfter(on: queue, at: 0, delay: 100, begin: 104, end: 110, thread: 2)
        trace.async(on: queue, at: 20, begin: 30, end: 40, thread: 2, from: 3)
        #expect(parts(try path(trace, .wholeRun)) == ["notDue 0-100", "start 100-104", "run 104-110"])
    }

    // queue      ├── fires ──┤ due ╵  ├── a ──┤ ├ fires ┤      due ╵ ├ fires ┤
    @Test("A timer waits until it is due, then for its queue, then for a worker")
    func timer() throws {
        var trace = TraceBuilder()
        let queue = trace.serialQueue("app.clock")
        let timer = trace.setUpSource(.timer, on: queue, activated: 0)
        trace.schedule(timer, at: 0, delay: 10, interval: 40)
        trace.fireTimer(timer, on: queue, begin: 12, end: 20, thread: 2)
        trace.async(on: queue, at: 40, begin: 42, end: 60, thread: 2, from: 3)
        trace.fireTimer(timer, on: queue, begin: 63, end: 70, thread: 2)
        trace.fireTimer(timer, on: queue, begin: 91, end: 100, thread: 2)
        let path = try path(trace, .wholeRun)
        #expect(
            parts(path) == [
                "before 0-40", "start 40-42", "run 42-60", "queued 60-63", "run 63-70", "notDue 70-90", "start 90-91",
                "run 91-100",
            ])
    }

    @Test("A wait that timed out blocks, and nobody is to blame")
    func timeout() throws {
        var trace = TraceBuilder()
        let semaphore = trace.object()
        trace.add(.semaphoreCreate(.init(semaphore: semaphore, value: 0, code: 0)), at: 0, thread: 1)
        let queue = trace.globalQueue()
        trace.add(.semaphoreWaitBegin(.init(semaphore: semaphore, code: 0)), at: 10, thread: 1)
        trace.add(.semaphoreWaitEnd(.init(semaphore: semaphore, timedOut: 1)), at: 30, thread: 1)
        trace.async(on: queue, at: 35, begin: 36, end: 40, thread: 2)
        let path = try path(trace, .wholeRun)
        #expect(parts(path) == ["before 0-10", "semaphore 10-30", "outside 30-35", "start 35-36", "run 36-40"])
    }

    // a signpost from 5 to 45 on the thread that runs a, b
    @Test("A signpost's path is cut to its interval")
    func signpost() throws {
        var trace = TraceBuilder()
        let queue = trace.globalQueue()
        trace.add(.codeSymbol(.init(code: 9, address: 0, symbol: "load", file: "", line: 0)), at: 0)
        trace.async(on: queue, at: 0, begin: 2, end: 20, thread: 2)
        trace.add(.signpostBegin(.init(signpost: 1, log: 1, code: 9, message: "")), at: 5, thread: 2)
        trace.async(on: queue, at: 15, begin: 30, end: 50, thread: 3, from: 2)
        trace.add(.signpostEnd(.init(signpost: 1, log: 1, code: 9, message: "")), at: 45, thread: 3)
        let path = try path(trace, .signpost(name: "load"))
        #expect(parts(path) == ["run 5-15", "start 15-30", "run 30-45"])
    }

    @Test("A sync that another thread runs lets its caller go on")
    func syncToMain() throws {
        var trace = TraceBuilder()
        let main = trace.mainQueue()
        let global = trace.globalQueue()
        trace.async(on: global, at: 0, begin: 2, end: 50, thread: 2)
        let id = trace.item()
        trace.add(.syncEnter(.init(item: id, queue: main, code: 0, kind: .sync, qos: .default)), at: 10, thread: 2)
        trace.run(id, on: main, begin: 15, end: 30, thread: 1)
        trace.add(.syncReturn(.init(item: id)), at: 33, thread: 2)
        let path = try path(trace, .item(ItemNumber(0)))
        #expect(
            parts(path) == ["start 0-2", "run 2-10", "start 10-15", "run 15-30", "wake 30-33", "run 33-50"])
    }

    // main       ├ a ┤ waits ──────────── b ┤       thread 9, which has no earlier records, signals
    @Test("A signal of a thread of which nothing is known lets the wait take the time")
    func foreignSignal() throws {
        var trace = TraceBuilder()
        let queue = trace.globalQueue()
        let semaphore = trace.semaphore(value: 0)
        trace.async(on: queue, at: 0, begin: 2, end: 60, thread: 2)
        trace.add(.semaphoreWaitBegin(.init(semaphore: semaphore, code: 0)), at: 20, thread: 2)
        trace.signal(semaphore, thread: 9, at: 50)
        trace.add(.semaphoreWaitEnd(.init(semaphore: semaphore, timedOut: 0)), at: 51, thread: 2)
        #expect(parts(try path(trace, .wholeRun)) == ["start 0-2", "run 2-20", "semaphore 20-51", "run 51-60"])
    }

    // main       ├ a ┤ waits ──────────── b ┤
    // thread 9          ├───────────────┤ signals; its first record is shortly after the begin of the wait
    @Test("A thread that came while another waited for it took the time, but for what came before")
    func laterThread() throws {
        var trace = TraceBuilder()
        let queue = trace.globalQueue()
        let semaphore = trace.semaphore(value: 0)
        trace.async(on: queue, at: 0, begin: 2, end: 60, thread: 2)
        trace.add(.semaphoreWaitBegin(.init(semaphore: semaphore, code: 0)), at: 20, thread: 2)
        trace.sync(on: trace.serialQueue("own"), at: 23, begin: 23, end: 40, thread: 9)
        trace.signal(semaphore, thread: 9, at: 50)
        trace.add(.semaphoreWaitEnd(.init(semaphore: semaphore, timedOut: 0)), at: 51, thread: 2)
        #expect(
            parts(try path(trace, .wholeRun)) == [
                "before 0-23", "run 23-40", "outside 40-50", "wake 50-51", "run 51-60",
            ])
    }

    // thread 2   ├─ runs ─┤ in wait4 ···········┤ off ┤─ runs ─┤        (ms)
    @Test(
        "An item that is blocked in a call, or has no processor, does not run",
        arguments: [("wait4", DescriptorKind.unknown, "childProcess"), ("read", .pipe, "pipe")])
    func absences(call: String, descriptor: DescriptorKind, kind: String) throws {
        var trace = TraceBuilder()
        trace.mapImages()
        let queue = trace.globalQueue()
        trace.add(.processorTrack(.init(origin: .perfEvents, detail: "")), at: 0)
        trace.async(on: queue, at: 0, begin: 1000, end: 30_000, thread: 2)
        trace.off(2, from: 5000)
        trace.ask(2, at: 10_000, call: call, on: descriptor, frames: [0x7010, 0x1010])
        trace.add(.switchIn(.init(tid: 2)), at: 20_000)
        trace.off(2, from: 21_000, until: 24_000, preempted: true)
        // Less than 1 ms counts as running.
        trace.off(2, from: 25_000, until: 25_500)
        let path = try path(trace, .wholeRun)
        #expect(
            parts(path) == [
                "start 0-1000", "run 1000-5000", "\(kind) 5000-20000", "run 20000-21000",
                "preempted 21000-24000", "run 24000-30000",
            ])
        #expect(path.segments[2].code != .unknown && path.segments[2].item == path.segments[1].item)
        #expect(path.explained == path.duration)
    }

    // thread 1   ├─ runs ─ makes thread 9 ─┬─────────────────────── end
    // thread 9                             ╰ thread_start ── runs ── async
    @Test(
        "The path of a new thread continues the path of the main thread, unless that was blocked",
        arguments: [true, false])
    func threadStart(isMainBusy: Bool) throws {
        var trace = TraceBuilder()
        let semaphore = trace.semaphore(value: 0)
        let queue = trace.globalQueue()
        trace.async(on: queue, at: 0, begin: 2, end: 5, thread: 2)
        if !isMainBusy { trace.wait(for: semaphore, thread: 1, at: 10) }
        trace.add(.threadStart(.init(tid: 9, name: "")), at: 5000, thread: 9)
        trace.async(on: queue, at: 5050, begin: 5060, end: 5070, thread: 2, from: 9)
        let path = try path(trace, .wholeRun)
        #expect(
            parts(path) == [
                isMainBusy ? "outside 0-5000" : "before 0-5000", "outside 5000-5050", "start 5050-5060",
                "run 5060-5070",
            ])
        #expect(path.segments.first?.thread == ThreadIndex(0) || !isMainBusy)
    }

    // thread 1   ├─ runs ─ makes thread 9 ─┬─────────────────────────────── end
    // thread 9                             ╰ switch_out ··· switch_in ─ async
    @Test("The path of a thread without a thread_start continues the path of the main thread at its first switch")
    func silentThread() throws {
        var trace = TraceBuilder()
        trace.add(.processorTrack(.init(origin: .perfEvents, detail: "")), at: 0)
        let queue = trace.globalQueue()
        trace.async(on: queue, at: 0, begin: 2, end: 5, thread: 2)
        trace.add(.workerStart(.init(root: 1)), at: 6, thread: 2)
        trace.off(9, from: 5000, until: 9000)
        trace.async(on: queue, at: 9050, begin: 9060, end: 9070, thread: 2, from: 9)
        let path = try path(trace, .wholeRun)
        #expect(
            parts(path) == [
                "outside 0-5000", "shortCall 5000-9000", "outside 9000-9050", "start 9050-9060", "run 9060-9070",
            ])
        #expect(path.explained == path.duration && path.segments.first?.thread == ThreadIndex(0))
    }

    // thread 5   ├─ item ─ makes thread 9 ─┬─ item ───────────────── end
    // thread 9                             ╰ ······ thread_start ─ async
    @Test(
        "The path of a new thread continues the path of its maker, up to the call that made it",
        arguments: [
            (1000, ["run 20-4000", "start 4000-5000", "outside 5000-5050"]),
            (3000, ["run 20-2000", "outside 2000-5050"]),
            (3, ["run 20-4500", "outside 4500-4997", "start 4997-5000", "outside 5000-5050"]),
        ])
    func maker(age: Int, steps: [String]) throws {
        var trace = TraceBuilder()
        let (first, second) = (trace.globalQueue(), trace.serialQueue("app.next"))
        trace.wait(for: trace.semaphore(value: 0), thread: 1, at: 1)
        trace.async(on: first, at: 10, begin: 20, end: 4500, thread: 5)
        trace.add(.threadStart(.init(tid: 9, name: "", maker: 5, age: UInt64(age) * 1000)), at: 5000, thread: 9)
        trace.async(on: second, at: 5050, begin: 5060, end: 5070, thread: 2, from: 9)
        let path = try path(trace, .wholeRun)
        let expected = steps + ["start 5050-5060", "run 5060-5070"]
        #expect(Array(parts(path).suffix(expected.count)) == expected, "\(parts(path))")
        #expect(path.totals.reduce(.zero) { $0 + $1.time } == path.duration)
    }

    @Test("A maker without a record, or from before the trace, is not followed")
    func unknownMaker() throws {
        for (maker, age) in [(UInt32(77), UInt64(1000)), (5, 900_000_000)] {
            var trace = TraceBuilder()
            let semaphore = trace.semaphore(value: 0)
            let queue = trace.globalQueue()
            trace.async(on: queue, at: 0, begin: 2, end: 5, thread: 5)
            trace.wait(for: semaphore, thread: 1, at: 10)
            trace.add(.threadStart(.init(tid: 9, name: "", maker: maker, age: age)), at: 5000, thread: 9)
            trace.async(on: queue, at: 5050, begin: 5060, end: 5070, thread: 2, from: 9)
            #expect(parts(try path(trace, .wholeRun)).first == "before 0-5000")
        }
    }

    @Test("A system call has the kind of what it waits for")
    func callKinds() {
        let kinds: [(String, CriticalPath.Kind)] = [
            ("wait4", .childProcess), ("read", .file), ("recvfrom", .socket), ("clock_nanosleep", .sleep),
            ("futex", .futex), ("epoll_wait", .poll), ("", .systemCall), ("mincore", .systemCall),
        ]
        for (name, kind) in kinds { #expect(CriticalPath.Kind(ofCall: name, on: .unknown) == kind, "\(name)") }
        #expect(CriticalPath.Kind.allCases.filter { !$0.isNamed } == [.blocked, .before, .awaits])
    }

    @Test("A system call with a descriptor of a known kind has the kind of the descriptor")
    func descriptorKinds() {
        for descriptor in DescriptorKind.allCases where ![.unknown, .other].contains(descriptor) {
            #expect(CriticalPath.Kind(ofCall: "read", on: descriptor).name == descriptor.description)
        }
        #expect(CriticalPath.Kind(ofCall: "read", on: .other) == .file)
        #expect(CriticalPath.Kind(ofCall: "ioctl", on: .other) == .systemCall)
        #expect(CriticalPath.Kind.tcpSocket.title == "TCP socket access")
    }

    @Test("A path longer than what is kept one by one still sums to its interval")
    func longPath() throws {
        var trace = TraceBuilder()
        let queue = trace.globalQueue()
        let hops = 40_000
        for hop in 0..<hops {
            let start = Double(hop * 10)
            trace.async(
                on: queue, at: start, begin: start + 3, end: start + 11, thread: UInt32(2 + hop % 2),
                from: hop == 0 ? 1 : UInt32(2 + (hop + 1) % 2))
        }
        let path = try path(trace, .wholeRun)
        #expect(path.duration == .microseconds(Int64(hops * 10 + 1)))
        #expect(path.totals.reduce(.zero) { $0 + $1.time } == path.duration)
        #expect(path.omittedSegments > 0)
        #expect(path.omittedSegments + path.segments.count == path.totals.reduce(0) { $0 + $1.count })
    }

    //   barrier     W ├──────────┤
    //   reader        ▲ enqueued ├┤       a suspended queue   ▲ ░░░░░░░ ├┤
    @Test("A wait for a barrier, or for a queue that is suspended, is called that")
    func barrierAndSuspension() throws {
        var trace = TraceBuilder()
        let store = trace.concurrentQueue("app.store")
        trace.async(on: store, at: 0, begin: 1, end: 50, thread: 2, barrier: true)
        trace.async(on: store, at: 10, begin: 52, end: 60, thread: 3)
        #expect(parts(try path(trace, .item(ItemNumber(1)))) == ["barrier 10-50", "start 50-52", "run 52-60"])
        var suspended = TraceBuilder()
        let queue = suspended.serialQueue("app.state")
        suspended.suspend(queue, at: 1, until: 40)
        suspended.async(on: queue, at: 10, begin: 42, end: 50, thread: 2)
        #expect(parts(try path(suspended, .item(ItemNumber(0)))) == ["suspended 10-40", "start 40-42", "run 42-50"])
    }
}
