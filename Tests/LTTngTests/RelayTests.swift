import DispatchAnalysis
import DispatchModel
import Foundation
import TestSupport
import Testing

/// Several machines stream to one relay daemon. Each has its own host name, session daemon and sockets.
@Suite("A relay daemon", .enabled(if: Program.obstacleToRelay == nil, "\(Program.obstacleToRelay ?? "")"))
struct RelayTests {
    /// Starts a relay daemon on loopback. `machine NAME COMMAND…` records the command as if on another machine.
    private static let relay = """
        # Below the ephemeral ports. Fails for ports in use or in TIME_WAIT, so the caller tries again with other ports.
        start_relay() {
            port=$((20000 + RANDOM % 12000))
            lttng-relayd --daemonize --output=$DIR/relayed --control-port=tcp://127.0.0.1:$port \
                --data-port=tcp://127.0.0.1:$((port + 1)) --live-port=tcp://127.0.0.1:$((port + 2))
        }
        until_true start_relay
        export URL=net://127.0.0.1:$port:$((port + 1))
        machine() {
            unshare --uts --mount bash -c '
                hostname $1 && mount -t tmpfs tmpfs /run && mkdir -p /run/lttng || exit 96
                mount -t tmpfs tmpfs /dev/shm || exit 96
                export HOME=$HOME/$1; mkdir -p "$HOME"
                lttng-sessiond --daemonize || exit 95
                lttng -n create services --set-url=$URL || exit 1
                lttng -n enable-event -u "dispatch:*" && lttng -n start || exit 1
                shift; "$@" || exit 2
                lttng -n stop && lttng -n destroy || exit 3' machine "$@" || exit $?
        }

        """

    @Test("traces of two machines give one report that names both machines and compares their queues")
    func twoMachines() throws {
        let run = try LTTngRun(
            Self.relay + """
                machine box-1 env LD_PRELOAD=$PRELOAD $BIN/PlainReadersWriter
                machine box-2 bash -c \
                    'export LD_PRELOAD=$PRELOAD; $BIN/PlainReadersWriter && $BIN/PlainOrderExample'
                $QUEUESCOPE report $DIR/relayed >$DIR/report || exit 4
                $QUEUESCOPE report $DIR/relayed --format json >$DIR/json || exit 5
                $QUEUESCOPE report $DIR/relayed --process box-1:PlainReadersWri >$DIR/one || exit 6
                """, startsDaemon: false)
        try #require(run.result.status == 0, "\(run.result)")
        let relayed = run.directory.appending("relayed")
        let fleet = try AnalysisSession().analyzeFleet(path: relayed)
        #expect(Set(fleet.hosts) == ["box-1", "box-2"])
        #expect(
            fleet.descriptions.map { "\($0.host) \($0.name)" }.sorted() == [
                "box-1 PlainReadersWri", "box-2 PlainOrderExamp", "box-2 PlainReadersWri",
            ])
        // Each machine has 100 readers, 50 writers and the writer's sync.
        let compared = try #require(fleet.comparisons.first { $0.label == "readers.writer" })
        #expect(compared.members.map(\.items) == [151, 151])
        let text = try String(contentsOfFile: run.directory.appending("report"), encoding: .utf8)
        for part in ["box-1", "box-2 (2)", "readers.writer"] { #expect(text.contains(part), "\(text)") }
        let one = try String(contentsOfFile: run.directory.appending("one"), encoding: .utf8)
        #expect(one.contains("PlainReadersWri (pid ") && one.contains("on box-1"), "\(one)")
        let json = try #require(FileManager.default.contents(atPath: run.directory.appending("json")))
        let report = try JSONSerialization.jsonObject(with: json) as? [String: Any]
        let rows = report?["queues"] as? [[String: Any]] ?? []
        #expect(Set(rows.compactMap { $0["host"] as? String }) == ["box-1", "box-2"])
    }
}

extension Program {
    /// Why tests with a relay daemon cannot run here; nil if they can.
    static let obstacleToRelay: String? = {
        if let obstacle = obstacleToLTTng { return obstacle }
        if toolsAreRequired { return nil }
        if installed("lttng-relayd") == nil { return "lttng-relayd is not installed" }
        let user = getuid() == 0 ? [] : ["--user", "--map-root-user"]
        let trial = try? Program(path: "/usr/bin/env").run(["unshare"] + user + ["--uts", "hostname", "box-1"])
        return trial?.status == 0 ? nil : "this user may give no process a machine name of its own"
    }()
}
