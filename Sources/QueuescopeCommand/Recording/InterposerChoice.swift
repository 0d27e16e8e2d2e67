import FoundationEssentials
import Glibc
import TraceReports

/// Decides how a program is recorded: with the interposer preloaded, or by what is linked into it.
enum InterposerChoice {
    /// What to preload into a program.
    ///
    /// - Parameters:
    ///   - program: its name or path, as it will be started.
    ///   - rawName: the same as bytes, ended by a zero, where it may not be UTF-8.
    ///   - explicit: the object to preload, when the user names one.
    /// - Returns: the object; nil when the program has what it needs in it.
    /// - Throws: ``CommandFailure`` when the program cannot be recorded, or the object is missing: what to do instead.
    static func preload(for program: String, rawName: [CChar]? = nil, explicit: String?) throws -> PreloadObject? {
        let descriptor = rawName.flatMap(descriptor) ?? -1
        defer { if descriptor >= 0 { close(descriptor) } }
        let found = descriptor >= 0 ? "/proc/self/fd/\(descriptor)" : ExecutableSearch.path(of: program)
        // A program that cannot be found, or read, is for the kernel to refuse.
        guard let path = found, let kind = ExecutableKind(path: path) else {
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

    /// Opens a program whose name is not UTF-8, as no `String` names its file; nil for any other name.
    private static func descriptor(_ name: [CChar]) -> Int32? {
        guard String(validatingCString: name) == nil else { return nil }
        let slash = CChar(UInt8(ascii: "/"))
        var folders: [[CChar]] = [[]]
        if !name.contains(slash) {
            let path = getenv("PATH").map { Array(UnsafeBufferPointer(start: $0, count: strlen($0))) } ?? []
            folders = path.split(separator: CChar(UInt8(ascii: ":"))).map { $0 + [slash] }
        }
        return folders.lazy.map { $0 + name }.filter { access($0, X_OK) == 0 }.map { open($0, O_RDONLY | O_CLOEXEC) }.first
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
