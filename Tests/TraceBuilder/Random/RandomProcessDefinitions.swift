import DispatchModel

// The objects that exist at the start.
extension RandomProcess {
    mutating func define() {
        root = trace.globalQueue()
        // Queues 0 ◄ 1 ◄ 2 form one hierarchy. Queue 3 is separate. Queue 4 is concurrent.
        for (number, target) in ([nil, 0, 0, nil, nil] as [Int?]).enumerated() {
            let target = target.map { queues[$0].serial } ?? root
            let serial =
                number == 4
                ? trace.concurrentQueue("app.reads", target: target)
                : trace.serialQueue("app.q\(number)", target: target)
            queues.append(Queue(serial: serial, isConcurrent: number == 4, domain: [0, 0, 0, 3, 4][number]))
        }
        trace.add(
            .queueState(
                .init(
                    queue: 1, label: "com.apple.main-thread", width: 1, qos: .default, target: 0, flags: 33, code: 0,
                    stack: 0, tid: 0)), at: 0)
        let code = trace.code("App/Setup.swift:1")
        let stack = trace.stack([0x1000, 0x2000])
        trace.add(.codeStack(.init(code: code, stack: stack)), at: 0)
        trace.add(
            .codeSymbol(.init(code: signpostCode, address: 0, symbol: Self.signpostName, file: "", line: 0)), at: 0)
        trace.add(.image(.init(base: 0x1000, begin: 0x1000, end: 0x9000, buildId: "ab", path: "/app/App")), at: 0)
        trace.add(
            .processState(.init(pid: 77, name: "App", schemaMajor: 1, schemaMinor: 2, processors: 2)), at: 0)
        trace.add(.signpostLog(.init(log: 1, subsystem: "app", category: "work")), at: 0)
        trace.add(.processorTrack(.init(origin: .perfEvents, detail: "")), at: 0)
        for thread in threads { trace.add(.threadStart(.init(tid: thread.tid, name: "t\(thread.tid)")), at: 0) }
        semaphores = [(trace.semaphore(value: 0), 0), (trace.semaphore(value: 1), 1)]
        groups = [(trace.group(), 0, []), (trace.group(), 0, [])]
        locks = [(trace.lock("state", fair: true), 0), (trace.lock("cache", fair: false), 0)]
        for (type, queue) in [(SourceType.timer, 3), (.dataAdd, 2), (.read, 0)] {
            let id = trace.object()
            let serial = queues[queue].serial
            trace.add(
                .sourceCreate(
                    .init(
                        source: id, type: type, handle: 3, queue: root, code: code, stack: stack, tid: 1, flags: 0)),
                at: 0.5)
            trace.add(.sourceSetTarget(.init(source: id, target: serial, code: code)), at: 0.6, thread: 1)
            trace.add(
                .sourceSetHandler(.init(source: id, handler: .event, code: code, qos: .utility, removed: 0)), at: 0.7,
                thread: 1)
            sources.append(Source(id: id, type: type, queue: queue))
        }
    }
}
