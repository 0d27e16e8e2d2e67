import FoundationEssentials
import Glibc
import Symbolication

/// Decides whether the interposer is preloaded into a program or is already linked into it.
enum InterposerChoice {
    /// The library to preload into a program.
    ///
    /// - Parameters:
    ///   - program: the name or path that will be started.
    ///   - rawName: the same as bytes, ended by a zero; needed if the name is not UTF-8.
    ///   - explicit: the library from the command line; nil for the default.
    /// - Returns: the library; nil when the program contains the recorder.
    /// - Throws: ``CommandFailure`` when the program cannot be recorded or the library is missing, with the remedy.
    static func preload(for program: String, rawName: [CChar]? = nil, explicit: String?) throws -> PreloadObject? {
        let descriptor = rawName.flatMap(descriptor) ?? -1
        defer { if descriptor >= 0 { close(descriptor) } }
        let found = descriptor >= 0 ? "/proc/self/fd/\(descriptor)" : ExecutableSearch.path(of: program)
        // The kernel reports the error for a program that cannot be found or read.
        guard let path = found, let kind = ExecutableKind(path: path) else {
            return try PreloadObject(explicit: explicit)
        }
        if let obstacle = kind.obstacle {
            throw CommandFailure(.unavailable, "cannot record \(program): \(obstacle.reason). \(obstacle.remedy)")
        }
        // This command has no queues to record, but `scenario` replaces itself by a program that has.
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
        return folders.lazy.map { $0 + name }.filter { access($0, X_OK) == 0 }.map { open($0, O_RDONLY | O_CLOEXEC) }
            .first
    }
}

extension ExecutableKind {
    /// Can the interposer be preloaded, and is it needed?
    var isPreloadable: Bool {
        switch self {
        case .dynamic, .script, .unknown: true
        default: false
        }
    }

    /// The reason why the program cannot be recorded without changes, and the remedy; nil when it can.
    var obstacle: (reason: String, remedy: String)? {
        switch self {
        case .dynamic, .linkedWithInterposer, .script, .unknown: nil
        case .containsLibdispatch(let recordsItself), .fullyStatic(let recordsItself):
            recordsItself
                ? nil
                : (
                    self == .fullyStatic(recordsItself: false)
                        ? "it is linked statically, so no library can be preloaded"
                        : "libdispatch is linked into it (-static-stdlib), so its calls cannot be intercepted",
                    "Link it without that option, or with the interposer: queuescope link-flags prints the flags"
                )
        case .gainsPrivileges:
            (
                "it runs with the rights of another user or group (setuid or setgid), so no library can be preloaded",
                "Record a copy without these bits, made with cp"
            )
        case .otherArchitecture:
            ("it is built for other processors than this queuescope", "Build it for this machine")
        }
    }
}
