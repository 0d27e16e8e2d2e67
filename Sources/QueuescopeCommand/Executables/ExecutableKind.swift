import FoundationEssentials
import Glibc
import Symbolication

/// How a program gets libdispatch, which decides whether the interposer can be preloaded.
enum ExecutableKind: Equatable {
    /// The dynamic linker loads libdispatch.so, for the program or perhaps for one of its libraries. Preloading works.
    case dynamic(usesLibdispatch: Bool)
    /// The interposer is linked in, so no preloading is needed.
    case linkedWithInterposer
    /// libdispatch is linked into the program (`-static-stdlib`), so its calls cannot be intercepted.
    case containsLibdispatch(recordsItself: Bool)
    /// The program has no dynamic linker.
    case fullyStatic(recordsItself: Bool)
    /// The program is setuid or setgid, so the dynamic linker ignores `LD_PRELOAD`.
    case gainsPrivileges
    /// The kernel starts this interpreter for the program.
    case script(interpreter: String)
    /// The program is built for another architecture, or for 32 bits.
    case otherArchitecture
    /// Not a recognised executable format.
    case unknown

    /// A function that every interposer exports, and strings that every libdispatch and every recorder contain.
    private static let hook = "dispatch_async"
    private static let libdispatchMark = "BUG IN CLIENT OF LIBDISPATCH"
    private static let recorderMark = "QUEUESCOPE_TRACE"
    private static let threadSanitizer = "__tsan_init"

    #if arch(x86_64)
        private static let machine: UInt16 = 62
    #else
        private static let machine: UInt16 = 183
    #endif

    /// Examines a program's file; nil when it cannot be read. A program can be executable without being readable.
    init?(path: String) {
        guard let content = try? Data(contentsOf: URL(fileURLWithPath: path), options: .alwaysMapped) else {
            return nil
        }
        self = Self.gainsPrivileges(path) ? .gainsPrivileges : Self.kind(of: content)
    }

    private static func kind(of content: Data) -> ExecutableKind {
        if content.starts(with: "#!".utf8) {
            let line = content.dropFirst(2).prefix { $0 != UInt8(ascii: "\n") }
            let words = String(decoding: line, as: UTF8.self).split(whereSeparator: \.isWhitespace)
            return .script(interpreter: words.joined(separator: " "))
        }
        guard let file = ELFFile(content) else {
            return content.starts(with: [0x7F] + "ELF".utf8) ? .otherArchitecture : .unknown
        }
        if file.machine != machine { return .otherArchitecture }
        guard file.hasInterpreter else { return .fullyStatic(recordsItself: contains(recorderMark, in: content)) }
        let usesLibdispatch = file.neededLibraries.contains("libdispatch.so")
        if usesLibdispatch || !contains(libdispatchMark, in: content) {
            let functions = file.exportedFunctions
            // ThreadSanitizer exports its own replacements of libdispatch's functions, which call the preloaded
            // functions.
            let areSanitizers = functions.contains(threadSanitizer) && !contains(recorderMark, in: content)
            return functions.contains(hook) && !areSanitizers
                ? .linkedWithInterposer : .dynamic(usesLibdispatch: usesLibdispatch)
        }
        return .containsLibdispatch(recordsItself: contains(recorderMark, in: content))
    }

    private static func contains(_ text: String, in content: Data) -> Bool {
        let pattern = Array(text.utf8)
        return content.withUnsafeBytes { bytes in
            guard var position = bytes.baseAddress else { return false }
            let end = position + bytes.count
            while let candidate = memchr(position, Int32(pattern[0]), end - position) {
                guard end - UnsafeRawPointer(candidate) >= pattern.count else { return false }
                if memcmp(candidate, pattern, pattern.count) == 0 { return true }
                position = UnsafeRawPointer(candidate) + 1
            }
            return false
        }
    }

    /// Is the file set-user-ID for another user or set-group-ID for another group?
    private static func gainsPrivileges(_ path: String) -> Bool {
        var status = stat()
        guard stat(path, &status) == 0 else { return false }
        return status.st_mode & S_ISUID != 0 && status.st_uid != getuid()
            || status.st_mode & S_ISGID != 0 && status.st_gid != getgid()
    }
}
