import DispatchAnalysis
import DispatchModel
import Testing
import TraceBuilder

@Suite struct LockContentionTests {
    //   thread 2  ██████      ██████
    //   thread 3   ░░░░░██████            wait ms each, then a pause
    private func contended(
        _ waits: Int, wait: Double, labels: [String] = ["app.lock"], every pause: Double = 10_000
    ) -> TraceBuilder {
        var trace = TraceBuilder()
        let locks = labels.map { trace.lock($0, fair: false) }
        for turn in 0..<waits {
            let start = Double(turn) * pause
            let lock = locks[turn % locks.count]
            trace.hold(lock, thread: 2, granted: start, released: start + wait * 1000, code: "App/Log.swift:1")
            trace.hold(
                lock, thread: 3, requested: start + 1, granted: start + 1 + wait * 1000,
                released: start + 20 + wait * 1000, code: "App/Log.swift:7")
        }
        return trace
    }

    @Test(
        "Ten waits that cost 10 ms are reported; nine waits, or a lower cost, are not",
        arguments: [
            (10, 1.0, 1), (9, 2.0, 0), (10, 0.9, 0),
        ])
    func threshold(waits: Int, wait: Double, count: Int) throws {
        #expect(try DetectorRun.findings(of: LockContention.self, in: contended(waits, wait: wait)).count == count)
    }

    //   thread 2  ███░░░███      ░ preempted, or blocked
    //   thread 3   ········███
    @Test(
        "The time in which the holder was preempted does not count",
        arguments: [(true, 1.5, 0), (true, 0.5, 1), (false, 1.5, 1)])
    func preemptedHolder(isPreempted: Bool, off: Double, count: Int) throws {
        var trace = contended(10, wait: 2)
        for turn in 0..<10 {
            let start = Double(turn) * 10_000 + 100
            trace.off(2, from: start, until: start + off * 1000, preempted: isPreempted)
        }
        let findings = try DetectorRun.findings(of: LockContention.self, in: trace)
        #expect(findings.count == count)
        let cost: Nanoseconds = isPreempted ? .microseconds(15_000) : .milliseconds(20)
        #expect(findings.allSatisfy { $0.cost == cost })
    }

    //   thread 2  ██░░░?          leaves its processor; the event of its return is lost
    //   thread 3   ·········███
    @Test("Off-CPU time without a recorded end does not change the length of a wait")
    func lostReturn() throws {
        var trace = contended(10, wait: 2)
        for turn in 0..<10 {
            let start = Double(turn) * 10_000
            trace.off(2, from: start - 500, preempted: true)
            trace.off(2, from: start + 100, until: start + 101)
        }
        let finding = try #require(try DetectorRun.findings(of: LockContention.self, in: trace).first)
        #expect(finding.cost == .milliseconds(20))
    }

    @Test("The finding names lock, code, count, cost and the longest wait")
    func content() throws {
        let finding = try #require(
            try DetectorRun.findings(of: LockContention.self, in: contended(20, wait: 2)).first)
        #expect(
            finding.summary == "1 thread waited 40.0 ms for app.lock at App/Log.swift:7, 20 times, for up to 2.00 ms.")
        #expect(finding.cost == .milliseconds(40))
        #expect(finding.occurrences == 20)
        #expect(finding.evidence.count == 12)
        #expect(finding.advice.text.contains("App/Log.swift:7"))
    }

    //   thread 2  ████████████████████       owner
    //   thread 3   ░░░░░░░░░░░░░░░░░░░██     waits once
    @Test(
        "One wait is reported alone from 250 ms, or from 10 % of a short recording",
        arguments: [(250.0, 10_000.0, 1), (249.9, 10_000, 0), (20, 200, 1), (19.9, 200, 0)])
    func oneWait(wait: Double, recording: Double, count: Int) throws {
        var trace = contended(1, wait: wait)
        trace.end(at: recording * 1000)
        #expect(try DetectorRun.findings(of: LockContention.self, in: trace).count == count)
    }

    @Test("The finding about one long wait names the owner, and has no count")
    func oneWaitText() throws {
        var trace = TraceBuilder()
        let lock = trace.lock("app.lock", fair: false)
        let code = trace.code("App/Log.swift:7")
        trace.hold(lock, thread: 2, granted: 0, released: 250_000)
        trace.add(.lockWait(.init(lock: lock, code: code, holderTid: 2)), at: 1, thread: 3)
        trace.add(.lockAcquire(.init(lock: lock, code: code)), at: 250_001, thread: 3)
        trace.add(.lockRelease(.init(lock: lock)), at: 250_010, thread: 3)
        trace.end(at: 10e6)
        let finding = try #require(try DetectorRun.findings(of: LockContention.self, in: trace).first)
        #expect(finding.summary == "1 thread waited 250 ms for app.lock at App/Log.swift:7, held by thread 2.")
        #expect(finding.advice.text.hasPrefix("Hold app.lock for a shorter time: it is held for up to 250 ms while"))
        #expect(
            finding.advice.phrase.template
                == "Hold {lock} for a shorter time: it is held for up to {number} while threads wait{place}. Copy the "
                + "needed data out of it, work on the copy without the lock, and put the result back.")
    }

    //   thread 2  ██ ██ ██ ██ ██ ██ ██ ██ ██
    //   thread 3   ░█ ░█ ░█ ░█ ░█ ░█ ░█ ░█ ░█     nine waits of 30 ms: 270 ms in total
    @Test("The sum of short waits does not replace the number of waits")
    func sumOfFew() throws {
        var trace = contended(9, wait: 30, every: 500_000)
        trace.end(at: 10e6)
        #expect(try DetectorRun.findings(of: LockContention.self, in: trace).isEmpty)
    }

    //   thread 2  ██████████████              2 ms
    //   thread 3   ·············█ █ █ █ █     waits, and holds it for 5 µs at a time
    @Test("Many short holds do not change the advice when the threads wait for long holds")
    func longHolds() throws {
        var trace = TraceBuilder()
        let lock = trace.lock("app.lock", fair: false)
        for turn in 0..<10 {
            let start = Double(turn) * 10_000
            trace.hold(lock, thread: 2, granted: start, released: start + 2000, code: "App/Log.swift:1")
            trace.hold(
                lock, thread: 3, requested: start + 1, granted: start + 2001, released: start + 2006,
                code: "App/Log.swift:7")
            for hold in 1...3 {
                let granted = start + 2001 + Double(hold) * 10
                trace.hold(lock, thread: 3, granted: granted, released: granted + 5, code: "App/Log.swift:7")
            }
        }
        let finding = try #require(try DetectorRun.findings(of: LockContention.self, in: trace).first)
        #expect(finding.advice.text.hasPrefix("Hold app.lock for a shorter time: it is held for up to 2.00 ms while"))
    }

    //   20 waits of 1 ms, one every 0.1 s or every 0.2 s: 10 ms or 5 ms of each second
    @Test(
        "Waits of less than a hundredth of every second are not reported at any cost", arguments: [(0.1, 1), (0.2, 0)])
    func share(gap: Double, count: Int) throws {
        var trace = TraceBuilder()
        let lock = trace.lock("app.lock", fair: false)
        for turn in 0..<20 {
            let start = Double(turn) * gap * 1e6
            trace.hold(lock, thread: 2, granted: start, released: start + 1001)
            trace.hold(lock, thread: 3, requested: start + 1, granted: start + 1001, released: start + 1010)
        }
        #expect(try DetectorRun.findings(of: LockContention.self, in: trace).count == count)
        #expect(try DetectorRun.findings(of: LockContention.self, in: trace, thresholds: ["share=0%"]).count == 1)
    }

    @Test("One bad second in an hour is reported, 64 threads that wait for 0.016 % each are not")
    func windows() throws {
        var trace = contended(20, wait: 2)
        trace.async(on: trace.serialQueue("app.end"), at: 3.6e9, begin: 3.6e9 + 1, end: 3.6e9 + 2, thread: 4)
        let finding = try #require(try DetectorRun.findings(of: LockContention.self, in: trace).first)
        #expect(
            finding.measures.contains(
                Measure("periods in which a thread waited 1 % or more", "\(1, "second"), \(0, "minute")")))
        var spread = TraceBuilder()
        let lock = spread.lock("app.lock", fair: false)
        for thread in 0..<640 {
            let start = Double(thread) * 160
            spread.hold(lock, thread: 2, granted: start, released: start + 151)
            spread.hold(
                lock, thread: UInt32(10 + thread % 64), requested: start + 1, granted: start + 151,
                released: start + 152)
        }
        #expect(try DetectorRun.findings(of: LockContention.self, in: spread).isEmpty)
    }

    @Test("Similar locks are one finding with their sum")
    func alike() throws {
        let trace = contended(20, wait: 1, labels: ["app.lock.1", "app.lock.2"])
        let findings = try DetectorRun.findings(of: LockContention.self, in: trace)
        #expect(findings.map(\.locks.count) == [2])
        #expect(findings.first?.summary.contains("app.lock.* (2 locks)") == true)
    }

    @Test("Locks without waits are not reported; a wait that is open at the end of the trace does not trap")
    func silent() throws {
        var trace = TraceBuilder()
        let lock = trace.lock("app.lock", fair: false)
        for turn in 0..<100 {
            trace.hold(lock, thread: 2, granted: Double(turn) * 2000, released: Double(turn) * 2000 + 1900)
        }
        trace.hold(lock, thread: 2, granted: 300_000, released: nil)
        trace.add(.lockWait(.init(lock: lock, code: 0, holderTid: 2)), at: 300_001, thread: 3)
        #expect(try DetectorRun.findings(of: LockContention.self, in: trace).isEmpty)
    }

    @Test("A trace that lost events puts a caveat on the finding")
    func discarded() throws {
        let findings = try DetectorRun.findings(of: LockContention.self, in: contended(20, wait: 1), discarded: 3)
        #expect(findings.first?.caveat?.contains("3 events") == true)
    }

    @Test(
        "When only the name of a lock helper is recorded, the finding is a note that states it",
        arguments: ["NIOLock.withLock(_:)", "ManagedBuffer.withUnsafeMutablePointers(_:)"])
    func helper(name: String) throws {
        var trace = TraceBuilder()
        let lock = trace.lock("mutex 0x7f00", fair: false)
        trace.add(.codeSymbol(.init(code: 900, address: 0, symbol: name, file: "NIOLock.swift", line: 9)), at: 0)
        for turn in 0..<20 {
            let start = Double(turn) * 10_000
            trace.hold(lock, thread: 2, granted: start, released: start + 2001)
            trace.add(.lockWait(.init(lock: lock, code: 900, holderTid: 2)), at: start + 1, thread: 3)
            trace.add(.lockAcquire(.init(lock: lock, code: 900)), at: start + 2001, thread: 3)
            trace.add(.lockRelease(.init(lock: lock)), at: start + 2010, thread: 3)
        }
        let finding = try #require(try DetectorRun.findings(of: LockContention.self, in: trace).first)
        #expect(finding.severity == .info)
        #expect(finding.advice.text.contains("hides its caller"))
    }

    //   thread 2  ██ holds, in waitpid ██████
    //   thread 3    ░░░░░░░░░░░░░░░░░░░░░░░░░███
    @Test("The finding names the system call in which the owner of the lock is blocked")
    func blockedOwner() throws {
        var trace = TraceBuilder()
        trace.mapImages()
        _ = trace.function("Roster.reap()", address: 0x1100)
        let lock = trace.lock("app.roster", fair: false)
        trace.hold(lock, thread: 2, granted: 5, released: 900_000, code: "App/Roster.swift:36")
        trace.off(2, from: 10, until: 899_990)
        trace.ask(2, at: 20_000, call: "wait4", frames: [0x7100, 0x1100])
        trace.add(.lockWait(.init(lock: lock, code: 0, holderTid: 2)), at: 20, thread: 3)
        trace.hold(lock, thread: 3, granted: 900_001, released: 900_002, code: "App/Roster.swift:24")
        let finding = try #require(try DetectorRun.findings(of: LockContention.self, in: trace).first)
        let owner = "held by thread 2, which was blocked in the system call wait4 at Roster.reap()"
        #expect(finding.summary.contains(owner))
        #expect(finding.advice.text.hasPrefix("Do not block in the system call wait4 at Roster.reap() while"))
        #expect(
            finding.advice.phrase.template
                == "Do not block in {object} while {lock} is held: copy the needed data out of it, release it, and "
                + "then make the call. A thread waited {number} for the lock{place}.")
        #expect(finding.code.count == 2)
    }
}
