import FoundationEssentials
import TraceReports

/// Decides how a program is recorded: with the interposer preloaded, or by what is linked into it.
enum InterposerChoice {
    /// What to preload into a program.
    ///
    /// - Parameters:
    ///   - program: its name or path, as it will be started.
    ///   - explicit: the object to preload, when the user names one.
    /// - Returns: the object; nil when the program has what it needs in it.
    /// - Throws: ``CommandFailure`` when the program cannot be recorded, or the object is missing: what to do instead.
    static func preload(for program: String, explicit: String?) throws -> PreloadObject? {
        // A program that cannot be found, or read, is for the kernel to refuse.
        guard let path = ExecutableSearch.path(of: program), let kind = ExecutableKind(path: path) else {
            return try PreloadObject(explicit: explicit)
        }
        if let obstacle = kind.obstacle {
            throw CommandFailure(.unavailable, "cannot record \(program): \(obstacle.reason). \(obstacle.remedy)")
        }
        // This very command has no queues to record, but `scenario` becomes a program that has.
        let files = [path, "/proc/self/exe"].map { URL(fileURLWithPath: $0).resolvingSymlinksInPath().path }
        let isThisCommand = files[0] == files[1]
        return kind.isPreloadable || isThisCommand ? try PreloadObject(explicit: explicit) : nil
    }
}

extension ExecutableKind {
    /// Whether it takes a preloaded interposer, and needs one.
    var isPreloadable: Bool {
        switch self {
        case .dynamic, .script, .unknown: true
        default: false
        }
    }

    /// Why it cannot be recorded as it is, and what to do; nil when it can.
    var obstacle: (reason: String, remedy: String)? {
        switch self {
        case .dynamic, .linkedWithInterposer, .script, .unknown: nil
        case .containsLibdispatch(let recordsItself), .fullyStatic(let recordsItself):
            recordsItself
                ? nil
                : (
                    self == .fullyStatic(recordsItself: false)
                        ? "it is linked statically, so nothing can be preloaded into it"
                        : "libdispatch is linked into it (-static-stdlib), so nothing can be put before it",
                    "Link it without that option, or with the interposer: queuescope link-flags prints the flags"
                )
        case .gainsPrivileges:
            (
                "it runs with the rights of somebody else (setuid or setgid), so nothing can be preloaded into it",
                "Record a copy without them, such as cp makes"
            )
        case .otherArchitecture:
            ("it is built for other processors than this queuescope", "Build it for this machine's")
        }
    }
}
