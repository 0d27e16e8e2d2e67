import FoundationEssentials
import Symbolication

/// An LTTng session that receives the events of one run, controlled with the `lttng` command.
struct LTTngSession {
    /// The size of the channel, for short bursts of events. LTTng discards and counts events that do not fit.
    private static let channel = ["--subbuf-size=1M", "--num-subbuf=8"]
    private static let channelName = "queuescope"

    let name: String
    /// The directory of its trace.
    let directory: String
    private let lttng: String
    private let isOurs: Bool
    /// The session was already active: it also records other programs, and continues after this run.
    let goesOn: Bool

    /// Creates a session and starts it. The `lttng` command starts the daemon when none runs.
    ///
    /// - Parameter directory: the absolute path of the trace.
    /// - Throws: ``CommandFailure`` with LTTng's error message.
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
            // Other tools need these contexts. Queuescope's events contain both values.
            try run(
                "add-context", "--userspace", "--session=\(name)", "--channel=\(Self.channelName)", "--type=vpid",
                "--type=vtid")
            try run("start", name)
        } catch {
            _ = try? run("destroy", name)
            throw error
        }
    }

    /// Uses an existing session. Enables the dispatch events when none is enabled, and starts the session when it is
    /// not active.
    ///
    /// - Parameter name: the name of the session.
    /// - Throws: ``CommandFailure`` when the session does not exist, or with LTTng's error message.
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

    /// Stops the session if this run started it, and destroys it if this run created it. The trace is kept.
    ///
    /// - Throws: ``CommandFailure`` with LTTng's error message.
    func end() throws {
        if !goesOn { try run("stop", name) }
        if isOurs { try run("destroy", name) }
    }

    /// The name of an active session with dispatch events enabled; nil without one or without a daemon.
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

    /// The text of the first element with this name.
    private static func text(of element: String, in xml: String) -> String? {
        guard let begin = xml.firstRange(of: "<\(element)>") else { return nil }
        let rest = xml[begin.upperBound...]
        return rest.firstRange(of: "</\(element)>").map { String(rest[..<$0.lowerBound]) }
    }

    private func run(_ arguments: String...) throws { try run(arguments) }

    private func run(_ arguments: [String]) throws { _ = try Self.output(of: lttng, arguments) }

    /// Runs `lttng` and waits for its end.
    private static func output(of lttng: String, _ arguments: [String]) throws -> String {
        let run = ToolRun(lttng, arguments)
        guard let run, run.exitStatus == 0 else {
            let lines = String(decoding: run?.errors ?? [], as: UTF8.self).split(separator: "\n")
            let reason = lines.first { !$0.allSatisfy(\.isWhitespace) } ?? "no error message"
            throw CommandFailure(
                .unavailable, "lttng \(arguments.first { !$0.hasPrefix("-") && $0 != "xml" } ?? "") failed: \(reason)")
        }
        return String(decoding: run.output, as: UTF8.self)
    }
}
