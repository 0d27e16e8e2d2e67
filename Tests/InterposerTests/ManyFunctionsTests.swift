import DispatchAnalysis
import DispatchModel
import Foundation
import TestSupport
import Testing

/// The hooks cache code in small tables. Functions that share a slot must keep their own names.
@Suite("A program with many functions")
struct ManyFunctionsTests {
    private static let functions = 512

    private static func record(into directory: TemporaryDirectory) throws -> String {
        let program = UnmodifiedProgram(language: .c, source: "\(UnmodifiedProgram.folder)/C/many_functions.c")
        let trace = directory.appending("trace")
        let recorded = try ProgramRun.recorded(program, trace: trace)
        try #require(recorded.status == 0, "\(recorded)")
        return trace
    }

    @Test("has each item's own code, however many others came in between", arguments: ["async", "blocks", "sync"])
    func codes(queue: String) throws {
        let directory = TemporaryDirectory()
        let trace = try Self.record(into: directory)
        let collector = ItemCollector()
        let model = try AnalysisSession().analyze(path: trace, observers: [collector]).model
        let items = collector.items.filter { model[$0.queue].label == "functions.\(queue)" }
            .sorted { ($0.beganAt, $0.number) < ($1.beganAt, $1.number) }
        // Except on the sync queue, the last item only waits for the other items.
        let addresses = items.map { model[$0.code].address }.dropLast(queue == "sync" ? 0 : 1)
        #expect(addresses.count == (queue == "sync" ? 1 : 2) * Self.functions)
        #expect(addresses.count { $0 == 0 } == 0)
        // The compiler lays out the functions and their blocks in source order.
        let inOrder = Set(addresses).sorted()
        try #require(inOrder.count == Self.functions)
        let met = try addresses.map { address in try #require(inOrder.firstIndex(of: address)) }
        #expect(met == addresses.indices.map { $0 * 37 % Self.functions })
    }

    @Test("has a stack for the code of each sync")
    func stacks() throws {
        let directory = TemporaryDirectory()
        let trace = try Self.record(into: directory)
        var syncs: Set<UInt32> = []
        var noted: Set<UInt32> = []
        _ = try DispatchTrace(path: trace).forEachEvent { event, _, _ in
            if case .syncBegin(let event) = event { syncs.insert(event.code) }
            if case .codeStack(let event) = event { noted.insert(event.code) }
        }
        #expect(syncs.count >= Self.functions)
        #expect(syncs.subtracting(noted).isEmpty)
    }
}
