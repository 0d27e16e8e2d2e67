import Foundation
import TestSupport

/// Runs a shell script with its own session daemon. The script has its own namespaces, so it does not see or disturb
/// other daemons, and all its processes end with it.
///
/// The script has these variables: `$QUEUESCOPE` is the command, `$PRELOAD` the preloaded library, `$BIN` the folder of
/// this package's programs, and `$DIR` an empty folder. Programs record with LTTng unless the script changes the
/// backend.
final class LTTngRun {
    let directory = TemporaryDirectory()
    let result: Program.Result

    init(_ script: String, startsDaemon: Bool = true) throws {
        let folder = URL(fileURLWithPath: Program.queuescope.path).deletingLastPathComponent().path
        let prologue = """
            set -u
            mount -t tmpfs tmpfs /run && mkdir -p /run/lttng && mount -t tmpfs tmpfs /dev/shm || exit 99
            export HOME=$DIR/home QUEUESCOPE_BACKEND=lttng; mkdir "$HOME"
            # Repeats a command until it succeeds, at most 600 times (30 s and more).
            until_true() { for _ in $(seq 600); do "$@" && return; sleep 0.05; done
                echo "never true: $*" >&2; exit 98; }

            """
        let daemon = startsDaemon ? "lttng-sessiond --daemonize || exit 97\n" : ""
        // The first process of a PID namespace takes all other processes of the namespace with it when it ends.
        let namespaces = ["--mount", "--pid", "--fork", "--kill-child", "--mount-proc"]
        let user = getuid() == 0 ? [] : ["--user", "--map-root-user"]
        result = try Program(path: "/usr/bin/env").run(
            ["timeout", "--kill-after=10", "600", "unshare"] + user + namespaces + [
                "bash", "-c", prologue + daemon + script,
            ],
            environment: [
                "BIN": folder, "QUEUESCOPE": folder + "/queuescope", "DIR": directory.path,
                "PRELOAD": folder + "/queuescope_CPreloadObject.resources/libqueuescope_preload.so",
                // The default is 3 s, which may be too short while many other tests run.
                "LTTNG_UST_REGISTER_TIMEOUT": "30000",
            ])
    }

    /// The one directory with CTF metadata below a path in `$DIR`.
    func trace(_ name: String) throws -> String {
        let traces = Self.traces(below: directory.appending(name))
        guard let trace = traces.first, traces.count == 1 else { throw Missing(name: name, found: traces, run: result) }
        return trace
    }

    /// All directories with CTF metadata below a path, sorted by path.
    static func traces(below path: String) -> [String] {
        let inside = FileManager.default.enumerator(atPath: path)?.compactMap { $0 as? String } ?? []
        return inside.filter { $0.hasSuffix("/metadata") }.map { "\(path)/\($0.dropLast("/metadata".count))" }.sorted()
    }

    /// Starts SteppedProgram as the coprocess P. `step N` runs N items in it and waits for their end.
    static let stepping = """
        step() { echo $1 >&"${P[1]}"; read -r reply <&"${P[0]}"; }
        begin() { coproc P { LD_PRELOAD=$PRELOAD exec $BIN/SteppedProgram; }; read -r reply <&"${P[0]}"; }
        end() { local pid=$P_PID; eval "exec ${P[1]}>&-"; wait $pid; }
        # The metadata of a running session may not be on the disk yet, so search the stream files of the channel c.
        has_after_step() { step 1; grep -qaRs --include='c_*' stepped.early $1; }

        """

    struct Missing: Error, CustomStringConvertible {
        let name: String
        let found: [String]
        let run: Program.Result

        var description: String {
            "\(name) has \(found.count) traces; the script (\(run.status)) said:\n\(run.output)\n\(run.errors)"
        }
    }
}

extension Program {
    /// Why tests with LTTng cannot run here; nil if they can. With QUEUESCOPE_TEST_REQUIRES_TOOLS they run and fail.
    static let obstacleToLTTng: String? = {
        if ProcessInfo.processInfo.environment["QUEUESCOPE_TEST_REQUIRES_TOOLS"] != nil { return nil }
        for tool in ["lttng", "lttng-sessiond", "babeltrace2", "unshare"] where installed(tool) == nil {
            return "\(tool) is not installed"
        }
        let user = getuid() == 0 ? [] : ["--user", "--map-root-user"]
        let trial = try? Program(path: "/usr/bin/env").run(
            ["unshare"] + user + [
                "--mount", "--pid", "--fork", "--mount-proc", "mount", "-t", "tmpfs", "tmpfs", "/run",
            ])
        return trial?.status == 0 ? nil : "this user may make no namespaces, in which the session daemon would run"
    }()
}
