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
