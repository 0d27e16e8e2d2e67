import Foundation
import TestSupport

/// A shell script with a session daemon of its own: in namespaces of its own, so that no other daemon is seen or disturbed, and that
/// nothing outlives the script.
///
/// In the script `$QUEUESCOPE` and `$PRELOAD` are the command and the object that it preloads, `$BIN` is the folder of this package's
/// programs, `$DIR` a folder that is empty at first. Programs record with LTTng unless they are told otherwise.
final class LTTngRun {
    let directory = TemporaryDirectory()
    let result: Program.Result

    init(_ script: String, startsDaemon: Bool = true) throws {
        let folder = URL(fileURLWithPath: Program.queuescope.path).deletingLastPathComponent().path
        let prologue = """
            set -u
            mount -t tmpfs tmpfs /run && mkdir -p /run/lttng && mount -t tmpfs tmpfs /dev/shm || exit 99
            export HOME=$DIR/home QUEUESCOPE_BACKEND=lttng; mkdir "$HOME"
            # What a shell would wait for a moment for, and never for long.
            until_true() { for _ in $(seq 600); do "$@" && return; sleep 0.05; done; echo "never true: $*" >&2; exit 98; }

            """
        let daemon = startsDaemon ? "lttng-sessiond --daemonize || exit 97\n" : ""
        // To be the first process of a process namespace is to take all others along.
        let namespaces = ["--mount", "--pid", "--fork", "--kill-child", "--mount-proc"]
        let user = getuid() == 0 ? [] : ["--user", "--map-root-user"]
        result = try Program(path: "/usr/bin/env").run(
            ["timeout", "--kill-after=10", "120", "unshare"] + user + namespaces + [
                "bash", "-c", prologue + daemon + script,
            ],
            environment: [
                "BIN": folder, "QUEUESCOPE": folder + "/queuescope", "DIR": directory.path,
                "PRELOAD": folder + "/queuescope_CPreloadObject.resources/libqueuescope_preload.so",
                // A program gives up on its session daemon after 3 s, which beside many other tests may be too short.
                "LTTNG_UST_REGISTER_TIMEOUT": "30000",
            ])
    }

    /// The one directory with CTF metadata below a path in `$DIR`.
    func trace(_ name: String) throws -> String {
        let traces = Self.traces(below: directory.appending(name))
        guard let trace = traces.first, traces.count == 1 else { throw Missing(name: name, found: traces, run: result) }
        return trace
    }

    /// All of them, in the order of their paths.
    static func traces(below path: String) -> [String] {
        let inside = FileManager.default.enumerator(atPath: path)?.compactMap { $0 as? String } ?? []
        return inside.filter { $0.hasSuffix("/metadata") }.map { "\(path)/\($0.dropLast("/metadata".count))" }.sorted()
    }

    /// Starts SteppedProgram as the coprocess P; `step N` has it run N items and waits until it has.
    static let stepping = """
        step() { echo $1 >&"${P[1]}"; read -r reply <&"${P[0]}"; }
        begin() { coproc P { LD_PRELOAD=$PRELOAD exec $BIN/SteppedProgram; }; read -r reply <&"${P[0]}"; }
        end() { local pid=$P_PID; eval "exec ${P[1]}>&-"; wait $pid; }
        # The metadata of a session that runs may not be on the disk yet, but what the channel c has shows in its bytes.
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
    /// Why tests with LTTng cannot run here; nil when they can. With QUEUESCOPE_TEST_REQUIRES_TOOLS they run, and fail.
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
