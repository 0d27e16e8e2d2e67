import Foundation
import TestSupport
import Testing

/// The command on a directory with the traces of several processes.
@Suite struct FleetCommandTests {
    private let queuescope = Program.queuescope
    private let directory = TemporaryDirectory()

    /// Two processes in one stream on box-1 and one process on box-2, as a relay daemon stores them.
    private func fleet() throws -> String {
        for host in ["box-1", "box-2"] {
            var trace = LTTngTrace(.userspace, host: host, identity: host == "box-1" ? 1 : 2)
            for pid: UInt32 in host == "box-1" ? [7, 8] : [7] {
                trace.queue(1, "app.state", at: UInt64(pid), pid: pid, tid: pid * 10)
                for item: UInt64 in 1...60 {
                    let start = item * 1_000_000
                    let wait: UInt64 = host == "box-2" ? 900_000 : 100_000
                    trace.item(
                        item, on: 1, enqueued: start, begin: start + wait, end: start + wait + 5_000, pid: pid,
                        tid: pid * 10 + 1, from: pid * 10)
                }
            }
            try trace.write(to: directory.appending("fleet/\(host)/services-20261121-100000/ust/uid/1000/64-bit"))
        }
        return directory.appending("fleet")
    }

    @Test("report names both machines, every process and the outlier; --process reports on one")
    func report() throws {
        let fleet = try fleet()
        let all = try queuescope.run(["report", fleet])
        #expect(all.status == 0, "\(all.errors)")
        #expect(all.errors.isEmpty)
        for part in ["box-1 (2)", "box-2", "process 7 on box-1", "process 8 on box-1", "process 7 on box-2"] {
            #expect(all.output.contains(part), "\(part)\n\(all.output)")
        }
        let outlier = all.output.split(separator: "\n").first { $0.hasPrefix(" outlier") }
        #expect(outlier?.contains("app.state of process 7 on box-2") == true, "\(all.output)")
        let one = try queuescope.run(["report", fleet, "--process", "box-2:7", "--format", "json"])
        let document = try JSONSerialization.jsonObject(with: Data(one.output.utf8)) as? [String: Any]
        let trace = document?["trace"] as? [String: Any]
        #expect(trace?["host"] as? String == "box-2")
        #expect(trace?["events"] as? Int == 181)
        #expect(document?["fleet"] == nil)
    }

    @Test("events lists the records of all processes, or only of the process of --process")
    func eventsOfOneProcess() throws {
        let fleet = try fleet()
        let all = try queuescope.run(["events", fleet])
        #expect(all.output.split(separator: "\n").count == 543)
        let one = try queuescope.run(["events", fleet, "--process", "box-1:8"])
        #expect(one.status == 0 && one.errors.isEmpty, "\(one.errors)")
        let lines = one.output.split(separator: "\n")
        #expect(lines.count == 181)
        #expect(lines.allSatisfy { $0.contains("box-1") && $0.contains("vpid = 8") }, "\(lines.first ?? "")")
        // The time counts from the first event of the process.
        let part = try queuescope.run(["events", fleet, "--process", "box-1:8", "--to", "1ms"])
        #expect(part.output.split(separator: "\n").count == 2, "\(part)")
        let refused = try queuescope.run(["events", fleet, "--process", "7"])
        #expect(refused.status == 64)
        #expect(refused.errors.contains("box-1") && refused.errors.contains("box-2"), "\(refused.errors)")
    }

    @Test("The compared processes of two traces are selected separately, because their ids differ")
    func comparesOneOfEach() throws {
        let fleet = try fleet()
        let (one, other) = (fleet + "/box-1", fleet + "/box-2")
        let page = directory.appending("page.html")
        for command in [["diff", one, other], ["timeline", one, "--compare", other, "-o", page]] {
            let refused = try queuescope.run(command + ["--process", "8"])
            #expect(refused.status == 64)
            #expect(refused.errors.contains("has no process '8'") && refused.errors.contains("--process-after"))
            let compared = try queuescope.run(command + ["--process", "8", "--process-after", "7"])
            #expect(compared.status == 0, "\(compared)")
        }
        let difference = try queuescope.run(["diff", one, other, "--process", "8", "--process-after", "7"])
        #expect(difference.output.contains("app.state"), "\(difference)")
        let again = try queuescope.run(
            ["diff", one, other, "--again", other, "--process", "8", "--process-after", "7"])
        #expect(again.status == 64 && again.errors.contains("the same in all traces before"), "\(again)")
    }

    //   process 7  ├────────────────────────────┤
    //   process 8               ├───────────────┤
    //   --from 5ms              ╰ 5 ms ┤
    @Test("The times of a part count from the begin of the selected process, although its trace has others")
    func windowOfOneProcess() throws {
        var trace = LTTngTrace(.userspace, host: "box", identity: 1)
        for (pid, first) in [(UInt32(7), UInt64(0)), (8, 30)] {
            let begin = first * 1_000_000
            trace.queue(1, "app.state", at: begin + 1, pid: pid, tid: pid * 10)
            for item in first..<60 {
                let at = item * 1_000_000 + 10
                trace.item(
                    item + 1, on: 1, enqueued: at, begin: at + 10, end: at + 20, pid: pid, tid: pid * 10 + 1,
                    from: pid * 10)
            }
        }
        let path = directory.appending("trace")
        try trace.write(to: path)
        let part = ["report", path, "--process", "8", "--from", "5ms", "--to", "8ms", "--format", "json"]
        let run = try queuescope.run(part)
        let document = try JSONSerialization.jsonObject(with: Data(run.output.utf8)) as? [String: Any]
        let read = try #require(document?["trace"] as? [String: Any], "\(run)")
        #expect(read["events"] as? Int == 9)
    }

    @Test(
        "Commands for one process list the processes, and accept --process",
        arguments: [["timeline"], ["check"], ["report", "--format", "sarif"]])
    func oneProcess(command: [String]) throws {
        let fleet = try fleet()
        let output = command[0] == "timeline" ? ["-o", directory.appending("page.html")] : []
        let refused = try queuescope.run(command + [fleet] + output)
        #expect(refused.status == 64)
        #expect(refused.output.isEmpty)
        for part in ["3 processes", "--process", "process 8 on box-1"] { #expect(refused.errors.contains(part)) }
        let chosen = try queuescope.run(command + [fleet, "--process", "8"] + output)
        #expect(chosen.status == 0, "\(chosen.errors)")
        let ambiguous = try queuescope.run(command + [fleet, "--process", "7"] + output)
        #expect(ambiguous.status == 64)
        #expect(ambiguous.errors.contains("2 processes"))
    }

    @Test("In a part of the time only the processes and events of that time count")
    func window() throws {
        let traces = Package.root + "/traces/1.5"
        for name in ["before", "after"] {
            try FileManager.default.copyItem(
                atPath: "\(traces)/news-service-\(name)/trace", toPath: directory.appending(name))
        }
        let window = ["--from", "0.1", "--to", "0.2"]
        let listed = try queuescope.run(["events", directory.path] + window).lines.count
        #expect(listed > 100)
        let report = try queuescope.run(["report", directory.path, "--format", "json"] + window)
        let document = try JSONSerialization.jsonObject(with: Data(report.output.utf8)) as? [String: Any]
        let trace = document?["trace"] as? [String: Any]
        #expect(trace?["events"] as? Int == listed)
        #expect((trace?["processes"] as? [Any])?.count == 1)
    }

    @Test("An unreadable trace is reported, also when one process remains")
    func leftOut() throws {
        let traces = Package.root + "/traces/1.5"
        let bad = directory.appending("two/bad")
        try FileManager.default.createDirectory(atPath: bad, withIntermediateDirectories: true)
        try FileManager.default.copyItem(
            atPath: "\(traces)/order-example/trace", toPath: directory.appending("two/good"))
        try Data("/* CTF 1.8 */ trace { major =".utf8).write(to: URL(fileURLWithPath: bad + "/metadata"))
        // Permissions do not stop root, so a loop of links represents an unreadable directory.
        let loop = directory.appending("two/loop")
        try FileManager.default.createDirectory(atPath: loop, withIntermediateDirectories: true)
        try FileManager.default.createSymbolicLink(
            atPath: loop + "/metadata", withDestinationPath: loop + "/metadata")
        for command in [
            ["report"], ["report", "--format", "json"], ["check", "--fail-on", "error"],
            ["export", "--format", "csv", "--table", "queues"], ["export", "--format", "folded"],
            ["events", "--keep-going"],
        ] {
            let result = try queuescope.run([command[0], directory.appending("two")] + command.dropFirst())
            #expect(result.status == 0, "\(command) \(result.errors)")
            let words = (result.output + result.errors).split { $0.isWhitespace || $0 == "\\" }.joined()
            #expect(words.contains("two/bad/metadata") && words.contains("two/loop/metadata"), "\(command) \(words)")
        }
        let events = try queuescope.run(["events", directory.appending("two")])
        #expect(events.status == 2)
        #expect(!events.output.isEmpty)
    }

    @Test("events lists the records of all traces in one order of time")
    func events() throws {
        let result = try queuescope.run(["events", try fleet()])
        #expect(result.status == 0, "\(result.errors)")
        #expect(result.lines.count == 3 * 181)
        #expect(Set(result.lines.compactMap { $0.split(separator: " ").dropFirst(2).first }) == ["box-1", "box-2"])
        let times = result.lines.map { String($0.prefix { $0 != "]" }) }
        #expect(times == times.sorted())
    }
}
