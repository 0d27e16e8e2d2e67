import FoundationEssentials

/// The reason for which a snapshot of a recording was taken: a condition that held, a signal, or a text of the user.
///
/// `queuescope snapshot`, `queuescope watch` and the recorder write it into the directory of the copy.
public struct SnapshotReason: Equatable, Sendable {
    /// The reason: one line, without control characters.
    public let text: String

    /// The file in the trace directory. Readers of CTF ignore files whose names begin with a full stop.
    private static let file = ".snapshot"
    /// The longest text in bytes. `snapshot.c` of the recorder has the same limit.
    private static let longest = 512

    /// Creates a reason.
    ///
    /// - Parameter text: the text. Control characters become spaces, and the part beyond 511 bytes is dropped. Nil when
    ///   nothing remains.
    public init?(_ text: String) {
        let line = String(decoding: text.utf8.map { $0 < 0x20 || $0 == 0x7F ? 0x20 : $0 }, as: UTF8.self)
        var kept = ""
        var size = 0
        for character in line where size < Self.longest {
            size += character.utf8.count
            if size < Self.longest { kept.append(character) }
        }
        kept = String(kept.reversed().drop { $0 == " " }.reversed().drop { $0 == " " })
        guard !kept.isEmpty else { return nil }
        self.text = kept
    }

    /// The reason of a snapshot; nil when the trace is not a snapshot, or has none.
    ///
    /// - Parameter path: the trace directory.
    public init?(trace path: String) {
        guard let data = FileManager.default.contents(atPath: "\(path)/\(Self.file)"), data.count <= Self.longest else {
            return nil
        }
        self.init(String(decoding: data, as: UTF8.self))
    }

    /// Writes the reason into a trace directory. Does nothing if the directory cannot be written.
    ///
    /// - Parameter path: the trace directory.
    public func write(toTrace path: String) {
        _ = FileManager.default.createFile(atPath: "\(path)/\(Self.file)", contents: Data("\(text)\n".utf8))
    }
}
