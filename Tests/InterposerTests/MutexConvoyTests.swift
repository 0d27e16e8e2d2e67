import DispatchAnalysis
import DispatchModel
import Symbolication
import TestSupport
import Testing

@Suite("A convoy on a Mutex of Synchronization")
struct MutexConvoyTests {
    @Test("is reported with its threads and the code that waits")
    func reported() throws {
        let directory = TemporaryDirectory()
        let trace = directory.appending("trace")
        let program = UnmodifiedProgram(
            language: .swift, source: "\(UnmodifiedProgram.folder)/Swift/mutex_convoy.swift")
        #expect(try ProgramRun.recorded(program, trace: trace).status == 0)
        let analysis = try AnalysisSession(naming: Symbolizer()).analyze(path: trace)
        let finding = try #require(
            analysis.findings.first { [LockContention.id, StaircaseContention.id].contains($0.detector) },
            "\(analysis.findings.map(\.summary))")
        #expect(finding.locks.count == 1)
        #expect(finding.code.contains { analysis.model[$0].symbol.hasPrefix("deposit()") }, "\(finding.summary)")
        // A finding names the holder of each of its waits.
        #expect(finding.evidence.contains { $0.detail.contains("held by") }, "\(finding.evidence)")
    }
}

@Suite("Read-write locks of pthread")
struct ReadWriteLockTests {
    @Test("The waits of readers and writers are recorded, with the writer that holds the lock")
    func waits() throws {
        let directory = TemporaryDirectory()
        let trace = directory.appending("trace")
        let program = UnmodifiedProgram(
            language: .c, source: "\(UnmodifiedProgram.folder)/C/contended_read_write_lock.c")
        #expect(try ProgramRun.recorded(program, trace: trace).status == 0)
        let analysis = try AnalysisSession().analyze(path: trace)
        #expect(analysis.model.locks.count == 2, "\(analysis.model.locks)")
        #expect(analysis.model.locks.allSatisfy { $0.kind == .readWrite })
        // A reader and a writer wait for a writer, and a writer waits for a reader.
        #expect(analysis.locks.map(\.contended).sorted() == [1, 2])
    }
}

@Suite("Two mutexes at one address")
struct ReusedMutexTests {
    @Test("have a row of their own each")
    func rows() throws {
        let directory = TemporaryDirectory()
        let trace = directory.appending("trace")
        let program = UnmodifiedProgram(language: .c, source: "\(UnmodifiedProgram.folder)/C/reused_mutex.c")
        #expect(try ProgramRun.recorded(program, trace: trace).status == 0)
        let locks = try AnalysisSession().analyze(path: trace).model.locks
        #expect(locks.count == 2 && Set(locks.map(\.id)).count == 1, "\(locks)")
        #expect(locks.allSatisfy { $0.isMutex })
    }
}
