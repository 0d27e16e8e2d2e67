import DispatchModel
import ReportText

/// Words about the descriptor of a system call.
enum DescriptorText {
    /// `to read from a TCP socket`; nil when the kind of the descriptor is unknown.
    static func purpose(of call: String, on descriptor: DescriptorKind) -> String? {
        guard descriptor != .unknown else { return nil }
        let purpose = purposes[call] ?? "in the system call \(DisplayText.escaped(call)) on"
        return "\(purpose) \(name(of: descriptor))"
    }

    /// ` on a TCP socket`, or empty when the kind of the descriptor is unknown.
    static func place(of descriptor: DescriptorKind) -> String {
        descriptor == .unknown ? "" : " on \(name(of: descriptor))"
    }

    private static func name(of descriptor: DescriptorKind) -> String {
        // A capital begins an abbreviation or a name, such as UDP and Unix. These have the sound of a consonant.
        let startsWithVowel = descriptor.title.first.map("aeiou".contains) ?? false
        return (startsWithVowel ? "an " : "a ") + descriptor.title
    }

    private static let purposes: [String: String] = {
        let calls: [(String, [String])] = [
            ("to read from", ["read", "readv", "pread64", "preadv", "recvfrom", "recvmsg"]),
            ("to write to", ["write", "writev", "pwrite64", "pwritev", "sendto", "sendmsg"]),
            ("for a connection to", ["accept", "accept4"]),
            ("to connect", ["connect"]),
            ("to flush", ["fsync", "fdatasync"]),
            ("to lock", ["flock"]),
        ]
        return Dictionary(uniqueKeysWithValues: calls.flatMap { purpose, names in names.map { ($0, purpose) } })
    }()
}

extension DescriptorKind {
    /// Nil when the kind is unknown.
    package var known: Self? { self == .unknown ? nil : self }
}
