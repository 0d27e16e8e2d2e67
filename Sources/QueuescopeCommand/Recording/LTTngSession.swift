import FoundationEssentials
import TraceReports

/// A recording session of LTTng that gets the events of one run, controlled with the `lttng` command.
struct LTTngSession {
    /// The channel of a session of ours: for short storms of events. LTTng discards and counts what does not fit.
    private static let channel = ["--subbuf-size=1M", "--num-subbuf=8"]
    private static let channelName = "queuescope"

    let name: String
    /// Where its trace is.
    let directory: String
    private let lttng: String
    private let isOurs: Bool
    /// Somebody else has started it: it records other programs as well, and goes on when this one has ended.
    let goesOn: Bool

    /// Makes a session of its own and starts it; the daemon is started when none runs.
    ///
    /// - Parameter directory: the absolute path of the trace.
    /// - Throws: ``CommandFailure`` with what LTTng says.
    init(into directory: String) throws {
        lttng = try Self.find()
        name = "queuescope-\(ProcessInfo.processInfo.processIdentifier)"
        self.directory = directory
        isOurs = true
        goesOn = false
        try run("create", name, "--output=\(directory)")
        do {
            try run(["enable-channel", "--userspace", "--session=\(name)"] + Self.channel + [Self.channelName])
            try run(
                "enable-event", "--userspace", "--session=\(name)", "--channel=\(Self.channelName)", "dispatch:*")
            // What other tools look for; Queuescope's events have both in themselves.
            try run(
                "add-context", "--userspace", "--session=\(name)", "--channel=\(Self.channelName)", "--type=vpid",
                "--type=vtid")
            try run("start", name)
        } catch {
            _ = try? run("destroy", name)
            throw error
        }
    }

    /// Uses a session that exists: enables the events in it when it has none of ours, and starts it when it is not
    /// active.
    ///
    /// - Parameter name: its name.
    /// - Throws: ``CommandFailure`` when there is no such session, or with what LTTng says.
    init(named name: String) throws {
        lttng = try Self.find()
        self.name = name
        isOurs = false
        let description = try Self.output(of: lttng, ["--mi", "xml", "list", name])
        directory = Self.text(of: "path", in: description) ?? ""
        goesOn = Self.text(of: "enabled", in: description) == "true"
        if !description.contains("<name>dispatch:") {
            try run("enable-event", "--userspace", "--session=\(name)", "dispatch:*")
        }
        if !goesOn { try run("start", name) }
    }

    /// Stops what was started, and destroys the session when it was made here. The trace stays.
    ///
    /// - Throws: ``CommandFailure`` with what LTTng says.
    func end() throws {
        if !goesOn { try run("stop", name) }
        if isOurs { try run("destroy", name) }
    }

    /// What LTTng knows of a running session that has events of ours enabled; nil when there is none, or no daemon.
    static func wanting() -> String? {
        guard let lttng = ExecutableSearch.path(of: "lttng"),
            let sessions = try? output(of: lttng, ["--no-sessiond", "--mi", "xml", "list"])
        else { return nil }
        let names = sessions.matches(of: /<session><name>([^<]*)<\/name>/).map { String($0.output.1) }
        return names.first { name in
            guard let session = try? output(of: lttng, ["--no-sessiond", "--mi", "xml", "list", name]) else {
                return false
            }
            return text(of: "enabled", in: session) == "true" && session.contains("<name>dispatch:")
        }
    }

    private static func find() throws -> String {
        guard let path = ExecutableSearch.path(of: "lttng") else {
            throw CommandFailure(.unavailable, "lttng is not installed (apt install lttng-tools)")
        }
        return path
    }

    /// The text of the first element of this name.
    private static func text(of element: String, in xml: String) -> String? {
        guard let begin = xml.firstRange(of: "<\(element)>") else { return nil }
        let rest = xml[begin.upperBound...]
        return rest.firstRange(of: "</\(element)>").map { String(rest[..<$0.lowerBound]) }
    }

    private func run(_ arguments: String...) throws { try run(arguments) }

    private func run(_ arguments: [String]) throws { _ = try Self.output(of: lttng, arguments) }

    /// Runs `lttng` to its end.
    private static func output(of lttng: String, _ arguments: [String]) throws -> String {
        let run = ToolRun(lttng, arguments)
        guard let run, run.exitStatus == 0 else {
            let lines = String(decoding: run?.errors ?? [], as: UTF8.self).split(separator: "\n")
            let reason = lines.first { !$0.allSatisfy(\.isWhitespace) } ?? "it does not say why"
            throw CommandFailure(
                .unavailable, "lttng \(arguments.first { !$0.hasPrefix("-") && $0 != "xml" } ?? "") failed: \(reason)")
        }
        return String(decoding: run.output, as: UTF8.self)
    }
}
