import DispatchModel
import Testing
import TraceBuilder

@Suite struct ThreadTests {
    private func started(named name: String) -> Thread? {
        var trace = TraceBuilder()
        trace.add(.threadStart(.init(tid: 7, name: name)), at: 1)
        return ObservationLog.read(trace.events).model.threads.first
    }

    @Test(
        "A thread named after a root queue is a worker",
        arguments: [
            "-qos.overcommit", "qos.cooperative", "oot.default-qos", "t.default-qos", "r-initiated-qos",
            "interactive-qos",
            "oot.utility-qos", ".background-qos", "maintenance-qos",
        ])
    func workers(name: String) throws {
        let thread = try #require(started(named: name))
        #expect(thread.name == "worker")
        #expect(thread.kernelName == name)
        #expect(thread.tid == 7)
    }

    @Test(
        "Other threads keep their names",
        arguments: ["NewsService", "worker", "default-qos", "qos", "-qos.overcommi", "x-qos.overcommit", "main-thread"])
    func others(name: String) throws {
        let thread = try #require(started(named: name))
        #expect(thread.name == name)
        #expect(thread.kernelName == name)
    }

    @Test("A thread that a worker made, and that has its name, is none where the trace tells which are")
    func madeByWorker() {
        var trace = TraceBuilder()
        let root = trace.globalQueue()
        trace.worker(3, of: root, made: 1, started: 2)
        trace.add(.threadStart(.init(tid: 3, name: "-qos.overcommit")), at: 3)
        trace.add(.threadStart(.init(tid: 7, name: "-qos.overcommit")), at: 4)
        trace.add(.threadStart(.init(tid: 8, name: "-qos.overcommit")), at: 5)
        trace.park(8, of: root, at: 6)
        let threads = ObservationLog.read(trace.events).model.threads.filter { [3, 7, 8].contains($0.tid) }
        #expect(threads.map(\.name) == ["worker", "", "worker"])
        #expect(threads.allSatisfy { $0.kernelName == "-qos.overcommit" })
    }

    @Test("A thread that never said its name has none, and one that says it late gets it")
    func unnamed() throws {
        #expect(try #require(started(named: "")).name == "")
        var trace = TraceBuilder()
        trace.add(.threadStart(.init(tid: 7, name: "early")), at: 1)
        trace.add(.threadStart(.init(tid: 7, name: "-qos.overcommit")), at: 2)
        trace.add(.threadStart(.init(tid: 7, name: "")), at: 3)
        #expect(ObservationLog.read(trace.events).model.threads.map(\.name) == ["worker"])
    }
}
